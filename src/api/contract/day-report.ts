import { z } from 'zod';
import { CurrencyCode, Timestamp, Uuid } from './primitives.ts';

const Count = z.int().min(0);
const CountedSum = z.object({ count: Count, amount_minor: Count });

/** Sums of what succeeded; net = sales less refunds less voids. */
const SUMS = {
  sales: CountedSum,
  refunds: CountedSum,
  voids: CountedSum,
  tips_minor: z
    .int()
    .nullable()
    .describe('Tips of the sales less those of the voids; null where no terminal reports one.'),
  net_minor: z.int(),
};

/** A day of the shop: the zone in which it is a day, and its first and last instant. */
const DAY = {
  day: z.iso.date(),
  from: Timestamp,
  to: Timestamp.describe('The first instant after it.'),
  open: Count.describe('Payments of the day without an outcome: the sums may still change.'),
};

/** The takings of a day in one currency. */
export const CurrencyTakings = z.object({
  currency: CurrencyCode,
  total: z.object(SUMS),
  week_before: z.object(SUMS).describe('The whole day of the same weekday of the week before.'),
  terminals: z.array(
    z.object({
      device_id: Uuid,
      name: z.string().nullable().describe('null: it is not configured any more.'),
      ...SUMS,
    }),
  ),
  schemes: z.array(z.object({ scheme: z.string().nullable().describe('null: not reported.'), ...SUMS })),
  hours: z
    .array(
      z.object({
        at: Timestamp,
        ...SUMS,
        week_before_net_minor: z.int().nullable().describe('null: that day had no such hour.'),
      }),
    )
    .describe('Each hour of the day; 23 or 25 where the clocks change.'),
});
export type CurrencyTakings = z.infer<typeof CurrencyTakings>;

/** What a day has taken, in each currency; a payment counts when it was created, a correction when it was recorded. */
export const DayReport = z.object({
  object: z.literal('day_report'),
  ...DAY,
  time_zone: z.string(),
  week_before: z.object(DAY),
  currencies: z.array(CurrencyTakings),
});
export type DayReport = z.infer<typeof DayReport>;

/** Query of `GET /v2/reports/day`. */
export const ReadDayReport = z.strictObject({
  day: z
    .union([z.enum(['today', 'yesterday']), z.iso.date()])
    .default('today')
    .describe("A day in the shop's time zone."),
  version: z.string().optional(),
});
