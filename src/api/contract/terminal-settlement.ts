import { z } from 'zod';
import { BatchTotals, BookTotals } from './batch-totals.ts';
import { CurrencyCode, Cursor, Timestamp, Uuid, Words } from './primitives.ts';

/** A named person's confirmation that the day is closed although a payment is in doubt. */
export const Forced = z.strictObject({ by: Words, reason: Words });

/** Body of `POST /v2/terminal-devices/{id}/end-of-day`; optional. */
export const RequestEndOfDay = z.strictObject({ force: Forced.optional() });
export type RequestEndOfDay = z.infer<typeof RequestEndOfDay>;

/** `refused`: the terminal declines, its batch is open. `unknown`: tilld does not know how it ended. `cancelled`: it never reached the terminal. */
export const SettlementStatus = z.enum([
  'requested',
  'in_progress',
  'succeeded',
  'refused',
  'cancelled',
  'unknown',
]);
export type SettlementStatus = z.infer<typeof SettlementStatus>;

/** The sums of a closed day, line by line; the sum alone decides. */
export const TotalsComparison = z.object({
  verdict: z
    .enum(['agrees', 'differs', 'day_not_whole', 'no_sum'])
    .describe(
      'day_not_whole: they differ, and tilld does not know when the day began at the terminal. no_sum: the terminal reports none.',
    ),
  lines: z.array(
    z.object({
      what: z.enum(['sum', 'count', 'scheme']).describe('Minor units, but a count of transactions.'),
      scheme: z.string().nullable(),
      terminal: z.int().nullable(),
      ours: z.int(),
      difference: z.int().nullable().describe("The terminal's less ours."),
    }),
  ),
});
export type TotalsComparison = z.infer<typeof TotalsComparison>;

/** The close of a terminal's batch: requested, or detected because the terminal did it by itself (`source` terminal). */
export const TerminalSettlement = z.object({
  id: Uuid,
  object: z.literal('terminal_settlement'),
  device_id: Uuid,
  source: z.enum(['request', 'terminal']),
  status: SettlementStatus,
  forced: z.object({ by: z.string(), reason: z.string() }).nullable(),
  created_at: Timestamp,
  completed_at: Timestamp.nullable(),
  terminal_serial: z.string().nullable(),
  terminal_id: z.string().nullable(),
  currency: CurrencyCode.nullable().describe(
    'Of every amount here; null when neither the terminal nor the configuration names one.',
  ),
  totals: BatchTotals.nullable(),
  ours: BookTotals.nullable(),
  differs: z
    .boolean()
    .nullable()
    .describe(
      "The terminal's sum is not ours; null where one of them is not known, or our books may not hold the whole day.",
    ),
  comparison: TotalsComparison.nullable().describe('null as long as the day is not closed.'),
  receipts: z.object({ merchant: z.string().nullable(), customer: z.string().nullable() }),
  error_code: z.string().nullable(),
  error_message: z.string().nullable(),
  message: z.string().describe('What staff should know and do now, in words.'),
});
export type TerminalSettlement = z.infer<typeof TerminalSettlement>;

/** Query of `GET /v2/terminal-devices/{id}/settlements`: newest first. */
export const ListTerminalSettlements = z.strictObject({
  limit: z.coerce.number().int().min(1).max(100).default(20),
  starting_after: Cursor.optional(),
  version: z.string().optional(),
});
