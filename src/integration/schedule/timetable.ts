/** When a stream runs: at an interval, or at the times of a cron expression; outside quiet hours. */
export interface Timetable {
  /** The pause between two runs; with `cron`: the one before a failed run is repeated, an hour at most. */
  readonly intervalMs: number;
  /** At most this much is added to a time, by chance: shops must not all ask a provider in the same second. A tenth of a wait, where that is less. */
  readonly jitterMs: number;
  /** Null: it runs at its interval. */
  readonly cron: CronTimes | null;
  /** The end of the quiet hours that an instant is in, epoch ms; null: it is in none. */
  quietUntil(at: number): number | null;
}

export interface CronTimes {
  /** The first `count` times after an instant, ascending, epoch ms. */
  after(at: number, count: number): readonly number[];
}

/** How many times people are shown. */
export const TIMES_SHOWN = 5;
/** At most this share of the interval: streams with the same interval must not all start in the same second. */
const JITTER = 0.1;
/** Runs that a stream may miss before it is stale. */
const STALE_AFTER = 3;
const LEAST_STALE_MS = 3_600_000;

/** Runs at an interval, at any hour. */
export function atInterval(intervalMs: number): Timetable {
  return { intervalMs, jitterMs: jitterOf(intervalMs), cron: null, quietUntil: () => null };
}

/** The default of `jitterMs` where a stream runs at an interval. */
export function jitterOf(intervalMs: number): number {
  return Math.round(intervalMs * JITTER);
}

/** The times after an instant, out of quiet hours: those within are one time, at their end. */
export function timesAfter(timetable: Timetable, at: number, count: number): readonly number[] {
  const times: number[] = [];
  let last = at;
  for (let made = 0; made < count; made += 1) {
    const next = timetable.cron?.after(last, 1)[0] ?? last + timetable.intervalMs;
    last = outOfQuiet(timetable, next);
    times.push(last);
  }
  return times;
}

/** The same instant, or the end of the quiet hours that it is in. */
export function outOfQuiet(timetable: Timetable, at: number): number {
  return timetable.quietUntil(at) ?? at;
}

/** Whether a stream missed more runs than it may; one that was never complete counts from when it is on. */
export function isStale(
  timetable: Timetable,
  freshAt: number | null,
  activeSince: number,
  now: number,
): boolean {
  const since = freshAt ?? activeSince;
  const least = timetable.cron
    ? LEAST_STALE_MS
    : Math.max(STALE_AFTER * timetable.intervalMs, LEAST_STALE_MS);
  if (now - since <= least) return false;
  const [missed = now] = timesAfter(timetable, since, STALE_AFTER).slice(-1);
  return now > missed;
}
