import { z } from 'zod';
import type { Webhooks } from '../../webhooks/webhooks.ts';
import type { Api, RoutePlugin } from '../api.ts';
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
import { listReply, listShape, VersionQuery } from './list-reply.ts';

const TAG = 'Webhook endpoints';
const URL = '/v2/webhook-endpoints';
const ById = z.strictObject({ id: Uuid });
const STORING = ['STORAGE_FULL', 'STORAGE_FAILED'] as const;

/** Webhook endpoints: registering, changing and removing them. */
export function webhookEndpointRoutes(webhooks: Webhooks): RoutePlugin {
  return async (api) => {
    createRoute(api, webhooks, URL, 'createWebhookEndpoint');
    createRoute(api, webhooks, '/v1/webhooks', 'createWebhook');
    listRoute(api, webhooks);
    getRoute(api, webhooks);
    updateRoute(api, webhooks);
    deleteRoute(api, webhooks);
    rollRoute(api, webhooks);
  };
}

function createRoute(api: Api, webhooks: Webhooks, path: string, operationId: string): void {
  api.route({
    method: 'POST',
    url: path,
    schema: { querystring: VersionQuery, body: CreateWebhookEndpoint },
    config: {
      operationId,
      tag: TAG,
      access: 'webhooks:write',
      summary:
        'Register an endpoint: it gets what happens from now on. The signing secret is in this answer and, with the same ' +
        'Idempotency-Key, in its repeats only.',
      replies: [
        {
          status: 201,
          description: 'The endpoint and its secret.',
          schema: dataOf(WebhookEndpointWithSecret),
        },
      ],
      refusals: ['WEBHOOK_ENDPOINTS_FULL', 'SEAL_KEY_UNUSABLE', ...STORING],
      idempotent: 'with_its_writes',
      showsSecret: true,
    },
    handler: ({ body }) => ({ data: renderEndpointWithSecret(webhooks.create(body)) }),
  });
}

function listRoute(api: Api, webhooks: Webhooks): void {
  api.route({
    method: 'GET',
    url: URL,
    schema: { querystring: ListWebhookEndpoints },
    config: {
      operationId: 'listWebhookEndpoints',
      tag: TAG,
      access: 'webhooks:read',
      summary: 'List endpoints, oldest first; never their secrets.',
      replies: [listShape(WebhookEndpoint, 'One page of endpoints.')],
      refusals: [],
    },
    handler: ({ query: { limit, offset }, serviceVersion }) => {
      const all = webhooks.list();
      const items = all.slice(offset, offset + limit).map(renderWebhookEndpoint);
      const hasMore = offset + limit < all.length;
      return listReply(serviceVersion, { items, hasMore, url: URL, limit, offset, total: all.length });
    },
  });
}

function getRoute(api: Api, webhooks: Webhooks): void {
  api.route({
    method: 'GET',
    url: `${URL}/:id`,
    schema: { params: ById, querystring: VersionQuery },
    config: {
      operationId: 'getWebhookEndpoint',
      tag: TAG,
      access: 'webhooks:read',
      summary: 'Retrieve an endpoint; never its secret.',
      replies: [{ status: 200, description: 'The endpoint.', schema: dataOf(WebhookEndpoint) }],
      refusals: ['WEBHOOK_ENDPOINT_UNKNOWN'],
    },
    handler: ({ params }) => ({ data: renderWebhookEndpoint(webhooks.get(params.id)) }),
  });
}

function updateRoute(api: Api, webhooks: Webhooks): void {
  api.route({
    method: 'PATCH',
    url: `${URL}/:id`,
    schema: { params: ById, querystring: VersionQuery, body: UpdateWebhookEndpoint },
    config: {
      operationId: 'updateWebhookEndpoint',
      tag: TAG,
      access: 'webhooks:write',
      summary:
        'Change address, events or status. A disabled endpoint gets nothing new; what is pending waits, and ends with its 24 hours.',
      replies: [{ status: 200, description: 'The endpoint as it is now.', schema: dataOf(WebhookEndpoint) }],
      refusals: ['WEBHOOK_ENDPOINT_UNKNOWN', ...STORING],
      idempotent: 'with_its_writes',
    },
    handler: ({ params, body: { url, events, status } }) => {
      const change = {
        ...(url === undefined ? {} : { url }),
        ...(events === undefined ? {} : { events }),
        ...(status === undefined ? {} : { status }),
      };
      return { data: renderWebhookEndpoint(webhooks.update(params.id, change)) };
    },
  });
}

function deleteRoute(api: Api, webhooks: Webhooks): void {
  api.route({
    method: 'DELETE',
    url: `${URL}/:id`,
    schema: { params: ById, querystring: VersionQuery },
    config: {
      operationId: 'deleteWebhookEndpoint',
      tag: TAG,
      access: 'webhooks:write',
      summary: 'Delete an endpoint. What is pending for it fails; its deliveries can still be looked up.',
      replies: [{ status: 200, description: 'It is deleted.', schema: dataOf(DeletedWebhookEndpoint) }],
      refusals: ['WEBHOOK_ENDPOINT_UNKNOWN', ...STORING],
      idempotent: 'with_its_writes',
    },
    handler: ({ params: { id } }) => {
      webhooks.remove(id);
      return { data: { id, object: 'webhook_endpoint', deleted: true } };
    },
  });
}

function rollRoute(api: Api, webhooks: Webhooks): void {
  api.route({
    method: 'POST',
    url: `${URL}/:id/roll-secret`,
    schema: { params: ById, querystring: VersionQuery },
    config: {
      operationId: 'rollWebhookSecret',
      tag: TAG,
      access: 'webhooks:write',
      summary:
        'Give an endpoint a new signing secret, which signs from the next attempt on; shown in this answer only.',
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
    },
    handler: ({ params }) => ({ data: renderEndpointWithSecret(webhooks.rollSecret(params.id)) }),
  });
}
