import { Temporal } from 'temporal-polyfill';

/** So far may a source's clock be ahead of its own `Date`, ms. */
const CLOCK_SLACK_MS = 300_000;

export function isKnownZone(zone: string): boolean {
  try {
    Temporal.Now.zonedDateTimeISO(zone);
    return true;
  } catch {
    return false;
  }
}

/**
 * The instant of a wall clock, ms. Where it was put back, the hour came twice: the later reading counts unless it has not come yet, because
 * a record cannot have changed in the future. Where it was put forward, the hour never came: the time is moved on by what was left out.
 */
export function instantOfWall(wall: Temporal.PlainDateTime, zone: string, nowMs: number): number {
  const earlier = wall.toZonedDateTime(zone, { disambiguation: 'earlier' });
  const later = wall.toZonedDateTime(zone, { disambiguation: 'later' });
  const cameTwice =
    earlier.epochMilliseconds !== later.epochMilliseconds && later.toPlainDateTime().equals(wall);
  if (cameTwice && later.epochMilliseconds > nowMs + CLOCK_SLACK_MS) return earlier.epochMilliseconds;
  return later.epochMilliseconds;
}

interface Span {
  readonly from: number;
  readonly to: number;
}

/** The earliest that the wall clock shows within a span of instants: after it was put back it shows less than before. */
export function earliestWall({ from, to }: Span, zone: string): Temporal.PlainDateTime {
  const start = zoned(from, zone);
  const shift = start.getTimeZoneTransition('next');
  const first = start.toPlainDateTime();
  if (!shift || shift.epochMilliseconds > to) return first;
  const afterwards = shift.toPlainDateTime();
  return Temporal.PlainDateTime.compare(afterwards, first) < 0 ? afterwards : first;
}

/** The latest that the wall clock shows within a span of instants: just before it was put back it showed more than after. */
export function latestWall({ from, to }: Span, zone: string): Temporal.PlainDateTime {
  const end = zoned(to, zone);
  const shift = zoned(to + 1, zone).getTimeZoneTransition('previous');
  const last = end.toPlainDateTime();
  if (!shift || shift.epochMilliseconds <= from) return last;
  const before = zoned(shift.epochMilliseconds - 1, zone).toPlainDateTime();
  return Temporal.PlainDateTime.compare(before, last) > 0 ? before.add({ milliseconds: 1 }) : last;
}

function zoned(ms: number, zone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone);
}
