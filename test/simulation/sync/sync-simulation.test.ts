import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const SEEDS = 300;
const SCRIPT = join(import.meta.dirname, 'simulate-sync.ts');

function simulate(...options: readonly string[]) {
  const ran = spawnSync(process.execPath, [SCRIPT, ...options], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  const total: unknown = JSON.parse(ran.stdout.trim().split('\n').at(-1) ?? '');
  return { ...ran, total };
}

describe('a simulated sync', () => {
  it(`misses nothing, keeps nothing that is gone and takes nothing away, in ${SEEDS} seeds of a hostile source and a process that dies`, () => {
    const { status, stderr, total } = simulate('--seeds', `${SEEDS}`);
    expect(stderr).toBe('');
    expect(total).toMatchObject({
      seeds: SEEDS,
      missed: 0,
      extra: 0,
      wrongly_deleted: 0,
      reader_lost: 0,
      state_too_large: 0,
      repeated_too_much: 0,
      stuck: 0,
      failures: [],
    });
    const { kills, swaps, deleted, held } = total as Record<string, number>;
    for (const count of [kills, swaps, deleted, held]) expect(count).toBeGreaterThan(100);
    expect(status).toBe(0);
  }, 300_000);

  it('misses nothing where a sweep saw a part of the list, behind one that could not be judged', () => {
    expect(simulate('--seed', '100539').total).toMatchObject({ missed: 0, failures: [] });
  }, 60_000);

  it.each([
    ['a person asks again while that run is refused (403)', '100085'],
    ['a person asks again, that run has to wait (429), and goes on in quiet hours', '200695'],
  ])(
    'runs once more where %s',
    (_, seed) => {
      expect(simulate('--seed', seed).total).toMatchObject({ failures: [] });
    },
    60_000,
  );

  it('is the same story when its seed is played again', () => {
    const [first, again] = [simulate('--seed', '7', '--trace'), simulate('--seed', '7', '--trace')];
    const story = (text: string) => text.split('\n').slice(0, -2);
    expect(story(first.stdout).length).toBeGreaterThan(30);
    expect(story(again.stdout)).toEqual(story(first.stdout));
  }, 120_000);
});
