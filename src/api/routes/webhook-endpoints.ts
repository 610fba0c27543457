import { z } from 'zod';
import type { Webhooks } from '../../webhooks/webhooks.ts';
import { dataOf, Uuid } from '../contract/primitives.ts';
import {
  CreateWebhookEndpoint,
  DeletedWebhookEndpoint,
  ListWebhookEndpoints,
  UpdateWebhookEndpoint,
  WebhookEndpoint,
  WebhookEndpointWithSecret,
} from '../contract/webhook-endpoint.ts';
import { renderEndpointWithSecret, renderWebhookEndpoint } from '../render/webhook-endpoint.ts';
import { json } from '../reply/reply.ts';
import { listReply, listShape, NoParams, VersionQuery } from './list-reply.ts';
import { defineRoute, type Route } from './route.ts';

const TAG = 'Webhook endpoints';
const URL = '/v2/webhook-endpoints';
const ById = z.strictObject({ id: Uuid });
const STORING = ['STORAGE_FULL', 'STORAGE_FAILED'] as const;

/** Webhook endpoints: registering, changing and removing them. */
export function webhookEndpointRoutes(webhooks: Webhooks): readonly Route[] {
  return [
    createRoute(webhooks, URL, 'createWebhookEndpoint'),
    createRoute(webhooks, '/v1/webhooks', 'createWebhook'),
    listRoute(webhooks),
    getRoute(webhooks),
    updateRoute(webhooks),
    deleteRoute(webhooks),
    rollRoute(webhooks),
  ];
}

function createRoute(webhooks: Webhooks, path: string, operationId: string): Route {
  return defineRoute({
    method: 'POST',
    path,
    operationId,
    tag: TAG,
    access: 'webhooks:write',
    summary:
      'Register an endpoint: it gets what happens from now on. The signing secret is in this answer and, with the same ' +
      'Idempotency-Key, in its repeats only.',
    params: NoParams,
    query: VersionQuery,
    body: CreateWebhookEndpoint,
    replies: [
      { status: 201, description: 'The endpoint and its secret.', schema: dataOf(WebhookEndpointWithSecret) },
    ],
    refusals: ['WEBHOOK_ENDPOINTS_FULL', 'SEAL_KEY_UNUSABLE', ...STORING],
    idempotent: 'with_its_writes',
    showsSecret: true,
    handler: ({ body }) => json(201, { data: renderEndpointWithSecret(webhooks.create(body)) }),
  });
}

function listRoute(webhooks: Webhooks): Route {
  return defineRoute({
    method: 'GET',
    path: URL,
    operationId: 'listWebhookEndpoints',
    tag: TAG,
    access: 'webhooks:read',
    summary: 'List endpoints, oldest first; never their secrets.',
    params: NoParams,
    query: ListWebhookEndpoints,
    body: null,
    replies: [listShape(WebhookEndpoint, 'One page of endpoints.')],
    refusals: [],
    handler: ({ query: { limit, offset } }, { version }) => {
      const all = webhooks.list();
      const items = all.slice(offset, offset + limit).map(renderWebhookEndpoint);
      const hasMore = offset + limit < all.length;
      return listReply(version, { items, hasMore, url: URL, limit, offset, total: all.length });
    },
  });
}

function getRoute(webhooks: Webhooks): Route {
  return defineRoute({
    method: 'GET',
    path: `${URL}/{id}`,
    operationId: 'getWebhookEndpoint',
    tag: TAG,
    access: 'webhooks:read',
    summary: 'Retrieve an endpoint; never its secret.',
    params: ById,
    query: VersionQuery,
    body: null,
    replies: [{ status: 200, description: 'The endpoint.', schema: dataOf(WebhookEndpoint) }],
    refusals: ['WEBHOOK_ENDPOINT_UNKNOWN'],
    handler: ({ params }) => json(200, { data: renderWebhookEndpoint(webhooks.get(params.id)) }),
  });
}

function updateRoute(webhooks: Webhooks): Route {
  return defineRoute({
    method: 'PATCH',
    path: `${URL}/{id}`,
    operationId: 'updateWebhookEndpoint',
    tag: TAG,
    access: 'webhooks:write',
    summary:
      'Change address, events or status. A disabled endpoint gets nothing new; what is pending waits, and ends with its 24 hours.',
    params: ById,
    query: VersionQuery,
    body: UpdateWebhookEndpoint,
    replies: [{ status: 200, description: 'The endpoint as it is now.', schema: dataOf(WebhookEndpoint) }],
    refusals: ['WEBHOOK_ENDPOINT_UNKNOWN', ...STORING],
    idempotent: 'with_its_writes',
    handler: ({ params, body: { url, events, status } }) => {
      const change = {
        ...(url === undefined ? {} : { url }),
        ...(events === undefined ? {} : { events }),
        ...(status === undefined ? {} : { status }),
      };
      return json(200, { data: renderWebhookEndpoint(webhooks.update(params.id, change)) });
    },
  });
}

function deleteRoute(webhooks: Webhooks): Route {
  return defineRoute({
    method: 'DELETE',
    path: `${URL}/{id}`,
    operationId: 'deleteWebhookEndpoint',
    tag: TAG,
    access: 'webhooks:write',
    summary: 'Delete an endpoint. What is pending for it fails; its deliveries can still be looked up.',
    params: ById,
    query: VersionQuery,
    body: null,
    replies: [{ status: 200, description: 'It is deleted.', schema: dataOf(DeletedWebhookEndpoint) }],
    refusals: ['WEBHOOK_ENDPOINT_UNKNOWN', ...STORING],
    idempotent: 'with_its_writes',
    handler: ({ params: { id } }) => {
      webhooks.remove(id);
      return json(200, { data: { id, object: 'webhook_endpoint', deleted: true } });
    },
  });
}

function rollRoute(webhooks: Webhooks): Route {
  return defineRoute({
    method: 'POST',
    path: `${URL}/{id}/roll-secret`,
    operationId: 'rollWebhookSecret',
    tag: TAG,
    access: 'webhooks:write',
    summary:
      'Give an endpoint a new signing secret, which signs from the next attempt on; shown in this answer only.',
    params: ById,
    query: VersionQuery,
    body: null,
    replies: [
      {
        status: 200,
        description: 'The endpoint and its new secret.',
        schema: dataOf(WebhookEndpointWithSecret),
      },
    ],
    refusals: ['WEBHOOK_ENDPOINT_UNKNOWN', 'SEAL_KEY_UNUSABLE', ...STORING],
    idempotent: 'with_its_writes',
    showsSecret: true,
    handler: ({ params }) => json(200, { data: renderEndpointWithSecret(webhooks.rollSecret(params.id)) }),
  });
}
