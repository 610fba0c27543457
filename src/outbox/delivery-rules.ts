import { maskCardNumbers } from '../base/card-number.ts';
import { assertNever } from '../base/invariant.ts';
import type { OutboxRow } from './ports.ts';
import type { Answer, LookUp, NotApplied, PaymentAtService, Refusal } from './report-port.ts';

/** A row's key is trusted for this long after its first use; the service forgets keys after 24 h. */
export const KEY_TRUST_MS = 23 * 3_600_000;
/** A first use this far in the future means that a clock was wrong: its age is unknown. */
const CLOCK_SLACK_MS = 300_000;
/** Tries for a conflict that the look-up does not explain. */
const CONFLICT_TRIES = 5;

/** Prefix of the error of a row whose key shows neither its payment nor a device of ours. */
const NOT_VISIBLE = 'not_visible';

/** The next step of a row. */
export type Step =
  | { readonly do: 'send' }
  | { readonly do: 'send_plain'; readonly because: string }
  | { readonly do: 'look_up' }
  | { readonly do: 'done'; readonly serviceId: string | null }
  | { readonly do: 'park'; readonly reason: string }
  /** Later, with the same key. `mayHaveArrived`: the service may have applied this try. */
  | {
      readonly do: 'again';
      readonly error: string;
      readonly mayHaveArrived: boolean;
      readonly afterMs: number | null;
    }
  /** The cause is not this row: every row waits. */
  | { readonly do: 'throttle'; readonly error: string; readonly afterMs: number | null }
  | { readonly do: 'halt'; readonly error: string };

/** A row during its delivery. */
export interface Delivery {
  readonly row: OutboxRow;
  /** The body without `metadata` was sent under this key. */
  readonly plain: boolean;
  /** The final refusal that caused the look-up; null when the look-up comes before sending. */
  readonly refused: Refusal | null;
  /** The service's id of the sale that a refund or a void belongs to. */
  readonly parentAtService: string | null;
}

/** Whether the row may be sent as it is, or must be looked up because its key may be forgotten or its outcome is unknown. */
export function firstStep(row: OutboxRow, serviceNow: number, triedInThisRun: boolean): Step {
  if (row.firstUsedAt === null) return { do: 'send' };
  const ageMs = serviceNow - row.firstUsedAt;
  if (ageMs > KEY_TRUST_MS || ageMs < -CLOCK_SLACK_MS) return { do: 'look_up' };
  return row.unanswered && !triedInThisRun ? { do: 'look_up' } : { do: 'send' };
}

/** The next step after an answer to the row's own request. */
export function stepAfterAnswer(delivery: Delivery, answer: Answer<PaymentAtService>): Step {
  const { row, plain } = delivery;
  switch (answer.kind) {
    case 'applied':
      return afterApplied(delivery, answer.value);
    case 'already_exists':
      return row.kind === 'create' ? { do: 'done', serviceId: null } : { do: 'look_up' };
    case 'not_found':
      return { do: 'look_up' };
    case 'key_mismatch':
      return { do: 'park', reason: `key_mismatch: ${wordsOf(answer.refusal)}` };
    case 'refused':
      if (answer.refusal.status === 409) return { do: 'look_up' };
      if (answer.refusal.status === 400 && !plain && 'metadata' in row.body) {
        return { do: 'send_plain', because: wordsOf(answer.refusal) };
      }
      return { do: 'park', reason: `refused: ${wordsOf(answer.refusal)}` };
    default:
      return stepAfterNoAnswer(answer);
  }
}

/** The next step after a look-up: the table in `src/payment/RULES.md`, "Reports to the service". */
export function stepAfterLookUp({ row, refused }: Delivery, seen: LookUp): Step {
  switch (seen.kind) {
    case 'found':
      return row.kind === 'create'
        ? createFound(row, seen.payment.id)
        : resultFound(row, seen.payment, refused);
    case 'absent':
      return notThere(row, refused);
    case 'hidden':
      return { do: 'halt', error: 'not_visible: the key shows neither this payment nor a device of ours' };
    case 'no_answer':
      return lookUpUnanswered(seen.answer);
    default:
      return assertNever(seen);
  }
}

type NoAnswer = Extract<
  NotApplied,
  { kind: 'conflict_in_progress' | 'unauthorised' | 'forbidden' | 'rate_limited' | 'unavailable' }
>;

function stepAfterNoAnswer(answer: NoAnswer): Step {
  switch (answer.kind) {
    case 'conflict_in_progress':
      return { do: 'again', error: 'in_progress', mayHaveArrived: true, afterMs: answer.retryAfterMs };
    case 'unauthorised':
    case 'forbidden':
      return { do: 'halt', error: `${answer.kind}: ${wordsOf(answer.refusal)}` };
    case 'rate_limited':
      return { do: 'throttle', error: 'rate_limited', afterMs: answer.retryAfterMs };
    case 'unavailable': {
      const mayHaveArrived = answer.reached !== 'no';
      return { do: 'again', error: answer.words, mayHaveArrived, afterMs: answer.retryAfterMs };
    }
    default:
      return assertNever(answer);
  }
}

