import type { Clock } from '../base/clock.ts';
import { AppError, messageOf } from '../base/errors.ts';
import type { Ids } from '../base/ids.ts';
import type { Log } from '../base/log.ts';
import { guardText } from '../base/text-guard.ts';
import type { Attempt, Reason } from './attempt.ts';
import { type AttemptEvent, type Effect, isFinal, type StateName, transition } from './machine.ts';
import type { AttemptView, KeyUse, PaymentEvent, ProgressNote } from './payments.ts';
import type { JournalEntry, PaymentStore, ReportState } from './ports.ts';

/** The bodies that we owe the service; `null` where no service is configured. */
export interface ReportBodies {
  create(attempt: Attempt): Readonly<Record<string, unknown>>;
  result(attempt: Attempt): Readonly<Record<string, unknown>>;
}

export interface PaymentServicePorts {
  readonly store: PaymentStore;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly reports: ReportBodies | null;
}

/** What a state change brings along; `details` go to the journal only. */
export interface Change
  extends Partial<
    Pick<
      Attempt,
      'mark' | 'report' | 'receipts' | 'reason' | 'evidence' | 'needsPerson' | 'releasedAt' | 'settledAt'
    >
  > {
  readonly details?: Readonly<Record<string, unknown>>;
}

export interface PaymentListener {
  event?(event: PaymentEvent): void;
  progress?(note: ProgressNote): void;
  /** Somebody wants this running payment stopped: its terminal is to be asked. */
  abort?(attempt: Attempt): void;
  /** Something is owed to the service. */
  report?(): void;
}

/** An attempt at its birth: what `open` fills in itself is left out. */
export type NewAttempt = Pick<
  Attempt,
  | 'id'
  | 'type'
  | 'parentId'
  | 'deviceId'
  | 'amount'
  | 'invoiceId'
  | 'reference'
  | 'metadata'
  | 'origin'
  | 'after'
  | 'createdAt'
  | 'expiresAt'
>;

/** What is written together with a new attempt. */
export interface Opening {
  readonly key?: KeyUse & { readonly caller: string };
  /** The service's id of it. */
  readonly serviceId?: string;
  /** Facts for the journal. */
  readonly facts?: Readonly<Record<string, unknown>>;
  /** Why it may not run: it is cancelled at once, and reported. */
  readonly refusal?: Reason;
}

/** Evidence of an attempt that ended before anything went to a terminal. */
export const NOTHING_SENT = { kind: 'nothing_sent', note: 'nothing was sent to the terminal' } as const;

/**
 * The only writer of payments: every change of an attempt passes through `open` or `apply`.
 * Why one place: state, journal entry, event and report must be one transaction, and nobody may forget one of them.
 *
 * INVARIANTS:
 * - what a listener hears is on disk;
 * - a refused transition writes nothing;
 * - versions rise by one, so two writers of one attempt cannot both win.
 */
export class PaymentService {
  readonly #ports: PaymentServicePorts;
  readonly #listeners = new Set<PaymentListener>();
  readonly #progress = new Map<string, string>();

  constructor(ports: PaymentServicePorts) {
    this.#ports = ports;
  }

  /**
   * Writes a new attempt in state `requested`, with its journal entry, its event, its idempotency key and, for a local one,
   * what the service must be told, in one transaction. With a `refusal` it is cancelled in the same one.
   */
  open(birth: NewAttempt, opening: Opening = {}): AttemptView {
    const { store } = this.#ports;
    const { key, serviceId, refusal, facts = {} } = opening;
    const attempt = newborn(birth);
    const event = this.#event('requested', attempt);
    const published = [event];
    const opened = store.transaction(() => {
      store.insertAttempt(attempt);
      store.appendJournal(birthEntry(attempt, facts));
      if (serviceId !== undefined) store.bindServiceId(serviceId, attempt.id);
      if (attempt.origin.kind === 'local') this.#enqueue('create', attempt);
      store.appendEvent(event, event.view);
      if (key) this.#storeAnswer(attempt, key, event.view);
      if (!refusal) return attempt;
      const change = { reason: refusal, evidence: NOTHING_SENT };
      return this.#step(attempt, { type: 'expire' }, change, published);
    });
    this.#tell(published);
    return refusal ? this.view(opened) : event.view;
  }

