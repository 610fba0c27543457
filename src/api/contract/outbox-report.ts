import { z } from 'zod';
import { CurrencyCode, Cursor, Timestamp, Uuid, Words } from './primitives.ts';

const OutboxReportStatus = z
  .enum(['pending', 'held', 'parked', 'dropped'])
  .describe(
    '`pending`: it goes when it can; `held`: kept back until its payment is decided; `parked`: the service refused it, a person must look; `dropped`: it is never sent.',
  );

/** A report that the service has not received. */
export const OutboxReport = z.object({
  id: Uuid,
  object: z.literal('outbox_report'),
  payment_id: Uuid,
  parent_id: Uuid.nullable().describe('The sale that a refund or a void belongs to.'),
  device_id: Uuid,
  amount_minor: z.int().describe('Of its payment, as it was asked for.'),
  currency: CurrencyCode,
  kind: z.enum(['create', 'result']).describe('That the payment was created, or how it ended.'),
  type: z.enum(['sale', 'refund', 'void']),
  status: OutboxReportStatus,
  attempts: z.int().describe('Made so far.'),
  last_error: z.string().nullable(),
  created_at: Timestamp,
  key_first_used_at: Timestamp.nullable().describe(
    'By the clock of the service; older than 23 hours, it is looked up before it is sent again.',
  ),
  decision: z
    .object({
      decision: z.enum(['retried', 'dropped']),
      at: Timestamp,
      caller: z.string(),
      by: z.string().nullable(),
      reason: z.string().nullable(),
    })
    .nullable()
    .describe('What a person decided last.'),
});
export type OutboxReport = z.infer<typeof OutboxReport>;

/** Refused reports with one cause. */
export const OutboxCause = z.object({
  id: z.string().describe('The kind of the refusal and the HTTP status, as `refused: 402`.'),
  object: z.literal('outbox_cause'),
  reports: z.int(),
  oldest_at: Timestamp,
  last_error: z.string().describe('Of the oldest of them.'),
});
export type OutboxCause = z.infer<typeof OutboxCause>;

/** Query of `GET /v2/outbox`: oldest first; `starting_after` may name a report that the service has by now. */
export const ListOutbox = z.strictObject({
  status: OutboxReportStatus.optional(),
  limit: z.coerce.number().int().min(1).max(100).default(20),
  starting_after: Cursor.optional(),
  version: z.string().optional(),
});

/** Body of `POST /v2/outbox/{id}/retry`. */
export const RetryReport = z.strictObject({ by: Words.optional() });

/** Body of `POST /v2/outbox/{id}/drop`. */
export const DropReport = z.strictObject({ reason: Words, by: Words.optional() });
