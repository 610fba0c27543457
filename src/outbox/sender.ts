import type { Clock } from '../base/clock.ts';
import { withDeadline } from '../base/clock.ts';
import { AppError, messageOf } from '../base/errors.ts';
import type { Ids } from '../base/ids.ts';
import { assertNever } from '../base/invariant.ts';
import type { Log } from '../base/log.ts';
import type { Spans } from '../base/span.ts';
import { factsOf, requestSpanOf, spanOf } from '../base/trace.ts';
import { Wakeup } from '../base/wakeup.ts';
import type { DiskSpace } from '../payment/guards/disk-space.ts';
import { RowHolds } from './back-off.ts';
import type { Budget } from './budget.ts';
import { Deliverer, noAnswer, settled } from './deliverer.ts';
import type { DeliveryAttempt, LastStep } from './delivery-attempt.ts';
import { DeliveryCircuit } from './delivery-circuit.ts';
import { firstStep, KEY_TRUST_MS } from './delivery-rules.ts';
import type { OutboxRow, OutboxStore } from './ports.ts';
import type { ReportPort, ServiceTime } from './report-port.ts';

export interface OutboxSenderDeps {
  readonly store: OutboxStore;
  readonly port: ReportPort;
  readonly serviceTime: ServiceTime;
  readonly budget: Budget;
  /** Each try of a report writes: reports wait while the disk is in trouble. */
  readonly disk: Pick<DiskSpace, 'trouble'>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  /** Receives a span of every report that the service accepted. */
  readonly spans?: Spans | undefined;
}

export interface OutboxSenderOptions {
  /** False: payments that were started here are not created at the service; their rows stay pending, with a warning in the log. */
  readonly createLocal: boolean;
  /** Concurrent deliveries; one place is always kept for a fresh outcome. */
  readonly concurrency?: number;
  /** The fallback for a missed `poke()`: rows are read at least this often. */
  readonly netMs?: number;
  /** Time limit of a whole delivery, its retries in the HTTP client included. */
  readonly deliveryMs?: number;
}

const ROW_GROWTH = { firstMs: 1_000, mostMs: 60_000 };
/** A row younger than this is a fresh outcome; older ones are backlog. */
const FRESH_MS = 120_000;
const MOST_ROWS_READ = 1_000;

/**
 * Reports to the service what happened, once, however long it takes.
 * Why: a lost report hides money, and a report that is made twice invents it; the service forgets keys after a day.
 * Trade-off: reports of one attempt wait for each other, all others may overtake; order at the service is not promised.
 *
 * INVARIANTS:
 * - a row is in delivery at most once at a time, always under the key it was written with;
 * - no answer means that the row stays `unanswered`;
 * - a key first used over 23 h ago, or used before a restart without an answer, is never used before a look-up;
 * - nothing is dropped: a row ends `done` or `parked` with a reason;
 * - a finished row is on disk before anything else happens: with the next row's try, or by a sync of its own where none follows.
 */
export class OutboxSender {
  readonly #deps: OutboxSenderDeps;
  readonly #options: Required<OutboxSenderOptions>;
  readonly #wakeup = new Wakeup();
  readonly #holds: RowHolds;
  readonly #inFlight = new Map<string, Promise<void>>();
  readonly #triedInThisRun = new Set<string>();
  /** Rows that the service refused because of our key: they wait only for another key, or until this one is accepted again. */
  readonly #refusedWithKey = new Set<string>();
  #running: { readonly stop: AbortController; readonly loop: Promise<void> } | null = null;
  readonly #circuit: DeliveryCircuit;
  readonly #deliverer: Deliverer;
  #askedForDate = false;
  #isProbing = false;
  #warnedOfCreates = false;

