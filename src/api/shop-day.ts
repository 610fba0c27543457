/** The zone in which the days of the shop begin: that of the machine, by its name, like `Europe/Berlin`. */
export function shopZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** A span of instants, epoch milliseconds UTC: `from` inclusive, `before` exclusive. */
interface DaySpan {
  readonly from: number;
  readonly before: number;
}

/**
 * From when to when a day of the shop lasts: 23 to 25 hours.
 * @param on `YYYY-MM-DD` in the zone of the shop, or `today`, `yesterday`
 * @param now epoch milliseconds
 */
export function shopDay(on: string, now: number): DaySpan {
  const [year, month, day] = on === 'today' || on === 'yesterday' ? relativeDay(on, now) : writtenDay(on);
  return { from: midnight(year, month, day), before: midnight(year, month, day + 1) };
}

type Day = readonly [year: number, month: number, day: number];

function writtenDay(on: string): Day {
  const [year = 1970, month = 1, day = 1] = on.split('-').map(Number);
  return [year, month, day];
}

function relativeDay(on: 'today' | 'yesterday', now: number): Day {
  const today = new Date(now);
  return [today.getFullYear(), today.getMonth() + 1, today.getDate() - (on === 'today' ? 0 : 1)];
}

/** Where a day begins later, because a change of the clocks skips its midnight, its first instant. */
function midnight(year: number, month: number, day: number): number {
  const date = new Date(0);
  date.setHours(0, 0, 0, 0);
  date.setFullYear(year, month - 1, day);
  date.setHours(0, 0, 0, 0);
  return date.getTime();
}
