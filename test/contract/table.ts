import type { Verdict } from './play.ts';
import type { Group, Row } from './row.ts';
import { SIDES, type SideName } from './sides/side.ts';

export type Verdicts = ReadonlyMap<SideName, ReadonlyMap<string, Verdict>>;

/** How many rows there are, and what became of them on both sides together. */
export interface Sums {
  readonly rows: number;
  readonly passed: number;
  readonly failed: number;
  readonly exempt: number;
}

const SIDE_WIDTH = 9;

/** The rows with their verdict on each side; below a row why it failed, or why it need not be kept. */
export function tableOf(groups: readonly Group[], verdicts: Verdicts): string {
  const width = Math.max(...groups.flatMap(({ rows }) => rows.map(({ id }) => id.length))) + 4;
  const head = `${'row'.padEnd(width)}${SIDES.map((side) => side.padEnd(SIDE_WIDTH)).join('')}promise (section of the interface)`;
  return [
    head,
    ...groups.flatMap(({ name, rows }) => [
      '',
      name,
      ...rows.flatMap((row) => linesOf(row, verdicts, width)),
    ]),
  ].join('\n');
}

export function sumsOf(groups: readonly Group[], verdicts: Verdicts): Sums {
  const rows = groups.flatMap((group) => group.rows);
  const all = SIDES.flatMap((side) => rows.map(({ id }) => verdicts.get(side)?.get(id)?.kind ?? 'failed'));
  const count = (kind: Verdict['kind']) => all.filter((one) => one === kind).length;
  return { rows: rows.length, passed: count('passed'), failed: count('failed'), exempt: count('exempt') };
}

function linesOf({ id, what, section }: Row, verdicts: Verdicts, width: number): readonly string[] {
  const found = SIDES.map((side) => ({ side, verdict: verdicts.get(side)?.get(id) }));
  const cells = found.map(({ verdict }) => (verdict?.kind ?? 'not run').padEnd(SIDE_WIDTH)).join('');
  const reasons = found.flatMap(({ side, verdict }) =>
    verdict && verdict.kind !== 'passed' ? [`    ${side} ${verdict.kind}: ${verdict.why}`] : [],
  );
  return [`  ${id.padEnd(width - 2)}${cells}${what} (${section})`, ...new Set(reasons)];
}
