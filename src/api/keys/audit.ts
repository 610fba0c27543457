import { guardText } from '../../base/text-guard.ts';
import type { KeyAuditEntry, KeyEvent } from '../ports.ts';

/** Who requests a change of a key. */
export interface KeyAct {
  /** The caller id of the request. */
  readonly caller: string;
  /** The person who is named as the author. */
  readonly by: string | undefined;
  /** An address, or `socket`. */
  readonly from: string;
}

/** One line of the audit trail. */
export function entryOf(
  event: KeyEvent,
  keyId: string,
  at: number,
  { caller, by, from }: KeyAct,
  overlapEndsAt: number | null = null,
): KeyAuditEntry {
  return { keyId, at, event, caller, by: by === undefined ? null : guardText(by), from, overlapEndsAt };
}
