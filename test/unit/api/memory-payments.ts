import { AppError } from '../../../src/base/errors.ts';
import type { Attempt } from '../../../src/payment/attempt/attempt.ts';
import { type AttemptState, chargedOf, publicStatus } from '../../../src/payment/attempt/state-machine.ts';
import type {
  AttemptFilter,
  AttemptSearch,
  AttemptView,
  Decision,
  EventSubject,
  InvoiceHere,
  KeyUse,
  PaymentEvent,
  Payments,
  RefundRequest,
  SaleRequest,
  StoredAnswer,
  TimelineEntry,
  VoidRequest,
} from '../../../src/payment/payments.ts';
import type { Devices } from '../../../src/terminal/device.ts';

type Listener = Parameters<Payments['subscribe']>[0];

/** Payments in memory: the port's promises and nothing of the money rules but one open payment per device and reference. */
export class MemoryPayments implements Payments {
  readonly attempts: Attempt[] = [];
  readonly log: PaymentEvent[] = [];
  readonly invoices = new Map<string, InvoiceHere>();
  readonly answers = new Map<string, StoredAnswer>();
  readonly listeners = new Set<Listener>();
  readonly #devices: Devices;
  #count = 0;

  constructor(devices: Devices) {
    this.#devices = devices;
  }

  create(request: SaleRequest, key?: KeyUse): AttemptView {
    const device = this.#devices.get(request.deviceId)?.device;
    if (!device) throw new AppError('DEVICE_UNKNOWN', 'There is no such device here');
    if (device.currency !== request.amount.currency)
      throw new AppError('CURRENCY_NOT_ACCEPTED', `This device takes ${device.currency}`);
    const duplicate = this.attempts.find(
      (other) => other.reference !== null && other.reference === request.reference,
    );
    if (duplicate) {
      throw new AppError('PAYMENT_ALREADY_OPEN', 'A payment with this reference is open', {
        context: {
          details: { payment_id: duplicate.id, status: publicStatus(duplicate.state) },
          param: 'reference',
        },
      });
    }
    return this.#add(attemptOf(request, this.#uuid()), request.caller, key);
  }

  askInvoice(): Promise<void> {
    return Promise.resolve();
  }

  durable(): Promise<void> {
    return Promise.resolve();
  }

