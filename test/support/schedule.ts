import { silentLog } from '../../src/base/log.ts';
import { Schedule } from '../../src/integration/schedule/schedule.ts';
import { atInterval, type Timetable } from '../../src/integration/schedule/timetable.ts';
import { VirtualClock } from './virtual-clock.ts';

export const MINUTE = 60_000;

/** A schedule whose runs last so long by a virtual clock; what ran is in `ran`. */
export function aSchedule(
  names: readonly string[],
  lastsMs = 1_000,
  endedAt: number | null = null,
  options: ScheduleOptions = {},
) {
  const clock = options.clock ?? new VirtualClock();
  const { timetable = atInterval(5 * MINUTE), waits = [] } = options;
  const ran: string[] = [];
  let [running, most] = [0, 0];
  const allowed = { now: true, schedule: true, requested: false, wake: true };
  const looks = { count: 0 };
  const streams = names.map((name) => ({
    name,
    group: name.split('/')[0] ?? name,
    lastEndedAt: endedAt,
    waitLeft: 0,
    timetable,
    isRequested: () => allowed.requested,
    mayWake: () => {
      looks.count += 1;
      return allowed.wake;
    },
    mayRun: () => allowed.now,
    isScheduled: () => allowed.now && allowed.schedule,
    probeAt: () => null,
    run: (signal: AbortSignal) => {
      ran.push(name);
      running += 1;
      most = Math.max(most, running);
      return new Promise<number>((resolve) => {
        const end = () => {
          running -= 1;
          resolve(waits.shift() ?? 0);
        };
        clock.timer('run', lastsMs, end);
        signal.addEventListener('abort', end, { once: true });
      });
    },
  }));
  const ids = { uuid: () => '', nameBased: () => '', random: () => 0.5 };
  const schedule = new Schedule({ clock, ids, log: silentLog }, streams);
  return { clock, ran, schedule, allowed, looks, most: () => most };
}

interface ScheduleOptions {
  readonly clock?: VirtualClock;
  readonly timetable?: Timetable;
  /** What each run answers, in their order; after them 0. */
  readonly waits?: number[];
}

export const HOUR = 60 * MINUTE;
/** Quiet from 22:00 to 06:00 of the clock in UTC; a run each ten minutes. */
export const NIGHTS: Timetable = {
  intervalMs: 10 * MINUTE,
  jitterMs: 0,
  cron: null,
  quietUntil: (at) => {
    const day = Math.floor(at / (24 * HOUR)) * 24 * HOUR;
    if (at < day + 6 * HOUR) return day + 6 * HOUR;
    return at >= day + 22 * HOUR ? day + 30 * HOUR : null;
  },
};

/** A clock of the day of the tests, at an hour of it. */
export function clockAt(hour: number): VirtualClock {
  const clock = new VirtualClock();
  clock.jumpWallClock(Math.floor(clock.now() / (24 * HOUR)) * 24 * HOUR + hour * HOUR - clock.now());
  return clock;
}