/** A look-up changes nothing at the service, so nothing can have arrived through it. */
function lookUpUnanswered(answer: NotApplied): Step {
  switch (answer.kind) {
    case 'already_exists':
    case 'not_found':
    case 'key_mismatch':
    case 'refused':
      return {
        do: 'again',
        error: `look-up refused: ${wordsOf(answer.refusal)}`,
        mayHaveArrived: false,
        afterMs: null,
      };
    default: {
      const step = stepAfterNoAnswer(answer);
      return step.do === 'again' ? { ...step, mayHaveArrived: false } : step;
    }
  }
}

const OPEN = ['requested', 'in_progress'];
const FINAL = ['succeeded', 'declined', 'cancelled', 'error'];

/** The service's 2xx is done, unless it shows that the service keeps another final state, or shows the sale instead of the new payment. */
function afterApplied({ row, parentAtService }: Delivery, payment: PaymentAtService): Step {
  if (row.kind === 'create' && [row.parentId, parentAtService].includes(payment.id)) {
    return {
      do: 'park',
      reason: `answer_names_parent: the service shows the sale, not the ${row.operation}`,
    };
  }
  if (row.kind === 'create') return createFound(row, payment.id);
  if (FINAL.includes(payment.status) && !isOurOutcome(row, payment)) return rejected(row, payment);
  return { do: 'done', serviceId: null };
}

function createFound(row: OutboxRow, id: string): Step {
  return { do: 'done', serviceId: id === row.attemptId ? null : id };
}

/**
 * The service has no such payment. A `create` is sent (again) with its own key. A final refusal of it stands; only a refund or a void that met
 * another change of its sale (409) is tried some times. The 404 of a refund or a void is about its sale: nothing is created for it.
 */
function notThere(row: OutboxRow, refused: Refusal | null): Step {
  if (row.kind === 'create' && refused === null) return { do: 'send' };
  const isBelow = row.kind === 'create' && row.operation !== 'sale';
  // The key may have seen nothing when it was refused, and may see again now.
  const mayHaveBeenBlind = row.kind === 'create' && refused?.status === 404;
  if (mayHaveBeenBlind && (row.tries < CONFLICT_TRIES || wasBlind(row))) return conflict(refused);
  if (isBelow && refused?.status === 409 && row.tries < CONFLICT_TRIES) return conflict(refused);
  const what = isBelow && refused?.status === 404 ? 'parent_not_at_service' : 'not_at_service';
  const words = refused ? wordsOf(refused) : 'the service does not have this payment';
  return { do: 'park', reason: `${what}: ${words}` };
}

/** At its last try the key showed nothing that is known to exist: the tries before this one prove nothing. */
function wasBlind({ lastError }: OutboxRow): boolean {
  return lastError?.includes(NOT_VISIBLE) ?? false;
}

function conflict(refused: Refusal): Step {
  return { do: 'again', error: `conflict: ${wordsOf(refused)}`, mayHaveArrived: false, afterMs: null };
}

function resultFound(row: OutboxRow, payment: PaymentAtService, refused: Refusal | null): Step {
  if (isOurOutcome(row, payment)) return { do: 'done', serviceId: null };
  if (!OPEN.includes(payment.status)) return rejected(row, payment);
  if (refused === null) return { do: 'send' };
  // The payment exists after all: the key saw nothing when the service said 404.
  const mayChange = refused.status === 409 || refused.status === 404;
  if (mayChange && (row.tries < CONFLICT_TRIES || wasBlind(row))) return conflict(refused);
  return { do: 'park', reason: `refused: ${wordsOf(refused)}` };
}

function isOurOutcome(row: OutboxRow, payment: PaymentAtService): boolean {
  const ours = row.body['auth_code'];
  const sameApproval = payment.authCode === null || ours === undefined || ours === payment.authCode;
  return payment.status === row.body['status'] && sameApproval;
}

function rejected(row: OutboxRow, payment: PaymentAtService): Step {
  const theirs = payment.status === row.body['status'] ? 'another authorisation' : payment.status;
  return {
    do: 'park',
    reason: `rejected: the terminal says ${row.body['status']}, the service has ${theirs}`,
  };
}

function wordsOf(refusal: Refusal): string {
  const words = `${refusal.status} ${refusal.code ?? ''} ${refusal.message}`.replace(/\s+/g, ' ').trim();
  return maskCardNumbers(words).slice(0, 300);
}