  constructor(deps: OutboxSenderDeps, options: OutboxSenderOptions) {
    this.#deps = deps;
    this.#options = { concurrency: 4, netMs: 1_000, deliveryMs: 90_000, ...options };
    this.#holds = new RowHolds(deps.clock, deps.ids, ROW_GROWTH);
    this.#circuit = new DeliveryCircuit(deps.clock, deps.ids, deps.log);
    this.#deliverer = new Deliverer({
      ...deps,
      circuit: this.#circuit,
      tried: (rowId) => void this.#triedInThisRun.add(rowId),
    });
  }

  start(): void {
    if (this.#running) return;
    this.#triedInThisRun.clear();
    const stop = new AbortController();
    this.#running = { stop, loop: this.#run(stop.signal) };
  }

  /** Aborts running deliveries (their rows stay `unanswered`) and waits for their end. */
  async stop(): Promise<void> {
    const running = this.#running;
    if (!running) return;
    running.stop.abort(new AppError('STOPPED', 'the outbox was stopped'));
    await running.loop;
    await Promise.all(this.#inFlight.values());
    this.#deps.store.flush();
    this.#running = null;
  }

  /** There may be new work. */
  poke(): void {
    this.#wakeup.notify();
  }

  /** The connection is proved up: rows that waited for it go now. */
  lineRestored(): void {
    this.#circuit.lineRestored();
    this.#wakeup.notify();
  }

  /** The key was rolled: a 401 or 403 may be over. */
  keyChanged(): void {
    this.#circuit.keyChanged();
    for (const rowId of this.#refusedWithKey) this.#holds.forget(rowId);
    this.#refusedWithKey.clear();
    this.#wakeup.notify();
  }

  async #run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      let waitMs = this.#options.netMs;
      try {
        waitMs = Math.min(await this.#round(signal), waitMs);
        this.#deps.store.flush();
      } catch (error) {
        if (!signal.aborted) this.#deps.log.error({ error: messageOf(error) }, 'outbox round failed');
      }
      await this.#idle(waitMs, signal);
    }
  }

  /** Starts the rows that may go now; returns the ms until another may. */
  async #round(signal: AbortSignal): Promise<number> {
    this.#warnOfCreates();
    const openMs = this.#circuit.openMs();
    if (openMs > 0) return openMs;
    if (this.#mustProbe() && this.#rows().length > 0) {
      const waitMs = this.#deps.budget.take('outcome');
      if (waitMs > 0) return waitMs;
      if (!(await this.#probe(signal))) return this.#circuit.openMs();
    }
    return this.#startRows(this.#rows(), signal);
  }

  /** Rows to choose from; the limit rises by the number of held rows, so that held rows never hide others. */
  #rows(): readonly OutboxRow[] {
    const { store, disk } = this.#deps;
    if (disk.trouble() !== null) return [];
    const held = this.#holds.active + this.#inFlight.size;
    const limit = Math.min(this.#options.concurrency + held, MOST_ROWS_READ);
    if (this.#options.createLocal) return store.due(limit);
    return store.due(limit, 'result').filter((row) => row.kind === 'result');
  }

  #startRows(rows: readonly OutboxRow[], signal: AbortSignal): number {
    let soonest = this.#options.netMs;
    for (const row of rows) {
      if (signal.aborted) break;
      const priority = this.#deps.clock.now() - row.createdAt < FRESH_MS ? 'outcome' : 'backlog';
      const heldMs = this.#holds.waitMs(row.id);
      if (this.#inFlight.has(row.id) || this.#inFlight.size >= this.#places(priority)) continue;
      const waitMs = heldMs > 0 ? heldMs : this.#deps.budget.take(priority);
      if (waitMs === 0) this.#start(row, signal);
      else soonest = Math.min(soonest, waitMs);
    }
    return soonest;
  }

  #places(priority: 'outcome' | 'backlog'): number {
    if (this.#circuit.halted) return 1;
    return priority === 'outcome' ? this.#options.concurrency : Math.max(1, this.#options.concurrency - 1);
  }

  #start(row: OutboxRow, signal: AbortSignal): void {
    const { log } = this.#deps;
    const delivery = this.#deliver(row, signal)
      .catch((error: unknown) => {
        if (signal.aborted) return;
        log.error({ row: row.id, error: messageOf(error) }, 'outbox delivery failed');
        this.#holds.hold(row.id, null);
      })
      .finally(() => {
        this.#inFlight.delete(row.id);
        this.#wakeup.notify();
      });
    this.#inFlight.set(row.id, delivery);
  }

  /** Delivers one row, from its first step to a step that ends its turn. */
  async #deliver(row: OutboxRow, stop: AbortSignal): Promise<void> {
    const startedAt = this.#deps.clock.now();
    const attempt = this.#deliverer.attemptOf(row);
    const first = firstStep(row, this.#deliverer.serviceNow(), this.#triedInThisRun.has(row.id));
    const last = await withDeadline(this.#deps.clock, this.#options.deliveryMs, tookTooLong, stop, (signal) =>
      this.#deliverer.execute(attempt, first, signal),
    );
    if (!stop.aborted) this.#finish(attempt, last, startedAt);
  }

  #finish(attempt: DeliveryAttempt, step: LastStep, startedAt: number): void {
    const { store, log } = this.#deps;
    const { row } = attempt;
    const facts = this.#factsOf(row);
    switch (step.do) {
      case 'done':
        // The task first: a process that is killed in between may ask twice, but loses no question.
        if (this.#isMaybeTwice(attempt, step.serviceId)) this.#askAboutTwice(row);
        store.done(row.id, step.serviceId);
        // Else the sync of the next row's try, which follows at once, covers both.
        if (this.#isProbing) store.flush();
        this.#forget(row.id);
        log.info(facts, 'reported to the service');
        this.#traceSpan(row, startedAt);
        break;
      case 'park':
        this.#park(attempt, step.reason);
        break;
      case 'again':
        this.#holds.hold(row.id, step.afterMs);
        store.failed(row.id, attempt.mark(step.error), attempt.unanswered || step.mayHaveArrived);
        break;
      case 'throttle':
        this.#deps.budget.exhausted(step.afterMs);
        store.failed(row.id, attempt.mark(step.error), attempt.unanswered);
        break;
      case 'halt':
        this.#circuit.halt(step.error);
        this.#holds.hold(row.id, null);
        this.#refusedWithKey.add(row.id);
        store.failed(row.id, attempt.mark(step.error), attempt.unanswered);
        break;
      default:
        assertNever(step);
    }
  }

  /**
   * The first create may have arrived, its key is forgotten, and the look-up by our id proves nothing at a service that assigns its own ids: the
   * payment that it created now may be the second record of one payment.
   */
  #isMaybeTwice({ row, unanswered, isSent }: DeliveryAttempt, serviceId: string | null): boolean {
    const { kind, firstUsedAt } = row;
    if (kind !== 'create' || !isSent || !unanswered || firstUsedAt === null) return false;
    return serviceId !== null && this.#deliverer.serviceNow() - firstUsedAt > KEY_TRUST_MS;
  }

  #askAboutTwice(row: OutboxRow): void {
    const { store, ids, log } = this.#deps;
    log.error(
      { ...this.#factsOf(row), code: 'MAYBE_REPORTED_TWICE' },
      'the service may hold a payment twice',
    );
    store.askAboutTwice(row.attemptId, ids.uuid());
  }

  #traceSpan({ id, attemptId, kind, tries }: OutboxRow, startedAt: number): void {
    const { spans, store, clock } = this.#deps;
    if (!spans) return;
    const of = store.tracedOf(attemptId);
    const facts = { 'tilld.tries': tries + 1 };
    const times = { startedAt, endedAt: clock.now() };
    spans.ended({
      of,
      id: spanOf(id),
      parent: requestSpanOf(of),
      kind: 'client',
      name: `report ${kind}`,
      ...times,
      facts,
    });
  }

  #factsOf({ id, attemptId, kind, operation }: OutboxRow) {
    return { row: id, ...factsOf(this.#deps.store.tracedOf(attemptId)), kind, operation };
  }

  /** A retry by a person must send the same body as before: `PLAIN_MARK` stays. */
  #park(attempt: DeliveryAttempt, reason: string): void {
    const { store, ids, log } = this.#deps;
    const { row } = attempt;
    store.park(row.id, attempt.mark(reason), ids.uuid());
    this.#forget(row.id);
    const facts = this.#factsOf(row);
    log.error({ ...facts, reason }, 'report parked, a person must look');
  }

  #mustProbe(): boolean {
    return this.#circuit.down || (!this.#askedForDate && this.#deps.serviceTime.now() === null);
  }

  /** Sends a ping, which also gives the service's clock. */
  async #probe(stop: AbortSignal): Promise<boolean> {
    const { clock, port, budget, store } = this.#deps;
    store.flush();
    this.#isProbing = true;
    const answer = await withDeadline(clock, this.#options.deliveryMs, tookTooLong, stop, (signal) =>
      settled(port.ping(signal), noAnswer, signal),
    ).finally(() => {
      this.#isProbing = false;
    });
    if (stop.aborted) return false;
    this.#askedForDate = true;
    if (answer.kind === 'rate_limited') budget.exhausted(answer.retryAfterMs);
    return this.#circuit.noteProbe(answer);
  }

  #warnOfCreates(): void {
    if (this.#options.createLocal || this.#warnedOfCreates) return;
    if (!this.#deps.store.due(1, 'create').some((row) => row.kind === 'create')) return;
    this.#warnedOfCreates = true;
    this.#deps.log.warn(
      {},
      'payments started here are not reported: creating them at the service is switched off',
    );
  }

  #forget(rowId: string): void {
    this.#holds.forget(rowId);
    this.#refusedWithKey.delete(rowId);
    this.#triedInThisRun.delete(rowId);
  }

  async #idle(ms: number, signal: AbortSignal): Promise<void> {
    const timer = this.#deps.clock.timer('outbox', Math.max(1, ms), () => this.#wakeup.notify());
    await this.#wakeup.wait(signal);
    timer.stop();
  }
}

function tookTooLong(): Error {
  return new AppError('REPORT_TIMEOUT', 'the report took too long', { retry: 'safe' });
}
