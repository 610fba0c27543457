import { describe, expect, it } from 'vitest';
import { stopOf } from '../../../src/integration/run/engine.ts';
import { atInterval } from '../../../src/integration/schedule/timetable.ts';
import { aSchedule, clockAt, HOUR, MINUTE, NIGHTS } from '../../support/schedule.ts';

describe('a wakeup', () => {
  it('makes a run begin within seconds, and a burst of them one run', async () => {
    const { clock, ran, schedule } = aSchedule(['a', 'b']);
    schedule.start();
    await clock.advance(MINUTE);
    expect(ran).toEqual(['a', 'b']);
    for (let times = 0; times < 1_000; times += 1) schedule.wake('a');
    await clock.advance(5_000);
    expect(ran).toEqual(['a', 'b', 'a']);
    await clock.advance(2 * MINUTE);
    expect(ran).toEqual(['a', 'b', 'a']);
    await schedule.stop(stopOf());
  });

  it('during a run is exactly one more run after it', async () => {
    const { clock, ran, schedule } = aSchedule(['a'], 20_000);
    schedule.start();
    await clock.advance(5_000);
    for (let times = 0; times < 50; times += 1) schedule.wake('a');
    await clock.advance(4 * MINUTE);
    expect(ran).toEqual(['a', 'a']);
    await schedule.stop(stopOf());
  });

  it('comes again and again, and runs are at least ten seconds apart', async () => {
    const { clock, ran, schedule } = aSchedule(['a'], 1_000, null, { timetable: atInterval(HOUR) });
    schedule.start();
    for (let seconds = 0; seconds < 110; seconds += 1) {
      await clock.advance(1_000);
      schedule.wake('a');
    }
    expect(ran.length).toBeGreaterThanOrEqual(8);
    expect(ran.length).toBeLessThanOrEqual(11);
    await schedule.stop(stopOf());
  });

  it('does not wake what is off, nor what its source or its last failure holds', async () => {
    const { clock, ran, schedule, allowed } = aSchedule(['a'], 1_000, null, { waits: [0, 3 * MINUTE] });
    schedule.start();
    await clock.advance(MINUTE);
    allowed.wake = false;
    schedule.wake('a');
    await clock.advance(MINUTE);
    expect(ran).toHaveLength(1);
    allowed.wake = true;
    schedule.wake('a');
    await clock.advance(10_000);
    expect(ran).toHaveLength(2);
    schedule.wake('a');
    await clock.advance(2 * MINUTE);
    expect(ran, 'the run asked for three minutes').toHaveLength(2);
    await clock.advance(2 * MINUTE);
    expect(ran).toHaveLength(3);
    await schedule.stop(stopOf());
  });

  it('costs next to nothing where thousands come: what is on the disk is looked at once a second', async () => {
    const { clock, schedule, allowed, looks } = aSchedule(['a']);
    schedule.start();
    await clock.advance(MINUTE);
    for (const may of [true, false]) {
      allowed.wake = may;
      looks.count = 0;
      for (let times = 0; times < 5_000; times += 1) schedule.wake('a');
      expect(looks.count).toBe(1);
      await clock.advance(MINUTE);
    }
    await schedule.stop(stopOf());
  });

  it('while it is off is one run when it is on again', async () => {
    const { clock, ran, schedule, allowed } = aSchedule(['a']);
    schedule.start();
    await clock.advance(MINUTE);
    allowed.schedule = false;
    schedule.wake('a');
    await clock.advance(MINUTE);
    expect(ran).toHaveLength(1);
    allowed.schedule = true;
    await clock.advance(MINUTE);
    expect(ran).toHaveLength(2);
    await schedule.stop(stopOf());
  });

  it('in quiet hours begins one run at their end', async () => {
    const clock = clockAt(21);
    const { ran, schedule } = aSchedule(['a'], 1_000, null, { clock, timetable: NIGHTS });
    schedule.start();
    await clock.advance(2 * HOUR);
    const before = ran.length;
    for (let times = 0; times < 20; times += 1) {
      schedule.wake('a');
      await clock.advance(MINUTE);
    }
    expect(ran).toHaveLength(before);
    await clock.advance(6 * HOUR + 42 * MINUTE);
    expect(ran).toHaveLength(before + 1);
    await schedule.stop(stopOf());
  });

  it('keeps no process alive: none after the stop', async () => {
    const { clock, ran, schedule } = aSchedule(['a']);
    schedule.start();
    await clock.advance(MINUTE);
    schedule.wake('a');
    await schedule.stop(stopOf());
    schedule.wake('a');
    await clock.advance(HOUR);
    expect(ran).toHaveLength(1);
  });
});
