import { describe, expect, it } from 'vitest';
import { WallClockCheck } from '../../../src/agent/wall-clock-check.ts';
import { ElapsedTime, type KeptTime } from '../../../src/payment/attempt/elapsed-time.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

const HOUR_MS = 3_600_000;

function aWatch({ synchronised = false, skewMs = null as number | null, kept = NOTHING } = {}) {
  const clock = new VirtualClock();
  const elapsed = new ElapsedTime(clock, { read: () => kept, write: () => undefined });
  const isSynchronised = () => Promise.resolve(synchronised);
  const watch = new WallClockCheck({ clock, elapsed, isSynchronised, skewMs: () => skewMs });
  return { clock, elapsed, watch };
}

const NOTHING: KeptTime = { elapsedMs: 0, witnesses: {} };

describe('the wall clock, held against its witnesses', () => {
  it.each([
    [
      13 * HOUR_MS,
      /^The clock of this machine was set 13 hours ahead while tilld ran, or the machine slept\. /,
    ],
    [-400 * 24 * HOUR_MS, /^The clock of this machine was set 400 days back /],
    [90_000, /^The clock of this machine was set 90 seconds ahead /],
  ])('is said to be set by %s ms', async (ms, words) => {
    const { clock, watch } = aWatch();
    await clock.advance(5000);
    clock.jumpWallClock(ms);
    expect(watch.trouble()).toMatch(words);
    expect(watch.trouble()).toContain('no payment is taken twice or refused because of it');
  });

  it('is no trouble where little is wrong, or where the system keeps it right', async () => {
    const { clock, watch } = aWatch({ synchronised: true });
    clock.jumpWallClock(50_000);
    expect(watch.trouble()).toBeNull();
    clock.jumpWallClock(HOUR_MS);
    await watch.look();
    expect(watch.trouble()).toBeNull();
  });

  it.each([
    [2 * HOUR_MS, /is 2 hours behind the service's\./],
    [-2 * HOUR_MS, /is 2 hours ahead of the service's\./],
  ])('goes by the service where that was heard: %s ms', (skewMs, words) => {
    expect(aWatch({ skewMs }).watch.trouble()).toMatch(words);
  });

  it('that was set right is no trouble once the service agrees', () => {
    const { clock, watch } = aWatch({ skewMs: 400 });
    clock.jumpWallClock(HOUR_MS);
    expect(watch.trouble()).toBeNull();
  });

  it('tells how long the agent was away only while the system keeps it right', async () => {
    const wall = new VirtualClock().now();
    const kept = {
      elapsedMs: 1000,
      witnesses: { 'system clock': { shownMs: wall - HOUR_MS, elapsedMs: 1000 } },
    };
    const off = aWatch({ kept });
    await off.watch.look();
    expect(off.elapsed.now()).toBe(1000);
    const on = aWatch({ kept, synchronised: true });
    await on.watch.look();
    expect(on.elapsed.now()).toBe(1000 + HOUR_MS);
  });
});
