import type { Contest } from './contest.ts';

/** One line of the comparison. */
export interface Row extends Contest {
  readonly name: string;
  readonly version: string;
}

const SYNCHRONOUS = ['OFF', 'NORMAL', 'FULL', 'EXTRA'];
const HEAD = [
  '',
  'version',
  'journal',
  'synchronous',
  'syncs/job',
  'acknowledged',
  'worst',
  'median',
  'at the end',
  'disks with a loss',
  'unreadable',
];
/** The columns that are words; the others are figures. */
const WORDS = 4;

/** The comparison for people: what is lost is counted in acknowledged jobs. */
export function tableOf(rows: readonly Row[]): string {
  const lines = [HEAD, ...rows.map(cellsOf)];
  const widths = HEAD.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((cell, column) =>
          column < WORDS ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function cellsOf(row: Row): readonly string[] {
  const { journal_mode, synchronous } = row.as_shipped;
  return [
    row.name,
    row.version,
    journal_mode ?? 'not told',
    synchronous === null ? 'not told' : (SYNCHRONOUS[synchronous] ?? String(synchronous)),
    row.syncs_per_job.toFixed(2),
    String(row.acknowledged),
    String(row.lost_worst),
    String(row.lost_median),
    String(row.lost_at_the_end),
    `${row.images_with_loss} of ${row.images}`,
    String(row.images_unreadable),
  ];
}
