import { z } from 'zod';
import type { DeliveryFilter } from '../../webhooks/ports.ts';
import type { Webhooks } from '../../webhooks/webhooks.ts';
import { dataOf, Uuid } from '../contract/primitives.ts';
import { ListWebhookDeliveries, WebhookDelivery } from '../contract/webhook-delivery.ts';
import { renderWebhookDelivery } from '../render/webhook-delivery.ts';
import { json } from '../reply/reply.ts';
import { atCursor, cursorsOf } from './cursor.ts';
import { listReply, listShape, NoParams, VersionQuery } from './list-reply.ts';
import { defineRoute, type Route } from './route.ts';

const TAG = 'Webhook deliveries';
const URL = '/v2/webhook-deliveries';

/** Deliveries to the endpoints, and delivering again. */
export function webhookDeliveryRoutes(webhooks: Webhooks): readonly Route[] {
  return [listRoute(webhooks), redeliverRoute(webhooks)];
}

function listRoute(webhooks: Webhooks): Route {
  return defineRoute({
    method: 'GET',
    path: URL,
    operationId: 'listWebhookDeliveries',
    tag: TAG,
    access: 'webhooks:read',
    summary: 'List deliveries, newest first; what has ended is kept for 30 days.',
    params: NoParams,
    query: ListWebhookDeliveries,
    body: null,
    replies: [listShape(WebhookDelivery, 'One page of deliveries.')],
    refusals: ['CURSOR_UNKNOWN', 'CURSORS_CONFLICT'],
    handler: ({ query }, { version }) => {
      const { items, hasMore } = atCursor(query, () => webhooks.deliveries(filterOf(query)));
      const rendered = items.map(renderWebhookDelivery);
      return listReply(version, { items: rendered, hasMore, url: URL, limit: query.limit });
    },
  });
}

function redeliverRoute(webhooks: Webhooks): Route {
  return defineRoute({
    method: 'POST',
    path: `${URL}/{id}/redeliver`,
    operationId: 'redeliverWebhook',
    tag: TAG,
    access: 'webhooks:write',
    summary:
      'Send the same event to the same endpoint once more: a new delivery with six attempts of its own, the same event id.',
    params: z.strictObject({ id: Uuid }),
    query: VersionQuery,
    body: null,
    replies: [{ status: 201, description: 'The new delivery.', schema: dataOf(WebhookDelivery) }],
    refusals: ['WEBHOOK_DELIVERY_UNKNOWN', 'WEBHOOK_ENDPOINT_GONE', 'STORAGE_FULL', 'STORAGE_FAILED'],
    idempotent: 'with_its_writes',
    handler: ({ params }) => json(201, { data: renderWebhookDelivery(webhooks.redeliver(params.id)) }),
  });
}

function filterOf(query: z.output<typeof ListWebhookDeliveries>): DeliveryFilter {
  const { endpoint_id, event_id, status, limit } = query;
  return {
    ...(endpoint_id === undefined ? {} : { endpointId: endpoint_id }),
    ...(event_id === undefined ? {} : { eventId: event_id }),
    ...(status === undefined ? {} : { status }),
    ...cursorsOf(query),
    limit,
  };
}
