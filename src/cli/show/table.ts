import { plain } from './plain.ts';

/** Rows under their headings, columns as wide as needed; two spaces between them. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [headings, ...rows].map((row) => row.map((cell) => plain(cell).replaceAll('\n', ' ')));
  const widths = headings.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all
    .map(
      (row) =>
        `${row
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}

/** `label  value` lines; a value that is null is left out. */
export function facts(pairs: readonly (readonly [label: string, value: string | null])[]): string {
  const shown = pairs.filter((pair): pair is readonly [string, string] => pair[1] !== null);
  const width = Math.max(0, ...shown.map(([label]) => label.length));
  return shown
    .map(([label, value]) => `  ${label.padEnd(width)}  ${plain(value).replaceAll('\n', ' ')}\n`)
    .join('');
}
