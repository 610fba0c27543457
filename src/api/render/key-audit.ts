import type { KeyAudit } from '../contract/key.ts';
import type { KeyAuditEntry } from '../ports.ts';
import { instant, instantOrNull } from './instant.ts';

/** One entry of a key's audit trail. */
export function renderKeyAudit({
  keyId,
  at,
  event,
  caller,
  by,
  overlapEndsAt,
}: Omit<KeyAuditEntry, 'from'>): KeyAudit {
  return {
    object: 'api_key_audit',
    key_id: keyId,
    event,
    at: instant(at),
    caller,
    by,
    overlap_ends_at: instantOrNull(overlapEndsAt),
  };
}
