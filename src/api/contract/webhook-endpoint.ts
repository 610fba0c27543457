import { z } from 'zod';
import { urlObjection } from '../../webhooks/endpoint-url.ts';
import { EVENT_TYPES } from '../../webhooks/event-types.ts';
import { Timestamp, Uuid } from './primitives.ts';

export const WebhookEndpointStatus = z.enum(['enabled', 'disabled']);

/** Where events are sent. */
export const WebhookEndpoint = z.object({
  id: Uuid,
  object: z.literal('webhook_endpoint'),
  url: z.string(),
  events: z.array(z.string()),
  status: WebhookEndpointStatus,
  needs_new_secret: z
    .boolean()
    .describe('Its signing secret cannot be read any more: nothing is sent until it is rolled.'),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type WebhookEndpoint = z.infer<typeof WebhookEndpoint>;

/** An endpoint at its creation, or after a roll of its secret: the only responses that show the signing secret. */
export const WebhookEndpointWithSecret = WebhookEndpoint.extend({
  secret: z.string().describe('The whole text is the key of the HMAC, `whsec_` included.'),
});
export type WebhookEndpointWithSecret = z.infer<typeof WebhookEndpointWithSecret>;

/** A deleted endpoint. */
export const DeletedWebhookEndpoint = z.object({
  id: Uuid,
  object: z.literal('webhook_endpoint'),
  deleted: z.literal(true),
});

/** https, or http on this machine; at most 2048 characters. */
const WebhookUrl = z.string().superRefine((text, context) => {
  const objection = urlObjection(text);
  if (objection !== null) context.addIssue({ code: 'custom', message: objection });
});

/** With or without `billing.`: the interface spells them both ways, and what is sent is the plain one. */
const EventType = z.preprocess(
  (type) => (typeof type === 'string' ? type.replace(/^billing\./, '') : type),
  z.enum(EVENT_TYPES),
);
const WebhookEvents = z
  .array(EventType)
  .min(1)
  .max(100)
  .describe('Event types, with or without the prefix `billing.`; what is sent is the plain name.');

/** Body of `POST /v2/webhook-endpoints` and `POST /v1/webhooks`. */
export const CreateWebhookEndpoint = z.strictObject({ url: WebhookUrl, events: WebhookEvents });
export type CreateWebhookEndpoint = z.infer<typeof CreateWebhookEndpoint>;

/** Body of `PATCH /v2/webhook-endpoints/{id}`: at least one of them. */
export const UpdateWebhookEndpoint = z
  .strictObject({
    url: WebhookUrl.optional(),
    events: WebhookEvents.optional(),
    status: WebhookEndpointStatus.optional(),
  })
  .refine((body) => Object.keys(body).length > 0, 'must hold at least one of url, events, status');

/** Query of `GET /v2/webhook-endpoints`: offset pagination. */
export const ListWebhookEndpoints = z.strictObject({
  limit: z.coerce.number().int().min(1).max(100).default(20),
  offset: z.coerce.number().int().min(0).default(0),
  version: z.string().optional(),
});
