import { AppError } from '../../base/errors.ts';
import type { Money } from '../../base/money.ts';
import { approvedMinor } from '../attempt/amounts.ts';
import type { Attempt } from '../attempt/attempt.ts';
import { paymentDetails } from '../attempt/error-details.ts';
import { isFinal, mayHaveMoved } from '../attempt/state-machine.ts';
import type { Bill } from '../invoice/bill.ts';
import { guardInvoice, unknownInvoice } from '../invoice/one-invoice-one-charge.ts';
import type { DuplicateSearch } from '../ports.ts';
import { whatToDoAbout } from './what-to-do.ts';

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
export function duplicateSearch(candidate: NewSale, now: number): DuplicateSearch {
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
 * An open or in-doubt one cannot be overridden; a final one can, with `after: <its id>`, of several the newest.
 * @param similar what {@link duplicateSearch} found; `bill` what is known of the invoice beside our database, null where nothing is;
 * `now` elapsed time; `givenBack` what refunds and voids of a possible duplicate gave back.
 * @throws PAYMENT_ALREADY_OPEN, PAYMENT_ALREADY_PAID, INVOICE_UNKNOWN, what {@link guardInvoice} throws; `context.details` names the payment and what to do.
 */
export function guardOneSaleOneCharge(
  candidate: NewSale,
  similar: readonly Attempt[],
  now: number,
  bill: Bill | null,
  givenBack: (other: Attempt) => number,
): void {
  const netOf = (other: Attempt) => approvedMinor(other) - givenBack(other);
  const standing = similar.filter(
    (other) => other.type === 'sale' && stands(other, netOf) && concerns(other, candidate, now),
  );
  const open = standing.find((other) => !isFinal(other.state));
  if (open) throw alreadyOpen(open);
  const { invoiceId, amount, after } = candidate;
  const ofInvoice = standing.filter((other) => invoiceId !== null && other.invoiceId === invoiceId);
  if (invoiceId !== null && bill !== null) {
    const paidHere = ofInvoice.at(-1)?.id ?? null;
    const ofBefore = similar.some((other) => other.id === after && other.invoiceId === invoiceId);
    const isPassed = paidHere === null ? ofBefore : paidHere === after;
    guardInvoice({ invoiceId, amount, isPassed, paidHere }, bill);
  }
  const newest = standing.at(-1);
  const isPartOfDue = bill !== null && bill.leftMinor !== null && ofInvoice.length === standing.length;
  if (newest && newest.id !== after && !isPartOfDue) throw alreadyPaid(newest);
  // The service that asks for a payment knows its invoice.
  if (bill?.status === 'missing' && candidate.caller !== 'service') throw unknownInvoice();
}

/** Open, in doubt, written off, or succeeded and not given back as a whole. */
function stands(other: Attempt, netOf: (other: Attempt) => number): boolean {
  return !isFinal(other.state) || (mayHaveMoved(other.state) && netOf(other) > 0);
}

/** The rules for an invoice and for a reference add up; the double click rule is for sales that have neither. */
function concerns(other: Attempt, candidate: NewSale, now: number): boolean {
  const { invoiceId, reference } = candidate;
  if (invoiceId !== null && other.invoiceId === invoiceId) return true;
  if (reference !== null && other.reference === reference) return isSameSale(other, candidate, now);
  return invoiceId === null && reference === null && isDoubleClick(other, candidate, now);
}

function isSameSale(other: Attempt, candidate: NewSale, now: number): boolean {
  if (!isFinal(other.state)) return true;
  return other.amount.minor === candidate.amount.minor && endedWithin(REFERENCE_MS, other, now);
}

function isDoubleClick(other: Attempt, candidate: NewSale, now: number): boolean {
  const same =
    other.amount.minor === candidate.amount.minor &&
    other.deviceId === candidate.deviceId &&
    (callerOf(other) === candidate.caller || other.corrects !== null);
  return same && (!isFinal(other.state) || endedWithin(DOUBLE_CLICK_MS, other, now));
}

/** An attempt that ended before elapsed time was counted is old. */
function endedWithin(ms: number, { elapsed }: Attempt, now: number): boolean {
  return elapsed.completed !== null && elapsed.completed > now - ms;
}

/** The caller that an attempt counts for: an API key, the unix socket, or the service. */
export function callerOf(attempt: Attempt): string {
  return attempt.origin.kind === 'local' ? attempt.origin.caller : 'service';
}

/** Another payment of the sale runs, or is in doubt. */
export function alreadyOpen(other: Attempt): AppError {
  const doubt = other.state.name === 'in_doubt';
  return new AppError(
    'PAYMENT_ALREADY_OPEN',
    doubt
      ? 'The outcome of another payment of this sale was not known then, and this one was not started.'
      : 'Another payment of this sale was running then, and this one was not started.',
    {
      context: {
        details: {
          ...paymentDetails(other),
          what_to_do: whatToDoAbout(other),
        },
      },
    },
  );
}

/** Another payment has paid the sale. */
export function alreadyPaid(other: Attempt): AppError {
  return new AppError(
    'PAYMENT_ALREADY_PAID',
    'Another payment had paid this sale, and this one was not started.',
    {
      context: {
        details: {
          ...paymentDetails(other),
          what_to_do: 'send "after" with this id to pay again',
        },
      },
    },
  );
}
