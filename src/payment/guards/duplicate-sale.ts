import { AppError } from '../../base/errors.ts';
import type { Money } from '../../base/money.ts';
import { approvedMinor } from '../attempt/amounts.ts';
import type { Attempt } from '../attempt/attempt.ts';
import { isFinal, mayHaveMoved } from '../attempt/state-machine.ts';
import type { Bill } from '../invoice/bill.ts';
import { guardInvoice, isInCurrency } from '../invoice/one-invoice-one-charge.ts';
import type { RivalSearch } from '../ports.ts';

/** The same reference and amount counts as the same sale for this long. */
export const REFERENCE_MS = 12 * 3600_000;
/** The same amount by the same caller on the same terminal counts as a double click for this long. */
export const DOUBLE_CLICK_MS = 30_000;

/** The requested sale, as the guard sees it. */
export interface NewSale {
  readonly deviceId: string;
  readonly amount: Money;
  readonly invoiceId: string | null;
  readonly reference: string | null;
  readonly caller: string;
  readonly after: string | null;
}

/** The search for possible duplicates of `candidate` in the database. @param now elapsed time */
export function duplicateSearch(candidate: NewSale, now: number): RivalSearch {
  return {
    invoiceId: candidate.invoiceId,
    reference: candidate.reference,
    referenceSince: now - REFERENCE_MS,
    deviceId: candidate.deviceId,
    amountMinor: candidate.amount.minor,
    amountSince: now - DOUBLE_CLICK_MS,
  };
}

/**
 * One sale, one charge: refuses a sale that duplicates another one.
 * An open or in-doubt one cannot be overridden; a succeeded one can, with `after: <its id>`, of several the newest.
 * @param rivals what {@link duplicateSearch} found; `bill` what is known of the invoice beside our database, null where nothing is;
 * `now` elapsed time; `givenBack` what refunds and voids of a possible duplicate gave back.
 * @throws PAYMENT_ALREADY_OPEN, PAYMENT_ALREADY_PAID, what {@link guardInvoice} throws; `context.details` names the payment and what to do.
 */
export function guardOneSaleOneCharge(
  candidate: NewSale,
  rivals: readonly Attempt[],
  now: number,
  bill: Bill | null,
  givenBack: (rival: Attempt) => number,
): void {
  const netOf = (rival: Attempt) => approvedMinor(rival) - givenBack(rival);
  const standing = rivals.filter(
    (rival) => rival.type === 'sale' && stands(rival, netOf) && concerns(rival, candidate, now),
  );
  const open = standing.find((rival) => !isFinal(rival.state));
  if (open) throw alreadyOpen(open);
  const { invoiceId, amount, after } = candidate;
  const ofInvoice = standing.filter((rival) => invoiceId !== null && rival.invoiceId === invoiceId);
  if (invoiceId !== null && bill !== null) {
    const paidHere = ofInvoice.at(-1)?.id ?? null;
    const ofBefore = rivals.some((rival) => rival.id === after && rival.invoiceId === invoiceId);
    const isPassed = paidHere === null ? ofBefore : paidHere === after;
    guardInvoice({ invoiceId, amount, isPassed, paidHere }, bill);
  }
  const newest = standing.at(-1);
  if (!newest || newest.id === after) return;
  const isPartOfDue = bill !== null && bill.leftMinor !== null && isInCurrency(bill, amount);
  if (isPartOfDue && ofInvoice.length === standing.length) return;
  throw alreadyPaid(newest);
}

/** Open, in doubt, written off, or succeeded and not given back as a whole. */
function stands(rival: Attempt, netOf: (rival: Attempt) => number): boolean {
  return !isFinal(rival.state) || (mayHaveMoved(rival.state) && netOf(rival) > 0);
}

/** The rules for an invoice and for a reference add up; the double click rule is for sales that have neither. */
function concerns(rival: Attempt, candidate: NewSale, now: number): boolean {
  const { invoiceId, reference } = candidate;
  if (invoiceId !== null && rival.invoiceId === invoiceId) return true;
  if (reference !== null && rival.reference === reference) return isSameSale(rival, candidate, now);
  return invoiceId === null && reference === null && isDoubleClick(rival, candidate, now);
}

function isSameSale(rival: Attempt, candidate: NewSale, now: number): boolean {
  if (!isFinal(rival.state)) return true;
  return rival.amount.minor === candidate.amount.minor && endedWithin(REFERENCE_MS, rival, now);
}

function isDoubleClick(rival: Attempt, candidate: NewSale, now: number): boolean {
  const same =
    rival.amount.minor === candidate.amount.minor &&
    rival.deviceId === candidate.deviceId &&
    (callerOf(rival) === candidate.caller || rival.corrects !== null);
  return same && (!isFinal(rival.state) || endedWithin(DOUBLE_CLICK_MS, rival, now));
}

/** An attempt that ended before elapsed time was counted is old. */
function endedWithin(ms: number, { elapsed }: Attempt, now: number): boolean {
  return elapsed.completed !== null && elapsed.completed > now - ms;
}

/** The caller that an attempt counts for: an API key, the unix socket, or the service. */
export function callerOf(attempt: Attempt): string {
  return attempt.origin.kind === 'local' ? attempt.origin.caller : 'service';
}

function alreadyOpen(rival: Attempt): AppError {
  const doubt = rival.state.name === 'in_doubt';
  return new AppError(
    'PAYMENT_ALREADY_OPEN',
    doubt
      ? 'The outcome of another payment of this sale was not known then, and this one was not started.'
      : 'Another payment of this sale was running then, and this one was not started.',
    {
      context: {
        details: {
          payment_id: rival.id,
          status: rival.state.name,
          what_to_do: rival.needsPerson
            ? 'answer the question about this payment: tillctl resolve'
            : 'wait for this payment',
        },
      },
    },
  );
}

function alreadyPaid(rival: Attempt): AppError {
  return new AppError(
    'PAYMENT_ALREADY_PAID',
    'Another payment had paid this sale, and this one was not started.',
    {
      context: {
        details: {
          payment_id: rival.id,
          status: rival.state.name,
          what_to_do: 'send "after" with this id to pay again',
        },
      },
    },
  );
}
