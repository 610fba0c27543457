import { AppError } from '../../base/errors.ts';
import { formatMoney } from '../../base/money.ts';
import { approvedMinor } from '../attempt/amounts.ts';
import type { Attempt } from '../attempt/attempt.ts';
import { paymentDetails } from '../attempt/error-details.ts';
import { isFinal, mayHaveMoved } from '../attempt/state-machine.ts';
import { whatToDoAbout } from '../guards/what-to-do.ts';

/** The same amount of the same sale counts as a double click for this long. */
export const SAME_REFUND_MS = 60_000;

/** A request for a refund or a void of `parent`. `amountMinor` null: all that is left. `self`: the attempt itself, at dispatch. */
export interface GiveBack {
  readonly parent: Attempt;
  /** Refunds and voids of the parent, oldest first. */
  readonly children: readonly Attempt[];
  readonly amountMinor: number | null;
  readonly after: string | null;
  /** Elapsed time. */
  readonly now: number;
  readonly self: string | null;
}

/** Given back by refunds and voids that succeeded, in minor units. */
export function refundedMinor(children: readonly Attempt[]): number {
  return sum(children.filter((child) => child.state.name === 'succeeded'));
}

/** What refunds and voids that are open or in doubt may give back, in minor units. */
export function refundingMinor(children: readonly Attempt[]): number {
  return sum(children.filter((child) => !isFinal(child.state)));
}

/**
 * What a refund may give back, in minor units: never more than the approved amount less everything that refunds *and voids* gave back or may
 * still give back.
 * @throws PAYMENT_NOT_REFUNDABLE, REFUND_EXCEEDS_AMOUNT, REFUND_BLOCKED
 */
export function checkRefund(asked: GiveBack): number {
  const { parent, amountMinor, now } = asked;
  checkParent(parent);
  const children = asked.children.filter((child) => child.id !== asked.self && stands(child));
  const approved = approvedMinor(parent);
  const given = sum(children.filter((child) => mayHaveMoved(child.state)));
  const open = children.find((child) => !isFinal(child.state));
  const rest = approved - sum(children);
  const amount = amountMinor ?? (rest > 0 ? rest : approved - given);
  if (amount <= 0 || amount > approved - given) throw exceeds(parent, approved - given);
  if (open && amount > rest) throw blocked(open, whatToDoAbout(open));
  const twin = children.findLast((child) => child.type === 'refund' && child.amount.minor === amount);
  if (twin && !isFinal(twin.state)) throw blocked(twin, whatToDoAbout(twin));
  const isFresh = twin && (twin.elapsed.completed ?? 0) > now - SAME_REFUND_MS && twin.cause === null;
  if (isFresh && asked.after !== twin.id && asked.self === null) throw blocked(twin, AGAIN);
  return amount;
}

/**
 * Whether a sale may be voided as a whole: nothing of it was given back so far.
 * @throws PAYMENT_NOT_REFUNDABLE, VOID_NOT_POSSIBLE, REFUND_BLOCKED
 */
export function checkVoid(asked: Pick<GiveBack, 'parent' | 'children' | 'self'>): number {
  const { parent } = asked;
  checkParent(parent);
  const touched = asked.children.find((child) => child.id !== asked.self && stands(child));
  if (touched && !isFinal(touched.state)) throw blocked(touched, whatToDoAbout(touched));
  if (touched) throw voidNotPossible(parent, 'some or all of it was given back already');
  return approvedMinor(parent);
}

/** @returns the error of a void that is not possible, with what to do instead. */
export function voidNotPossible(parent: Attempt, why: string): AppError {
  return new AppError(
    'VOID_NOT_POSSIBLE',
    `This sale cannot be undone: ${why}. Nothing was given back; refund it instead.`,
    {
      context: { details: { payment_id: parent.id, instead: 'refund' } },
    },
  );
}

/** Open, in doubt, written off or succeeded: money of the parent went back, or may still do so. */
function stands(child: Attempt): boolean {
  return !isFinal(child.state) || mayHaveMoved(child.state);
}

function sum(children: readonly Attempt[]): number {
  return children.reduce((total, child) => total + mostMinor(child), 0);
}

/** While its outcome is open, whatever it has reported so far may be of another one. */
function mostMinor(child: Attempt): number {
  return isFinal(child.state) ? approvedMinor(child) : Math.max(child.amount.minor, approvedMinor(child));
}

function checkParent(parent: Attempt): void {
  if (parent.type === 'sale' && parent.state.name === 'succeeded') return;
  const why = whyNotRefundable(parent);
  throw new AppError('PAYMENT_NOT_REFUNDABLE', `Nothing can be given back of this payment: ${why}.`, {
    context: { details: { ...paymentDetails(parent), type: parent.type } },
  });
}

function whyNotRefundable({ type, state }: Attempt): string {
  if (type !== 'sale') return `it is a ${type}, not a sale`;
  if (state.name === 'written_off')
    return 'it was never found out whether it was charged. If the customer shows that it was, a lead records it as succeeded first';
  return `it is ${state.name}, not charged`;
}

function exceeds(parent: Attempt, left: number): AppError {
  const money = { minor: Math.max(0, left), currency: parent.amount.currency };
  return new AppError(
    'REFUND_EXCEEDS_AMOUNT',
    `No more than ${formatMoney(money)} is left to give back of this payment. Nothing was given back now.`,
    {
      context: { param: 'amount_minor', details: { payment_id: parent.id, refundable_minor: money.minor } },
    },
  );
}

const AGAIN = 'send "after" with this id to give the same amount back once more';

function blocked(other: Attempt, whatToDo: string): AppError {
  const open = !isFinal(other.state);
  const words = open
    ? `Another ${other.type} of this payment is not finished. Nothing was given back now: wait for its outcome.`
    : 'The same amount of this payment was given back just now. If it is really to be given back once more, send its id as "after".';
  return new AppError('REFUND_BLOCKED', words, {
    context: { details: { ...paymentDetails(other), what_to_do: whatToDo } },
  });
}
