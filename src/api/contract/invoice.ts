import { z } from 'zod';
import { CurrencyCode, Cursor, listOf, Timestamp } from './primitives.ts';

/** An invoice as it is mirrored from the service: the fields that tills need, and every other field of the service. */
export const Invoice = z.looseObject({
  id: z.string(),
  number: z.string().optional(),
  status: z.string().optional().describe('draft, open, finalized, paid …: an open set of the service.'),
  customer_id: z.string().nullish(),
  currency: z.string().optional(),
  total_minor: z.int().optional(),
  amount_due_minor: z.int().optional().describe('What is left to be paid, as of `fresh_at`.'),
  open_payment_id: z.string().nullable().describe('A sale of it at this tilld that is open or in doubt.'),
  paid_here_minor: z
    .int()
    .describe(
      'Paid through this tilld, and not in `amount_due_minor` yet: the service had not taken it then.',
    ),
});
export type Invoice = z.infer<typeof Invoice>;

/** One page of mirrored invoices. */
export const InvoiceList = listOf(Invoice).extend({
  next_cursor: z
    .string()
    .nullable()
    .describe('For `starting_after`; a page may be short or empty and still have more behind it.'),
  fresh_at: Timestamp.nullable().describe(
    'Until when the mirror is complete; null: nothing was mirrored yet.',
  ),
});
export type InvoiceList = z.infer<typeof InvoiceList>;

/** Query of `GET /v2/invoices`, ordered by id. */
export const ListInvoices = z.strictObject({
  limit: z.coerce.number().int().min(1).max(100).default(20),
  starting_after: Cursor.max(256).optional(),
  status: z.string().min(1).max(64).optional(),
  currency: CurrencyCode.optional(),
  search: z
    .string()
    .max(200)
    .optional()
    .describe('Words that must all occur somewhere in the invoice, whatever their case.'),
  version: z.string().optional(),
});
