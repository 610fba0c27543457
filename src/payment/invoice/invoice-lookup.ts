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

/** Longest time that a sale waits for the service's record of its invoice. */
const ASK_MS = 1000;
/** How long an answer counts: a created sale is sent within it, or asks again. */
const FRESH_MS = 5000;
/** The part of `ASK_MS` in which our own create may arrive there first. */
const CONFIRM_MS = 400;
/** Pause between two checks of that. */
const LOOK_MS = 50;
const MOST_REMEMBERED = 1000;

export interface InvoiceLookupDeps {
  readonly source: InvoiceSource;
  readonly store: Pick<
    PaymentStore,
    'possibleDuplicates' | 'childrenOf' | 'correctionOf' | 'reportsOf' | 'placeInOrder'
  >;
  /** Whether the database holds this payment of the service. */
  readonly isOurs: (serviceId: string, metadata: Readonly<Record<string, unknown>>) => boolean;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * What is known of invoices: a recent record of the service, else the mirror's copy, and in both cases our own database.
 *
 * INVARIANTS:
 * - asking takes a second at most and never throws: a lost connection stops no payment;
 * - an answer counts for five seconds; after that the next sale asks again.
 */
export class InvoiceLookup {
  readonly #deps: InvoiceLookupDeps;
  readonly #answers = new Map<string, { readonly record: InvoiceRecord; readonly at: number }>();

  constructor(deps: InvoiceLookupDeps) {
    this.#deps = deps;
  }

  /**
   * Asks the service for its record of this invoice, within a second.
   * @param attemptId whose create should arrive there first, 400 ms at most: of two agents that both ask after their creates, one sees the other
   */
  async ask(invoiceId: string | null, attemptId: string | null = null): Promise<void> {
    const { source, clock, log } = this.#deps;
    if (invoiceId === null || !source.isOnline()) return;
    try {
      const record = await withDeadline(clock, ASK_MS, tooSlow, undefined, async (signal) => {
        if (attemptId !== null) await this.#isConfirmed(attemptId, signal);
        return source.ask(invoiceId, signal);
      });
      if (record) this.#remember(invoiceId, record);
    } catch (error) {
      log.debug({ invoice: invoiceId, error: messageOf(error) }, 'the service was not asked of an invoice');
    }
  }

  /** What is known now; null: only our database. */
  billOf(invoiceId: string): Bill | null {
    const { source, store, isOurs } = this.#deps;
    const record = this.#answerOf(invoiceId);
    const copy = record?.copy ?? source.copyOf(invoiceId);
    if (copy === null && !record?.payments) return null;
    const copied = copy === 'missing' ? null : (copy?.copied ?? null);
    const others = elsewhereOf(
      record?.payments ?? [],
      ({ id, metadata, mayBeOurs }) => mayBeOurs || isOurs(id, metadata),
    );
    const isAnswer = record !== null && record.copy !== null;
    return billOf(copy, paidHere(store, invoiceId, copied, isAnswer), others);
  }

  /** Which of two payments of an invoice the service received later: it lists the newest first. */
  isNewest(invoiceId: string, isThis: (payment: ListedPayment) => boolean, otherId: string): boolean {
    const payments = this.#answerOf(invoiceId)?.payments ?? [];
    const [own, other] = [payments.findIndex(isThis), payments.findIndex(({ id }) => id === otherId)];
    return own === -1 || own < other;
  }

  /** The service has recently answered which payments of this invoice it has. */
  isConfirmed(invoiceId: string): boolean {
    return (this.#answerOf(invoiceId)?.payments ?? null) !== null;
  }

  /**
   * The service has still to confirm a sale of this invoice: it could not be asked, or does not have this sale yet, so that no other agent can
   * see it.
   */
  isUnasked({
    type,
    invoiceId,
    id,
  }: Pick<Attempt, 'type' | 'invoiceId'> & { readonly id?: string }): boolean {
    if (type !== 'sale' || invoiceId === null || !this.#deps.source.confirmsCreates) return false;
    return !this.isConfirmed(invoiceId) || (id !== undefined && this.#isOnItsWay(id));
  }

  /** Waits a moment until the service has the create of this attempt; not at all where creates are not reported. */
  async #isConfirmed(attemptId: string, signal: AbortSignal): Promise<void> {
    const { source, clock } = this.#deps;
    if (!source.confirmsCreates) return;
    const until = clock.monotonic() + CONFIRM_MS;
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
  return new AppError('SERVICE_SLOW', 'the service did not say in time what is due on the invoice', {
    retry: 'safe',
  });
}
