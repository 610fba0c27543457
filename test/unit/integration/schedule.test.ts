import { describe, expect, it } from 'vitest';
import { type RunReport, stopOf } from '../../../src/integration/run/engine.ts';
import { nextDue } from '../../../src/integration/schedule/schedule.ts';
import { atInterval, type Timetable } from '../../../src/integration/schedule/timetable.ts';
import { waitAfter } from '../../../src/integration/schedule/wait-after.ts';
import { aSchedule, clockAt, HOUR, MINUTE, NIGHTS } from '../../support/schedule.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

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

/** Every day at three. */
const DAILY: Timetable = {
  intervalMs: 15 * MINUTE,
  jitterMs: MINUTE,
  cron: {
    after: (at, count) => {
      const first = Math.floor((at - 3 * HOUR) / (24 * HOUR)) + 1;
      return Array.from({ length: count }, (_, index) => (first + index) * 24 * HOUR + 3 * HOUR);
    },
  },
  quietUntil: () => null,
};

describe('a stream that runs once a day', () => {
  const daily = atInterval(24 * HOUR);
  const due = (waitMs: number, random: number) => nextDue(daily, 0, { waitMs, random, ignoresQuiet: false });

  it('goes on after the minute that its source asks for, not hours later', () => {
    expect(due(MINUTE, 0)).toBe(MINUTE);
    expect(due(MINUTE, 1)).toBe(1.1 * MINUTE);
  });

  it.each([
    ['failed', 24 * HOUR, null, 0, HOUR],
    ['failed', 24 * HOUR, null, 2 * HOUR, 2 * HOUR],
    ['failed', HOUR, null, 0, 0],
    ['failed', 15 * MINUTE, null, HOUR, HOUR],
    ['failed', 15 * MINUTE, DAILY.cron, 0, 15 * MINUTE],
    ['failed', 24 * HOUR, DAILY.cron, 0, HOUR],
    ['waiting', 24 * HOUR, null, 0, MINUTE],
    ['complete', 24 * HOUR, null, 0, 0],
  ] as const)(
    'repeats a %s run of an interval of %i ms within an hour (%#)',
    (outcome, intervalMs, cron, retryAfterMs, wait) => {
      const failure = {
        code: 'SOURCE_UNAVAILABLE',
        message: '',
        effect: 'retry',
        retryAfterMs,
        status: 500,
      } as const;
      const report = {
        outcome,
        kind: 'changes',
        failure: outcome === 'complete' ? null : failure,
        held: null,
      } as RunReport;
      expect(waitAfter(report, { ...atInterval(intervalMs), cron })).toBe(wait);
    },
  );
});

