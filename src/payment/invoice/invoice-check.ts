import type { Clock, Timer } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import { factsOf } from '../../base/trace.ts';
import type { Attempt } from '../attempt/attempt.ts';
import type { PaymentWriter } from '../payment-writer.ts';
import type { PaymentStore } from '../ports.ts';
import type { Task } from '../tasks/task.ts';
import type { Bill, ListedPayment } from './bill.ts';
import type { InvoiceLookup } from './invoice-lookup.ts';

/** Pause between two rounds, ms. */
const EVERY_MS = 30_000;
/** Invoices of one round: each costs two requests of the budget. */
const AT_ONCE = 5;

const TWICE = 'invoice_paid_twice';

export interface InvoiceCheckDeps {
  readonly writer: PaymentWriter;
  readonly store: PaymentStore;
  readonly invoices: InvoiceLookup;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Asks the service, once it has our report, about sales for which it could not be asked whether another till had charged their invoice. Two
 * tills without a connection may both have charged it: then both payments are recorded, and a person is asked once.
 */
export class InvoiceCheck {
  readonly #deps: InvoiceCheckDeps;
  #timer: Timer | null = null;
  /** Tasks that this turn has asked about: one that the service does not answer keeps no other waiting. */
  #asked: ReadonlySet<string> = new Set();

  constructor(deps: InvoiceCheckDeps) {
    this.#deps = deps;
  }

  start(): void {
    const { clock, log } = this.#deps;
    this.#timer = clock.timer('invoice check', EVERY_MS, () => {
      this.look()
        .catch((error) => log.error({ error: messageOf(error) }, 'invoices could not be confirmed'))
        .finally(() => {
          if (this.#timer) this.start();
        });
    });
  }

  stop(): void {
    this.#timer?.stop();
    this.#timer = null;
  }

  /** Of two agents that both check afterwards the one whose payment the service received later asks a person: the other may have checked before. */
  #isForUs({ id }: Attempt, invoiceId: string, { elsewhere }: Bill): boolean {
    const { invoices, store } = this.#deps;
    const isThis = (payment: ListedPayment) =>
      payment.id === id || store.attemptOfServiceId(payment.id)?.id === id;
    return !elsewhere.isUnconfirmed || invoices.isNewest(invoiceId, isThis, elsewhere.paidBy ?? '');
  }

  /** One round: what the service has confirmed is not listed any more. */
  async look(): Promise<void> {
    const { store, writer } = this.#deps;
    const due = store.openTasksOfKind('invoice_unconfirmed').flatMap((task) => {
      const sale = task.attemptId === null ? null : store.findAttempt(task.attemptId);
      return sale && writer.view(sale).reported === 'yes' ? [{ task, sale }] : [];
    });
    const left = due.filter(({ task }) => !this.#asked.has(task.id));
    const round = (left.length > 0 ? left : due).slice(0, AT_ONCE);
    this.#asked = new Set([...(left.length > 0 ? this.#asked : []), ...round.map(({ task }) => task.id)]);
    for (const { task, sale } of round) await this.#confirm(task, sale);
  }

  async #confirm(task: Task, sale: Attempt): Promise<void> {
    const { invoices, store, writer, clock, log } = this.#deps;
    const { invoiceId } = sale;
    if (invoiceId === null) return;
    await invoices.ask(invoiceId);
    const bill = invoices.isConfirmed(invoiceId) ? invoices.billOf(invoiceId) : null;
    // Another till charges it now: tilld waits for that end.
    if (bill === null || bill.elsewhere.open !== null) return;
    store.transaction(() => {
      if (isPaidTwice(sale, bill) && this.#isForUs(sale, invoiceId, bill)) {
        const { paidBy: elsewhere } = bill.elsewhere;
        log.error({ ...factsOf(sale), elsewhere, code: 'DISCREPANCY' }, 'an invoice was paid twice');
        const details = { discrepancy: 'invoice_paid_twice', elsewhere };
        const { id: attemptId, state } = sale;
        const at = clock.now();
        store.appendJournal({ attemptId, at, event: TWICE, from: state.name, to: state.name, details });
        writer.ask(TWICE, { attemptId }, elsewhere ?? '');
      }
      store.finishTask(task.id, { by: 'tilld', note: 'The service has told.', at: clock.now() });
    });
  }
}

/** More was charged than the invoice is of. */
function isPaidTwice(sale: Attempt, { leftMinor, elsewhere }: Bill): boolean {
  if (elsewhere.paidMinor === 0 || elsewhere.paidBy === null) return false;
  return leftMinor === null ? elsewhere.paidMinor >= sale.amount.minor : leftMinor < 0;
}
