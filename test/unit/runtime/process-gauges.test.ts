import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { ProcessGauges } from '../../../src/runtime/process-gauges.ts';

describe('the gauges of the process', () => {
  const gauges = new ProcessGauges(tmpdir(), join(tmpdir(), 'none.db'), join(tmpdir(), 'none-archive.db'));
  afterEach(() => gauges.stop());

  it('see a second in which nothing moved, once, and take their own beat for no delay', async () => {
    const longest = () => gauges.look().delays.find(([quantile]) => quantile === '1')?.[1];
    await wait(600);
    expect(longest()).toBeLessThan(0.25);
    // The first beat behind a look is counted from, and not counted.
    await wait(600);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000);
    await wait(600);
    expect(longest()).toBeGreaterThan(0.5);
    await wait(600);
    expect(longest()).toBeLessThan(0.25);
  });
});
