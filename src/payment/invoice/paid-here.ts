import type { ProcessMoment } from '../../base/process-moment.ts';
import { approvedMinor } from '../attempt/amounts.ts';
import type { Attempt } from '../attempt/attempt.ts';
import { isFinal, mayHaveMoved } from '../attempt/state-machine.ts';
import { wrongVoid } from '../follow-up.ts';
import type { InvoiceHere } from '../payments.ts';
import type { PaymentStore, PlaceInOrder } from '../ports.ts';
import { refundedMinor } from '../refunds/refundable.ts';
import { withoutCorrected } from '../refunds/written-off.ts';
import type { PaidHere } from './bill.ts';

type InvoicePaymentStore = Pick<
  PaymentStore,
  'possibleDuplicates' | 'childrenOf' | 'correctionOf' | 'reportsOf' | 'placeInOrder'
>;

/**
 * What was charged for an invoice and is not in its copy. The copy contains a payment once the service had taken its result before the copy was
 * begun. Why no wall clock: a change of the clock between the two would let a paid invoice be charged again.
 * @param copied when the copy was begun; null: there is no whole copy yet, or its moment is unknown
 */
export function invoiceHere(
  store: InvoicePaymentStore,
  invoiceId: string,
  copied: ProcessMoment | null,
): InvoiceHere {
  return {
    openPaymentId: salesOf(store, invoiceId).find((sale) => !isFinal(sale.state))?.id ?? null,
    unseenMinor: paidHere(store, invoiceId, copied).unseenMinor,
  };
}

/**
 * What was charged here (or written off) for an invoice and not given back, and the part of it that this copy does not contain. That part is
 * negative where the copy contains a sale and not yet its refund or void. Where it may contain a refund, it counts as containing it: money that went back
 * once must not be due twice.
 * @param isAnswer the copy is the service's newest answer: it may contain whatever was sent before it came
 */
export function paidHere(
  store: InvoicePaymentStore,
  invoiceId: string,
  copied: ProcessMoment | null,
  isAnswer = false,
): PaidHere {
  const begun = copied && store.placeInOrder(copied);
  const paid = withoutCorrected(salesOf(store, invoiceId), store).filter(({ state }) => mayHaveMoved(state));
  let [sumMinor, unseenMinor] = [0, 0];
  for (const sale of paid) {
    const back = store.childrenOf(sale.id).filter((child) => wrongVoid(child) === null);
    const seenBack = back.filter(({ id }) => isInCopy(store, id, begun) || mayBeThere(store, id, isAnswer));
    const now = paidOf(sale, back);
    sumMinor += now;
    unseenMinor += now - (isInCopy(store, sale.id, begun) ? paidOf(sale, seenBack) : 0);
  }
  return { sumMinor, unseenMinor };
}

function salesOf(store: InvoicePaymentStore, invoiceId: string): readonly Attempt[] {
  return store
    .possibleDuplicates({ ...BY_INVOICE_ALONE, invoiceId })
    .filter((sale) => sale.type === 'sale' && sale.invoiceId === invoiceId);
}

const BY_INVOICE_ALONE = { reference: null, referenceSince: 0, deviceId: '', amountMinor: 0, amountSince: 0 };

function isInCopy(store: InvoicePaymentStore, id: string, begun: PlaceInOrder | null): boolean {
  if (begun === null) return false;
  return store
    .reportsOf(id)
    .some(({ kind, state, doneIn }) => kind === 'result' && state === 'done' && isBefore(doneIn, begun));
}

/** The service may have it, and no answer says whether its copy has: it was sent without an answer, or answered while the copy was on its way. */
function mayBeThere(store: InvoicePaymentStore, id: string, isAnswer: boolean): boolean {
  return store
    .reportsOf(id)
    .some(({ kind, state, tries }) => kind === 'result' && (state === 'done' ? isAnswer : tries > 0));
}

/** An end of which no place is known is older than every run that has a number. */
function isBefore(done: PlaceInOrder | null, begun: PlaceInOrder): boolean {
  if (done === null) return true;
  return done.run === begun.run ? done.ms < begun.ms : done.run < begun.run;
}

/** The part that pays what was sold, without a tip or cashback; what these gave back is first taken from those, so that none of it is due again. */
export function paidOf(sale: Attempt, back: readonly Attempt[]): number {
  return Math.max(0, Math.min(sale.amount.minor, approvedMinor(sale) - refundedMinor(back)));
}
