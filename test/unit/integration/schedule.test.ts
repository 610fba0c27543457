import { describe, expect, it } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import { stopOf } from '../../../src/integration/engine.ts';
import { Schedule } from '../../../src/integration/schedule.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

const MINUTE = 60_000;

function aSchedule(names: readonly string[], lastsMs = 1_000, endedAt: number | null = null) {
  const clock = new VirtualClock();
  const ran: string[] = [];
  let [running, most] = [0, 0];
  const allowed = { now: true, schedule: true };
  const streams = names.map((name) => ({
    name,
    group: name.split('/')[0] ?? name,
    lastEndedAt: endedAt,
    notBefore: null,
    intervalMs: 5 * MINUTE,
    mayRun: () => allowed.now,
    isScheduled: () => allowed.now && allowed.schedule,
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
  it('runs what is asked for while it is switched off, and nothing by itself', async () => {
    const { clock, ran, schedule, allowed } = aSchedule(['a', 'b']);
    allowed.schedule = false;
    schedule.start();
    await clock.advance(21 * MINUTE);
    expect(ran).toEqual([]);
    schedule.runNow('b');
    await clock.advance(21 * MINUTE);
    expect(ran).toEqual(['b']);
  });

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

  it('lets what somebody asked for run beside another source, and never beside its own', async () => {
    const { clock, ran, schedule, most } = aSchedule(['a/1', 'a/2', 'b/1'], 60 * MINUTE);
    schedule.start();
    expect(ran).toEqual(['a/1']);
    schedule.runNow('a/2');
    schedule.runNow('b/1');
    expect(ran).toEqual(['a/1', 'b/1']);
    expect(schedule.stateOf('a/2')).toBe('queued');
    await clock.advance(61 * MINUTE);
    expect(ran).toEqual(['a/1', 'b/1', 'a/2']);
    expect(most()).toBe(2);
    await schedule.stop(stopOf());
  });

  it('stops the run of one stream, and the others go on', async () => {
    const { clock, ran, schedule } = aSchedule(['a', 'b'], 10 * MINUTE);
    schedule.start();
    schedule.runNow('b');
    schedule.stopRun('a', stopOf());
    await clock.advance(1);
    expect([schedule.stateOf('a'), schedule.stateOf('b')]).toEqual(['idle', 'running']);
    expect(ran).toEqual(['a', 'b']);
    await schedule.stop(stopOf());
  });

  it('goes on in its rhythm after a restart, and catches up once where it was off for longer', async () => {
    const fresh = aSchedule(['a'], 1_000, new VirtualClock().now() - MINUTE);
    fresh.schedule.start();
    expect(fresh.ran).toEqual([]);
    await fresh.clock.advance(5 * MINUTE);
    expect(fresh.ran).toEqual(['a']);
    await fresh.schedule.stop(stopOf());
    const late = aSchedule(['a'], 1_000, new VirtualClock().now() - 600 * MINUTE);
    late.schedule.start();
    expect(late.ran).toEqual(['a']);
    await late.clock.advance(2 * MINUTE);
    expect(late.ran).toEqual(['a']);
    await late.schedule.stop(stopOf());
  });
});