  /**
   * Moves an attempt by one event, durably, and returns it as it is then.
   * @throws TRANSITION_REFUSED when the event makes no sense in its state; STORAGE_FULL, STORAGE_FAILED.
   */
  apply(id: string, event: AttemptEvent, change: Change = {}): Attempt {
    const { store } = this.#ports;
    const published: PaymentEvent[] = [];
    const next = store.transaction(() => this.#step(this.require(id), event, change, published));
    if (isFinal(next.state)) this.#progress.delete(id);
    this.#tell(published);
    if (event.type === 'cancel' && next.state.name === 'cancelling') this.#askToStop(next);
    return next;
  }

  /** Notes what the state of an open attempt does not show: that its terminal is free again, or that a person is needed. */
  note(id: string, name: string, change: Change): Attempt {
    const { store, clock } = this.#ports;
    return store.transaction(() => {
      const attempt = this.require(id);
      if (isFinal(attempt.state)) return attempt;
      const { details = {}, ...fields } = change;
      const next: Attempt = { ...attempt, ...fields, version: attempt.version + 1 };
      store.updateAttempt(next);
      store.appendJournal({
        attemptId: id,
        at: clock.now(),
        event: name,
        from: attempt.state.name,
        to: attempt.state.name,
        details,
      });
      return next;
    });
  }

  /** Shows a text of the terminal to whoever watches; nothing is stored. */
  progress(attempt: Attempt, text: string): void {
    const { clock, log } = this.#ports;
    const guarded = guardText(text);
    this.#progress.set(attempt.id, guarded);
    const note = { attemptId: attempt.id, deviceId: attempt.deviceId, text: guarded, at: clock.now() };
    for (const listener of this.#listeners) guard(log, () => listener.progress?.(note));
  }

  /** @throws PAYMENT_UNKNOWN */
  require(id: string): Attempt {
    const attempt = this.#ports.store.findAttempt(id);
    if (!attempt)
      throw new AppError('PAYMENT_UNKNOWN', 'no payment has this id', { context: { param: 'id' } });
    return attempt;
  }

  view(attempt: Attempt): AttemptView {
    return { attempt, reported: this.#reported(attempt), progress: this.#progress.get(attempt.id) ?? null };
  }

  subscribe(listener: PaymentListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #step(attempt: Attempt, event: AttemptEvent, change: Change, published: PaymentEvent[]): Attempt {
    const { store, clock } = this.#ports;
    const outcome = transition(attempt.state, event);
    if (outcome.kind === 'refused') {
      throw new AppError(
        'TRANSITION_REFUSED',
        `${event.type} makes no sense for a payment that is ${attempt.state.name}`,
        {
          context: { attempt: attempt.id, event: event.type, state: attempt.state.name },
        },
      );
    }
    const { details = {}, ...fields } = change;
    const { type, ...facts } = event;
    const now = clock.now();
    const state = outcome.kind === 'changed' ? outcome.state : attempt.state;
    const frozen = outcome.kind === 'unchanged' && isFinal(attempt.state);
    const next = frozen
      ? attempt
      : stamped({ ...attempt, ...fields, state, version: attempt.version + 1 }, outcome.effects, now);
    if (!frozen) store.updateAttempt(next);
    store.appendJournal({
      attemptId: attempt.id,
      at: now,
      event: type,
      from: attempt.state.name,
      to: next.state.name,
      details: { ...facts, ...details, ...discrepancies(outcome.effects) },
    });
    for (const effect of outcome.effects) this.#write(effect, next, published);
    return next;
  }

  #write(effect: Effect, attempt: Attempt, published: PaymentEvent[]): void {
    const { store, log } = this.#ports;
    if (effect.kind === 'report') this.#enqueue('result', attempt);
    if (effect.kind === 'discrepancy') {
      log.error(
        { attempt: attempt.id, what: effect.what, code: 'DISCREPANCY' },
        'evidence contradicts the books',
      );
    }
    if (effect.kind !== 'publish') return;
    const event = this.#event(effect.what, attempt);
    store.appendEvent(event, event.view);
    published.push(event);
  }

  #enqueue(kind: 'create' | 'result', attempt: Attempt): void {
    const { reports, store, ids, clock } = this.#ports;
    if (!reports) return;
    const body = kind === 'create' ? reports.create(attempt) : reports.result(attempt);
    store.enqueueReport({
      id: ids.uuid(),
      attemptId: attempt.id,
      kind,
      key: ids.uuid(),
      body,
      createdAt: clock.now(),
    });
  }

  #storeAnswer(attempt: Attempt, key: KeyUse & { readonly caller: string }, view: AttemptView): void {
    const { store, clock } = this.#ports;
    const { status, body } = key.answer(view);
    const { caller, fingerprint, requestId } = key;
    store.insertKey({
      caller,
      key: key.key,
      fingerprint,
      requestId,
      status,
      body,
      attemptId: attempt.id,
      createdAt: clock.now(),
    });
  }

