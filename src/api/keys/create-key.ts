import { randomInt } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import type { Ids } from '../../base/ids.ts';
import type { CreatedKey, CreateKey, KeySummary } from '../contract/key.ts';
import type { ApiKeyRecord, ApiKeyStore } from '../ports.ts';
import { instant, instantOrNull } from '../render/instant.ts';
import { hashOfKey } from './authenticate.ts';

export type Environment = 'live' | 'sandbox';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_LENGTH = 32;
const DAY_MS = 86_400_000;

/** Makes a key and stores its hash. The answer is the only place where the key is ever shown. */
export function createKey(
  request: CreateKey,
  environment: Environment,
  ports: { readonly keys: ApiKeyStore; readonly clock: Clock; readonly ids: Ids },
): CreatedKey {
  const key = `rk_${environment}_${randomSecret()}`;
  const createdAt = ports.clock.now();
  const record: ApiKeyRecord = {
    id: ports.ids.uuid(),
    name: request.name,
    hash: hashOfKey(key),
    scopes: [...new Set(request.scopes)],
    createdAt,
    expiresAt: request.expires_in_days === undefined ? null : createdAt + request.expires_in_days * DAY_MS,
    revokedAt: null,
    allow: request.allow,
    lastUsedAt: null,
  };
  ports.keys.insert(record);
  const { id, name, scopes } = summaryOf(record);
  return {
    id,
    key,
    name,
    scopes,
    created_at: instant(createdAt),
    expires_at: instantOrNull(record.expiresAt),
  };
}

/** A key without its secret and its hash. */
export function summaryOf(record: ApiKeyRecord): KeySummary {
  return {
    id: record.id,
    name: record.name,
    scopes: [...record.scopes],
    allow: [...record.allow],
    created_at: instant(record.createdAt),
    expires_at: instantOrNull(record.expiresAt),
    revoked_at: instantOrNull(record.revokedAt),
    last_used_at: instantOrNull(record.lastUsedAt),
  };
}

function randomSecret(): string {
  return Array.from({ length: SECRET_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}
