import { AppError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import { guardText } from '../base/text-guard.ts';
import { factsOf } from '../base/trace.ts';
import type { Attempt } from './attempt/attempt.ts';
import { createAttempt, type NewAttempt } from './attempt/create-attempt.ts';
import { newestEvidence } from './attempt/newest-evidence.ts';
import {
  type AttemptEvent,
  type Effect,
  isFinal,
  type StateName,
  transition,
} from './attempt/state-machine.ts';
import { viewOf } from './attempt-view.ts';
import { isSettled, type Settlement } from './batch/settlement.ts';
import type { Change, Opening, PaymentServiceDeps, Step } from './change.ts';
import { EffectWriter } from './effects.ts';
import { type FollowUp, followUps } from './follow-up.ts';
import {
  EventPublisher,
  noOutboundEvents,
  type OutboundEvents,
  type PaymentListener,
} from './outbound-events.ts';
import type { AttemptView, EventSubject, KeyUse, PaymentEvent } from './payments.ts';
import type { JournalEntry } from './ports.ts';
import { enqueueReport } from './report.ts';
import type { Task, TaskKind, TaskSubject } from './tasks/task.ts';

export type { NewAttempt } from './attempt/create-attempt.ts';

/** Evidence of an attempt that ended before anything went to a terminal. */
export const NOTHING_SENT = { kind: 'nothing_sent', note: 'nothing was sent to the terminal' } as const;

/**
 * The only writer of payments: every change of an attempt passes through `open`, `apply` or `note`.
 * Why one place: state, journal entry, event and report must be one transaction, and no caller may forget one of them.
 *
 * INVARIANTS:
 * - what is published is on disk;
 * - a refused transition writes nothing;
 * - versions rise by one, so two writers of one attempt cannot both win.
 */
export class PaymentWriter {
  readonly #deps: PaymentServiceDeps;
  readonly #publisher: EventPublisher;
  readonly #effects: EffectWriter;

  constructor(deps: PaymentServiceDeps) {
    this.#deps = deps;
    this.#publisher = new EventPublisher(deps.log);
    this.#effects = new EffectWriter(deps, {
      create: (created, opening, outbound) => this.#create(created, opening, outbound),
      step: (attempt, event, change, outbound) => this.#step(attempt, event, change, outbound),
      ask: (kind, of, message) => this.ask(kind, of, message),
      isCharged: (attempt) => this.view(attempt).charged === 'yes',
    });
  }

  /**
   * Writes a new attempt in state `requested`, with its journal entry, its event, its idempotency key and, for a local one, its `create` report,
   * in one transaction. With a `refusal` it is cancelled in the same one, with `forgotten` it is in doubt.
   */
  open(created: NewAttempt, opening: Opening = {}): AttemptView {
    const { refusal, forgotten } = opening;
    const outbound = noOutboundEvents();
    const { store } = this.#deps;
    const write = () =>
      store.transaction(() => {
        const attempt = this.#create(created, opening, outbound);
        if (forgotten)
          return this.#step(
            attempt,
            { type: 'forgotten' },
            { reason: forgotten, needsPerson: true },
            outbound,
          );
        if (!refusal) return attempt;
        const change = { reason: refusal, evidence: NOTHING_SENT };
        return this.#step(attempt, { type: 'expire' }, change, outbound);
      });
    const opened = opening.deferSync ? store.deferSync(write) : write();
    this.#notifyCreated(outbound);
    const { type, deviceId: device } = opened;
    this.#deps.log.info({ ...factsOf(opened), type, device }, 'payment begun');
    return this.view(opened);
  }

  /**
   * Moves an attempt by one event, with all its effects, and returns its new state; on disk when it returns, except for `accepted`.
   * @throws TRANSITION_REFUSED when the event makes no sense in its state; PAYMENT_UNKNOWN, STORAGE_FULL, STORAGE_FAILED.
   */
  apply(id: string, event: AttemptEvent, change: Change = {}): Attempt {
    return this.applyAll(id, [{ event, change }]);
  }

  /** The same for several events at once: all of them, in their order, or none. */
  applyAll(id: string, steps: readonly Step[]): Attempt {
    const outbound = noOutboundEvents();
    const { store } = this.#deps;
    const step = (attempt: Attempt, { event, change = {} }: Step) =>
      this.#step(attempt, event, change, outbound);
    const write = () => store.transaction(() => steps.reduce(step, this.require(id)));
    // `accepted` is not published; without it the attempt is as much in doubt after a power cut as with it.
    const next = steps.every(({ event }) => event.type === 'accepted') ? store.deferSync(write) : write();
    if (isFinal(next.state)) this.#publisher.forget(id);
    this.#publisher.publish(outbound);
    if (isFinal(next.state))
      this.#deps.log.info({ ...factsOf(next), status: next.state.name }, 'payment ended');
    const isCancelled = steps.some(({ event }) => event.type === 'cancel');
    if (isCancelled && next.state.name === 'cancelling') this.#publisher.askToStop(next);
    return next;
  }

  /** Writes a batch close, with its event where the terminal closed its day or may have; `besides` runs in the transaction. */
  settle(settlement: Settlement, isNew: boolean, besides: () => void = () => undefined): Settlement {
    const { store } = this.#deps;
    const outbound = noOutboundEvents();
    store.transaction(() => {
      if (isNew) store.insertSettlement(settlement);
      else store.updateSettlement(settlement);
      besides();
      const closed = settlement.status === 'succeeded' || settlement.status === 'unknown';
      if (!isSettled(settlement) || !closed) return;
      this.#publish('settlement.created', { kind: 'settlement', settlement }, outbound);
    });
    this.#publisher.publish(outbound);
    return settlement;
  }

  /**
   * Asks a person once, inside a transaction of the caller's or by itself.
   * @param message what was seen and never changes; the task itself shows the present state of its attempt
   */
  ask(kind: TaskKind, of: TaskSubject, message = ''): void {
    const { store, ids, clock, log } = this.#deps;
    const unbound = { attemptId: null, settlementId: null, deviceId: null };
    const task: Task = {
      id: ids.uuid(),
      kind,
      ...unbound,
      ...of,
      message,
      createdAt: clock.now(),
      done: null,
    };
    if (store.insertTask(task)) log.error({ kind, ...of }, 'a person must look');
  }

  /** Records what the state of an open attempt does not show, for example that its terminal is free again; a final one stays as it is. */
  note(id: string, name: string, change: Change): Attempt {
    const { store, clock } = this.#deps;
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

  /** Reports that were held back may be sent now. */
  reportsReleased(): void {
    this.#publisher.publish(noOutboundEvents());
  }

  /** Each of these devices looks at its terminal and its queue again. */
  wakeQueues(deviceIds: readonly string[]): void {
    this.#publisher.wakeQueues(new Set(deviceIds));
  }

  /** Publishes a text of the terminal; nothing is stored. */
  progress(attempt: Attempt, text: string): void {
    this.#publisher.progress(attempt, guardText(text), this.#deps.clock.now());
  }

  now(): number {
    return this.#deps.clock.now();
  }

  get log(): Log {
    return this.#deps.log;
  }

  /** @throws PAYMENT_UNKNOWN */
  require(id: string): Attempt {
    const attempt = this.#deps.store.findAttempt(id);
    if (!attempt)
      throw new AppError('PAYMENT_UNKNOWN', 'no payment has this id', { context: { param: 'id' } });
    return attempt;
  }

  view(attempt: Attempt): AttemptView {
    return viewOf(attempt, this.#deps, this.#publisher.lastWordOf(attempt.id));
  }

  subscribe(listener: PaymentListener): () => void {
    return this.#publisher.subscribe(listener);
  }

  /**
   * The worker starts at once: nothing reaches a terminal before its own commit, which covers this one. All other listeners are notified after that.
   */
  #notifyCreated({ events, waiting }: OutboundEvents): void {
    const { store } = this.#deps;
    store.onDurable(() => this.#publisher.publish({ events, waiting: new Set() }));
    this.#publisher.wakeQueues(waiting);
  }

  /** Writes a new attempt with its journal entry, report, event and key; inside a transaction. */
  #create(created: NewAttempt, { key, serviceId, facts = {} }: Opening, outbound: OutboundEvents): Attempt {
    const { store } = this.#deps;
    const attempt = createAttempt(created);
    store.insertAttempt(attempt);
    store.appendJournal(createdEntry(attempt, facts));
    if (serviceId !== undefined) store.bindServiceId(serviceId, attempt.id);
    if (attempt.origin.kind === 'local') enqueueReport('create', attempt, this.#deps);
    if (attempt.corrects === null)
      this.#publish(eventType(attempt, 'requested'), { kind: 'payment', view: this.view(attempt) }, outbound);
    if (key) this.#storeAnswer(attempt, key, this.view(attempt));
    if (attempt.corrects === null) outbound.waiting.add(attempt.deviceId);
    return attempt;
  }

  #step(attempt: Attempt, event: AttemptEvent, change: Change, outbound: OutboundEvents): Attempt {
    const { store, clock, elapsed } = this.#deps;
    const outcome = transition(attempt.state, event, newestEvidence(attempt, store).charged);
    if (outcome.kind === 'refused') {
      throw new AppError(
        'TRANSITION_REFUSED',
        `${event.type} makes no sense for a payment that is ${attempt.state.name}`,
        {
          context: { attempt: attempt.id, event: event.type, state: attempt.state.name },
        },
      );
    }
    const { details = {}, approvedForMs = null, ...fields } = change;
    const { type, ...facts } = event;
    const now = clock.now();
    const state = outcome.kind === 'changed' ? outcome.state : attempt.state;
    const frozen = outcome.kind === 'unchanged' && isFinal(attempt.state);
    const next = frozen
      ? attempt
      : stamped({ ...attempt, ...fields, state, version: attempt.version + 1 }, outcome.effects, {
          at: now,
          elapsed: elapsed.now(),
        });
    if (!frozen) store.updateAttempt(next);
    store.appendJournal({
      attemptId: attempt.id,
      at: now,
      event: type,
      from: attempt.state.name,
      to: next.state.name,
      details: { ...facts, ...details, ...discrepancies(outcome.effects) },
    });
    // First the report of this attempt: reports of its effects wait for earlier rows.
    if (outcome.effects.some((effect) => effect.kind === 'report')) enqueueReport('result', next, this.#deps);
    const follow = this.#following(attempt, next, outcome.effects, approvedForMs);
    const found = frozen ? fields : {};
    for (const one of follow.filter(({ kind }) => !CREATES.includes(kind)))
      this.#effects.write(one, next, found, outbound);
    for (const effect of outcome.effects) {
      if (effect.kind !== 'publish') continue;
      this.#publish(eventType(next, effect.what), { kind: 'payment', view: this.view(next) }, outbound);
    }
    for (const one of follow.filter(({ kind }) => CREATES.includes(kind)))
      this.#effects.write(one, next, found, outbound);
    return next;
  }

  #following(
    before: Attempt,
    after: Attempt,
    effects: readonly Effect[],
    approvedForMs: number | null,
  ): readonly FollowUp[] {
    const { store, policyOf } = this.#deps;
    const parent = after.parentId === null ? null : store.findAttempt(after.parentId);
    return followUps({
      before,
      after,
      effects,
      approvedForMs,
      parent,
      // Read where it decides: it takes the device's whole view, and most steps end nothing.
      get policy() {
        return policyOf(after.deviceId);
      },
    });
  }

  #publish(type: string, subject: EventSubject, outbound: OutboundEvents): void {
    const { store, ids, clock } = this.#deps;
    const event: PaymentEvent = { id: `evt_${ids.uuid()}`, type, at: clock.now(), subject };
    store.appendEvent(event);
    outbound.events.push(event);
  }

  #storeAnswer(attempt: Attempt, key: KeyUse & { readonly caller: string }, view: AttemptView): void {
    const { store, clock } = this.#deps;
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
}

