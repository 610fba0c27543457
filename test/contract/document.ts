/** The interface's own text, taken apart as far as it is tables, lists and words in backticks. */
export interface Section {
  /** The headings above it, from the second level on: `['Errors', 'Status codes']`. */
  readonly path: readonly string[];
  readonly lines: readonly string[];
}

/** Cuts a markdown document at its headings. */
export function sectionsOf(markdown: string): readonly Section[] {
  const sections: { path: string[]; lines: string[] }[] = [];
  let path: string[] = [];
  for (const line of markdown.split('\n')) {
    const [, marks = '', title = ''] = /^(#{2,4}) (.+)$/.exec(line) ?? [];
    if (marks === '') {
      sections.at(-1)?.lines.push(line);
      continue;
    }
    path = [...path.slice(0, marks.length - 2), title];
    sections.push({ path, lines: [] });
  }
  return sections;
}

/** The sections below a heading, itself included. @throws when the document has no such heading */
export function below(sections: readonly Section[], ...path: readonly string[]): readonly Section[] {
  const found = sections.filter((section) => path.every((title, index) => section.path[index] === title));
  if (found.length === 0) throw new Error(`the document has no section ${path.join(': ')}`);
  return found;
}

/** Rows of the tables of a section without their heads, cells trimmed. */
export function tableOf({ lines }: Section): readonly (readonly string[])[] {
  const rows = lines
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .slice(1, line.lastIndexOf('|'))
        .split('|')
        .map((cell) => cell.trim()),
    );
  const isRule = (row: readonly string[] | undefined) => row?.every((cell) => /^-+$/.test(cell)) ?? false;
  return rows.filter((row, index) => !isRule(row) && !isRule(rows[index + 1]));
}

/** Everything in backticks, in the order of the text. */
export function quotedIn(sections: readonly Section[]): readonly string[] {
  const text = sections.flatMap(({ lines }) => lines).join('\n');
  return [...text.matchAll(/`([^`\n]+)`/g)].map(([, word = '']) => word);
}

/** The items of a cell or a line that lists words: `a, b, c`. */
export function wordsOf(text: string): readonly string[] {
  return text
    .split(',')
    .map((word) => word.replaceAll('`', '').trim())
    .filter((word) => word !== '');
}
