import { z } from 'zod';
import { customerStateOf, mirroredListOf } from './mirrored.ts';

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
      'Paid through this tilld, and not in `amount_due_minor` yet: the service had not taken it then. Negative: given back since. What is due now is `amount_due_minor` less this.',
    ),
});
export type Invoice = z.infer<typeof Invoice>;

/** One page of mirrored invoices. */
export const InvoiceList = mirroredListOf(Invoice);
export type InvoiceList = z.infer<typeof InvoiceList>;

/** Answer of `GET /v2/customers/{id}/state`. */
export const CustomerState = customerStateOf(Invoice);
export type CustomerState = z.infer<typeof CustomerState>;