  #event(what: string, attempt: Attempt): PaymentEvent {
    const { ids, clock, reports } = this.#ports;
    const reported = reports ? 'pending' : 'off';
    return {
      id: `evt_${ids.uuid()}`,
      type: `terminal_payment.${what}`,
      at: clock.now(),
      view: { attempt, reported, progress: null },
    };
  }

  #reported(attempt: Attempt): AttemptView['reported'] {
    if (!this.#ports.reports) return 'off';
    return reportedOf(this.#ports.store.reportsOf(attempt.id));
  }

  #askToStop(attempt: Attempt): void {
    for (const listener of this.#listeners) guard(this.#ports.log, () => listener.abort?.(attempt));
  }

  #tell(events: readonly PaymentEvent[]): void {
    for (const event of events) {
      for (const listener of this.#listeners) guard(this.#ports.log, () => listener.event?.(event));
    }
    for (const listener of this.#listeners) guard(this.#ports.log, () => listener.report?.());
  }
}

/** `yes` once the result was taken, `rejected` once a person must look, else `pending`. */
function reportedOf(reports: readonly ReportState[]): 'yes' | 'pending' | 'rejected' {
  if (reports.some((report) => report.state === 'parked')) return 'rejected';
  return reports.some((report) => report.kind === 'result' && report.state === 'done') ? 'yes' : 'pending';
}

function birthEntry(attempt: Attempt, details: Readonly<Record<string, unknown>>): JournalEntry {
  const { id, createdAt } = attempt;
  return { attemptId: id, at: createdAt, event: 'create', from: '-', to: 'requested', details };
}

function newborn(birth: NewAttempt): Attempt {
  return {
    ...birth,
    state: { name: 'requested' },
    version: 1,
    dispatchedAt: null,
    inDoubtSince: null,
    cancelRequestedAt: null,
    completedAt: null,
    mark: null,
    report: null,
    receipts: {},
    reason: null,
    evidence: null,
    releasedAt: null,
    settledAt: null,
    needsPerson: false,
  };
}

/** Puts the instants that belong to a state beside it. */
function stamped(attempt: Attempt, effects: readonly Effect[], now: number): Attempt {
  const cancelled = effects.some((effect) => effect.kind === 'note_cancel');
  const withCancel = cancelled
    ? { ...attempt, cancelRequestedAt: attempt.cancelRequestedAt ?? now }
    : attempt;
  const name: StateName = attempt.state.name;
  if (name === 'dispatched' && attempt.dispatchedAt === null) return { ...withCancel, dispatchedAt: now };
  if (name === 'in_doubt') return { ...withCancel, inDoubtSince: attempt.inDoubtSince ?? now };
  if (isFinal(attempt.state))
    return { ...withCancel, completedAt: attempt.completedAt ?? now, needsPerson: false };
  return withCancel;
}

function discrepancies(effects: readonly Effect[]): Readonly<Record<string, unknown>> {
  const found = effects.find((effect) => effect.kind === 'discrepancy');
  return found ? { discrepancy: found.what } : {};
}

/** A listener that throws is a bug of the listener; the payment is on disk all the same. */
function guard(log: Log, call: () => void): void {
  try {
    call();
  } catch (error) {
    log.error({ error: messageOf(error) }, 'listener failed');
  }
}
