import { createTask, parse } from 'node-cron';
import { Temporal } from 'temporal-polyfill';
import { type CronTimes, jitterOf, type Timetable } from '../integration/schedule/timetable.ts';

/** Wall-clock times, `22:00`; `from` later than `to`: over midnight. */
export interface QuietHours {
  readonly from: string;
  readonly to: string;
}

export interface TimetableOptions {
  /** S. */
  readonly intervalS: number;
  /** S; absent: a tenth of the interval, or {@link CRON_JITTER_S}. */
  readonly jitterS: number | undefined;
  /** Five fields; absent: it runs at its interval. */
  readonly cron: string | undefined;
  readonly quietHours: QuietHours | undefined;
  /** Absent: the machine's zone. */
  readonly timeZone: string | undefined;
}

const CRON_JITTER_S = 60;
const HOURS = 24;
const MINUTE_MS = 60_000;
/** Days that are looked at for the next time; 29 February can be eight years away. */
const MOST_DAYS = 366 * 9;

export function timetableOf({ intervalS, jitterS, cron, quietHours, timeZone }: TimetableOptions): Timetable {
  const zone = timeZone ?? machineZone();
  const intervalMs = intervalS * 1_000;
  const usualMs = cron === undefined ? jitterOf(intervalMs) : CRON_JITTER_S * 1_000;
  return {
    intervalMs,
    jitterMs: jitterS === undefined ? usualMs : jitterS * 1_000,
    cron: cron === undefined ? null : cronTimes(cron, zone),
    quietUntil: quietHours === undefined ? () => null : (at) => quietUntil(quietHours, at, zone),
  };
}

/**
 * The times of a cron expression, which node-cron reads and whose days it finds. Its own list of next runs begins now, whatever the clock of tilld says,
 * and leaves out a day whose time falls into the hour that spring skips. So the times of a day are made here, by the wall clock of the zone: one that is
 * skipped comes as much later as the clock was put forward; one that comes twice counts once, or twice where every hour is meant.
 */
function cronTimes(expression: string, zone: string): CronTimes {
  const { minute, hour, month } = parse(expression);
  const task = createTask(expression, () => {}, { timezone: 'UTC' });
  void task.destroy();
  const walls = hour.flatMap((h) => minute.map((m) => h * 60 + m)).toSorted((one, other) => one - other);
  const first = (walls[0] ?? 0) * MINUTE_MS;
  const isOn = ({ year, month: m, day }: Temporal.PlainDate) =>
    month.includes(m) && task.match(new Date(Date.UTC(year, m - 1, day) + first));
  const isEveryHour = new Set(hour).size === HOURS;
  return {
    after: (at, count) => {
      const times: number[] = [];
      let date = zoned(at, zone).toPlainDate();
      for (let days = 0; days < MOST_DAYS && times.length < count; days += 1) {
        if (isOn(date)) {
          const found = timesOn(date, zone, walls, isEveryHour);
          times.push(...found.filter((time) => time > (times.at(-1) ?? at)));
        }
        date = date.add({ days: 1 });
      }
      return times.slice(0, count);
    },
  };
}

/** Ascending. @param walls minutes since midnight by the wall clock */
function timesOn(
  date: Temporal.PlainDate,
  zone: string,
  walls: readonly number[],
  isEveryHour: boolean,
): readonly number[] {
  const start = date.toZonedDateTime(zone);
  if (start.hoursInDay === HOURS) return walls.map((wall) => start.epochMilliseconds + wall * MINUTE_MS);
  const readings = isEveryHour ? (['compatible', 'later'] as const) : (['compatible'] as const);
  const times = walls.flatMap((wall) => {
    const time = new Temporal.PlainTime(Math.floor(wall / 60), wall % 60);
    const local = date.toPlainDateTime(time);
    return readings.map(
      (disambiguation) => local.toZonedDateTime(zone, { disambiguation }).epochMilliseconds,
    );
  });
  return [...new Set(times)].toSorted((one, other) => one - other);
}

/** Whether an instant (epoch ms) is within these hours. @param timeZone absent: the machine's */
export function isWithin(hours: QuietHours, at: number, timeZone?: string): boolean {
  return quietUntil(hours, at, timeZone ?? machineZone()) !== null;
}

function machineZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

function quietUntil({ from, to }: QuietHours, at: number, zone: string): number | null {
  const now = zoned(at, zone);
  const [begin, end] = [Temporal.PlainTime.from(from), Temporal.PlainTime.from(to)];
  const isPast = (time: Temporal.PlainTime) => Temporal.PlainTime.compare(now.toPlainTime(), time) >= 0;
  const isOverMidnight = Temporal.PlainTime.compare(begin, end) > 0;
  const isQuiet = isOverMidnight ? isPast(begin) || !isPast(end) : isPast(begin) && !isPast(end);
  if (!isQuiet) return null;
  const day = now.toPlainDate().add({ days: isOverMidnight && isPast(begin) ? 1 : 0 });
  const local = day.toPlainDateTime(end);
  const ends = (['earlier', 'later'] as const).map((disambiguation) => {
    const one = local.toZonedDateTime(zone, { disambiguation });
    if (one.toPlainDateTime().equals(local)) return one.epochMilliseconds;
    // The wall clock skips the end: they end when it is put forward.
    const before = local.toZonedDateTime(zone, { disambiguation: 'earlier' });
    return (before.getTimeZoneTransition('next') ?? one).epochMilliseconds;
  });
  return ends.find((time) => time > at) ?? null;
}

function zoned(ms: number, zone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone);
}
