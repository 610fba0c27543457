import { z } from 'zod';
import {
  AmountMinor,
  CurrencyCode,
  Json,
  Metadata,
  Reference,
  Timestamp,
  Uuid,
  Words,
} from './primitives.ts';

const After = Uuid.describe(
  'The newest payment that stands in the way, once it has ended and a person has seen it: this one is taken beside it. An open one, or one in doubt, cannot be passed by.',
);

const RetryOf = Uuid.describe(
  'The sale that ended without a charge, and of which this is the retry. One retry of each, whichever till asks: the next one is refused with 409 `payment_retried`, which names the first. What is tried again after that is the retry.',
);

/** Which sales count as the same; `payment/guards/duplicate-sale.ts` decides. */
const SAME_SALE =
  'A sale that duplicates another one is refused, whatever its Idempotency-Key: 409 `payment_already_open` while the other one is open or in doubt, 409 `payment_already_paid` once it is paid (or written off, and not given back). The same sale is: the same `invoice_id`; or the same `reference` while the other one is open, and the same `reference` and amount for 12 hours after its end; or, with neither `invoice_id` nor `reference`, the same amount on the same device by the same API key, for 30 seconds after its end. After a decline, a cancel or an error nothing stands in the way. A second payment on purpose names the first in `after`.';

/** Body of `POST /v2/terminal-payments`. */
export const CreateTerminalPayment = z
  .strictObject({
    device_id: Uuid,
    amount_minor: AmountMinor.optional().describe(
      'Minor currency units (1234 is 12.34 in euros and 1234 in yen); more than zero. Required without invoice_id; with it what is due of the invoice.',
    ),
    currency: CurrencyCode.optional().describe(
      "ISO 4217 alphabetic code. Required with amount_minor; without it the invoice's.",
    ),
    invoice_id: Uuid.optional().describe(
      'What is being paid; leave it out for a walk-in payment. One sale of an invoice at a time, and no more than is due of it (409 `invoice_already_paid`, 422 `amount_exceeds_due`): a part is taken beside an earlier part without `after`.',
    ),
    reference: Reference.optional().describe(
      "The merchant's own reference, best one for each basket: 1 to 64 printable characters; blanks around it are no part of it. The same reference is the same sale while another payment of it is open, and with the same amount for 12 hours after it was paid.",
    ),
    metadata: Metadata.optional().describe(
      'Kept with the payment and reported with it. `entitlement`: the key of a benefit to which the customer must have access, by the mirror and also offline, else 422 `entitlement_missing`; the customer is `customer_id` here, else that of the mirrored invoice. `split` and `split_of_minor`: the id of a bill that several payments pay under one `reference`, and its total as a text of digits; a part that is more than what is left of it is refused (422 `split_exceeded`).',
    ),
    after: After.optional(),
    retry_of: RetryOf.optional(),
  })
  .describe(SAME_SALE)
  .superRefine(({ amount_minor: minor, currency, invoice_id: invoice }, context) => {
    const add = (field: string) =>
      context.addIssue({ code: 'custom', message: 'is required', path: [field] });
    if (minor === undefined && invoice === undefined) add('amount_minor');
    if (currency === undefined && (minor !== undefined || invoice === undefined)) add('currency');
  });
export type CreateTerminalPayment = z.infer<typeof CreateTerminalPayment>;

/** Body of `POST /v2/terminal-payments/{id}/refund`; optional. */
export const RefundTerminalPayment = z.strictObject({
  amount_minor: AmountMinor.optional().describe('Minor units to give back; without it all that is left.'),
  after: Uuid.optional().describe(
    'An earlier refund of the same amount, which a person has seen: within a minute of its end the same amount again is refused without this.',
  ),
});
export type RefundTerminalPayment = z.infer<typeof RefundTerminalPayment>;

/** Body of `POST /v2/terminal-payments/{id}/resolve`: a named person decides an unknown outcome, or corrects an earlier decision of a person. */
export const ResolveTerminalPayment = z.strictObject({
  as: z
    .enum(['succeeded', 'not_charged', 'written_off'])
    .describe(
      'written_off: it will never be known. The payment ends as error, charged stays unknown, and it counts as charged for whatever is sold next. A lead only.',
    ),
  by: Words,
  reason: Words,
  shown: Words.describe(
    'What the terminal or its receipt showed, like the receipt number or the authorisation code.',
  ),
  source: z
    .enum(['customer_slip', 'acquirer_statement', 'terminal_journal'])
    .optional()
    .describe(
      'Where it was seen; without it on the terminal itself. A lead may say not_charged by it of a terminal that cannot be read any more, 15 minutes after the doubt began. Also for a lead who corrects what a person has said before.',
    ),
  amount_minor: AmountMinor.optional().describe(
    'What the receipt says was charged, where that is not what was asked for.',
  ),
});
export type ResolveTerminalPayment = z.infer<typeof ResolveTerminalPayment>;

export const PaymentStatus = z
  .enum(['requested', 'in_progress', 'succeeded', 'declined', 'cancelled', 'error'])
  .describe(
    'requested and in_progress go on; the others are final. Treat it as an open set. In a replay (`Idempotent-Replayed: true`) it is the status at the beginning: GET the payment.',
  );
