import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const SCRIPT = join(import.meta.dirname, 'crash-sync.ts');

function crash(...options: readonly string[]) {
  const ran = spawnSync(process.execPath, [SCRIPT, ...options], { encoding: 'utf8' });
  const total: unknown = JSON.parse(ran.stdout.trim().split('\n').at(-1) ?? '');
  return { ...ran, total };
}

describe('a sync whose process is killed', () => {
  it('misses nothing, keeps nothing that is gone, takes nothing away and repeats one page at most', () => {
    const { status, stderr, total } = crash('--rounds', '3', '--seed', '2');
    expect(stderr).toBe('');
    expect(total).toMatchObject({
      kills: 3,
      missed: 0,
      extra: 0,
      wrongly_deleted: 0,
      reader_lost: 0,
      failures: [],
    });
    const { pages_repeated_max_per_kill: repeated, state_bytes_max: bytes } = total as Record<string, number>;
    expect(repeated).toBeLessThanOrEqual(1);
    expect(bytes).toBeGreaterThan(0);
    expect(status).toBe(0);
  }, 120_000);

  it('is found out where the place of a page and its rows are two commits', () => {
    const { status, stderr, total } = crash('--rounds', '5', '--planted', 'split-commit');
    expect(stderr).toContain('missed');
    expect((total as Record<string, number>)['missed']).toBeGreaterThan(0);
    expect(status).toBe(1);
  }, 120_000);

  it('refuses a call that makes no sense', () => {
    const { status } = spawnSync(process.execPath, [SCRIPT, '--rounds', 'many'], { encoding: 'utf8' });
    expect(status).toBe(2);
  });
});
