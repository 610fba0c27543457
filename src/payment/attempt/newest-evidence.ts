import type { AttemptView } from '../payments.ts';
import type { PaymentStore } from '../ports.ts';
import type { Attempt } from './attempt.ts';
import { chargedOf, isFinal } from './state-machine.ts';

type CorrectionStore = Pick<PaymentStore, 'findAttempt' | 'correctionOf'>;

/** What the newest evidence says of an attempt. */
export interface NewestEvidence {
  readonly charged: AttemptView['charged'];
  /** The newest correction of the payment that it is, or that it corrects; null: it is that itself, or there is none. */
  readonly correctedBy: string | null;
  /** The type of the payment that this corrects, directly or through other corrections; null: it is no correction. */
  readonly correctsType: Attempt['type'] | null;
  /** The payment at the beginning of its corrections; itself where it is no correction. */
  readonly rootId: string;
}

/**
 * A payment, its correction and the corrections of that are one question with one answer: what the newest of them says. This answer holds for
 * each of them, also for one that was the newest before.
 */
export function newestEvidence(attempt: Attempt, store: CorrectionStore): NewestEvidence {
  const { root, saysMoved } = claimOf(attempt, store);
  const last = isFinal(root.state) ? newestOf(root, store) : root;
  return {
    charged: root === attempt ? movedOf(attempt, store) : agreed(movedOf(root, store), saysMoved),
    correctedBy: last.id === attempt.id ? null : last.id,
    correctsType: root === attempt ? null : root.type,
    rootId: root.id,
  };
}

/** The payment where the corrections begin, and whether this attempt, if it were true, says that money moved there. */
function claimOf(
  attempt: Attempt,
  store: CorrectionStore,
): { readonly root: Attempt; readonly saysMoved: boolean } {
  const subject = attempt.corrects === null ? null : store.findAttempt(attempt.corrects);
  if (subject === null) return { root: attempt, saysMoved: true };
  const { root, saysMoved } = claimOf(subject, store);
  return { root, saysMoved: subject.type === attempt.type ? saysMoved : !saysMoved };
}

function newestOf(attempt: Attempt, store: CorrectionStore): Attempt {
  const correction = store.correctionOf(attempt.id);
  return correction === null ? attempt : newestOf(correction, store);
}

/** A correction of the same type says that money moved, one of another type that it did not; unless it is corrected itself. */
function movedOf(attempt: Attempt, store: CorrectionStore): AttemptView['charged'] {
  const correction = isFinal(attempt.state) ? store.correctionOf(attempt.id) : null;
  if (correction === null) return chargedOf(attempt.state);
  return agreed(movedOf(correction, store), correction.type === attempt.type);
}

function agreed(moved: AttemptView['charged'], saysMoved: boolean): AttemptView['charged'] {
  if (moved === 'unknown') return moved;
  return (moved === 'yes') === saysMoved ? 'yes' : 'no';
}
