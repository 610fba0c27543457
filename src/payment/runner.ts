import { Bell } from '../base/bell.ts';
import { type Clock, sleep, withDeadline } from '../base/clock.ts';
import { AppError, hasCode, messageOf } from '../base/errors.ts';
import type { Ids } from '../base/ids.ts';
import type { Log } from '../base/log.ts';
import { type Currency, formatMoney } from '../base/money.ts';
import { factsOf } from '../base/trace.ts';
import type { Device } from '../terminal/device.ts';
import { isSameTerminal } from '../terminal/identity.ts';
import type { TerminalJournal, TerminalSession } from '../terminal/ports.ts';
import type { TerminalSupervisor } from '../terminal/supervisor.ts';
import type { Attempt, Mark } from './attempt.ts';
import { Custodian } from './custodian.ts';
import type { FrameLog } from './dialogue.ts';
import { EndOfDay } from './end-of-day.ts';
import { isFinal } from './machine.ts';
import { lostMemoryWords, type Memory } from './memory.ts';
import { runMoneyDialogue } from './money-dialogue.ts';
import type { IdentityStore, PaymentStore } from './ports.ts';
import { Recovery, type RecoveryLimits } from './recovery.ts';
import type { Returns } from './returns.ts';
import type { Room } from './room.ts';
import { NOTHING_SENT, type PaymentService } from './service.ts';
import { nextTicket } from './ticket.ts';
import { WaitingRoom } from './waiting-room.ts';

/** Pause between two looks at a terminal that says "not now". */
const LOOK_AGAIN_MS = 1000;
/** Longest that getting ready for a sale may take: readiness and the mark. */
const PREPARE_MS = 60_000;
/** How long a running dialogue may go on once the daemon was told to stop. */
const STOP_GRACE_MS = 15_000;

export interface RunnerPorts {
  readonly deviceId: string;
  readonly currency: Currency;
  readonly device: Device;
  readonly memory: Memory;
  /** Nothing is dispatched without room for all that follows. */
  readonly room: Room;
  readonly terminal: TerminalSupervisor;
  readonly service: PaymentService;
  readonly store: PaymentStore;
  /** What was learned of the terminal of each device. */
  readonly terminals: IdentityStore;
  readonly returns: Returns;
  /** One sale, one charge: checked again with the terminal in hand. @throws what the guard throws */
  readonly guardAgain: (attempt: Attempt) => void;
  readonly frames: FrameLog;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly recovery: RecoveryLimits;
  /** The disk refused an outcome: nothing may be answered, the process must end. */
  readonly fatal: (error: unknown) => void;
}

/**
 * Works off the lane of one terminal: recovery first, then the oldest waiting request.
 *
 * INVARIANTS:
 * - one attempt past `requested` at a time;
 * - no byte of a money command before its `dispatched` row is on disk;
 * - nothing is sold on a terminal that has an attempt in doubt which was not released, whatever device it was made on.
 */
export class LaneRunner {
  readonly #ports: RunnerPorts;
  readonly #recovery: Recovery;
  readonly #endOfDay: EndOfDay;
  readonly #custodian: Custodian;
  readonly #waitingRoom: WaitingRoom;
  readonly #bell = new Bell();
  readonly #stopping = new AbortController();
  readonly #givingUp = new AbortController();
  #running: Attempt | null = null;
  /** The session whose money dialogue runs. */
  #paying: TerminalSession | null = null;
  #loop: Promise<void> = Promise.resolve();
  #closing = false;
  #hasLooked = false;