describe('in quiet hours', () => {
  it('no run begins by itself, and what was due runs once at their end', async () => {
    const clock = clockAt(21);
    const { ran, schedule } = aSchedule(['a'], 1_000, null, { clock, timetable: NIGHTS });
    schedule.start();
    await clock.advance(HOUR);
    const before = ran.length;
    expect(before).toBe(6);
    await clock.advance(8 * HOUR - 2 * MINUTE);
    expect(ran.length).toBe(before);
    await clock.advance(5 * MINUTE);
    expect(ran.length).toBe(before + 1);
    await schedule.stop(stopOf());
  });

  it('a run that a person asks for begins at once, and goes on until it is through', async () => {
    const clock = clockAt(23);
    const waits = [MINUTE, MINUTE];
    const { ran, schedule } = aSchedule(['a'], 1_000, clock.now(), { clock, timetable: NIGHTS, waits });
    schedule.start();
    expect(ran).toEqual([]);
    schedule.runNow('a');
    await clock.advance(30 * MINUTE);
    expect(ran).toEqual(['a', 'a', 'a']);
    await schedule.stop(stopOf());
  });

  it('a full resync that a person asked for goes on after a restart', async () => {
    const clock = clockAt(23);
    const { ran, schedule, allowed } = aSchedule(['a'], 1_000, null, { clock, timetable: NIGHTS });
    schedule.start();
    expect(ran).toEqual([]);
    allowed.requested = true;
    schedule.tick();
    expect(ran).toEqual(['a']);
    await schedule.stop(stopOf());
  });

  it('the end of the quiet hours is shown as the next time', async () => {
    const clock = clockAt(23);
    const { schedule } = aSchedule(['a'], 1_000, null, { clock, timetable: NIGHTS });
    schedule.start();
    const six = clock.now() + 7 * HOUR;
    expect(schedule.dueOf('a')).toBe(six);
    expect(schedule.timesOf('a', 3)).toEqual([six, six + 10 * MINUTE, six + 20 * MINUTE]);
    await schedule.stop(stopOf());
  });

  it('a time within them is their end, with the jitter', () => {
    const at = clockAt(23).now();
    const due = nextDue({ ...NIGHTS, jitterMs: MINUTE }, at, { waitMs: 0, random: 1, ignoresQuiet: false });
    expect(due).toBe(at + 7 * HOUR + MINUTE);
  });

  it('a time is not pushed into them by its jitter', () => {
    const at = clockAt(21).now() + 49 * MINUTE + 30_000;
    const due = nextDue({ ...NIGHTS, jitterMs: MINUTE }, at, { waitMs: 0, random: 1, ignoresQuiet: false });
    expect(due).toBe(at + 10 * MINUTE);
  });

  it('a clock that is set to the night begins no run, and one that is set to the day does', async () => {
    const clock = clockAt(12);
    const { ran, schedule } = aSchedule(['a'], 1_000, null, { clock, timetable: NIGHTS });
    schedule.start();
    await clock.advance(MINUTE);
    expect(ran).toEqual(['a']);
    clock.jumpWallClock(11 * HOUR);
    await clock.advance(HOUR / 2);
    expect(ran).toEqual(['a']);
    clock.jumpWallClock(-11 * HOUR);
    await clock.advance(MINUTE);
    expect(ran).toEqual(['a', 'a']);
    await schedule.stop(stopOf());
  });
});

describe('a cron expression', () => {
  it('runs at its time, once a day', async () => {
    const clock = clockAt(1);
    const { ran, schedule } = aSchedule(['a'], 1_000, clock.now(), { clock, timetable: DAILY });
    schedule.start();
    await clock.advance(2 * HOUR - MINUTE);
    expect(ran).toEqual([]);
    await clock.advance(3 * MINUTE);
    expect(ran).toEqual(['a']);
    await clock.advance(23 * HOUR);
    expect(ran).toEqual(['a']);
    await clock.advance(HOUR);
    expect(ran).toEqual(['a', 'a']);
    await schedule.stop(stopOf());
  });

  it('makes up for a time that passed while tilld was off, once', async () => {
    const clock = clockAt(12);
    const endedAt = clock.now() - 72 * HOUR;
    const { ran, schedule } = aSchedule(['a'], 1_000, endedAt, { clock, timetable: DAILY });
    schedule.start();
    await clock.advance(HOUR);
    expect(ran).toEqual(['a']);
    await schedule.stop(stopOf());
  });

  it('does not wait for days because the clock was set back by some', async () => {
    const clock = clockAt(12);
    const { ran, schedule } = aSchedule(['a'], 1_000, clock.now(), { clock, timetable: DAILY });
    schedule.start();
    clock.jumpWallClock(-100 * 24 * HOUR);
    await clock.advance(16 * HOUR);
    expect(ran).toEqual(['a']);
    await schedule.stop(stopOf());
  });

  it('is repeated after the wait that a failed run asks for', async () => {
    const clock = clockAt(2);
    const waits = [15 * MINUTE];
    const { ran, schedule } = aSchedule(['a'], 1_000, clock.now(), { clock, timetable: DAILY, waits });
    schedule.start();
    await clock.advance(HOUR + 2 * MINUTE);
    expect(ran).toEqual(['a']);
    await clock.advance(17 * MINUTE);
    expect(ran).toEqual(['a', 'a']);
    await schedule.stop(stopOf());
  });
});
