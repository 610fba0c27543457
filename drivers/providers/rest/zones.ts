import { Temporal } from 'temporal-polyfill';

/** How far a source's clock may be ahead of its own `Date`, ms. */
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
 * The instant of a wall clock, ms. Where it was put back, the hour occurs twice: the later reading counts unless it is in the future,
 * because a record cannot have changed then. Where it was put forward, the hour never occurs: the time is moved on by the gap.
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

/** The earliest wall clock time within a span of instants: after the clock was put back it shows less than before. */
export function earliestWall({ from, to }: Span, zone: string): Temporal.PlainDateTime {
  const start = zoned(from, zone);
  const shift = start.getTimeZoneTransition('next');
  const first = start.toPlainDateTime();
  if (!shift || shift.epochMilliseconds > to) return first;
  const afterwards = shift.toPlainDateTime();
  return Temporal.PlainDateTime.compare(afterwards, first) < 0 ? afterwards : first;
}

/** The latest wall clock time within a span of instants: just before the clock was put back it showed more than after. */
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