  refund(request: RefundRequest, key?: KeyUse): AttemptView {
    const { parentId, amountMinor, after, caller } = request;
    const parent = this.#find(parentId);
    const minor = amountMinor ?? parent.amount.minor;
    const amount = { ...parent.amount, minor };
    const attempt = {
      ...attemptOf({ amount, after, caller }, this.#uuid()),
      type: 'refund',
      parentId,
    } as const;
    return this.#add(attempt, caller, key);
  }

  void({ parentId, caller }: VoidRequest, key?: KeyUse): AttemptView {
    const { amount } = this.#find(parentId);
    const attempt = { ...attemptOf({ amount, caller }, this.#uuid()), type: 'void', parentId } as const;
    return this.#add(attempt, caller, key);
  }

  /** Moves an attempt on and publishes it, as a commit would. */
  move(id: string, change: Partial<Attempt> & { readonly state: AttemptState }): PaymentEvent {
    const index = this.attempts.findIndex((attempt) => attempt.id === id);
    const attempt: Attempt = { ...this.#find(id), ...change };
    this.attempts[index] = attempt;
    return this.#publish(attempt);
  }

  note(attemptId: string, text: string): void {
    for (const { progress } of this.listeners) progress?.({ attemptId, deviceId: DEVICE_ID, text, at: 5 });
  }

  storedAnswer(caller: string, key: string): StoredAnswer | null {
    return this.answers.get(`${caller} ${key}`) ?? null;
  }

  get(id: string): AttemptView {
    return viewOf(this.#find(id));
  }

  ofInvoice(invoiceId: string): InvoiceHere {
    return this.invoices.get(invoiceId) ?? { openPaymentId: null, unseenMinor: 0 };
  }

  list(filter: AttemptFilter) {
    const newestFirst = [...this.attempts].reverse().map((attempt) => viewOf(attempt));
    const rest = after(newestFirst, filter.startingAfter, (view) => view.attempt.id).filter(
      ({ attempt }) => filter.status === undefined || publicStatus(attempt.state) === filter.status,
    );
    return { items: rest.slice(0, filter.limit), hasMore: rest.length > filter.limit };
  }

  readonly searches: AttemptSearch[] = [];

  async search(search: AttemptSearch) {
    this.searches.push(search);
    return this.list(search);
  }

  async totals() {
    return [];
  }

  cancel(id: string): AttemptView {
    const { state } = this.#find(id);
    if (state.name !== 'requested') throw new AppError('PAYMENT_NOT_CANCELLABLE', 'It has ended');
    this.move(id, { state: { name: 'cancelled' } });
    return this.get(id);
  }

  resolve(id: string, decision: Decision): AttemptView {
    const { state } = this.#find(id);
    if (state.name !== 'in_doubt') throw new AppError('PAYMENT_NOT_IN_DOUBT', 'The outcome is known');
    const { as, by, reason, shown } = decision;
    const evidence = { kind: 'person', by, reason, shown } as const;
    this.move(id, { state: { name: as === 'succeeded' ? 'succeeded' : 'error' }, evidence });
    return this.get(id);
  }

  timeline(id: string): readonly TimelineEntry[] {
    return [{ at: this.#find(id).createdAt, kind: 'state', text: 'requested', details: { from: '-' } }];
  }

  events(page: { readonly startingAfter?: string; readonly endingBefore?: string; readonly limit: number }) {
    if (page.endingBefore !== undefined) after(this.log, page.endingBefore, ({ id }) => id);
    const rest = after(this.log, page.startingAfter, ({ id }) => id);
    return { items: rest.slice(0, page.limit), hasMore: rest.length > page.limit };
  }

  subscribe(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  #add(attempt: Attempt, caller: string, key: KeyUse | undefined): AttemptView {
    const view = viewOf(attempt);
    if (key) this.answers.set(`${caller} ${key.key}`, { ...key, ...key.answer(view) });
    this.attempts.push(attempt);
    this.#publish(attempt);
    return view;
  }

  #publish(attempt: Attempt): PaymentEvent {
    const word = attempt.type === 'sale' ? 'payment' : attempt.type;
    const type = `terminal_${word}.${publicStatus(attempt.state)}`;
    return this.publish(type, { kind: 'payment', view: viewOf(attempt) });
  }

  /** Tells everybody of a change, as a commit would. */
  publish(type: string, subject: EventSubject): PaymentEvent {
    const event = { id: `evt_${this.#uuid()}`, type, at: 1_700_000_000_000 + this.log.length, subject };
    this.log.push(event);
    for (const listener of this.listeners) listener.event?.(event);
    return event;
  }

  #find(id: string): Attempt {
    const found = this.attempts.find((attempt) => attempt.id === id);
    if (!found) throw new AppError('PAYMENT_UNKNOWN', 'There is no such payment here');
    return found;
  }

  #uuid(): string {
    this.#count += 1;
    return `0198c5a0-0000-7000-8000-${String(this.#count).padStart(12, '0')}`;
  }
}

export const DEVICE_ID = '0198c5a0-aaaa-7000-8000-000000000001';

export function attemptOf(
  request: Partial<SaleRequest> = {},
  id = '0198c5a0-0000-7000-8000-ffffffffffff',
): Attempt {
  const asked = request.amount;
  return {
    id,
    type: 'sale',
    parentId: null,
    corrects: null,
    cause: null,
    original: null,
    deviceId: request.deviceId ?? DEVICE_ID,
    amount: asked?.minor ? asked : { minor: 1234, currency: 'EUR' },
    invoiceId: request.invoiceId ?? null,
    reference: request.reference ?? null,
    metadata: request.metadata ?? {},
    origin: { kind: 'local', caller: request.caller ?? 'socket' },
    trace: request.trace ?? null,
    after: request.after ?? null,
    createdAt: 1_700_000_000_000,
    expiresAt: 1_700_000_060_000,
    state: { name: 'requested' },
    version: 1,
    dispatchedAt: null,
    inDoubtSince: null,
    cancelRequestedAt: null,
    completedAt: null,
    elapsed: { dispatched: null, inDoubt: null, completed: null },
    baseline: null,
    report: null,
    receipts: {},
    reason: null,
    evidence: null,
    releasedAt: null,
    settledAt: null,
    ticket: null,
    needsPerson: false,
  };
}

export function viewOf(attempt: Attempt, more: Partial<AttemptView> = {}): AttemptView {
  return {
    attempt,
    reported: 'pending',
    progress: null,
    charged: chargedOf(attempt.state),
    refusedBecause: null,
    correctedBy: null,
    correctsType: null,
    refundedMinor: 0,
    refundingMinor: 0,
    tasks: [],
    ...more,
  };
}

function after<T>(items: readonly T[], id: string | undefined, idOf: (item: T) => string): readonly T[] {
  if (id === undefined) return items;
  const index = items.findIndex((item) => idOf(item) === id);
  if (index === -1) throw new AppError('CURSOR_UNKNOWN', 'There is nothing with this id');
  return items.slice(index + 1);
}
