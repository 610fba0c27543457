import { dirname, join, normalize } from 'node:path';

/** A relative link of a markdown file that leads nowhere. */
export interface DeadLink {
  readonly file: string;
  readonly line: number;
  readonly target: string;
  readonly missing: 'file' | 'heading';
}

const LINK = /\]\(([^)\s]+)(?:\s[^)]*)?\)/g;
/** `https:`, `mailto:`. */
const ELSEWHERE = /^[a-z][a-z0-9+.-]*:/i;
const HEADING = /^#{1,6}\s+(.*?)\s*#*\s*$/;

/**
 * The relative links of the markdown files of `texts` that lead to no file or to no heading.
 * @param texts the files of the repository, by path; null: a file whose text does not matter here
 */
export function deadLinks(texts: ReadonlyMap<string, string | null>): readonly DeadLink[] {
  const folders = foldersOf([...texts.keys()]);
  const missingOf = (file: string, target: string): DeadLink['missing'] | null => {
    const [path = '', heading = ''] = target.split('#');
    const found = path === '' ? file : normalize(join(dirname(file), path)).replace(/\/$/, '');
    if (!texts.has(found) && !folders.has(found)) return 'file';
    const shown = texts.get(folders.has(found) ? join(found, 'README.md') : found);
    return heading === '' || anchorsOf(shown ?? '').has(heading) ? null : 'heading';
  };
  return [...texts].flatMap(([file, text]) =>
    linksOf(text ?? '').flatMap(({ line, target }): readonly DeadLink[] => {
      const missing = missingOf(file, target);
      return missing === null ? [] : [{ file, line, target, missing }];
    }),
  );
}

function linksOf(text: string): readonly { readonly line: number; readonly target: string }[] {
  const lines = withoutFences(text).map((line) => line.replace(/`[^`]*`/g, ''));
  return lines.flatMap((line, index) =>
    [...line.matchAll(LINK)]
      .map(([, target = '']) => ({ line: index + 1, target }))
      .filter(({ target }) => !ELSEWHERE.test(target)),
  );
}

/** The anchors that GitHub gives the headings: lower case, letters, digits, `-` and `_` alone, `-` for each blank; the second of a name ends in `-1`. */
function anchorsOf(text: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const line of withoutFences(text)) {
    const [, heading] = HEADING.exec(line) ?? [];
    if (heading === undefined) continue;
    const words = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const anchor = words.replace(/[^\p{L}\p{N}\p{M}\s_-]/gu, '').replace(/\s/g, '-');
    let free = anchor;
    for (let no = 1; anchors.has(free); no += 1) free = `${anchor}-${no}`;
    anchors.add(free);
  }
  return anchors;
}

/** The lines; those of code are empty. */
function withoutFences(text: string): readonly string[] {
  let fence: string | null = null;
  return text.split('\n').map((line) => {
    const [mark = null] = /^\s*(```|~~~)/.exec(line)?.slice(1) ?? [];
    const isCode = fence !== null || mark !== null;
    if (fence === null) fence = mark;
    else if (mark === fence) fence = null;
    return isCode ? '' : line;
  });
}

function foldersOf(files: readonly string[]): ReadonlySet<string> {
  const folders = new Set(['.']);
  for (const file of files)
    for (let folder = dirname(file); folder !== '.'; folder = dirname(folder)) folders.add(folder);
  return folders;
}
