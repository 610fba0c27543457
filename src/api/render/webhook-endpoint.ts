import type { EndpointView, EndpointWithSecret } from '../../webhooks/webhooks.ts';
import type { WebhookEndpoint, WebhookEndpointWithSecret } from '../contract/webhook-endpoint.ts';
import { instant } from './instant.ts';

/** An endpoint as the API shows it, without its secret. */
export function renderWebhookEndpoint(view: EndpointView): WebhookEndpoint {
  const { id, url, events, status, needsNewSecret, createdAt, updatedAt } = view;
  return {
    id,
    object: 'webhook_endpoint',
    url,
    events: [...events],
    status,
    needs_new_secret: needsNewSecret,
    created_at: instant(createdAt),
    updated_at: instant(updatedAt),
  };
}

export function renderEndpointWithSecret(view: EndpointWithSecret): WebhookEndpointWithSecret {
  return { ...renderWebhookEndpoint(view), secret: view.secret };
}
