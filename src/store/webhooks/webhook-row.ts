import { z } from 'zod';
import { invariant } from '../../base/invariant.ts';
import type { Delivery, DeliveryStatus } from '../../webhooks/delivery.ts';
import type { Endpoint } from '../../webhooks/endpoint.ts';

const EndpointRow = z
  .object({
    id: z.string(),
    url: z.string(),
    events: z.string().transform((text) => z.array(z.string()).parse(JSON.parse(text))),
    status: z.enum(['enabled', 'disabled']),
    sealed_secret: z.string(),
    created_at: z.int(),
    updated_at: z.int(),
  })
  .transform(({ sealed_secret, created_at, updated_at, ...same }) => ({
    ...same,
    sealedSecret: sealed_secret,
    createdAt: created_at,
    updatedAt: updated_at,
  }));

const DeliveryRow = z.object({
  id: z.string(),
  event_id: z.string(),
  event_type: z.string(),
  endpoint_id: z.string(),
  created_at: z.int(),
  attempts: z.int(),
  state: z.enum(['pending', 'delivered', 'failed']),
  next_at: z.int().nullable(),
  ends_at: z.int().nullable(),
  noted_at: z.int().nullable(),
  ended_at: z.int().nullable(),
  response_status: z.int().nullable(),
  last_error: z.string().nullable(),
});

export function endpointOf(raw: unknown): Endpoint {
  return EndpointRow.parse(raw);
}

export function deliveryOf(raw: unknown): Delivery {
  const row = DeliveryRow.parse(raw);
  return {
    id: row.id,
    eventId: row.event_id,
    eventType: row.event_type,
    endpointId: row.endpoint_id,
    createdAt: row.created_at,
    attempts: row.attempts,
    status: statusOf(row),
    responseStatus: row.response_status,
    lastError: row.last_error,
  };
}

/** The columns `state, next_at, ends_at, noted_at, ended_at` of a delivery's status, in that order. */
export function statusValues(status: DeliveryStatus): readonly unknown[] {
  if (status.name !== 'pending') return [status.name, null, null, null, status.at];
  return [status.name, status.nextAt, status.endsAt, status.notedAt, null];
}

function statusOf(row: z.infer<typeof DeliveryRow>): DeliveryStatus {
  const { state, next_at: nextAt, ends_at: endsAt, noted_at: notedAt, ended_at: at } = row;
  if (state !== 'pending') {
    invariant(at !== null, 'a delivery that has ended says when', { delivery: row.id });
    return { name: state, at };
  }
  const isWhole = nextAt !== null && endsAt !== null && notedAt !== null;
  invariant(isWhole, 'a pending delivery says when it goes on', { delivery: row.id });
  return { name: 'pending', nextAt, endsAt, notedAt };
}
