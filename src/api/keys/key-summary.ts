import type { KeyStatus, KeySummary } from '../contract/key.ts';
import type { ApiKeyRecord } from '../ports.ts';
import { instant, instantOrNull } from '../render/instant.ts';

/** A person should check a key that is unused for this long. */
const STALE_MS = 90 * 86_400_000;

/** A key for the list, without its secrets and their hashes. `now`: epoch ms. */
export function keySummary(record: ApiKeyRecord, now: number): KeySummary {
  const status = statusOf(record, now);
  return {
    id: record.id,
    object: 'api_key',
    name: record.name,
    scopes: [...record.scopes],
    allow: [...record.allow],
    status,
    stale: status === 'active' && isUnused(record, now),
    created_at: instant(record.createdAt),
    expires_at: instantOrNull(record.expiresAt),
    overlap_ends_at: overlapOf(record, now),
    revoked_at: instantOrNull(record.revokedAt),
    last_used_at: instantOrNull(record.lastUsedAt),
  };
}

/** `revoked` wins over `expired`. */
export function statusOf({ revokedAt, expiresAt }: ApiKeyRecord, now: number): KeyStatus {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && expiresAt <= now ? 'expired' : 'active';
}

/** When the previous secret ends; null: only the newest one is valid. */
export function overlapOf(record: ApiKeyRecord, now: number): string | null {
  const { overlapEndsAt } = record;
  if (overlapEndsAt === null || overlapEndsAt <= now || statusOf(record, now) !== 'active') return null;
  return instant(overlapEndsAt);
}

function isUnused({ lastUsedAt, createdAt }: ApiKeyRecord, now: number): boolean {
  return now - (lastUsedAt ?? createdAt) >= STALE_MS;
}
