import { z } from 'zod';
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
import type { ApiKeyStore } from '../ports.ts';
import { renderKeyAudit } from '../render/key-audit.ts';
import { json } from '../reply/reply.ts';
import type { EventStreams } from '../stream/event-streams.ts';
import { listReply, listShape, NoParams, VersionQuery } from './list-reply.ts';
import { defineRoute, type RequestContext, type Route } from './route.ts';

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
export function keyRoutes(keyDeps: KeyDeps, environment: Environment): readonly Route[] {
  const deps: KeyIssueDeps = { ...keyDeps, environment };
  return [
    createRoute(deps),
    listRoute(deps),
    rollRoute(deps, keyDeps.streams),
    revokeRoute(deps, keyDeps.streams),
    auditRoute(deps.keys),
  ];
}

function createRoute(deps: KeyIssueDeps): Route {
  return defineRoute({
    method: 'POST',
    path: '/v2/keys',
    operationId: 'createKey',
    tag: TAG,
    access: 'socket_only',
    summary:
      'Create an API key. The key is shown in this answer only, and in its repetition under the same Idempotency-Key.',
    params: NoParams,
    query: VersionQuery,
    body: CreateKey,
    replies: [{ status: 201, description: 'The key, once.', schema: dataOf(CreatedKey) }],
    refusals: ['KEYS_EXHAUSTED', 'SEAL_KEY_UNUSABLE', 'STORAGE_FULL', 'STORAGE_FAILED'],
    idempotent: 'with_its_writes',
    showsSecret: true,
    handler: ({ body }, context) => json(201, { data: createKey(body, actOf(context, body), deps) }),
  });
}

function listRoute({ keys, clock }: KeyIssueDeps): Route {
  return defineRoute({
    method: 'GET',
    path: '/v2/keys',
    operationId: 'listKeys',
    tag: TAG,
    access: 'socket_only',
    summary:
      'List API keys, newest first; never their secrets. stale=true: those that were not used for 90 days.',
    params: NoParams,
    query: ListKeys,
    body: null,
    replies: [listShape(KeySummary, 'One page of keys.')],
    refusals: [],
    handler: ({ query: { limit, offset, status, stale } }, { version }) => {
      const now = clock.now();
      const all = keys
        .list()
        .map((record) => keySummary(record, now))
        .filter((key) => status === undefined || key.status === status)
        .filter((key) => stale === undefined || String(key.stale) === stale);
      return listReply(version, pageOf(all, '/v2/keys', limit, offset));
    },
  });
}

function rollRoute(deps: KeyIssueDeps, streams: KeyDeps['streams']): Route {
  return defineRoute({
    method: 'POST',
    path: '/v2/keys/{id}/roll',
    operationId: 'rollKey',
    tag: TAG,
    access: 'socket_only',
    summary:
      'Give an API key a new secret, shown as a created one is. The one before stays valid for overlap_hours, older ones end at once.',
    params: OneKey,
    query: VersionQuery,
    body: RollKey,
    replies: [{ status: 200, description: 'The key with its new secret, once.', schema: dataOf(RolledKey) }],
    refusals: ['KEY_UNKNOWN', 'KEY_ENDED', 'SEAL_KEY_UNUSABLE', 'STORAGE_FULL', 'STORAGE_FAILED'],
    idempotent: 'with_its_writes',
    showsSecret: true,
    handler: ({ params, body }, context) => {
      const data = rollKey(params.id, body, actOf(context, body), deps);
      streams.endRefused();
      return json(200, { data });
    },
  });
}

function revokeRoute(deps: KeyIssueDeps, streams: KeyDeps['streams']): Route {
  return defineRoute({
    method: 'POST',
    path: '/v2/keys/{id}/revoke',
    operationId: 'revokeKey',
    tag: TAG,
    access: 'socket_only',
    summary: 'End an API key at once and for good, with every secret and every event stream of it.',
    params: OneKey,
    query: VersionQuery,
    body: RevokeKey,
    replies: [{ status: 200, description: 'The key as it is now.', schema: dataOf(KeySummary) }],
    refusals: ['KEY_UNKNOWN', 'STORAGE_FULL', 'STORAGE_FAILED'],
    idempotent: 'with_its_writes',
    handler: ({ params, body }, context) => {
      const data = revokeKey(params.id, actOf(context, body), deps);
      streams.endRefused();
      return json(200, { data });
    },
  });
}

function auditRoute(keys: ApiKeyStore): Route {
  return defineRoute({
    method: 'GET',
    path: '/v2/keys/{id}/audit',
    operationId: 'listKeyAudit',
    tag: TAG,
    access: 'socket_only',
    summary: 'What was done to an API key and by whom, newest first.',
    params: OneKey,
    query: Paging,
    body: null,
    replies: [listShape(KeyAudit, 'One page of the audit trail.')],
    refusals: ['KEY_UNKNOWN'],
    handler: ({ params, query: { limit, offset } }, { version }) => {
      const { id } = findKey(keys, params.id);
      const all = keys.audit(id).map(renderKeyAudit);
      return listReply(version, pageOf(all, `/v2/keys/${id}/audit`, limit, offset));
    },
  });
}

function actOf({ caller }: RequestContext, { by }: { readonly by?: string | undefined }): KeyAct {
  return { caller: caller.id, by };
}

function pageOf(all: readonly unknown[], url: string, limit: number, offset: number) {
  const items = all.slice(offset, offset + limit);
  return { items, hasMore: offset + limit < all.length, url, limit, offset, total: all.length };
}
