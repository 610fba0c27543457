import { z } from 'zod';
import { CurrencyCode, Cursor, Reference, Timestamp, Uuid } from './primitives.ts';
import { PaymentStatus } from './terminal-payment.ts';

/** When a payment was created: a day of the shop, or moments. */
const CREATED = {
  on: z
    .union([z.iso.date(), z.enum(['today', 'yesterday'])])
    .optional()
    .describe(
      'Only payments of this day of the shop: `YYYY-MM-DD` in its time zone, `today` or `yesterday`. Instead of the two moments.',
    ),
  created_gte: z.iso
    .datetime({ offset: true })
    .optional()
    .describe('Only payments that were created at this moment or later: ISO 8601 with `Z` or an offset.'),
  created_lt: z.iso
    .datetime({ offset: true })
    .optional()
    .describe('Only payments that were created before this moment: ISO 8601 with `Z` or an offset.'),
};

/** The parameters of {@link CREATED}. */
export interface CreatedQuery {
  readonly on?: string | undefined;
  readonly created_gte?: string | undefined;
  readonly created_lt?: string | undefined;
}

/** A span that ends before it begins holds nothing, and a day beside a span is two answers: both are mistakes. */
function checkCreated({ on, created_gte, created_lt }: CreatedQuery, context: z.RefinementCtx): void {
  const reject = (param: string, message: string) =>
    context.addIssue({ code: 'custom', message, path: [param] });
  if (on !== undefined && (created_gte !== undefined || created_lt !== undefined))
    reject('on', 'cannot stand beside created_gte or created_lt');
  if (created_gte === undefined || created_lt === undefined) return;
  if (Date.parse(created_gte) >= Date.parse(created_lt))
    reject('created_lt', 'must be later than created_gte');
}

/** Query of `GET /v2/terminal-payments`: newest first, cursor pagination; a payment is listed that fits every filter. */
export const ListTerminalPayments = z
  .strictObject({
    limit: z.coerce.number().int().min(1).max(100).default(20),
    starting_after: Cursor.optional(),
    ending_before: Cursor.optional(),
    status: PaymentStatus.optional(),
    device_id: Uuid.optional(),
    in_doubt: z.enum(['true', 'false']).optional(),
    ...CREATED,
    amount_minor: z.coerce
      .number()
      .int()
      .positive()
      .optional()
      .describe(
        'Minor units, as requested or as the terminal charged it (or gave it back), extras included.',
      ),
    card_last4: z
      .string()
      .regex(/^\d{4}$/, 'must be four digits')
      .optional()
      .describe('The last four digits of the card.'),
    receipt_number: z
      .string()
      .trim()
      .min(1)
      .max(32)
      .optional()
      .describe("The terminal's own number of the transaction, with or without zeros before it."),
    reference: Reference.optional().describe(
      "The merchant's own reference, the whole of it; capital and small letters are the same here.",
    ),
    invoice_id: Uuid.optional(),
    contains: z
      .string()
      .trim()
      .min(3)
      .max(64)
      .optional()
      .describe(
        "A part of the merchant's own reference, or of the number of a mirrored invoice, of which the first 100 that fit are looked up; capital and small letters are the same here. A part of a number is found from the beginning of one of its words.",
      ),
    version: z.string().optional(),
  })
  .superRefine(checkCreated);
export type ListTerminalPayments = z.infer<typeof ListTerminalPayments>;

/** Query of `GET /v2/terminal-payment-totals`. */
export const ReadPaymentTotals = z
  .strictObject({ ...CREATED, version: z.string().optional() })
  .superRefine(checkCreated);

const Sum = z.object({ count: z.int(), amount_minor: z.int() });

/** What the payments of a span moved: sums by currency. */
export const PaymentTotals = z.object({
  created_gte: Timestamp.nullable(),
  created_lt: Timestamp.nullable(),
  time_zone: z.string().describe('The zone in which the days of the shop begin, like `Europe/Berlin`.'),
  currencies: z
    .array(
      z.object({
        currency: CurrencyCode,
        sales: Sum.describe('Only those that succeeded, tips and other extras included.'),
        refunds: Sum,
        voids: Sum,
        net_minor: z.int().describe('Sales less refunds less voids.'),
        unknown: Sum.describe('Payments of any type that are in doubt, or written off: in no other sum.'),
      }),
    )
    .describe('Empty where nothing moved.'),
});
export type PaymentTotals = z.infer<typeof PaymentTotals>;
