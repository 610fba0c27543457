import type { Clock } from '../../base/clock.ts';
import { AppError, messageOf } from '../../base/errors.ts';
import type { Ids } from '../../base/ids.ts';
import type { Log } from '../../base/log.ts';
import type { Money } from '../../base/money.ts';
import { guardJson, guardText } from '../../base/text-guard.ts';
import { factsOf } from '../../base/trace.ts';
import type { Devices, DeviceView } from '../../terminal/device.ts';
import type { Attempt } from '../attempt/attempt.ts';
import type { ElapsedTime } from '../attempt/elapsed-time.ts';
import { isFinal } from '../attempt/state-machine.ts';
import type { TerminalState } from '../dispatch/terminal-state.ts';
import { wrongVoid } from '../follow-up.ts';
import type { InvoiceLookup } from '../invoice/invoice-lookup.ts';
import { dueOf } from '../invoice/one-invoice-one-charge.ts';
import { paidOf } from '../invoice/paid-here.ts';
import { type NewAttempt, NOTHING_SENT, type PaymentWriter } from '../payment-writer.ts';
import type { AttemptView, KeyUse, RefundRequest, SaleRequest, VoidRequest } from '../payments.ts';
import type { DuplicateSearch, PaymentStore } from '../ports.ts';
import type { CopyReason } from '../recovery/database-identity.ts';
import {
  type DatabaseAge,
  mayBeForgotten,
  requireComparedDatabase,
  stoppedAsCopy,
} from '../recovery/restored-database.ts';
import type { ServiceWitness } from '../recovery/service-witness.ts';
import { refundedMinor } from '../refunds/refundable.ts';
import type { RefundsAndVoids } from '../refunds/refunds-and-voids.ts';
import { withoutCorrected } from '../refunds/written-off.ts';
import { begun, checkDiskSpace, type DiskSpace } from './disk-space.ts';
import type { DrainLease } from './drain-lease.ts';
import { callerOf, duplicateSearch, guardOneSaleOneCharge, type NewSale } from './duplicate-sale.ts';
import { attemptNamedIn, isOurs } from './own-payment.ts';
import { checkAmount, checkTerminal, type QueueLimits } from './preconditions.ts';
import { guardRetry } from './retry-once.ts';
import type { ServiceRequest, ServiceWork } from './service-work.ts';
import { guardSplit, type PartOfBill, SPLIT_MS, splitOf } from './split-bill.ts';

/** A sale whose amount is known. */
type Sale = Omit<SaleRequest, 'caller' | 'amount'> & { readonly amount: Money };

export interface PaymentRequestGuardDeps {
  readonly writer: PaymentWriter;
  readonly store: PaymentStore;
  readonly devices: Devices;
  readonly clock: Clock;
  readonly elapsed: ElapsedTime;
  readonly ids: Ids;
  readonly log: Log;
  readonly limits: QueueLimits;
  readonly refundsAndVoids: RefundsAndVoids;
  readonly databaseAge: DatabaseAge;
  readonly disk: DiskSpace;
  /** While it is held nothing new begins. */
  readonly drain: DrainLease;
  /** What is known of invoices beside our database. */
  readonly invoices: InvoiceLookup;
  /** What of each terminal is known since the start. @throws DEVICE_UNKNOWN */
  readonly stateOf: (deviceId: string) => TerminalState;
  readonly witness: ServiceWitness;
  /** All devices of the shop. */
  readonly deviceIds: readonly string[];
  /** The database counts as restored from now on: every terminal is read. */
  readonly restored: (reason: CopyReason) => void;
}

/**
 * The entry for requests, from the counter and from the service.
 * A local one is refused before anything is written; claimed work of the service is always written, because the service waits for its outcome.
 */
export class PaymentRequestGuard implements ServiceWork {
  readonly #deps: PaymentRequestGuardDeps;
  #closed = false;

  constructor(deps: PaymentRequestGuardDeps) {
    this.#deps = deps;
  }

  /** Refuses every request from now on: the daemon is shutting down. */
  close(): void {
    this.#closed = true;
  }

  /** Asks the service for its record of an invoice, within a second; `create` uses the answer. Never throws. */
  askInvoice(invoiceId: string | null): Promise<void> {
    return this.#deps.invoices.ask(invoiceId);
  }

