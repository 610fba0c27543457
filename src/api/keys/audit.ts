import { guardText } from '../../base/text-guard.ts';
import type { KeyAuditEntry, KeyEvent } from '../ports.ts';

/** Who asks for something to be done to a key. */
export interface KeyAct {
  /** By the id that the door knows. */
  readonly caller: string;
  /** Who says to do it. */
  readonly by: string | undefined;
}

/** One line of the audit trail. */
export function entryOf(
  event: KeyEvent,
  keyId: string,
  at: number,
  { caller, by }: KeyAct,
  overlapEndsAt: number | null = null,
): KeyAuditEntry {
  return { keyId, at, event, caller, by: by === undefined ? null : guardText(by), overlapEndsAt };
}
