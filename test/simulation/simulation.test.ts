import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { fastFolder } from './fast-folder.ts';
import { runHistory, SCENARIOS } from './history.ts';
import { type Result, summary } from './result.ts';

const SEEDS = 60;
const { day, rush } = SCENARIOS;
const root = fastFolder();
afterAll(() => root.remove());

function run(seed: number, scenario = day, trace = false) {
  if (!scenario) throw new Error('no such scenario');
  return runHistory(scenario, { seed, folder: join(root.path, `${seed}`), trace });
}

describe('a simulated shop day', () => {
  it(`charges every customer at most once and tells every outcome once, in ${SEEDS} seeds with faults and crashes`, async () => {
    const results: Result[] = [];
    for (let seed = 1; seed <= SEEDS; seed += 1) results.push((await run(seed)).result);
    expect(
      results.flatMap(({ seed, accusations }) =>
        accusations.map(({ crime, text }) => `${seed} ${crime}: ${text}`),
      ),
    ).toEqual([]);
    expect(summary(results, 0)).toMatchObject({
      double_charges: 0,
      lost_outcomes: 0,
      unreported: 0,
      stuck: 0,
      failures: [],
    });
    for (const { attempts, faults, crashes } of results) {
      expect(attempts).toBeGreaterThanOrEqual(20);
      expect(faults).toBeGreaterThanOrEqual(3);
      expect(crashes).toBeGreaterThanOrEqual(1);
    }
  }, 120_000);

  it('is told the same to the last byte when its seed is played again', async () => {
    for (const seed of [7, 20]) {
      const first = await run(seed, day, true);
      const again = await run(seed, day, true);
      expect(first.lines.length).toBeGreaterThan(500);
      expect(again.lines.join('\n') === first.lines.join('\n')).toBe(true);
      expect(again.result).toEqual(first.result);
    }
    expect((await run(8, rush, true)).lines).not.toEqual((await run(9, rush, true)).lines);
  }, 60_000);
});
