import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { hasCompiler } from '../crash/record/build.ts';

const BENCH = join(import.meta.dirname, 'bench.ts');

/** Shapes alone: what a figure is depends on the machine, and nothing here waits for one. */
const noCompiler = hasCompiler() ? '' : ' (skipped: this machine has no cc)';
describe.skipIf(noCompiler !== '')(`a bench that is tried out with small sizes${noCompiler}`, () => {
  it('prints one figure a line, and what it is held against', async () => {
    const figures = await benched('serial', '--times', '50');
    expect(figures).toHaveLength(5);
    for (const figure of figures) {
      expect(figure).toEqual({
        bench: 'serial',
        metric: expect.any(String),
        value: expect.any(Number),
        unit: expect.any(String),
        against: figure.against === null ? null : expect.any(String),
        ratio: figure.against === null ? null : expect.any(Number),
      });
    }
  });

  it('refuses a name that it does not know, with its usage', async () => {
    await expect(benched('nothing')).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining('names: syncs'),
    });
  });
});

async function benched(...words: string[]): Promise<{ against: string | null }[]> {
  const { stdout } = await promisify(execFile)(process.execPath, [BENCH, ...words]);
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}