  /**
   * Takes a sale of the shop.
   * @throws what {@link Payments} lists; nothing is written then.
   */
  create(request: SaleRequest, key?: KeyUse): AttemptView {
    const { writer, devices, clock, limits } = this.#deps;
    if (this.#closed) throw goingDown('nothing was charged');
    this.#deps.drain.check('Nothing was charged.');
    const view = devices.get(request.deviceId);
    if (!view) {
      throw new AppError('DEVICE_UNKNOWN', 'no device has this id', { context: { param: 'device_id' } });
    }
    this.#guardRetry(request);
    const sale = { ...request, amount: this.#amountOf(request) };
    this.#guard(sale);
    checkAmount(view.device, sale.amount);
    this.#requireComparedDatabase(request);
    checkTerminal(view, limits);
    checkDiskSpace(this.#deps.disk, 'Nothing was charged.');
    const now = clock.now();
    const created = this.#newAttempt(
      sale,
      { kind: 'local', caller: request.caller },
      now,
      now + Math.min(limits.waitMs, limits.maxAgeMs),
    );
    // Its own dispatch comes next and covers it; behind another payment that may take a minute.
    const deferSync = view.status === 'ready' && view.waiting === 0;
    return begun('Nothing was charged.', () =>
      writer.open(created, { deferSync, ...(key ? { key: { ...key, caller: request.caller } } : {}) }),
    );
  }

  /** Refunds money of a sale. @throws what {@link Payments.refund} lists; nothing is written then. */
  refund(request: RefundRequest, key?: KeyUse): AttemptView {
    return this.#giveBack({ type: 'refund', ...request }, key);
  }

  /** Voids a sale as a whole. @throws what {@link Payments.void} lists; nothing is written then. */
  void(request: VoidRequest, key?: KeyUse): AttemptView {
    return this.#giveBack({ type: 'void', ...request, amountMinor: null, after: null }, key);
  }

  isOurs(serviceId: string, metadata: Readonly<Record<string, unknown>>): boolean {
    return isOurs(this.#deps.store, serviceId, metadata);
  }

  mayTake(): boolean {
    const { disk, drain } = this.#deps;
    return disk.shortage() === null && this.stoppedAsCopy() === null && !drain.isHeld;
  }

  /** Why no work of the service is taken, because another machine may take it, too; null: it is taken. */
  stoppedAsCopy(): CopyReason | null {
    const { databaseAge, devices, stateOf, store } = this.#deps;
    const ids = devices.list().map(({ device }) => device.id);
    return stoppedAsCopy(databaseAge, ids, (id) => stateOf(id).hasLooked, store);
  }

  unknownAttempt(serviceId: string, attempt: string, ageMs: number | null): void {
    const { store, log, restored } = this.#deps;
    if (store.findAttempt(attempt) || store.attemptOfServiceId(serviceId)) return;
    if (this.#deps.databaseAge.lost && (ageMs === null || this.#isOlder(ageMs))) return;
    log.error(
      { payment: serviceId, attempt, age_ms: ageMs },
      'the service knows a payment of ours that we do not',
    );
    restored('unknown_attempt');
  }

  compared(): void {
    this.#deps.witness.give();
  }

  cancelled(serviceId: string): void {
    const { writer, store, log } = this.#deps;
    const attempt = store.attemptOfServiceId(serviceId);
    if (!attempt || isFinal(attempt.state) || attempt.cancelRequestedAt !== null) return;
    log.info({ ...factsOf(attempt), state: attempt.state.name }, 'the service has cancelled this payment');
    const unsent = attempt.state.name === 'requested';
    const change = unsent ? { reason: CANCELLED_THERE, evidence: NOTHING_SENT } : {};
    writer.apply(attempt.id, { type: 'cancel' }, { ...change, details: { by: 'service' } });
  }

  accept(request: ServiceRequest): void {
    const { writer, devices, clock, limits, log } = this.#deps;
    if (this.isOurs(request.serviceId, request.metadata)) return;
    const now = clock.now();
    const left = Math.min(limits.waitMs, limits.maxAgeMs - request.ageMs);
    const { serviceId } = request;
    const origin = { kind: 'service', serviceId } as const;
    const asked = this.#newAttempt(guarded(request), origin, now, now + Math.max(left, 0));
    const family = this.#deps.refundsAndVoids.familyOf(request);
    const created = { ...asked, type: request.type, ...family };
    if (this.#isForgotten(request)) {
      this.#forgotten(created, request);
      return;
    }
    const late = this.#closed ? GOING_DOWN : left <= 0 ? STALE : null;
    const refusal = late ?? this.#refusalOf(created, devices.get(request.deviceId));
    const { attempt } = writer.open(created, {
      serviceId,
      facts: { service_id: serviceId, age_ms: request.ageMs },
      ...(refusal ? { refusal } : {}),
    });
    if (refusal) log.warn({ ...factsOf(attempt), code: refusal.code }, 'work of the service refused');
  }

  /** Older than this database, or reported by a forgotten process run of this tilld. */
  #isForgotten({ ageMs, metadata }: ServiceRequest): boolean {
    return attemptNamedIn(metadata) !== null || this.#isOlder(ageMs);
  }

  #isOlder(ageMs: number): boolean {
    const { databaseAge, elapsed } = this.#deps;
    return mayBeForgotten(databaseAge, ageMs, elapsed.now());
  }

  #giveBack(asked: RefundRequest & { readonly type: 'refund' | 'void' }, key?: KeyUse): AttemptView {
    const { writer, refundsAndVoids, clock, limits } = this.#deps;
    if (this.#closed) throw goingDown('nothing was given back');
    this.#deps.drain.check('Nothing was given back.');
    const now = clock.now();
    const origin = { kind: 'local', caller: asked.caller } as const;
    const expiresAt = now + Math.min(limits.waitMs, limits.maxAgeMs);
    const created = refundsAndVoids.prepare(asked, { origin, now, expiresAt });
    checkDiskSpace(this.#deps.disk, 'Nothing was given back.');
    return begun('Nothing was given back.', () =>
      writer.open(created, key ? { key: { ...key, caller: asked.caller } } : {}),
    );
  }

  /** Older than this database: a forgotten process run may have run it. Never run, never reported cancelled. */
  #forgotten(created: NewAttempt, { serviceId, ageMs }: ServiceRequest): void {
    const { writer, log } = this.#deps;
    const { attempt } = writer.open(created, {
      serviceId,
      facts: { service_id: serviceId, age_ms: ageMs },
      forgotten: FORGOTTEN,
    });
    log.error(factsOf(attempt), 'work of the service is older than our memory: a person must look');
  }

  #refusalOf(created: NewAttempt, view: DeviceView | undefined): { code: string; message: string } | null {
    try {
      if (!view) throw new AppError('DEVICE_UNKNOWN', 'this agent has no such device');
      checkAmount(view.device, created.amount);
      if (created.type === 'sale') this.#guard({ ...created, caller: 'service' });
      else this.#deps.refundsAndVoids.check(created, view);
      return view.inDoubtAttemptId === null ? null : RECOVERING;
    } catch (error) {
      if (error instanceof AppError) return { code: error.code.toLowerCase(), message: messageOf(error) };
      throw error;
    }
  }

  /** @throws what {@link guardRetry} throws */
  #guardRetry({ retryOf = null, after }: SaleRequest): void {
    const { store, writer } = this.#deps;
    const first = retryOf === null ? null : store.findAttempt(retryOf);
    if (first) guardRetry(writer.view(first), store.retryOf(first.id), after);
  }

