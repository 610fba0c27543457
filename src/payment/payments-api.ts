import type { Clock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import type { Page, PageQuery } from '../base/page.ts';
import type { ProcessMoment } from '../base/process-moment.ts';
import type { Attempt } from './attempt/attempt.ts';
import type { ElapsedTime } from './attempt/elapsed-time.ts';
import { paymentDetails } from './attempt/error-details.ts';
import { isFinal } from './attempt/state-machine.ts';
import { timelineOf } from './attempt/timeline.ts';
import type { PaymentRequestGuard } from './guards/payment-request-guard.ts';
import { invoiceHere } from './invoice/paid-here.ts';
import type { PaymentListener } from './outbound-events.ts';
import { NOTHING_SENT, type PaymentWriter } from './payment-writer.ts';
import type {
  AttemptFilter,
  AttemptSearch,
  AttemptView,
  CreatedSpan,
  Decision,
  InvoiceHere,
  KeyUse,
  PaymentEvent,
  Payments,
  PaymentTotals,
  RefundRequest,
  SaleRequest,
  StoredAnswer,
  TimelineEntry,
  VoidRequest,
} from './payments.ts';
import type { PaymentStore } from './ports.ts';
import { decide } from './recovery/person-decision.ts';

/**
 * Payments as the local interface sees them: reads the database, and passes new payments to {@link PaymentRequestGuard}. Its answers are on disk; that
 * of `create` is after `durable`.
 */
export class PaymentsApi implements Payments {
  readonly #writer: PaymentWriter;
  readonly #requestGuard: PaymentRequestGuard;
  readonly #store: PaymentStore;
  readonly #clock: Clock;
  readonly #elapsed: ElapsedTime;

  constructor(
    writer: PaymentWriter,
    requestGuard: PaymentRequestGuard,
    store: PaymentStore,
    clock: Clock,
    elapsed: ElapsedTime,
  ) {
    this.#clock = clock;
    this.#elapsed = elapsed;
    this.#writer = writer;
    this.#requestGuard = requestGuard;
    this.#store = store;
  }

  create(request: SaleRequest, key?: KeyUse): AttemptView {
    const { retryOf = null } = request;
    return this.#requestGuard.create(
      { ...request, retryOf: retryOf === null ? null : this.#find(retryOf).id },
      key,
    );
  }

  askInvoice(invoiceId: string | null): Promise<void> {
    return this.#requestGuard.askInvoice(invoiceId);
  }

  durable(): Promise<void> {
    return new Promise((resolve, reject) => {
      const late = this.#clock.timer('deferred sync', LATEST_SYNC_MS, () => {
        try {
          this.#store.flush();
        } catch (error) {
          reject(error);
        }
      });
      this.#store.onDurable(() => {
        late.stop();
        resolve();
      });
    });
  }

  refund(request: RefundRequest, key?: KeyUse): AttemptView {
    return this.#requestGuard.refund({ ...request, parentId: this.#find(request.parentId).id }, key);
  }

  void(request: VoidRequest, key?: KeyUse): AttemptView {
    return this.#requestGuard.void({ ...request, parentId: this.#find(request.parentId).id }, key);
  }

  storedAnswer(caller: string, key: string): StoredAnswer | null {
    // Also without a stored answer: the next step may be an error response that names a payment which waits for its sync in another queue.
    this.#store.flush();
    return this.#store.findKey(caller, key);
  }

  get(id: string): AttemptView {
    this.#store.flush();
    return this.#writer.view(this.#find(id));
  }

  list(filter: AttemptFilter): Page<AttemptView> {
    this.#requireCursor(filter);
    return this.#viewed(this.#store.listAttempts(filter));
  }

  async search(search: AttemptSearch): Promise<Page<AttemptView>> {
    while (!this.#store.readForSearch()) await this.#pause();
    this.#requireCursor(search);
    return this.#viewed(this.#store.searchAttempts(search));
  }

  async totals(span: CreatedSpan): Promise<readonly PaymentTotals[]> {
    while (!this.#store.readForSearch()) await this.#pause();
    this.#store.flush();
    return this.#store.totals(span);
  }

  /** Payments and terminals go on between two steps of reading. */
  #pause(): Promise<void> {
    return new Promise((resolve) => this.#clock.timer('reading payments for a search', 1, resolve));
  }

  #requireCursor(filter: PageQuery): void {
    this.#store.flush();
    const cursor = filter.startingAfter ?? filter.endingBefore;
    if (cursor === undefined || this.#store.findAttempt(cursor)) return;
    const param = filter.startingAfter === undefined ? 'ending_before' : 'starting_after';
    throw new AppError('CURSOR_UNKNOWN', 'no payment has this id', { context: { param } });
  }

  #viewed({ items, ...page }: Page<Attempt>): Page<AttemptView> {
    return { ...page, items: items.map((attempt) => this.#writer.view(attempt)) };
  }

  ofInvoice(invoiceId: string, copied: ProcessMoment | null): InvoiceHere {
    this.#store.flush();
    return invoiceHere(this.#store, invoiceId, copied);
  }

  cancel(id: string): AttemptView {
    const attempt = this.#find(id);
    if (isFinal(attempt.state)) {
      throw new AppError(
        'PAYMENT_NOT_CANCELLABLE',
        'this payment has ended: refund it instead if it was charged',
        {
          context: { details: paymentDetails(attempt) },
        },
      );
    }
    const unsent = attempt.state.name === 'requested';
    const change = unsent ? { reason: CANCELLED_UNSENT, evidence: NOTHING_SENT } : {};
    return this.#writer.view(this.#writer.apply(attempt.id, { type: 'cancel' }, change));
  }

  resolve(id: string, decision: Decision): AttemptView {
    return this.#writer.view(decide(this.#find(id), decision, this.#writer, this.#elapsed));
  }

  timeline(id: string): readonly TimelineEntry[] {
    this.#store.flush();
    const attempt = this.#find(id);
    const journal = this.#store.journalOf(attempt.id);
    return timelineOf(attempt, journal, this.#store.reportsOf(attempt.id), this.#store.gapIn(journal));
  }

  events(page: PageQuery): Page<PaymentEvent> {
    const found = this.#store.events(page);
    // A reader of the stream finds nothing after most commits: that must not cost a sync.
    if (found.items.length > 0) this.#store.flush();
    return found;
  }

  /** By our id, or by the one that the service gave it. */
  #find(id: string): Attempt {
    return this.#store.findAttempt(id) ?? this.#store.attemptOfServiceId(id) ?? this.#writer.require(id);
  }

  subscribe(listener: PaymentListener): () => void {
    return this.#writer.subscribe(listener);
  }
}

/** How long an answer waits for the sync of the dispatch: by then a free terminal has answered the questions that come before it. */
const LATEST_SYNC_MS = 200;

const CANCELLED_UNSENT = {
  code: 'cancelled',
  message: 'It was cancelled before it reached the terminal.',
};
