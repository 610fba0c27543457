import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { playShift } from './crew.ts';
import { fastFolder } from './fast-folder.ts';
import { runHistory, SCENARIOS } from './history.ts';
import { summary } from './result.ts';

const SEEDS = 200;
const { day, rush } = SCENARIOS;
const root = fastFolder();
afterAll(() => root.remove());

function run(seed: number, scenario = day, trace = false) {
  if (!scenario) throw new Error('no such scenario');
  return runHistory(scenario, { seed, folder: join(root.path, `${seed}`), trace });
}

function shift(count: number, workers: number) {
  return { scenario: 'day', from: 1, count, workers, root: root.path };
}

describe('a simulated shop day', () => {
  it(`charges every customer at most once and reports every outcome once, in ${SEEDS} seeds with faults and crashes`, async () => {
    const results = await playShift(shift(SEEDS, availableParallelism()));
    expect(
      results.flatMap(({ seed, accusations }) =>
        accusations.map(({ crime, text }) => `${seed} ${crime}: ${text}`),
      ),
    ).toEqual([]);
    expect(summary(results, 0)).toMatchObject({
      seeds: SEEDS,
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
  }, 600_000);

  it('is told the same to the last byte when its seed is played again, alone or after any others', async () => {
    const [seven, , twenty] = [await run(7, day, true), await run(33), await run(20, day, true)];
    const [twentyAgain, sevenAgain] = [await run(20, day, true), await run(7, day, true)];
    for (const [first, again] of [
      [seven, sevenAgain],
      [twenty, twentyAgain],
    ] as const) {
      expect(first.lines.length).toBeGreaterThan(500);
      expect(again.lines.join('\n') === first.lines.join('\n')).toBe(true);
      expect(again.result).toEqual(first.result);
    }
    expect((await run(8, rush, true)).lines).not.toEqual((await run(9, rush, true)).lines);
  }, 60_000);

  it('comes to the same whichever process plays it and however many there are', async () => {
    const alone = [];
    for (let seed = 1; seed <= 6; seed += 1) alone.push((await run(seed)).result);
    const heard: number[] = [];
    const together = await playShift({ ...shift(6, 3), onResult: ({ seed }) => heard.push(seed) });
    expect(together).toEqual(alone);
    expect(heard).toEqual([1, 2, 3, 4, 5, 6]);
  }, 60_000);

  it('names the seed in which a worker died', async () => {
    await expect(playShift({ ...shift(4, 2), scenario: 'a day that nobody knows' })).rejects.toThrow(
      /^a worker died in seed [1-4]: exit code 1$/,
    );
  }, 60_000);

  it('leaves no worker and no folder behind when it is interrupted', async () => {
    const script = join(import.meta.dirname, 'simulate.ts');
    const player = spawn(process.execPath, [script, '--seeds', '100000', '--workers', '2'], {
      stdio: 'pipe',
    });
    const parent = dirname(root.path);
    const folders = () => readdirSync(parent).filter((name) => name.includes(`-${player.pid}-`));
    const isPlaying = () => folders().some((name) => readdirSync(join(parent, name)).length > 0);
    await vi.waitFor(() => expect(isPlaying()).toBe(true), { timeout: 30_000 });
    player.kill('SIGINT');
    // The pipe of its standard error closes when the last worker, which has it too, is gone.
    expect(await once(player, 'close')).toEqual([130, null]);
    expect(folders()).toEqual([]);
  }, 60_000);
});