  /**
   * The guard once more, with the terminal in hand: later findings about an earlier sale count as well. Later requests were refused because of
   * this one.
   * @throws what {@link guardOneSaleOneCharge}, {@link guardSplit} and {@link guardRetry} throw, MEMORY_LOST
   */
  guardAgain(attempt: Attempt): void {
    if (attempt.type !== 'sale') return;
    if (attempt.origin.kind === 'local') this.#requireComparedDatabase(attempt);
    const { store, writer } = this.#deps;
    const first = attempt.retryOf === undefined ? null : store.findAttempt(attempt.retryOf);
    if (first) guardRetry(writer.view(first), null, attempt.after);
    const candidate = { ...attempt, caller: callerOf(attempt) };
    this.#guard(candidate, ({ id, state }) => id !== attempt.id && state.name !== 'requested');
  }

  /** The basket may have been paid at any terminal of the shop. @throws MEMORY_LOST */
  #requireComparedDatabase({ deviceId }: { readonly deviceId: string }): void {
    const { databaseAge, stateOf, deviceIds, store } = this.#deps;
    const { awaitsWitness: lacksWitness, hasLooked } = stateOf(deviceId);
    requireComparedDatabase(
      { lost: databaseAge.lost || lacksWitness },
      { deviceId },
      hasLooked && !lacksWitness,
      store,
    );
    for (const other of deviceIds) {
      if (other === deviceId) continue;
      const { isUnread, wasAsked } = stateOf(other);
      const lost = databaseAge.lost || isUnread;
      requireComparedDatabase({ lost }, { deviceId: other }, wasAsked && !isUnread, store);
    }
  }

  #guard(candidate: NewSale & PartOfBill, counts: (other: Attempt) => boolean = () => true): void {
    const { store, invoices, elapsed } = this.#deps;
    const now = elapsed.now();
    const bill = candidate.invoiceId === null ? null : invoices.billOf(candidate.invoiceId);
    const found = (search: DuplicateSearch) =>
      withoutCorrected(store.possibleDuplicates(search).filter(counts), store).map((one) =>
        this.#asAsked(one),
      );
    const back = ({ id }: Attempt) => store.childrenOf(id).filter((child) => wrongVoid(child) === null);
    const search = duplicateSearch(candidate, now);
    guardOneSaleOneCharge(candidate, found(search), now, bill, (sale) => refundedMinor(back(sale)));
    if (splitOf(candidate) === null) return;
    const parts = found({ ...search, invoiceId: null, referenceSince: now - SPLIT_MS });
    guardSplit(candidate, parts, (part) => paidOf(part, back(part)));
  }

  /**
   * A correction with what was asked for in the sale that it stands for: its own amount is what was charged, with a tip, and it names no bill. That
   * of a refund stands for the refund's amount alone.
   */
  #asAsked(one: Attempt): Attempt {
    const { store } = this.#deps;
    const subject = one.corrects === null ? null : store.findAttempt(one.corrects);
    const sale = subject?.type === 'sale' ? subject : store.findAttempt(subject?.parentId ?? '');
    if (!subject || !sale) return one;
    const { amount, metadata } = this.#asAsked(sale);
    return { ...one, metadata, ...(subject.type === 'refund' ? {} : { amount }) };
  }

  #amountOf({ amount, invoiceId }: SaleRequest): Money {
    if (amount.minor !== null) return amount;
    return dueOf(invoiceId === null ? null : this.#deps.invoices.billOf(invoiceId), amount.currency);
  }

  #newAttempt(sale: Sale, origin: Attempt['origin'], createdAt: number, expiresAt: number): NewAttempt {
    const { deviceId, amount, invoiceId, reference, metadata, after } = sale;
    const { retryOf = null, trace = null } = sale;
    const { ids, invoices } = this.#deps;
    return {
      ...(invoices.isUnasked({ type: 'sale', invoiceId }) ? { invoiceUnasked: true as const } : {}),
      ...(retryOf === null ? {} : { retryOf }),
      id: ids.uuid(),
      type: 'sale',
      parentId: null,
      corrects: null,
      cause: null,
      original: null,
      deviceId,
      amount,
      invoiceId,
      reference,
      metadata,
      origin,
      trace,
      after,
      createdAt,
      expiresAt,
    };
  }
}