export type PaymentStatus = z.infer<typeof PaymentStatus>;

/** A payment as the API returns it; the fields after `completed_at` are additions of tilld. */
export const TerminalPayment = z.object({
  id: Uuid,
  invoice_id: Uuid.nullable(),
  device_id: Uuid,
  type: z.enum(['sale', 'refund', 'void']),
  status: PaymentStatus,
  amount_minor: AmountMinor,
  currency: CurrencyCode,
  reference: z.string().nullable(),
  terminal_serial: z.string().nullable(),
  uti: z.string().nullable(),
  auth_code: z.string().nullable(),
  response_code: z.string().nullable(),
  rrn: z.string().nullable(),
  card_scheme: z.string().nullable(),
  masked_pan: z.string().nullable(),
  entry_mode: z.string().nullable(),
  error_message: z.string().nullable(),
  created_at: Timestamp,
  completed_at: Timestamp.nullable(),
  service_id: z
    .string()
    .nullable()
    .describe("The service's id, when the service asked for it; both ids find it."),
  parent_id: Uuid.nullable().describe('The sale that this gives money of back.'),
  corrects: Uuid.nullable().describe(
    'The attempt whose end newer evidence contradicted; this one was recorded, never sent to a terminal.',
  ),
  corrects_type: z
    .enum(['sale', 'refund', 'void'])
    .nullable()
    .describe(
      'Of a correction: the type of the payment that it corrects, directly or through others. A void with `sale` says: never paid.',
    ),
  corrected_by: Uuid.nullable().describe(
    "The newest attempt that was recorded because evidence contradicts this one's end, or what this one corrected: charged follows it, status does not.",
  ),
  retry_of: Uuid.nullable().describe('The sale that ended without a charge, and that this one tried again.'),
  cause: z
    .enum(['late_approval', 'partial_approval', 'correction'])
    .nullable()
    .describe('Why tilld itself made it; null when a person or a program asked for it.'),
  approved_amount_minor: z
    .int()
    .nullable()
    .describe('What the terminal charged (or gave back), extras included; null until it is known to stand.'),
  amount_confirmed: z
    .boolean()
    .nullable()
    .describe(
      'False: the terminal approved and did not say how much; look at its receipt. Null until it stands.',
    ),
  tip_minor: z
    .int()
    .nullable()
    .describe('What was added at the terminal and is part of the approved amount.'),
  surcharge_minor: z.int().nullable(),
  cashback_minor: z.int().nullable(),
  given_back_minor: z.int().describe('Given back of it by refunds and voids that succeeded.'),
  giving_back_minor: z
    .int()
    .describe(
      'Being given back of it by refunds and voids that are open or in doubt: it may have gone back already.',
    ),
  error_code: z.string().nullable(),
  in_doubt: z
    .boolean()
    .describe('It is not known yet whether the customer was charged: do not charge again.'),
  in_doubt_since: Timestamp.nullable(),
  had_approval: z.boolean().describe('In doubt, and the terminal had said approved before the line broke.'),
  cancel_requested_at: Timestamp.nullable().describe(
    'When its cancellation was requested; the terminal decides.',
  ),
  needs_person: z.boolean().describe('A person must decide a doubt, or has an open task.'),
  tasks: z
    .array(z.object({ id: Uuid, kind: z.string(), message: z.string() }))
    .describe('What a person is still asked to do about it; kinds are an open set.'),
  charged: z
    .enum(['yes', 'no', 'unknown'])
    .describe(
      'Whether money moved (a refund, a void: was given back), by the newest evidence. In a replay it is what was known at the beginning: GET the payment.',
    ),
  reported: z
    .enum(['yes', 'pending', 'rejected', 'off'])
    .describe('Whether the service has the outcome; off: local payments are not reported to it.'),
  message: z.string().describe('What staff should know and do now, in words.'),
  progress: z.string().nullable().describe('The newest text of the terminal while the dialogue runs.'),
  receipt_number: z.string().nullable(),
  trace: z.string().nullable(),
  terminal_id: z.string().nullable(),
  cardholder_verification: z.string().nullable(),
  online: z.enum(['yes', 'no', 'unknown']),
  receipts: z.object({ merchant: z.string().nullable(), customer: z.string().nullable() }),
  trace_id: z
    .string()
    .describe(
      'The trace that it belongs to, 32 hexadecimal digits: that of the `traceparent` which the request came with, else its own.',
    ),
  metadata: Metadata,
});
export type TerminalPayment = z.infer<typeof TerminalPayment>;

/** One row of the timeline that `GET /v2/terminal-payments/{id}/explain` returns. */
export const ExplanationLine = z.object({
  at: Timestamp,
  kind: z.enum(['state', 'decision', 'frame', 'evidence', 'report']),
  text: z.string(),
  details: z.record(z.string(), Json),
});
export type ExplanationLine = z.infer<typeof ExplanationLine>;

/** The whole timeline of one attempt: states, decisions, masked frames, evidence, reports. */
export const Explanation = z.object({ payment: TerminalPayment, story: z.array(ExplanationLine) });
export type Explanation = z.infer<typeof Explanation>;
