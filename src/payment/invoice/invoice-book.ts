import { type Clock, sleep, withDeadline } from '../../base/clock.ts';
import { AppError, messageOf } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import type { Attempt } from '../attempt/attempt.ts';
import type { PaymentStore } from '../ports.ts';
import {
  type Bill,
  billOf,
  elsewhereOf,
  type InvoiceRecord,
  type InvoiceSource,
  type ListedPayment,
} from './bill.ts';
import { paidHere } from './paid-here.ts';

/** Longest that a sale waits for the service's record of its invoice. */
const ASK_MS = 1000;
/** An answer counts for so long: a sale that is created is sent within it, or asks again. */
const FRESH_MS = 5000;
/** Of it, so long for our own create to arrive there first. */
const TELL_MS = 400;
/** Between two looks whether it has. */
const LOOK_MS = 50;
const MOST_REMEMBERED = 1000;

export interface InvoiceBookDeps {
  readonly source: InvoiceSource;
  readonly store: Pick<
    PaymentStore,
    'rivalSales' | 'childrenOf' | 'correctionOf' | 'reportsOf' | 'placeInOrder'
  >;
  /** Whether the books hold this payment of the service. */
  readonly isOurs: (serviceId: string, metadata: Readonly<Record<string, unknown>>) => boolean;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * What is known of invoices: the service's record where it answered lately, else the mirror's copy, and in both cases our own books.
 *
 * INVARIANTS:
 * - asking takes a second at most and never throws: a line that is down stops no payment;
 * - an answer is forgotten after some seconds: what is remembered is never older than the sale that asked for it.
 */
export class InvoiceBook {
  readonly #deps: InvoiceBookDeps;
  readonly #answers = new Map<string, { readonly record: InvoiceRecord; readonly at: number }>();

  constructor(deps: InvoiceBookDeps) {
    this.#deps = deps;
  }

  /**
   * Asks the service what it knows of this invoice, within a second.
   * @param attemptId whose create must have arrived there first: of two agents that both ask behind their creates, one sees the other
   */
  async ask(invoiceId: string | null, attemptId: string | null = null): Promise<void> {
    const { source, clock, log } = this.#deps;
    if (invoiceId === null || !source.isOnline()) return;
    try {
      const record = await withDeadline(clock, ASK_MS, tooSlow, undefined, async (signal) => {
        if (attemptId !== null) await this.#isTold(attemptId, signal);
        return source.ask(invoiceId, signal);
      });
      if (record) this.#remember(invoiceId, record);
    } catch (error) {
      log.debug({ invoice: invoiceId, error: messageOf(error) }, 'the service was not asked of an invoice');
    }
  }

  /** What is known now; null: nothing but our books. */
  billOf(invoiceId: string): Bill | null {
    const { source, store, isOurs } = this.#deps;
    const record = this.#answerOf(invoiceId);
    const copy = record?.copy ?? source.copyOf(invoiceId);
    if (copy === null && !record?.payments) return null;
    const others = elsewhereOf(
      record?.payments ?? [],
      ({ id, metadata, mayBeOurs }) => mayBeOurs || isOurs(id, metadata),
    );
    return billOf(copy, paidHere(store, invoiceId, copy?.copied ?? null), others);
  }

  /** Which of two payments of an invoice the service has heard of later: it lists the newest first. */
  isNewest(invoiceId: string, isThis: (payment: ListedPayment) => boolean, otherId: string): boolean {
    const payments = this.#answerOf(invoiceId)?.payments ?? [];
    const [own, other] = [payments.findIndex(isThis), payments.findIndex(({ id }) => id === otherId)];
    return own === -1 || own < other;
  }

  /** The service has told lately which payments it knows of this invoice. */
  isConfirmed(invoiceId: string): boolean {
    return (this.#answerOf(invoiceId)?.payments ?? null) !== null;
  }

  /**
   * A sale of it is noted as one that the service has still to confirm: it could not be asked, or has not heard of this sale yet, so that no other
   * agent can see it.
   */
  isUnasked({
    type,
    invoiceId,
    id,
  }: Pick<Attempt, 'type' | 'invoiceId'> & { readonly id?: string }): boolean {
    if (type !== 'sale' || invoiceId === null || !this.#deps.source.tellsCreates) return false;
    return !this.isConfirmed(invoiceId) || (id !== undefined && this.#isOnItsWay(id));
  }

  /** Waits a moment for the create of this attempt to be at the service; not at all where the service is told of none. */
  async #isTold(attemptId: string, signal: AbortSignal): Promise<void> {
    const { source, clock } = this.#deps;
    if (!source.tellsCreates) return;
    const until = clock.monotonic() + TELL_MS;
    while (this.#isOnItsWay(attemptId) && clock.monotonic() < until)
      await sleep(clock, LOOK_MS, signal, 'invoice-create');
  }

  #isOnItsWay(attemptId: string): boolean {
    const reports = this.#deps.store.reportsOf(attemptId);
    return reports.some(({ kind, state }) => kind === 'create' && state === 'pending');
  }

  #answerOf(invoiceId: string): InvoiceRecord | null {
    const answer = this.#answers.get(invoiceId);
    if (!answer || this.#deps.clock.monotonic() - answer.at > FRESH_MS) return null;
    return answer.record;
  }

  #remember(invoiceId: string, record: InvoiceRecord): void {
    this.#answers.delete(invoiceId);
    this.#answers.set(invoiceId, { record, at: this.#deps.clock.monotonic() });
    for (const oldest of this.#answers.keys()) {
      if (this.#answers.size <= MOST_REMEMBERED) break;
      this.#answers.delete(oldest);
    }
  }
}

function tooSlow(): AppError {
  return new AppError('SERVICE_SLOW', 'the service did not tell of the invoice in time', { retry: 'safe' });
}
