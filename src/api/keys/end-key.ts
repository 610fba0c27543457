import { AppError } from '../../base/errors.ts';
import type { KeySummary, RolledKey, RollKey } from '../contract/key.ts';
import type { ApiKeyRecord, ApiKeyStore } from '../ports.ts';
import { entryOf, type KeyAct } from './audit.ts';
import { createdKey, type KeyIssueDeps } from './create-key.ts';
import { keySummary, overlapOf, statusOf } from './key-summary.ts';
import { hashOfKey, newKey } from './secret.ts';

const HOUR_MS = 3_600_000;

/**
 * Gives a key a new secret. The previous secret stays valid until the overlap ends; every older one ends now: a key that is rolled because a
 * secret leaked must not keep a forgotten third one.
 * @throws KEY_UNKNOWN; KEY_ENDED when it was revoked or has expired; STORAGE_FULL, STORAGE_FAILED: then the key is unchanged
 */
export function rollKey(id: string, request: RollKey, act: KeyAct, deps: KeyIssueDeps): RolledKey {
  const at = deps.clock.now();
  const record = findKey(deps.keys, id);
  const status = statusOf(record, at);
  if (status !== 'active') {
    throw new AppError('KEY_ENDED', `This API key is ${status}, which nothing undoes: create another one`, {
      context: { details: { key_status: status } },
    });
  }
  const key = newKey(deps.environment);
  const overlapEndsAt = request.overlap_hours === 0 ? null : at + request.overlap_hours * HOUR_MS;
  deps.keys.roll(id, hashOfKey(key), entryOf('rolled', id, at, act, overlapEndsAt));
  const rolled = findKey(deps.keys, id);
  return { ...createdKey(rolled, key), overlap_ends_at: overlapOf(rolled, at) };
}

/**
 * Revokes a key for good, with all its secrets. A second call returns the same record.
 * @throws KEY_UNKNOWN, STORAGE_FULL, STORAGE_FAILED: then the key is unchanged
 */
export function revokeKey(id: string, act: KeyAct, deps: KeyIssueDeps): KeySummary {
  const at = deps.clock.now();
  const record = findKey(deps.keys, id);
  if (record.revokedAt === null) deps.keys.revoke(id, entryOf('revoked', id, at, act));
  return keySummary(findKey(deps.keys, id), at);
}

/** @throws KEY_UNKNOWN */
export function findKey(keys: ApiKeyStore, id: string): ApiKeyRecord {
  const record = keys.find(id);
  if (record) return record;
  throw new AppError('KEY_UNKNOWN', 'There is no API key with this id');
}