const CANCELLED_THERE = {
  code: 'cancelled',
  message: 'The service cancelled it before it reached the terminal.',
};
/** Why an attempt of a forgotten process run is in doubt. */
export const FORGOTTEN = {
  code: 'memory_lost',
  message:
    'It is older than what tilld remembers: it may have been paid. Look at the receipts of the terminal.',
};
const GOING_DOWN = { code: 'expired', message: 'tilld was shutting down when the request arrived.' };
const STALE = {
  code: 'expired',
  message: 'The request was older than its limit when it arrived.',
};
const RECOVERING = {
  code: 'terminal_recovering',
  message: 'It was not clear then how the payment before it ended. This one never reached the terminal.',
};

function goingDown(what: string): AppError {
  return new AppError('SHUTTING_DOWN', `tilld is shutting down: ${what}`, { retry: 'safe' });
}

/** Redacts card numbers in the service's free text, as the local interface does with its callers' text. */
function guarded(request: ServiceRequest): Sale {
  const metadata = guardJson(request.metadata);
  return {
    ...request,
    after: null,
    invoiceId: request.invoiceId === null ? null : guardText(request.invoiceId),
    reference: request.reference === null ? null : guardText(request.reference),
    metadata: typeof metadata === 'object' && metadata !== null ? { ...metadata } : {},
  };
}
