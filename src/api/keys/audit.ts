import { AppError } from '../../base/errors.ts';
import { guardText } from '../../base/text-guard.ts';
import type { ApiKeyStore, KeyAuditEntry, KeyEvent } from '../ports.ts';

/** As long as any other idempotency key counts that is not about a payment. */
const REPEAT_MS = 24 * 3_600_000;

/** Who asks for something to be done to a key. */
export interface KeyAct {
  /** By the id that the door knows. */
  readonly caller: string;
  /** Who says to do it. */
  readonly by: string | undefined;
  /** The request's idempotency key. */
  readonly requestKey: string | undefined;
}

/** One line of the audit trail. */
export function entryOf(
  event: KeyEvent,
  keyId: string,
  at: number,
  { caller, by, requestKey }: KeyAct,
  overlapEndsAt: number | null = null,
): KeyAuditEntry {
  const named = by === undefined ? null : guardText(by);
  return { keyId, at, event, caller, by: named, requestKey: requestKey ?? null, overlapEndsAt };
}

/**
 * An answer with a secret is not kept, so it cannot be given again; doing the work again would make a key that nobody asked for, or end
 * a secret that a till still uses. So it is refused.
 * @throws KEY_REQUEST_REPEATED with the id of the key in `details`
 */
export function refuseRepetition(keys: ApiKeyStore, { caller, requestKey }: KeyAct, now: number): void {
  if (requestKey === undefined) return;
  const done = keys.doneUnder(caller, requestKey, now - REPEAT_MS);
  if (!done) return;
  throw new AppError(
    'KEY_REQUEST_REPEATED',
    `This was done already under this Idempotency-Key (${done.event}). The secret was shown then and is kept nowhere.`,
    { context: { details: { key_id: done.keyId, event: done.event } } },
  );
}
