import { describe, expect, it } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import { stopOf } from '../../../src/integration/engine.ts';
import { Schedule } from '../../../src/integration/schedule.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

const MINUTE = 60_000;

function aSchedule(names: readonly string[], lastsMs = 1_000) {
  const clock = new VirtualClock();
  const ran: string[] = [];
  let [running, most] = [0, 0];
  const allowed = { now: true };
  const streams = names.map((name) => ({
    name,
    intervalMs: 5 * MINUTE,
    mayRun: () => allowed.now,
    run: (signal: AbortSignal) => {
      ran.push(name);
      running += 1;
      most = Math.max(most, running);
      return new Promise<number>((resolve) => {
        const end = () => {
          running -= 1;
          resolve(0);
        };
        clock.timer('run', lastsMs, end);
        signal.addEventListener('abort', end, { once: true });
      });
    },
  }));
  const ids = { uuid: () => '', nameBased: () => '', random: () => 0.5 };
  const schedule = new Schedule({ clock, ids, log: silentLog }, streams);
  return { clock, ran, schedule, allowed, most: () => most };
}

describe('the schedule', () => {
  it('runs each stream at its interval, one at a time', async () => {
    const { clock, ran, schedule, most } = aSchedule(['a', 'b']);
    schedule.start();
    await clock.advance(21 * MINUTE);
    expect(ran.filter((name) => name === 'a')).toHaveLength(4);
    expect(ran.filter((name) => name === 'b')).toHaveLength(4);
    expect(most()).toBe(1);
    await schedule.stop(stopOf());
  });

  it('runs once after the machine slept, not once per slot that it missed', async () => {
    const { clock, ran, schedule } = aSchedule(['a']);
    schedule.start();
    await clock.advance(2_000);
    clock.jumpWallClock(24 * 60 * MINUTE);
    await clock.advance(MINUTE);
    expect(ran).toEqual(['a', 'a']);
    await schedule.stop(stopOf());
  });

  it('does not wait for a day because the clock was set back by one', async () => {
    const { clock, ran, schedule } = aSchedule(['a']);
    schedule.start();
    await clock.advance(2_000);
    clock.jumpWallClock(-24 * 60 * MINUTE);
    await clock.advance(12 * MINUTE);
    expect(ran.length).toBeGreaterThanOrEqual(2);
    await schedule.stop(stopOf());
  });

  it('runs what is asked for at once, and once more after a run that is under way', async () => {
    const { clock, ran, schedule } = aSchedule(['a'], 10_000);
    schedule.start();
    await clock.advance(1_000);
    schedule.runNow('a');
    schedule.runNow('a');
    expect(ran).toEqual(['a']);
    await clock.advance(30_000);
    expect(ran).toEqual(['a', 'a']);
    await schedule.stop(stopOf());
  });

  it('passes over what may not run, and catches up when it may', async () => {
    const { clock, ran, schedule, allowed } = aSchedule(['a']);
    allowed.now = false;
    schedule.start();
    await clock.advance(30 * MINUTE);
    expect(ran).toEqual([]);
    allowed.now = true;
    await clock.advance(MINUTE);
    expect(ran).toEqual(['a']);
    await schedule.stop(stopOf());
  });
});
