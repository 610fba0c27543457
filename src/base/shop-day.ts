/** A calendar day of the shop; instants in epoch ms. */
export interface ShopDay {
  /** `YYYY-MM-DD`. */
  readonly day: string;
  /** The zone in which it is a day, as the time-zone database names it. */
  readonly timeZone: string;
  readonly from: number;
  /** The first instant after it. */
  readonly to: number;
  /** The start of each of its hours: 24, and 23 or 25 where the clocks change. */
  readonly hours: readonly number[];
}

/** The calendar of the shop's time zone. */
export interface ShopCalendar {
  /** The zone in which its days begin, as the time-zone database names it. */
  readonly timeZone: string;
  /** @param day `YYYY-MM-DD` of a day that exists, or `today`, `yesterday` at the instant `now` */
  day(day: string, now: number): ShopDay;
  /** The same weekday of the week before. */
  weekBefore(day: ShopDay): ShopDay;
}
