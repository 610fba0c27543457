import { z } from 'zod';
import type { DeliveryFilter } from '../../webhooks/ports.ts';
import type { Webhooks } from '../../webhooks/webhooks.ts';
import type { Api, RoutePlugin } from '../api.ts';
import { dataOf, Uuid } from '../contract/primitives.ts';
import { ListWebhookDeliveries, WebhookDelivery } from '../contract/webhook-delivery.ts';
import { renderWebhookDelivery } from '../render/webhook-delivery.ts';
import { atCursor, cursorsOf } from './cursor.ts';
import { isCounted, listReply, listShape, VersionQuery } from './list-reply.ts';

const TAG = 'Webhook deliveries';
const URL = '/v2/webhook-deliveries';

/** Deliveries to the endpoints, and delivering again. */
export function webhookDeliveryRoutes(webhooks: Webhooks): RoutePlugin {
  return async (api) => {
    listRoute(api, webhooks);
    redeliverRoute(api, webhooks);
  };
}

function listRoute(api: Api, webhooks: Webhooks): void {
  api.route({
    method: 'GET',
    url: URL,
    schema: { querystring: ListWebhookDeliveries },
    config: {
      operationId: 'listWebhookDeliveries',
      tag: TAG,
      access: 'webhooks:read',
      summary: 'List deliveries, newest first; what has ended is kept for 30 days.',
      replies: [listShape(WebhookDelivery, 'One page of deliveries.')],
      refusals: ['CURSOR_UNKNOWN', 'CURSORS_CONFLICT'],
    },
    handler: ({ query, serviceVersion }) => {
      const counted = { isCounted: isCounted(serviceVersion) };
      const { items, hasMore, place } = atCursor(query, () =>
        webhooks.deliveries({ ...filterOf(query), ...counted }),
      );
      const rendered = items.map(renderWebhookDelivery);
      const { limit } = query;
      return listReply(serviceVersion, { items: rendered, hasMore, url: URL, limit, ...place });
    },
  });
}

function redeliverRoute(api: Api, webhooks: Webhooks): void {
  api.route({
    method: 'POST',
    url: `${URL}/:id/redeliver`,
    schema: { params: z.strictObject({ id: Uuid }), querystring: VersionQuery },
    config: {
      operationId: 'redeliverWebhook',
      tag: TAG,
      access: 'webhooks:write',
      summary:
        'Send the same event to the same endpoint once more: a new delivery with six attempts of its own, the same event id.',
      replies: [{ status: 201, description: 'The new delivery.', schema: dataOf(WebhookDelivery) }],
      refusals: ['WEBHOOK_DELIVERY_UNKNOWN', 'WEBHOOK_ENDPOINT_GONE', 'STORAGE_FULL', 'STORAGE_FAILED'],
      idempotent: 'with_its_writes',
    },
    handler: ({ params }) => ({ data: renderWebhookDelivery(webhooks.redeliver(params.id)) }),
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
