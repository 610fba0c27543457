import { Temporal } from 'temporal-polyfill';
import type { ShopCalendar, ShopDay } from '../base/shop-day.ts';

const HOUR_MS = 3_600_000;
const AGO: Readonly<Record<string, number>> = { today: 0, yesterday: 1 };

/** The calendar of a time zone. @param timeZone absent: the machine's, which is the shop's */
export function shopCalendar(timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone): ShopCalendar {
  return {
    timeZone,
    day: (text, now) => {
      const ago = AGO[text];
      if (ago === undefined) return dayOf(Temporal.PlainDate.from(text), timeZone);
      const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timeZone).toPlainDate();
      return dayOf(today.subtract({ days: ago }), timeZone);
    },
    weekBefore: ({ day }) => dayOf(Temporal.PlainDate.from(day).subtract({ weeks: 1 }), timeZone),
  };
}

function dayOf(date: Temporal.PlainDate, timeZone: string): ShopDay {
  const startOf = (one: Temporal.PlainDate) => one.toZonedDateTime(timeZone).epochMilliseconds;
  const [from, to] = [startOf(date), startOf(date.add({ days: 1 }))];
  const hours = Array.from({ length: Math.ceil((to - from) / HOUR_MS) }, (_, hour) => from + hour * HOUR_MS);
  return { day: date.toString(), timeZone, from, to, hours };
}
