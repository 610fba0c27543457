import type { Attempt } from '../attempt/attempt.ts';
import type { PaymentStore } from '../ports.ts';

/**
 * The attempts that count for guards: a written-off one counts as charged (or given back) until newer evidence is recorded, as an attempt of its own.
 */
export function withoutCorrected(
  attempts: readonly Attempt[],
  store: Pick<PaymentStore, 'correctionOf'>,
): readonly Attempt[] {
  return attempts.filter(
    ({ id, type, state }) => state.name !== 'written_off' || store.correctionOf(id)?.type !== type,
  );
}
