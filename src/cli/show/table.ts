import width from 'fast-string-width';
import { moment } from './moment.ts';
import { plain } from './plain.ts';

/**
 * Rows under their headings, instants by {@link moment}, columns as wide on the screen as needed; two spaces between them. A library for tables (cli-table3, columnify) draws the
 * same only with its 15 border characters and two paddings turned off, its cells made {@link plain}, and each line cut behind it: more than this.
 */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [headings, ...rows].map((row) => row.map((cell) => plain(moment(cell)).replaceAll('\n', ' ')));
  const widths = headings.map((_, column) => Math.max(...all.map((row) => width(row[column] ?? ''))));
  return all
    .map(
      (row) =>
        `${row
          .map((cell, column) => padded(cell, widths[column] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}

/** `label  value` lines; a value that is null is left out. */
export function facts(pairs: readonly (readonly [label: string, value: string | null])[]): string {
  const shown = pairs.filter((pair): pair is readonly [string, string] => pair[1] !== null);
  const most = Math.max(0, ...shown.map(([label]) => width(label)));
  return shown
    .map(([label, value]) => `  ${padded(label, most)}  ${plain(moment(value)).replaceAll('\n', ' ')}\n`)
    .join('');
}

function padded(text: string, to: number): string {
  return text + ' '.repeat(Math.max(0, to - width(text)));
}