  constructor(ports: RunnerPorts) {
    this.#ports = ports;
    this.#hasLooked = ports.memory.lost && ports.store.wasMemoryShown(ports.deviceId);
    this.#recovery = new Recovery(ports);
    this.#endOfDay = new EndOfDay({
      ...ports,
      doubt: () => this.doubt,
      look: (last) => void this.#custodian.look(last),
    });
    this.#custodian = new Custodian({
      ...ports,
      closedWithoutUs: () => this.#endOfDay.noticed(),
      expireWaiting: (code, message) => this.#expireWaiting(code, message),
    });
    this.#waitingRoom = new WaitingRoom(ports.clock, ports.log, (id) => this.#tooLate(id));
  }

  /** The attempt that the terminal works on right now. */
  get running(): Attempt | null {
    return this.#running;
  }

  /** The terminal's last transaction was read since the start, and shown where our memory is lost. */
  get hasLooked(): boolean {
    return this.#hasLooked;
  }

  /** The terminal is closing its day right now. */
  get closing(): boolean {
    return this.#closing;
  }

  /** The attempt in doubt that keeps this terminal from selling. */
  get blockedBy(): Attempt | null {
    const doubts = this.#ports.store.openAttempts().filter(isBlocking);
    return doubts.find((one) => this.#concerns(one)) ?? null;
  }

  get waiting(): number {
    return this.#open().filter((one) => one.state.name === 'requested').length;
  }

  start(): void {
    this.#loop = this.#run();
  }

  /** Lets the running dialogue come to its end for `STOP_GRACE_MS`, then leaves it in doubt; what has not been sent is cancelled. */
  async stop(): Promise<void> {
    const goingDown = new AppError('SHUTTING_DOWN', 'tilld is shutting down', {
      retry: 'after_recovery',
      moneyMoved: 'unknown',
    });
    this.#stopping.abort(goingDown);
    const grace = this.#ports.clock.timer('stop-grace', STOP_GRACE_MS, () => this.#givingUp.abort(goingDown));
    await this.#loop;
    grace.stop();
    this.#expireWaiting('expired', 'tilld was shut down before it reached the terminal.');
    this.#waitingRoom.close();
  }

  /** Passes a wish to stop on to the terminal, if it works on that attempt. */
  abort(attemptId: string): void {
    if (this.#running?.id === attemptId) this.#paying?.abort();
  }

  /** Something is new in the lane, or the terminal came back. */
  wake(): void {
    for (const one of this.#open()) if (one.state.name === 'requested') this.#waitingRoom.enter(one);
    this.#bell.ring();
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        await this.#next(signal);
      } catch (error) {
        if (signal.aborted) return;
        this.#ports.log.error({ error: messageOf(error) }, 'lane failed');
        await sleep(this.#ports.clock, LOOK_AGAIN_MS, signal).catch(() => undefined);
      }
    }
  }

  async #next(signal: AbortSignal): Promise<void> {
    this.#doubtWhatNobodyRuns();
    const doubt = this.blockedBy;
    if (doubt) {
      this.#expireWaiting(RECOVERING.code, RECOVERING.message);
      await this.#recovery.run(doubt, signal);
      if (isFinal(this.#ports.service.require(doubt.id).state)) this.#custodian.noteNumbering(doubt.id);
      return;
    }
    if (this.#ports.memory.lost && !this.#hasLooked) await this.#showLast(signal);
    const next = this.#nextWaiting();
    if (next) return this.#attendTo(next, signal);
    const [close] = this.#ports.store.openSettlements(this.#ports.deviceId);
    if (!close) return this.#bell.wait(signal);
    this.#closing = true;
    try {
      await this.#endOfDay.run(close, signal);
    } finally {
      this.#closing = false;
    }
  }

  /** Our memory is lost: what the terminal shows is read and shown before the first sale. */
  async #showLast(signal: AbortSignal): Promise<void> {
    const { terminal, clock, service, device, log } = this.#ports;
    while (!signal.aborted && !this.#hasLooked) {
      try {
        const last = await terminal.use((session) =>
          withDeadline(clock, PREPARE_MS, tooSlow, signal, (within) => session.lastTransaction(within)),
        );
        service.ask('memory_lost', { deviceId: device.id }, lostMemoryWords(device, last));
        this.#hasLooked = true;
      } catch (error) {
        log.debug({ error: messageOf(error) }, 'terminal cannot be read yet');
        await sleep(clock, LOOK_AGAIN_MS, signal).catch(() => undefined);
      }
    }
  }

  async #attendTo(next: Attempt, signal: AbortSignal): Promise<void> {
    this.#running = next;
    try {
      await this.#serve(next, signal);
    } finally {
      this.#running = null;
    }
  }

  /** What is to be undone goes first: the longer it waits, the less it can be undone. */
  #nextWaiting(): Attempt | undefined {
    const waiting = this.#open().filter((one) => one.state.name === 'requested');
    return waiting.find((one) => one.type === 'void') ?? waiting[0];
  }

  /** Tries until the terminal takes it or its time is over. */
  async #serve(attempt: Attempt, signal: AbortSignal): Promise<void> {
    const { clock, terminal, service, log } = this.#ports;
    while (!signal.aborted && this.#mayStillGo(attempt)) {
      let obstacle: string;
      try {
        const result = await terminal.use((session) => this.#attend(attempt, session, signal));
        if (result === 'done') return;
        obstacle = result.wait;
      } catch (error) {
        obstacle = messageOf(error);
        if (!this.#mayStillGo(attempt)) break;
        log.warn({ ...factsOf(attempt), error: obstacle }, 'terminal not reached, nothing was sent');
      }
      service.progress(attempt, obstacle);
      const pause = Math.min(LOOK_AGAIN_MS, this.#waitingRoom.msLeft(attempt));
      await sleep(clock, Math.max(1, pause), signal).catch(() => undefined);
    }
    if (!signal.aborted) this.#tooLate(attempt.id);
  }

  /** With the terminal in hand: ready, mark read, `dispatched` on disk, then the first byte. */
  async #attend(
    attempt: Attempt,
    session: TerminalSession,
    signal: AbortSignal,
  ): Promise<'done' | { readonly wait: string }> {
    const { service, terminal, clock, frames } = this.#ports;
    const prepared = await withDeadline(clock, PREPARE_MS, tooSlow, signal, async (within) => {
      const readiness = await session.readiness(within);
      if (readiness.kind !== 'ready') return readiness;
      const last = await session.lastTransaction(within);
      const { totalsWithoutPaper } = session.capabilities;
      return { readiness, last, totals: totalsWithoutPaper ? await session.totals(within) : null };
    });
    if (!('last' in prepared)) return { wait: prepared.message };
    const identity = terminal.identity;
    if (!identity) throw new AppError('TERMINAL_NO_ANSWER', 'the terminal was not identified');
    if (!this.#mayStillGo(attempt)) return { wait: 'the terminal became ready too late' };
    if (this.blockedBy) {
      this.#expireWaiting(RECOVERING.code, RECOVERING.message);
      return 'done';
    }
    const custody = this.#custodian.look(prepared.last);
    if (!this.#mayStillGo(attempt)) return 'done';
    if (custody.kind === 'too_early') return { wait: 'the terminal does not show its last payment yet' };
    const facts = this.#ports.terminals.factsOf(attempt.deviceId);
    const canVoid = facts.voidWithdrawn ? 'none' : session.capabilities.void;
    const { last, totals, readiness } = prepared;
    try {
      const at = { terminal: identity, last, custody, void: canVoid, now: clock.now() };
      this.#ports.returns.admit(attempt, at);
      this.#ports.guardAgain(attempt);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      this.#expire(attempt, error.code.toLowerCase(), error.message);
      return 'done';
    }
    const { terminalClock } = readiness;
    const mark: Mark = {
      last,
      terminal: identity,
      batch: facts.batch,
      day: facts.day,
      ...this.#custodian.counting(last, facts.day),
      ...(terminalClock ? { terminalClock } : {}),
      ...(totals ? { totals } : {}),
    };
    const lack = this.#ports.room.lack();
    if (lack) return { wait: lack.message };
    frames.take();
    const decidedAt = clock.monotonic();
    const shown = last.kind === 'found' ? last.report.reference : null;
    const ticket = nextTicket([this.#ports.store.lastTicket(), shown], clock.now());
    const dispatched = service.apply(attempt.id, { type: 'dispatch' }, { mark, ticket });
    this.#waitingRoom.leave(attempt.id);
    await this.#execute(dispatched, session, decidedAt);
    this.#custodian.dialogueEnded();
    this.#custodian.noteNumbering(attempt.id);
    if (service.require(attempt.id).state.name === 'in_doubt') await terminal.disconnect('outcome unknown');
    return 'done';
  }

  /** An attempt in doubt on this terminal, whatever device it was made on; a released one counts as well. */
  get doubt(): Attempt | null {
    const doubts = this.#ports.store.openAttempts().filter(({ state }) => state.name === 'in_doubt');
    return doubts.find((one) => this.#concerns(one)) ?? null;
  }

  /** Reads the terminal's journal for {@link BackOffice.reconcile}; the lane does nothing else meanwhile. */
  readJournal(signal: AbortSignal): Promise<TerminalJournal> {
    const { terminal, clock } = this.#ports;
    return terminal.use((session) =>
      withDeadline(clock, PREPARE_MS, tooSlow, signal, async (within) => {
        const journal = await session.journal(within);
        const last = journal.lines.at(-1);
        if (last && !this.blockedBy) this.#custodian.look({ kind: 'found', report: last });
        return journal;
      }),
    );
  }

  async #execute(attempt: Attempt, session: TerminalSession, decidedAt: number): Promise<void> {
    const ports = { ...this.#ports, fatal: (error: unknown) => this.#die(error) };
    this.#paying = session;
    try {
      await runMoneyDialogue(attempt, session, ports, decidedAt, this.#givingUp.signal);
    } finally {
      this.#paying = null;
    }
  }

  /** What is on disk counts from now on: this lane does nothing more, and the process ends. */
  #die(error: unknown): void {
    this.#stopping.abort(new AppError('SHUTTING_DOWN', 'an outcome could not be stored'));
    this.#ports.fatal(error);
  }

  /** Still requested, and its time is not over. */
  #mayStillGo(attempt: Attempt): boolean {
    const { state } = this.#ports.service.require(attempt.id);
    return state.name === 'requested' && this.#waitingRoom.msLeft(attempt) > 0;
  }

  /** An attempt that is past `requested` while nothing runs has lost its dialogue, however that came. */
  #doubtWhatNobodyRuns(): void {
    const { service, log } = this.#ports;
    for (const one of this.#open()) {
      if (one.state.name === 'requested' || one.state.name === 'in_doubt') continue;
      log.error({ ...factsOf(one), state: one.state.name }, 'attempt without a dialogue');
      const reason = {
        code: 'driver_error',
        message: 'The dialogue with the terminal ended without a word.',
      };
      service.apply(one.id, { type: 'lost' }, { reason });
    }
  }

  /** Whether the attempt is on the terminal that serves here; on one that was exchanged it stays with a person and blocks nobody. */
  #concerns(doubt: Attempt): boolean {
    const here = this.#ports.terminal.identity;
    const there = doubt.mark?.terminal;
    const isHere = doubt.deviceId === this.#ports.deviceId;
    if (here === null || there === undefined || there.grade === 'port') return isHere;
    return isSameTerminal(there, here);
  }

  #open(): readonly Attempt[] {
    const { store, deviceId } = this.#ports;
    return store.openAttempts(deviceId);
  }

  #tooLate(id: string): void {
    const attempt = this.#ports.service.require(id);
    if (attempt.state.name !== 'requested') {
      this.#waitingRoom.leave(id);
      return;
    }
    const { progress } = this.#ports.service.view(attempt);
    const why =
      this.#running?.id === id ? (progress ?? 'the terminal was not ready') : 'the terminal was busy';
    this.#expire(attempt, 'expired', `It waited too long: ${sentence(why)}`);
  }

  #expireWaiting(code: string, message: string): void {
    for (const one of this.#open()) if (one.state.name === 'requested') this.#expire(one, code, message);
  }

  #expire(attempt: Attempt, code: string, message: string): void {
    const { service, log } = this.#ports;
    try {
      service.apply(attempt.id, { type: 'expire' }, { reason: { code, message }, evidence: NOTHING_SENT });
      this.#waitingRoom.leave(attempt.id);
      log.info({ ...factsOf(attempt), code, amount: formatMoney(attempt.amount) }, 'request expired');
    } catch (error) {
      if (!hasCode(error, 'TRANSITION_REFUSED')) throw error;
      log.debug({ attempt: attempt.id }, 'request ended by itself');
    }
  }
}

const RECOVERING = {
  code: 'terminal_recovering',
  message: 'The payment before it is not settled yet. Try again shortly.',
} as const;

function isBlocking(attempt: Attempt): boolean {
  return attempt.state.name === 'in_doubt' && attempt.releasedAt === null;
}

function tooSlow(): AppError {
  return new AppError('TERMINAL_NO_ANSWER', 'the terminal takes too long to answer', { retry: 'safe' });
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
