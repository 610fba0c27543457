import { inGuide } from '../../src/driver-packages/guide.ts';
import { pageOf } from './guide-pages.ts';
import type { Verdict } from './run.ts';
import type { Scenario } from './scenario.ts';
import type { Subject } from './subject.ts';

/** Verdicts of one scenario, in the order of the subjects. */
export interface Row {
  readonly scenario: Scenario;
  readonly verdicts: readonly Verdict[];
}

/** The sums, as the last line prints them. */
export interface Sums {
  readonly subjects: number;
  readonly scenarios: number;
  readonly passed: number;
  readonly failed: number;
  readonly exempt: number;
}

const SIGN = { green: '✓', red: '✗', exempt: '–' } as const;

/** The matrix for people: a line for each scenario, a column for each driver, then every reason and every breach. */
export function matrixOf(subjects: readonly Subject[], rows: readonly Row[]): string {
  const width = Math.max(...rows.map(({ scenario }) => scenario.id.length));
  const heads = subjects.map(({ id }) => id);
  const lines = [`${' '.repeat(width)}  ${heads.join('  ')}`];
  let theme = '';
  for (const { scenario, verdicts } of rows) {
    if (scenario.theme !== theme) lines.push('', scenario.theme);
    theme = scenario.theme;
    const cells = verdicts.map(({ kind }, index) => SIGN[kind].padEnd(heads[index]?.length ?? 0)).join('  ');
    lines.push(`${scenario.id.padEnd(width)}  ${cells}  ${scenario.title}`);
  }
  return [
    ...lines,
    ...notes(subjects, rows, 'exempt', 'Not for this protocol'),
    ...notes(subjects, rows, 'red', 'Broken'),
  ].join('\n');
}

export function sumsOf(subjects: readonly Subject[], rows: readonly Row[]): Sums {
  const count = (kind: Verdict['kind']) =>
    rows.reduce((sum, { verdicts }) => sum + verdicts.filter((one) => one.kind === kind).length, 0);
  return {
    subjects: subjects.length,
    scenarios: rows.length,
    passed: count('green'),
    failed: count('red'),
    exempt: count('exempt'),
  };
}

/** Rows with the same words for the same subject are one note. */
function notes(
  subjects: readonly Subject[],
  rows: readonly Row[],
  kind: 'exempt' | 'red',
  title: string,
): readonly string[] {
  const ids = new Map<string, string[]>();
  for (const { scenario, verdicts } of rows)
    for (const [index, verdict] of verdicts.entries()) {
      if (verdict.kind !== kind) continue;
      const words = kind === 'red' ? inGuide(pageOf(scenario), verdict.words) : verdict.words;
      const key = `${subjects[index]?.id}: ${words}`;
      ids.set(key, [...(ids.get(key) ?? []), scenario.id]);
    }
  if (ids.size === 0) return [];
  return [
    '',
    title,
    ...[...ids].map(
      ([words, which]) => `  ${SIGN[kind]} ${which.join(', ')}\n      ${words.replaceAll('\n', '\n      ')}`,
    ),
  ];
}
