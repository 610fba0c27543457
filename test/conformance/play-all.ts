import { matrixOf, type Row, sumsOf } from './matrix.ts';
import { play, type Verdict } from './run.ts';
import type { Scenario } from './scenario.ts';
import type { Subject } from './subject.ts';

/** Plays every scenario with every subject and prints the matrix, then one JSON line. @returns how many rows failed */
export async function playAll(
  subjects: readonly Subject[],
  scenarios: readonly Scenario[],
  print: (text: string) => void,
): Promise<number> {
  const rows: Row[] = [];
  for (const scenario of scenarios) {
    const verdicts: Verdict[] = [];
    for (const subject of subjects) verdicts.push(await play(scenario, subject));
    rows.push({ scenario, verdicts });
  }
  const sums = sumsOf(subjects, rows);
  print(`${matrixOf(subjects, rows)}\n\n${JSON.stringify(sums)}\n`);
  return sums.failed;
}
