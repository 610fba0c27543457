import { describe, expect, it } from 'vitest';
import { fire } from './fire.ts';
import { targets } from './targets.ts';

/** The same inputs every time; `npm run fuzz` takes others. */
const SEED = 20_261_122;
const RUNS = 120;

describe('the parsers under a short fire', () => {
  it.each(targets.map((target) => [target.name, target.promise, target] as const))(
    '%s: %s',
    async (_name, _promise, target) => {
      const { finding, executions } = await fire(target, { seed: SEED, runs: RUNS });
      expect(finding && { ...finding, bytes: Buffer.from(finding.bytes).toString('hex') }).toBeNull();
      expect(executions).toBe(RUNS);
    },
  );

  it('have names of their own', () => {
    expect(new Set(targets.map(({ name }) => name)).size).toBe(targets.length);
  });
});
