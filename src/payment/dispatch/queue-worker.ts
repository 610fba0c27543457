import { type Clock, sleep, type Timer, withDeadline } from '../../base/clock.ts';
import { AppError, messageOf } from '../../base/errors.ts';
import type { Ids } from '../../base/ids.ts';
import type { Log } from '../../base/log.ts';
import type { Currency } from '../../base/money.ts';
import { factsOf } from '../../base/trace.ts';
import { Wakeup } from '../../base/wakeup.ts';
import type { Device } from '../../terminal/device.ts';
import type { LastTransaction, Reprint, TerminalJournal } from '../../terminal/ports.ts';
import type { TerminalSupervisor } from '../../terminal/supervisor.ts';
import type { Attempt } from '../attempt/attempt.ts';
import { isFinal } from '../attempt/state-machine.ts';
import { EndOfDay } from '../batch/end-of-day.ts';
import type { DiskSpace } from '../guards/disk-space.ts';
import type { PaymentWriter } from '../payment-writer.ts';
import type { IdentityStore, PaymentStore } from '../ports.ts';
import { ContinuityTracker } from '../recovery/continuity-tracker.ts';
import { Recovery, type RecoveryLimits } from '../recovery/recovery.ts';
import { type DatabaseAge, restoredDatabaseWords, unwitnessedWords } from '../recovery/restored-database.ts';
import { terminalReplaced } from '../recovery/same-terminal.ts';
import type { ServiceWitness } from '../recovery/service-witness.ts';
import type { RefundsAndVoids } from '../refunds/refunds-and-voids.ts';
import type { FrameLog } from './dialogue.ts';
import { Dispatcher, PREPARE_MS, tooSlow } from './dispatcher.ts';
import { PREVIOUS_WAS_CHARGED, RECOVERING, TerminalQueue } from './terminal-queue.ts';
import { type TerminalState, WITNESS_MS } from './terminal-state.ts';

/** Pause between two tries at a terminal that is not ready. */
const LOOK_AGAIN_MS = 1000;
/** A terminal that cannot be read for this long after a database restore no longer keeps the others from selling: a person checks its receipts. */
const UNREAD_MS = 60_000;
const UNREAD = { kind: 'unreadable', detail: 'it does not answer' } as const;
/** Time limit of repeating a receipt: less than a payment behind it waits for its terminal. */
const REPRINT_MS = 30_000;
/** How long a running dialogue may go on once the daemon was told to stop. */
const STOP_GRACE_MS = 15_000;

export interface QueueWorkerDeps {
  readonly deviceId: string;
  readonly currency: Currency;
  readonly device: Device;
  readonly databaseAge: DatabaseAge;
  /** Nothing is dispatched without disk space for all that follows. */
  readonly disk: DiskSpace;
  readonly terminal: TerminalSupervisor;
  readonly writer: PaymentWriter;
  readonly store: PaymentStore;
  /** The stored facts of each device's terminal. */
  readonly terminals: IdentityStore;
  readonly refundsAndVoids: RefundsAndVoids;
  /** One sale, one charge: checked again with the terminal in hand. @throws what the guard throws */
  readonly guardAgain: (attempt: Attempt) => void;
  /** Asks the service for its record of the sale's invoice, within a second. Never throws. */
  readonly askInvoice: (attempt: Attempt) => Promise<void>;
  /** The service has still to confirm the sale's invoice. */
  readonly isInvoiceUnasked: (attempt: Attempt) => boolean;
  readonly state: TerminalState;
  readonly witness: ServiceWitness;
  readonly frames: FrameLog;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly recovery: RecoveryLimits;
  /** The disk refused an outcome: nothing may be answered, the process must end. */
  readonly fatal: (error: unknown) => void;
}

/**
 * Works off the queue of one terminal: recovery first, then a waiting void, then the oldest waiting request.
 *
 * INVARIANTS:
 * - one attempt past `requested` at a time;
 * - nothing is sold on a terminal that has an attempt in doubt which was not released, whatever device it was made on.
 */
export class QueueWorker {
  readonly #deps: QueueWorkerDeps;
  readonly #recovery: Recovery;
  readonly #endOfDay: EndOfDay;
  readonly #continuity: ContinuityTracker;
  readonly #queue: TerminalQueue;
  readonly #dispatcher: Dispatcher;
  readonly #wakeup = new Wakeup();
  readonly #stopping = new AbortController();
  readonly #givingUp = new AbortController();
  #loop: Promise<void> = Promise.resolve();
  /** It was read once after the reboot of the machine. */
  #hasRead = false;
  #witnessTimer: Timer | null = null;
  #unread: { readonly since: number; readonly timer: Timer } | null = null;

