import { describe, expect, it } from 'vitest';
import { ElapsedTime, type KeptTime } from '../../../src/payment/attempt/elapsed-time.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

const HOUR_MS = 3_600_000;
const NOON = Date.UTC(2026, 0, 5, 12);

/** A place that outlives a run. */
function aStore() {
  let kept: KeptTime = { elapsedMs: 0, witnesses: {} };
  return {
    read: () => kept,
    write: (next: KeptTime) => {
      kept = next;
    },
  };
}

/** A run of the agent of this long that hears the witness at its begin and its end. */
async function aRun(store: ReturnType<typeof aStore>, ms: number, shown?: readonly [number, number]) {
  const clock = new VirtualClock();
  const elapsed = new ElapsedTime(clock, store);
  if (shown) elapsed.heard('service', shown[0]);
  await clock.advance(ms);
  if (shown) elapsed.heard('service', shown[1]);
  elapsed.keep();
  return elapsed.now();
}

describe('elapsed time', () => {
  it('runs with the monotonic clock, whatever is done to the wall clock', async () => {
    const clock = new VirtualClock();
    const elapsed = new ElapsedTime(clock, aStore());
    for (const jump of [13 * HOUR_MS, -400 * 24 * HOUR_MS, 1000]) {
      const before = elapsed.now();
      clock.jumpWallClock(jump);
      await clock.advance(500);
      expect(elapsed.now() - before).toBe(500);
    }
  });

  it('goes on after a restart where it stood: the time between counts as none', async () => {
    const store = aStore();
    expect(await aRun(store, 1000)).toBe(1000);
    expect(await aRun(store, 500)).toBe(1500);
  });

  it('counts the time between two runs once a witness that both have heard has shown it', async () => {
    const store = aStore();
    await aRun(store, 1000, [NOON, NOON + 1000]);
    expect(await aRun(store, 500, [NOON + HOUR_MS, NOON + HOUR_MS + 500])).toBe(HOUR_MS + 500);
  });

  it('counts nothing by a witness that is heard for the first time, or that says less than what has passed', async () => {
    const store = aStore();
    await aRun(store, 1000);
    expect(await aRun(store, 500, [NOON, NOON + 500])).toBe(1500);
    expect(await aRun(store, 500, [NOON - HOUR_MS, NOON])).toBe(2000);
  });

  it('is moved by no later word of a witness in the same run: its clock may be set, too', async () => {
    const clock = new VirtualClock();
    const elapsed = new ElapsedTime(clock, aStore());
    elapsed.heard('service', NOON);
    await clock.advance(100);
    elapsed.heard('service', NOON + 13 * HOUR_MS);
    expect(elapsed.now()).toBe(100);
  });

  it('counts the same time once, though two witnesses show it', async () => {
    const store = aStore();
    const first = new ElapsedTime(new VirtualClock(), store);
    first.heard('service', NOON);
    first.heard('this machine', NOON + 7000);
    first.keep();
    const second = new ElapsedTime(new VirtualClock(), store);
    second.heard('this machine', NOON + 7000 + HOUR_MS);
    second.heard('service', NOON + HOUR_MS + 400);
    expect(second.now()).toBe(HOUR_MS + 400);
  });
});
