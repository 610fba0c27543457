import { describe, expect, it } from 'vitest';
import { runSalvage } from './salvage.ts';

describe('the comparison of ways to save rows', { timeout: 120_000 }, () => {
  it.each(['nothing', 'the content of another table', 'a frame of the log'])(
    'sees no row that is none, and no fewer payments than another way saves: %s',
    (only) => {
      expect(runSalvage({ seeds: 1, payments: 200, only })).toBe(0);
    },
  );
});
