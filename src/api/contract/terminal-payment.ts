import { z } from 'zod';
import {
  AmountMinor,
  CurrencyCode,
  Cursor,
  Json,
  Metadata,
  Reference,
  Timestamp,
  Uuid,
  Words,
} from './primitives.ts';

/** Body of `POST /v2/terminal-payments`. `after` names a final attempt a person has seen and wants to pass by. */
export const CreateTerminalPayment = z.strictObject({
  device_id: Uuid,
  amount_minor: AmountMinor,
  currency: CurrencyCode,
  invoice_id: Uuid.optional(),
  reference: Reference.optional(),
  metadata: Metadata.optional(),
  after: Uuid.optional(),
});
export type CreateTerminalPayment = z.infer<typeof CreateTerminalPayment>;

/**
 * Body of `POST /v2/terminal-payments/{id}/refund`; none is needed. Without `amount_minor` all that is left is given back; `after` as
 * for a payment.
 */
export const RefundTerminalPayment = z.strictObject({
  amount_minor: AmountMinor.optional(),
  after: Uuid.optional(),
});
export type RefundTerminalPayment = z.infer<typeof RefundTerminalPayment>;

/**
 * Body of `POST /v2/terminal-payments/{id}/resolve`: a named person ends a doubt. `shown`: what the terminal or its receipt
 * showed, like the receipt number or the authorisation code.
 */
export const ResolveTerminalPayment = z.strictObject({
  as: z.enum(['succeeded', 'not_charged']),
  by: Words,
  reason: Words,
  shown: Words,
  /** What the receipt says was charged, where that is not what was asked for. */
  amount_minor: AmountMinor.optional(),
});
export type ResolveTerminalPayment = z.infer<typeof ResolveTerminalPayment>;

/** Public states of an attempt; readers treat it as an open set. */
export const PaymentStatus = z.enum([
  'requested',
  'in_progress',
  'succeeded',
  'declined',
  'cancelled',
  'error',
]);
export type PaymentStatus = z.infer<typeof PaymentStatus>;

/** A payment as the interface gives it; the fields after `completed_at` are additions of the local side. */
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
  /** The service's id, when the service asked for it; both ids find it. */
  service_id: z.string().nullable(),
  parent_id: Uuid.nullable(),
  /** The attempt whose end the terminal's records contradicted; this one was recorded, never sent to a terminal. */
  corrects: Uuid.nullable(),
  /** The attempt that was recorded because the terminal's records contradict this one's end: `charged` follows it, `status` does not. */
  corrected_by: Uuid.nullable(),
  /** Why tilld itself made it; null when somebody asked for it. */
  cause: z.enum(['late_approval', 'partial_approval', 'correction']).nullable(),
  /** What the terminal charged (or gave back), extras included; null until it is known to stand. */
  approved_amount_minor: z.int().nullable(),
  /** False: the terminal approved and did not say how much; look at its receipt. Null until it stands. */
  amount_confirmed: z.boolean().nullable(),
  /** What was added at the terminal and is part of the approved amount. */
  tip_minor: z.int().nullable(),
  surcharge_minor: z.int().nullable(),
  cashback_minor: z.int().nullable(),
  /** Given back of it by refunds and voids that succeeded. */
  given_back_minor: z.int(),
  error_code: z.string().nullable(),
  in_doubt: z.boolean(),
  in_doubt_since: Timestamp.nullable(),
  cancel_requested_at: Timestamp.nullable(),
  /** Somebody must decide a doubt, or has an open task. */
  needs_person: z.boolean(),
  /** What a person is still asked to do about it; kinds are an open set. */
  tasks: z.array(z.object({ id: Uuid, kind: z.string(), message: z.string() })),
  /** Whether money moved (a refund, a void: was given back), by the newest evidence. */
  charged: z.enum(['yes', 'no', 'unknown']),
  reported: z.enum(['yes', 'pending', 'rejected', 'off']),
  /** What staff should know and do now, in words. */
  message: z.string(),
  /** The newest text of the terminal while the dialogue runs. */
  progress: z.string().nullable(),
  receipt_number: z.string().nullable(),
  trace: z.string().nullable(),
  terminal_id: z.string().nullable(),
  cardholder_verification: z.string().nullable(),
  online: z.enum(['yes', 'no', 'unknown']),
  receipts: z.object({ merchant: z.string().nullable(), customer: z.string().nullable() }),
  metadata: Metadata,
});
export type TerminalPayment = z.infer<typeof TerminalPayment>;

/** Query of `GET /v2/terminal-payments`: newest first, cursor style. */
export const ListTerminalPayments = z.strictObject({
  limit: z.coerce.number().int().min(1).max(100).default(20),
  starting_after: Cursor.optional(),
  ending_before: Cursor.optional(),
  status: PaymentStatus.optional(),
  device_id: Uuid.optional(),
  in_doubt: z.enum(['true', 'false']).optional(),
  version: z.string().optional(),
});
export type ListTerminalPayments = z.infer<typeof ListTerminalPayments>;

/** One row of the story that `GET /v2/terminal-payments/{id}/explain` tells. */
export const StoryLine = z.object({
  at: Timestamp,
  kind: z.enum(['state', 'decision', 'frame', 'evidence', 'report']),
  text: z.string(),
  details: z.record(z.string(), Json),
});
export type StoryLine = z.infer<typeof StoryLine>;

/** The whole story of one attempt: states, decisions, masked frames, evidence, reports. */
export const Explanation = z.object({ payment: TerminalPayment, story: z.array(StoryLine) });
export type Explanation = z.infer<typeof Explanation>;
