import type { Clock } from '../base/clock.ts';
import { AppError, messageOf } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import type { Connector, InvoicePayment, JsonObject } from './connector.ts';
import { type Failure, failureOf } from './failure/failure.ts';
import { PROVIDERS, type ProviderName } from './integration.ts';

/** A payment of an invoice that is still to be recorded at its source, and where the invoice comes from; null: not known yet. */
export interface WaitingPayment {
  readonly id: string;
  /** The invoice's id at the service. */
  readonly invoiceId: string;
  readonly provider: ProviderName | null;
  /** Refused tries, and tries without an answer. */
  readonly tries: number;
}

/** `recorded`: the source has it. `refused`: the source will not take it. `foreign`: it is recorded at no source. */
export type WriteBackEnd = 'recorded' | 'refused' | 'foreign';

/** The storage of payments that are recorded at sources; each call is durable. */
export interface WriteBackStore {
  /**
   * Notes succeeded sales of an invoice since the last call, each once; the first call of all notes none.
   * @param isRecorded false: payments are recorded at no source now, and these are passed by
   */
  note(isRecorded: boolean): void;
  /** Oldest first; without those that a refund or a void runs for. */
  waiting(limit: number): readonly WaitingPayment[];
  /** The payment as it is recorded, under the id of its sale; null: there is nothing to record, or all of it was given back. */
  paymentOf(id: string): Omit<InvoicePayment, 'invoiceId'> | null;
  failed(id: string, provider: ProviderName | null, words: string): void;
  end(id: string, end: WriteBackEnd, provider: ProviderName | null, words: string | null, at: number): void;
  /** Refused ones wait again. */
  retry(provider: ProviderName): void;
}

export interface WriteBackDeps {
  readonly store: WriteBackStore;
  /** The mirrored invoice; null: it is not mirrored, or not yet. */
  readonly invoiceOf: (invoiceId: string) => JsonObject | null;
  /** The invoices are read again after a loss of the mirror: one that is not mirrored proves nothing then. Absent: never. */
  readonly isReadAgain?: () => boolean;
  /** Integrations at whose source payments are recorded. */
  readonly recordsAt: ReadonlySet<ProviderName>;
  /** Records a payment at this integration's source; null: not now. @throws SOURCE_UNAUTHORISED, SEAL_* without a usable credential */
  readonly writerOf: (provider: ProviderName) => Connector['recordPayment'] | null;
  /** A customer waits: nothing is done meanwhile. */
  readonly isBusy: () => boolean;
  readonly clock: Clock;
  readonly log: Log;
}

/** Payments of one round. */
const AT_ONCE = 20;
const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 3_600_000;
/** Pause while the integration is off. */
const IDLE_MS = 60_000;
/** After so many tries an invoice that is not mirrored is taken for one that no source knows. */
const MOST_LOOKS = 24;

/**
 * Records at the source of an imported invoice that it was paid here, where its recipe says how.
 *
 * INVARIANTS:
 * - a payment is looked up at the source before it is created there, by our sale's id: a repeat, after any kill, lost answer or correction, records it once;
 * - one payment is recorded at a time, and none while a customer waits;
 * - a payment that the source refuses stays until a person resumes the integration.
 */
export class PaymentWriteBack {
  readonly #deps: WriteBackDeps;
  readonly #pauses = new Map<string, number>();
  readonly #stopping = new AbortController();
  #running: Promise<void> | null = null;

  constructor(deps: WriteBackDeps) {
    this.#deps = deps;
  }

  /** Starts a round unless one runs. */
  tick(): void {
    if (this.#running || this.#stopping.signal.aborted || this.#deps.isBusy()) return;
    this.#running = this.#round()
      .catch((error) =>
        this.#deps.log.error({ error: messageOf(error) }, 'payments could not be written back'),
      )
      .finally(() => {
        this.#running = null;
      });
  }

  async stop(): Promise<void> {
    this.#stopping.abort(new AppError('SHUTTING_DOWN', 'tilld is shutting down'));
    await this.#running;
  }

  /** The integration was resumed: what its source refused is sent again, and the rest at once. */
  resume(provider: ProviderName): void {
    this.#deps.store.retry(provider);
    this.#pauses.clear();
  }

  async #round(): Promise<void> {
    const { store, clock, isBusy, recordsAt } = this.#deps;
    store.note(recordsAt.size > 0);
    if (recordsAt.size === 0) return;
    const now = clock.monotonic();
    const due = store.waiting(1000).filter(({ id }) => (this.#pauses.get(id) ?? 0) <= now);
    for (const payment of due.slice(0, AT_ONCE)) {
      if (this.#stopping.signal.aborted || isBusy()) return;
      await this.#one(payment);
    }
  }

  async #one({ id, invoiceId, provider: known, tries }: WaitingPayment): Promise<void> {
    const { store, clock, invoiceOf, isReadAgain, recordsAt, writerOf, log } = this.#deps;
    const body = invoiceOf(invoiceId);
    if (body === null && isReadAgain?.()) return this.#pause(id, IDLE_MS);
    const origin = body && originOf(body);
    if (body === null && tries < MOST_LOOKS)
      return this.#later(id, known, tries, 'the invoice is not mirrored yet');
    if (!origin) return store.end(id, 'foreign', null, null, clock.now());
    const { provider, externalId } = origin;
    const payment = recordsAt.has(provider) ? store.paymentOf(id) : null;
    if (!payment) return store.end(id, 'foreign', provider, null, clock.now());
    let how: 'created' | 'present';
    try {
      const write = writerOf(provider);
      if (!write) return this.#pause(id, IDLE_MS);
      how = await write({ ...payment, invoiceId: externalId }, this.#stopping.signal);
    } catch (error) {
      if (!this.#stopping.signal.aborted) this.#failed({ id, provider, tries }, failureOf(error));
      return;
    }
    store.end(id, 'recorded', provider, null, clock.now());
    this.#pauses.delete(id);
    log.info({ attempt: id, slot: provider, invoice: externalId, how }, 'payment recorded at the provider');
  }

  #failed(
    { id, provider, tries }: Pick<WaitingPayment, 'id' | 'tries'> & { readonly provider: ProviderName },
    { effect, message, code }: Failure,
  ): void {
    const { store, clock, log } = this.#deps;
    log.warn({ attempt: id, slot: provider, code, error: message }, 'payment not recorded at the provider');
    if (effect === 'fail') store.end(id, 'refused', provider, message, clock.now());
    else this.#later(id, provider, tries, message);
  }

  #later(id: string, provider: ProviderName | null, tries: number, words: string): void {
    this.#pause(id, Math.min(FIRST_PAUSE_MS * 2 ** Math.min(tries, 20), LONGEST_PAUSE_MS));
    this.#deps.store.failed(id, provider, words.slice(0, 500));
  }

  #pause(id: string, ms: number): void {
    this.#pauses.set(id, this.#deps.clock.monotonic() + ms);
  }
}

/** The provider and the id there, which the sink of invoices put into `metadata.tilld`; null: it was not imported here. */
function originOf(
  invoice: JsonObject,
): { readonly provider: ProviderName; readonly externalId: string } | null {
  const { slot, external_id: externalId } = objectIn(objectIn(invoice['metadata'])['tilld']);
  const provider = PROVIDERS.find((one) => one === slot);
  return provider && typeof externalId === 'string' ? { provider, externalId } : null;
}

function objectIn(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