  constructor(deps: QueueWorkerDeps) {
    this.#deps = deps;
    const { state } = deps;
    this.#queue = new TerminalQueue(deps);
    this.#recovery = new Recovery({
      ...deps,
      refuses: (attempt, report) => this.#continuity.refuses(attempt, report),
    });
    this.#endOfDay = new EndOfDay({
      ...deps,
      doubt: () => state.doubt,
      look: (last) => void this.#continuity.look(last),
    });
    this.#continuity = new ContinuityTracker({
      ...deps,
      closedWithoutUs: () => this.#endOfDay.noticed(),
      expireWaiting: () => this.#queue.expireAll(PREVIOUS_WAS_CHARGED),
    });
    this.#dispatcher = new Dispatcher({
      ...deps,
      queue: this.#queue,
      continuity: this.#continuity,
      isBlocked: () => state.blockedBy !== null,
      disbelief: (attempt, report) => this.#continuity.disbelief(attempt, report),
      givingUp: this.#givingUp.signal,
      fatal: (error) => this.#die(error),
    });
  }

  start(): void {
    this.#armUnread();
    this.#deps.state.started();
    this.#witnessTimer = this.#deps.clock.timer('witness', WITNESS_MS, () => {
      this.#witnessTimer = this.#deps.clock.timer('unread after start', UNREAD_MS - WITNESS_MS, () =>
        this.#askUntilStored(
          () => this.#askAfterStart(),
          (timer) => {
            this.#witnessTimer = timer;
          },
        ),
      );
      this.#wakeup.notify();
    });
    this.#loop = this.#run();
  }

  /** Lets the running dialogue end within `STOP_GRACE_MS`, then leaves it in doubt; unsent requests are cancelled. */
  async stop(): Promise<void> {
    const goingDown = new AppError('SHUTTING_DOWN', 'tilld is shutting down', {
      retry: 'after_recovery',
      moneyMoved: 'unknown',
    });
    this.#stopping.abort(goingDown);
    this.#unread?.timer.stop();
    this.#witnessTimer?.stop();
    const grace = this.#deps.clock.timer('stop-grace', STOP_GRACE_MS, () => this.#givingUp.abort(goingDown));
    await this.#loop;
    grace.stop();
    this.#queue.expireAll({
      code: 'expired',
      message: 'tilld was shut down before it reached the terminal.',
    });
    this.#queue.close();
  }

  /** Passes a cancel on to the terminal, if it works on that attempt. */
  abort(attemptId: string): void {
    if (this.#deps.state.running?.id === attemptId) this.#dispatcher.abort();
  }

  /** There is a new request in the queue, or the terminal came back. */
  wake(): void {
    this.#armUnread();
    this.#queue.admit();
    this.#wakeup.notify();
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        await this.#next(signal);
      } catch (error) {
        if (signal.aborted) return;
        this.#deps.log.error({ error: messageOf(error) }, 'queue failed');
        await sleep(this.#deps.clock, LOOK_AGAIN_MS, signal).catch(() => undefined);
      }
    }
  }

  async #next(signal: AbortSignal): Promise<void> {
    const { state, databaseAge } = this.#deps;
    this.#doubtWithoutDialogue();
    this.#leaveToPerson();
    this.#takeBack();
    const doubt = state.blockedBy;
    if (doubt) {
      this.#queue.expireAll(RECOVERING);
      await this.#recovery.run(doubt, signal);
      if (isFinal(this.#deps.writer.require(doubt.id).state)) this.#continuity.noteNumbering(doubt.id);
      return;
    }
    if (databaseAge.lost && !state.hasLooked) await this.#showLast(signal);
    const next = this.#queue.next();
    if (next) return state.serving(next, () => this.#serve(next, signal));
    const [close] = this.#deps.store.openSettlements(this.#deps.deviceId);
    if (!close) return this.#mayRead() ? this.#readAfterStart(signal) : this.#wakeup.wait(signal);
    return state.closingDay(() => this.#endOfDay.run(close, signal));
  }

  /** The database is restored: the terminal's last transaction is read and shown before the first sale. */
  async #showLast(signal: AbortSignal): Promise<void> {
    const { terminal, clock, log, databaseAge, state } = this.#deps;
    while (!signal.aborted && !state.hasLooked) {
      const { since } = databaseAge;
      try {
        const last = await terminal.use((session) =>
          withDeadline(clock, PREPARE_MS, tooSlow, signal, (within) => session.lastTransaction(within)),
        );
        this.#show(last);
        state.shown(since);
      } catch (error) {
        log.debug({ error: messageOf(error) }, 'terminal cannot be read yet');
        await sleep(clock, LOOK_AGAIN_MS, signal).catch(() => undefined);
      }
    }
  }

  /** The service has been asked by now whether the database is the newest, or could not be. */
  #mayRead(): boolean {
    const { terminal, state } = this.#deps;
    return terminal.reach.kind === 'up' && !this.#hasRead && state.isToRead && state.isWitnessOver;
  }

  /**
   * The disk of a rebooted machine may be an older image: what this terminal took since must be known before another terminal sells the same
   * basket again.
   */
  async #readAfterStart(signal: AbortSignal): Promise<void> {
    const { terminal, clock, log, state } = this.#deps;
    this.#hasRead = true;
    try {
      const last = await terminal.use((session) =>
        withDeadline(clock, PREPARE_MS, tooSlow, signal, (within) => session.lastTransaction(within)),
      );
      if (!state.blockedBy) this.#continuity.look(last);
    } catch (error) {
      log.debug({ error: messageOf(error) }, 'terminal cannot be read after the start of the machine');
    }
  }

  /** Asks a person with what the terminal shows; the question that was asked without reading is finished. */
  #show(last: LastTransaction): void {
    const { writer, store, device, clock } = this.#deps;
    store.transaction(() => {
      const [unread] = store.openTasksOfDevice(device.id).filter(({ kind }) => kind === 'memory_lost');
      if (unread && !store.wasDatabaseCompared(device.id))
        store.finishTask(unread.id, { by: 'tilld', note: 'The terminal was read.', at: clock.now() });
      writer.ask('memory_lost', { deviceId: device.id }, restoredDatabaseWords(device, last));
    });
  }

  /** After a minute a person is asked, also where a doubt keeps the queue from reading the terminal. */
  #armUnread(): void {
    const { databaseAge, clock, state } = this.#deps;
    const { since } = databaseAge;
    if (!databaseAge.lost || state.wasAsked || this.#unread?.since === since) return;
    this.#unread?.timer.stop();
    const keep = (timer: Timer) => {
      this.#unread = { since, timer };
    };
    keep(
      clock.timer('unread terminal', UNREAD_MS, () =>
        this.#askUntilStored(() => this.#askUnread(since), keep),
      ),
    );
  }

  /** A question that the disk refuses is asked again: it must not end the process while a customer may be paying. */
  #askUntilStored(ask: () => void, keep: (timer: Timer) => void): void {
    const { clock, log } = this.#deps;
    try {
      ask();
    } catch (error) {
      log.error({ error: messageOf(error) }, 'a person could not be asked yet');
      keep(clock.timer('ask again', LOOK_AGAIN_MS, () => this.#askUntilStored(ask, keep)));
    }
  }

  /** The terminal could not be read since the reboot, and no longer keeps the others from selling: a person checks its receipts. */
  #askAfterStart(): void {
    const { writer, device, state } = this.#deps;
    if (this.#stopping.signal.aborted || !state.isUnread) return;
    writer.ask('memory_lost', { deviceId: device.id }, unwitnessedWords(device, UNREAD));
    state.askedAfterStart();
  }

  /** Another terminal may sell what was paid here: a person checks the receipts. */
  #askUnread(since: number): void {
    const { writer, store, device, databaseAge, state } = this.#deps;
    if (this.#stopping.signal.aborted || databaseAge.since !== since || state.wasAsked) return;
    store.transaction(() => {
      writer.ask('memory_lost', { deviceId: device.id }, restoredDatabaseWords(device, UNREAD));
      store.noteComparisonUnread(device.id);
    });
    state.askedUnread(since);
  }

  /** Tries until the terminal takes it or its time is over. */
  async #serve(attempt: Attempt, signal: AbortSignal): Promise<void> {
    const { clock, terminal, writer, log } = this.#deps;
    while (!signal.aborted && this.#queue.mayStillGo(attempt)) {
      let obstacle: string;
      try {
        const result = await terminal.use((session) => this.#dispatcher.attend(attempt, session, signal));
        if (result === 'done') return;
        obstacle = result.wait;
      } catch (error) {
        obstacle = messageOf(error);
        if (!this.#queue.mayStillGo(attempt)) break;
        log.warn({ ...factsOf(attempt), error: obstacle }, 'terminal not reached, nothing was sent');
      }
      writer.progress(attempt, obstacle);
      const pause = Math.min(LOOK_AGAIN_MS, this.#queue.msLeft(attempt));
      await sleep(clock, Math.max(1, pause), signal).catch(() => undefined);
    }
    if (!signal.aborted) this.#queue.tooLate(attempt.id);
  }

  /** Reads the terminal's journal for {@link TerminalOperations.reconcile}; the queue does nothing else meanwhile. */
  readJournal(signal: AbortSignal): Promise<TerminalJournal> {
    const { terminal, clock, state } = this.#deps;
    return terminal.use((session) =>
      withDeadline(clock, PREPARE_MS, tooSlow, signal, async (within) => {
        const journal = await session.journal(within);
        const last = journal.lines.at(-1);
        if (last && !state.blockedBy) this.#continuity.look({ kind: 'found', report: last });
        return journal;
      }),
    );
  }

  /**
   * Has the terminal repeat its last receipt for {@link TerminalOperations.reprint}; null: nothing was sent, because a payment, a close or
   * recovery came first. It is looked at once more with the terminal in hand, and a payment that comes now waits until the receipt is out.
   */
  reprint(signal: AbortSignal): Promise<Reprint | null> {
    const { terminal, clock, state } = this.#deps;
    return terminal.use((session) =>
      withDeadline(clock, REPRINT_MS, tooSlow, signal, async (within) => {
        if (state.isTaken || !session.reprint) return null;
        const readiness = await session.readiness(within);
        if (readiness.kind === 'wait') return { kind: 'refused', message: readiness.message };
        return session.reprint(within);
      }),
    );
  }

  /** Only what is on disk counts from now on: this queue stops, and the process ends. */
  #die(error: unknown): void {
    this.#stopping.abort(new AppError('SHUTTING_DOWN', 'an outcome could not be stored'));
    this.#deps.fatal(error);
  }

  /** An attempt past `requested` without a running dialogue has lost its dialogue, for any reason. */
  #doubtWithoutDialogue(): void {
    const { writer, log } = this.#deps;
    for (const one of this.#queue.open()) {
      if (one.state.name === 'requested' || one.state.name === 'in_doubt') continue;
      log.error({ ...factsOf(one), state: one.state.name }, 'attempt without a dialogue');
      const reason = {
        code: 'driver_error',
        message: 'The dialogue with the terminal ended without a word.',
      };
      writer.apply(one.id, { type: 'lost' }, { reason });
    }
  }

  /** A doubt on a terminal that no longer serves this device stays with a person: no other terminal can answer it. */
  #leaveToPerson(): void {
    const { writer, clock } = this.#deps;
    for (const one of this.#queue.open()) {
      if (!isBlocking(one) || this.#deps.state.concerns(one)) continue;
      const reason = { code: 'terminal_replaced', message: terminalReplaced(one) };
      writer.note(one.id, 'terminal_replaced', { releasedAt: clock.now(), needsPerson: true, reason });
      writer.ask('terminal_replaced', { attemptId: one.id });
    }
  }

  /** The terminal that got their command serves this device again: recovery asks it before it takes a new payment. */
  #takeBack(): void {
    const { writer, terminal, log } = this.#deps;
    if (terminal.identity === null) return;
    for (const one of this.#deps.store.openAttempts()) {
      if (!isReplaced(one) || !this.#deps.state.concerns(one)) continue;
      writer.note(one.id, 'terminal_returned', { releasedAt: null });
      log.warn(factsOf(one), 'the terminal of an unknown outcome is back');
    }
  }
}

function isBlocking(attempt: Attempt): boolean {
  return attempt.state.name === 'in_doubt' && attempt.releasedAt === null;
}

/** It was left to a person because another terminal was connected in its place. */
function isReplaced({ state, releasedAt, reason }: Attempt): boolean {
  return state.name === 'in_doubt' && releasedAt !== null && reason?.code === 'terminal_replaced';
}
