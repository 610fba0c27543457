import { z } from 'zod';
import { Cursor, Timestamp, Uuid } from './primitives.ts';

export const WebhookDeliveryStatus = z.enum(['pending', 'delivered', 'failed']);

/** The delivery of one event to one endpoint. */
export const WebhookDelivery = z.object({
  id: Uuid,
  object: z.literal('webhook_delivery'),
  event_id: z.string(),
  event_type: z.string(),
  endpoint_id: Uuid,
  status: WebhookDeliveryStatus,
  attempts: z.int().describe('Made so far; six at most.'),
  next_attempt_at: Timestamp.nullable().describe('Null when there will be none.'),
  response_status: z.int().nullable().describe('Of the last attempt; null when it was not answered.'),
  last_error: z
    .string()
    .nullable()
    .describe('Why the last attempt was no success, in words; null after one.'),
  created_at: Timestamp,
  delivered_at: Timestamp.nullable(),
});
export type WebhookDelivery = z.infer<typeof WebhookDelivery>;

/** Query of `GET /v2/webhook-deliveries`: newest first, cursor pagination. */
export const ListWebhookDeliveries = z.strictObject({
  endpoint_id: Uuid.optional(),
  event_id: z.string().max(64).optional(),
  status: WebhookDeliveryStatus.optional(),
  limit: z.coerce.number().int().min(1).max(100).default(20),
  starting_after: Cursor.optional(),
  ending_before: Cursor.optional(),
  version: z.string().optional(),
});
export type ListWebhookDeliveries = z.infer<typeof ListWebhookDeliveries>;
