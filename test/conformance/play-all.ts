import { matrixOf, type Row, sumsOf } from './matrix.ts';
import { play, type Verdict } from './run.ts';
import type { Scenario } from './scenario.ts';
import type { Subject } from './subject.ts';
import { traceOf } from './trace.ts';

/**
 * Plays every scenario with every subject and prints the matrix, the bytes of the first broken row that names no step, then one JSON line.
 * @returns how many rows failed
 */
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
  print(`${matrixOf(subjects, rows)}\n${await bytesOf(subjects, rows)}\n${JSON.stringify(sums)}\n`);
  return sums.failed;
}

/** A row that names a step shows its bytes already, and goes on to the next step. */
async function bytesOf(subjects: readonly Subject[], rows: readonly Row[]): Promise<string> {
  for (const { scenario, verdicts } of rows)
    for (const [index, verdict] of verdicts.entries()) {
      const subject = subjects[index];
      if (!subject || verdict.kind !== 'red' || verdict.words.includes(' at step ')) continue;
      const lines = await traceOf(scenario, subject);
      const title = `What both sides wrote in ${scenario.id}, ${subject.id}`;
      return `\n${[title, ...(lines.length > 0 ? lines : ['nothing'])].join('\n  ')}\n`;
    }
  return '';
}
