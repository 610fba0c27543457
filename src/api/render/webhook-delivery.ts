import type { Delivery } from '../../webhooks/delivery.ts';
import type { WebhookDelivery } from '../contract/webhook-delivery.ts';
import { instant, instantOrNull } from './instant.ts';

/** A delivery as the API shows it. */
export function renderWebhookDelivery(delivery: Delivery): WebhookDelivery {
  const { id, eventId, eventType, endpointId, status, attempts } = delivery;
  return {
    id,
    object: 'webhook_delivery',
    event_id: eventId,
    event_type: eventType,
    endpoint_id: endpointId,
    status: status.name,
    attempts,
    next_attempt_at: instantOrNull(status.name === 'pending' ? status.nextAt : null),
    response_status: delivery.responseStatus,
    last_error: delivery.lastError,
    created_at: instant(delivery.createdAt),
    delivered_at: instantOrNull(status.name === 'delivered' ? status.at : null),
  };
}
