import type { WebhookDelivery } from '../../api/contract/webhook-delivery.ts';
import type { WebhookEndpoint, WebhookEndpointWithSecret } from '../../api/contract/webhook-endpoint.ts';
import { facts, table } from './table.ts';

/** Printed with every secret. */
export const SECRET_ONCE = 'The secret is shown this once: keep it now.\n';

/** The endpoints, one line each. */
export function endpointTable(list: readonly WebhookEndpoint[]): string {
  const rows = list.map((endpoint) => [
    endpoint.needs_new_secret ? 'NEEDS NEW SECRET' : endpoint.status,
    endpoint.url,
    endpoint.events.join(', '),
    endpoint.id,
  ]);
  return table(['STATUS', 'URL', 'EVENTS', 'ID'], rows);
}

/** An endpoint with its secret: the secret first, because it must be copied. */
export function secretText(endpoint: WebhookEndpointWithSecret): string {
  return facts([
    ['secret', endpoint.secret],
    ['id', endpoint.id],
    ['url', endpoint.url],
    ['events', endpoint.events.join(', ')],
    ['status', endpoint.status],
  ]);
}

/** Deliveries, one line each. @param addresses of the endpoints, by their ids */
export function deliveryTable(
  list: readonly WebhookDelivery[],
  addresses: ReadonlyMap<string, string> = new Map(),
): string {
  const rows = list.map((delivery) => [
    delivery.created_at,
    delivery.event_type,
    delivery.status,
    String(delivery.attempts),
    delivery.next_attempt_at ?? '-',
    delivery.last_error ?? '-',
    delivery.event_id,
    addresses.get(delivery.endpoint_id) ?? delivery.endpoint_id,
    delivery.id,
  ]);
  return table(['CREATED', 'TYPE', 'STATUS', 'TRIES', 'NEXT', 'ERROR', 'EVENT', 'ENDPOINT', 'ID'], rows);
}
