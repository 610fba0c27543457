/** One line, or several of ours. What shops and people have named goes through {@link printable} first. */
export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** One JSON document. Its texts show a terminal no control or direction character, and are the same to a parser. */
export function printJson(document: unknown): void {
  print(JSON.stringify(document).replace(UNSEEN, (sign) => units(sign).map(escapeOf).join('')));
}

/** Foreign text within a line: control, escape and direction characters and line breaks are shown as `\u001b`. */
export function printable(text: string): string {
  return text.replace(UNSEEN, (sign) => units(sign).map(escapeOf).join(''));
}

/** A line of a list: its cells are foreign text, and empty ones are left out. */
export function printRow(...cells: readonly string[]): void {
  print(
    cells
      .filter((cell) => cell !== '')
      .map(printable)
      .join('  '),
  );
}

const UNSEEN = /[\p{C}\p{Zl}\p{Zp}]/gu;

function units(sign: string): readonly string[] {
  return sign.split('');
}

function escapeOf(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
