import { z } from 'zod';
import { BatchTotals, BookTotals } from './batch-totals.ts';
import { CurrencyCode, Timestamp, Uuid } from './primitives.ts';

/** One transaction of the terminal's journal. */
export const JournalLine = z.object({
  type: z.enum(['sale', 'refund', 'void', 'unknown']),
  result: z
    .enum(['approved', 'refused', 'aborted', 'unclear'])
    .describe('unclear: words of the terminal that its driver does not know.'),
  amount_minor: z.int().nullable(),
  currency: CurrencyCode.nullable(),
  receipt_number: z.string().nullable(),
  trace: z.string().nullable(),
  auth_code: z.string().nullable(),
  card_scheme: z.string().nullable(),
  masked_pan: z.string().nullable(),
  terminal_clock: z.string().nullable().describe("The terminal's own clock, raw."),
});
export type JournalLine = z.infer<typeof JournalLine>;

/**
 * A line of the terminal compared with the database. `same`: both agree; `unknown`: tilld did not send it; `missing`: the database has it and
 * the terminal does not; `contradicts`: the terminal contradicts the database, and a correction is recorded.
 */
export const ReconciledLine = z.object({
  terminal: JournalLine.nullable(),
  payment_id: Uuid.nullable(),
  verdict: z.enum(['same', 'unknown', 'missing', 'contradicts']),
});
export type ReconciledLine = z.infer<typeof ReconciledLine>;

/** The terminal's open batch compared with the database. */
export const TerminalReconciliation = z.object({
  object: z.literal('terminal_reconciliation'),
  device_id: Uuid,
  at: Timestamp,
  since: Timestamp.nullable().describe(
    'Since when our books count; null: since the first payment of this terminal.',
  ),
  complete: z.boolean().describe('False where the terminal reports only a part of its journal.'),
  currency: CurrencyCode.nullable(),
  lines: z.array(ReconciledLine),
  totals: BatchTotals.nullable(),
  ours: BookTotals,
  totals_agree: z.boolean().nullable().describe('Null where the terminal reports no sum.'),
  message: z.string().describe('What staff should know and do now, in words.'),
});
export type TerminalReconciliation = z.infer<typeof TerminalReconciliation>;