/** Effects that create an attempt; their events come after those of their cause. */
const CREATES: readonly FollowUp['kind'][] = ['void', 'correction', 'undone_other'];

/** `terminal_payment.succeeded`, `terminal_refund.declined`, `terminal_void.requested` … */
function eventType({ type }: Attempt, what: string): string {
  return `terminal_${type === 'sale' ? 'payment' : type}.${what}`;
}

function createdEntry(attempt: Attempt, details: Readonly<Record<string, unknown>>): JournalEntry {
  const { id, createdAt } = attempt;
  return { attemptId: id, at: createdAt, event: 'create', from: '-', to: 'requested', details };
}

/** Sets the instants that belong to a state, by both clocks. */
function stamped(
  attempt: Attempt,
  effects: readonly Effect[],
  now: { readonly at: number; readonly elapsed: number },
): Attempt {
  const cancelled = effects.some((effect) => effect.kind === 'note_cancel');
  const { dispatchedAt, inDoubtSince, completedAt, elapsed } = attempt;
  const withCancel = cancelled
    ? { ...attempt, cancelRequestedAt: attempt.cancelRequestedAt ?? now.at }
    : attempt;
  const name: StateName = attempt.state.name;
  if (name === 'dispatched' && dispatchedAt === null)
    return { ...withCancel, dispatchedAt: now.at, elapsed: { ...elapsed, dispatched: now.elapsed } };
  if (name === 'in_doubt' && inDoubtSince === null)
    return { ...withCancel, inDoubtSince: now.at, elapsed: { ...elapsed, inDoubt: now.elapsed } };
  if (!isFinal(attempt.state)) return withCancel;
  if (completedAt !== null) return { ...withCancel, needsPerson: false };
  const ended = { completedAt: now.at, elapsed: { ...elapsed, completed: now.elapsed } };
  return { ...withCancel, ...ended, needsPerson: false };
}

function discrepancies(effects: readonly Effect[]): Readonly<Record<string, unknown>> {
  const found = effects.find((effect) => effect.kind === 'discrepancy');
  return found ? { discrepancy: found.what } : {};
}
