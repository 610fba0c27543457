import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import type { Ids } from '../../base/ids.ts';
import { guardText } from '../../base/text-guard.ts';
import type { CreatedKey, CreateKey } from '../contract/key.ts';
import type { ApiKeyRecord, ApiKeyStore } from '../ports.ts';
import { instant, instantOrNull } from '../render/instant.ts';
import { entryOf, type KeyAct } from './audit.ts';
import { statusOf } from './key-summary.ts';
import { type Environment, hashOfKey, newKey } from './secret.ts';

const DAY_MS = 86_400_000;
/** Maximum of active keys. */
const MAX_LIVING = 256;

export interface KeyIssueDeps {
  readonly keys: ApiKeyStore;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly environment: Environment;
}

/**
 * Creates a key and stores its hash. Only this response shows the key.
 * @throws KEYS_EXHAUSTED when 256 are active, STORAGE_FULL, STORAGE_FAILED; then no key exists
 */
export function createKey(request: CreateKey, act: KeyAct, deps: KeyIssueDeps): CreatedKey {
  const createdAt = deps.clock.now();
  requireRoom(deps.keys, createdAt);
  const key = newKey(deps.environment);
  const record: ApiKeyRecord = {
    id: deps.ids.uuid(),
    name: guardText(request.name),
    hash: hashOfKey(key),
    scopes: [...new Set(request.scopes)],
    createdAt,
    expiresAt: request.expires_in_days === undefined ? null : createdAt + request.expires_in_days * DAY_MS,
    revokedAt: null,
    allow: request.allow,
    lastUsedAt: null,
    overlapEndsAt: null,
  };
  deps.keys.insert(record, entryOf('created', record.id, createdAt, act));
  return createdKey(record, key);
}

/** A key as its one response shows it. */
export function createdKey(record: ApiKeyRecord, key: string): CreatedKey {
  return {
    id: record.id,
    key,
    name: record.name,
    scopes: [...record.scopes],
    created_at: instant(record.createdAt),
    expires_at: instantOrNull(record.expiresAt),
  };
}

function requireRoom(keys: ApiKeyStore, now: number): void {
  const living = keys.list().filter((record) => statusOf(record, now) === 'active').length;
  if (living < MAX_LIVING) return;
  throw new AppError(
    'KEYS_EXHAUSTED',
    `There are ${MAX_LIVING} API keys in use, which is the most there may be: revoke one that is not needed`,
  );
}
