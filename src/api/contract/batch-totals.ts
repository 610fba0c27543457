import { z } from 'zod';
import { CurrencyCode } from './primitives.ts';

/** Sums of a batch as the terminal reports them, with the terminal's sign; null: the terminal does not report this sum. */
export const BatchTotals = z.object({
  count: z.int().nullable(),
  amount_minor: z.int().nullable(),
  currency: CurrencyCode.nullable(),
  first_number: z.string().nullable(),
  last_number: z.string().nullable(),
  by_scheme: z.array(z.object({ scheme: z.string(), count: z.int(), amount_minor: z.int() })),
});
export type BatchTotals = z.infer<typeof BatchTotals>;

const Sum = z.object({ count: z.int(), amount_minor: z.int() });

/** Sums of the successful transactions in the database; net = sales less refunds less voids. */
export const BookTotals = z.object({ sales: Sum, refunds: Sum, voids: Sum, net_minor: z.int() });
export type BookTotals = z.infer<typeof BookTotals>;
