import { z } from 'zod';
import type { Api, Caller, RoutePlugin } from '../api.ts';
import {
  CreatedKey,
  CreateKey,
  KeyAudit,
  KeySummary,
  ListKeys,
  RevokeKey,
  RolledKey,
  RollKey,
} from '../contract/key.ts';
import { dataOf, Uuid } from '../contract/primitives.ts';
import type { KeyAct } from '../keys/audit.ts';
import { createKey, type KeyIssueDeps } from '../keys/create-key.ts';
import { findKey, revokeKey, rollKey } from '../keys/end-key.ts';
import { keySummary } from '../keys/key-summary.ts';
import type { Environment } from '../keys/secret.ts';
import { actOf as authorOf } from '../people/person.ts';
import type { ApiKeyStore } from '../ports.ts';
import { renderKeyAudit } from '../render/key-audit.ts';
import type { EventStreams } from '../stream/event-streams.ts';
import { listReply, listShape, VersionQuery } from './list-reply.ts';

const TAG = 'Keys';
const OneKey = z.strictObject({ id: Uuid });
const Paging = ListKeys.pick({ limit: true, offset: true, version: true });

export interface KeyDeps extends Omit<KeyIssueDeps, 'environment'> {
  /**
   * The streams of a key end with the key. Under an idempotency key they end just before the commit: if it fails, the reader resumes its
   * stream.
   */
  readonly streams: Pick<EventStreams, 'endRefused'>;
}

/** API keys: through the unix socket only, where the file's permissions authorize. */
export function keyRoutes(keyDeps: KeyDeps, environment: Environment): RoutePlugin {
  const deps: KeyIssueDeps = { ...keyDeps, environment };
  return async (api) => {
    createRoute(api, deps);
    listRoute(api, deps);
    rollRoute(api, deps, keyDeps.streams);
    revokeRoute(api, deps, keyDeps.streams);
    auditRoute(api, deps.keys);
  };
}

function createRoute(api: Api, deps: KeyIssueDeps): void {
  api.route({
    method: 'POST',
    url: '/v2/keys',
    schema: { querystring: VersionQuery, body: CreateKey },
    config: {
      operationId: 'createKey',
      tag: TAG,
      access: 'socket_only',
      summary:
        'Create an API key. The key is shown in this answer only, and in its repetition under the same Idempotency-Key.',
      replies: [{ status: 201, description: 'The key, once.', schema: dataOf(CreatedKey) }],
      refusals: ['KEYS_EXHAUSTED', 'SEAL_KEY_UNUSABLE', 'STORAGE_FULL', 'STORAGE_FAILED'],
      idempotent: 'with_its_writes',
      showsSecret: true,
    },
    handler: ({ body, caller }) => ({ data: createKey(body, actOf(caller, body), deps) }),
  });
}

function listRoute(api: Api, { keys, clock }: KeyIssueDeps): void {
  api.route({
    method: 'GET',
    url: '/v2/keys',
    schema: { querystring: ListKeys },
    config: {
      operationId: 'listKeys',
      tag: TAG,
      access: 'socket_only',
      summary:
        'List API keys, newest first; never their secrets. stale=true: those that were not used for 90 days.',
      replies: [listShape(KeySummary, 'One page of keys.')],
      refusals: [],
    },
    handler: ({ query: { limit, offset, status, stale }, serviceVersion }) => {
      const now = clock.now();
      const all = keys
        .list()
        .map((record) => keySummary(record, now))
        .filter((key) => status === undefined || key.status === status)
        .filter((key) => stale === undefined || String(key.stale) === stale);
      return listReply(serviceVersion, pageOf(all, '/v2/keys', limit, offset));
    },
  });
}

function rollRoute(api: Api, deps: KeyIssueDeps, streams: KeyDeps['streams']): void {
  api.route({
    method: 'POST',
    url: '/v2/keys/:id/roll',
    schema: { params: OneKey, querystring: VersionQuery, body: RollKey },
    config: {
      operationId: 'rollKey',
      tag: TAG,
      access: 'socket_only',
      summary:
        'Give an API key a new secret, shown as a created one is. The one before stays valid for overlap_hours, older ones end at once.',
      replies: [
        { status: 200, description: 'The key with its new secret, once.', schema: dataOf(RolledKey) },
      ],
      refusals: ['KEY_UNKNOWN', 'KEY_ENDED', 'SEAL_KEY_UNUSABLE', 'STORAGE_FULL', 'STORAGE_FAILED'],
      idempotent: 'with_its_writes',
      showsSecret: true,
    },
    handler: ({ params, body, caller }) => {
      const data = rollKey(params.id, body, actOf(caller, body), deps);
      streams.endRefused();
      return { data };
    },
  });
}

function revokeRoute(api: Api, deps: KeyIssueDeps, streams: KeyDeps['streams']): void {
  api.route({
    method: 'POST',
    url: '/v2/keys/:id/revoke',
    schema: { params: OneKey, querystring: VersionQuery, body: RevokeKey },
    config: {
      operationId: 'revokeKey',
      tag: TAG,
      access: 'socket_only',
      summary: 'End an API key at once and for good, with every secret and every event stream of it.',
      replies: [{ status: 200, description: 'The key as it is now.', schema: dataOf(KeySummary) }],
      refusals: ['KEY_UNKNOWN', 'STORAGE_FULL', 'STORAGE_FAILED'],
      idempotent: 'with_its_writes',
    },
    handler: ({ params, body, caller }) => {
      const data = revokeKey(params.id, actOf(caller, body), deps);
      streams.endRefused();
      return { data };
    },
  });
}

function auditRoute(api: Api, keys: ApiKeyStore): void {
  api.route({
    method: 'GET',
    url: '/v2/keys/:id/audit',
    schema: { params: OneKey, querystring: Paging },
    config: {
      operationId: 'listKeyAudit',
      tag: TAG,
      access: 'socket_only',
      summary: 'What was done to an API key, and which person and caller did it, newest first.',
      replies: [listShape(KeyAudit, 'One page of the audit trail.')],
      refusals: ['KEY_UNKNOWN'],
    },
    handler: ({ params, query: { limit, offset }, serviceVersion }) => {
      const { id } = findKey(keys, params.id);
      const all = keys.audit(id).map(renderKeyAudit);
      return listReply(serviceVersion, pageOf(all, `/v2/keys/${id}/audit`, limit, offset));
    },
  });
}

/** Once there are people, no request names its author itself. */
function actOf(caller: Caller, { by }: { readonly by?: string | undefined }): KeyAct {
  return { caller: caller.id, by: caller.hasPeople() ? authorOf(caller).who : by, from: caller.from };
}

function pageOf(all: readonly unknown[], url: string, limit: number, offset: number) {
  const items = all.slice(offset, offset + limit);
  return { items, hasMore: offset + limit < all.length, url, limit, offset, total: all.length };
}
