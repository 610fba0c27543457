import { z } from 'zod';
import type { Clock } from '../../base/clock.ts';
import type { Ids } from '../../base/ids.ts';
import { CreatedKey, CreateKey, KeySummary } from '../contract/key.ts';
import { dataOf } from '../contract/primitives.ts';
import { createKey, type Environment, summaryOf } from '../keys/create-key.ts';
import type { ApiKeyStore } from '../ports.ts';
import { json } from '../reply/reply.ts';
import { listReply, listShape, NoParams, VersionQuery } from './list-reply.ts';
import { defineRoute, type Route } from './route.ts';

const TAG = 'Keys';

export interface KeyPorts {
  readonly keys: ApiKeyStore;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** Making and listing API keys: through the unix socket only, where the file's permissions say who may. */
export function keyRoutes(ports: KeyPorts, environment: Environment): readonly Route[] {
  return [createRoute(ports, environment), listRoute(ports.keys)];
}

function createRoute(ports: KeyPorts, environment: Environment): Route {
  return defineRoute({
    method: 'POST',
    path: '/v2/keys',
    operationId: 'createKey',
    tag: TAG,
    access: 'socket_only',
    summary:
      'Create an API key. The key is shown in this answer only; it is not repeated for an Idempotency-Key.',
    params: NoParams,
    query: VersionQuery,
    body: CreateKey,
    replies: [{ status: 201, description: 'The key, once.', schema: dataOf(CreatedKey) }],
    refusals: ['STORAGE_FULL', 'STORAGE_FAILED'],
    handler: ({ body }) => json(201, { data: createKey(body, environment, ports) }),
  });
}

function listRoute(keys: ApiKeyStore): Route {
  return defineRoute({
    method: 'GET',
    path: '/v2/keys',
    operationId: 'listKeys',
    tag: TAG,
    access: 'socket_only',
    summary: 'List API keys, newest first; never their secrets.',
    params: NoParams,
    query: z.strictObject({
      limit: z.coerce.number().int().min(1).max(100).default(20),
      offset: z.coerce.number().int().min(0).default(0),
      version: z.string().optional(),
    }),
    body: null,
    replies: [listShape(KeySummary, 'One page of keys.')],
    refusals: [],
    handler: ({ query: { limit, offset } }, { version }) => {
      const all = keys.list();
      const items = all.slice(offset, offset + limit).map(summaryOf);
      return listReply(version, {
        items,
        hasMore: offset + limit < all.length,
        url: '/v2/keys',
        limit,
        offset,
        total: all.length,
      });
    },
  });
}
