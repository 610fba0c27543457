import { Bell } from '../base/bell.ts';
import { type Clock, sleep, withDeadline } from '../base/clock.ts';
import { AppError, hasCode, messageOf } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import { formatMoney } from '../base/money.ts';
import { isSameTerminal } from '../terminal/identity.ts';
import type { Outcome, TerminalSession } from '../terminal/ports.ts';
import type { TerminalSupervisor } from '../terminal/supervisor.ts';
import type { Attempt, Mark } from './attempt.ts';
import { Dialogue, type FrameLog } from './dialogue.ts';
import type { PaymentStore } from './ports.ts';
import { Recovery, type RecoveryLimits } from './recovery.ts';
import { NOTHING_SENT, type PaymentService } from './service.ts';
import { WaitingRoom } from './waiting-room.ts';

/** Pause between two looks at a terminal that says "not now". */
const LOOK_AGAIN_MS = 1000;
/** Longest that getting ready for a sale may take: readiness and the mark. */
const PREPARE_MS = 60_000;
/** How long a running dialogue may go on once the daemon was told to stop. */
const STOP_GRACE_MS = 15_000;

export interface RunnerPorts {
  readonly deviceId: string;
  readonly terminal: TerminalSupervisor;
  readonly service: PaymentService;
  readonly store: PaymentStore;
  readonly frames: FrameLog;
  readonly clock: Clock;
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
  readonly #waitingRoom: WaitingRoom;
  readonly #bell = new Bell();
  readonly #stopping = new AbortController();
  readonly #givingUp = new AbortController();
  #running: Attempt | null = null;
  /** The session whose money dialogue runs. */
  #paying: TerminalSession | null = null;
  #loop: Promise<void> = Promise.resolve();

  constructor(ports: RunnerPorts) {
    this.#ports = ports;
    this.#recovery = new Recovery(ports);
    this.#waitingRoom = new WaitingRoom(ports.clock, ports.log, (id) => this.#tooLate(id));
  }

  /** The attempt that the terminal works on right now. */
  get running(): Attempt | null {
    return this.#running;
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
      return;
    }
    const next = this.#open().find((one) => one.state.name === 'requested');
    if (!next) return this.#bell.wait(signal);
    this.#running = next;
    try {
      await this.#serve(next, signal);
    } finally {
      this.#running = null;
    }
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
        log.warn({ attempt: attempt.id, error: obstacle }, 'terminal not reached, nothing was sent');
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
      return readiness.kind === 'ready'
        ? { readiness, last: await session.lastTransaction(within) }
        : readiness;
    });
    if (!('last' in prepared)) return { wait: prepared.message };
    const identity = terminal.identity;
    if (!identity) throw new AppError('TERMINAL_NO_ANSWER', 'the terminal was not identified');
    if (!this.#mayStillGo(attempt)) return { wait: 'the terminal became ready too late' };
    if (this.blockedBy) {
      this.#expireWaiting(RECOVERING.code, RECOVERING.message);
      return 'done';
    }
    const { terminalClock } = prepared.readiness;
    const mark: Mark = {
      last: prepared.last,
      terminal: identity,
      ...(terminalClock ? { terminalClock } : {}),
    };
    frames.take();
    const dispatched = service.apply(attempt.id, { type: 'dispatch' }, { mark });
    this.#waitingRoom.leave(attempt.id);
    await this.#execute(dispatched, session);
    if (service.require(attempt.id).state.name === 'in_doubt') await terminal.disconnect('outcome unknown');
    return 'done';
  }

  async #execute(attempt: Attempt, session: TerminalSession): Promise<void> {
    const dialogue = new Dialogue(attempt, { ...this.#ports, fatal: (error) => this.#die(error) });
    const command = { kind: 'sale', attemptId: attempt.id, amount: attempt.amount } as const;
    this.#paying = session;
    const outcome = await session
      .execute(command, dialogue, this.#givingUp.signal)
      .catch((error): Outcome => ({ kind: 'unknown', code: 'driver_error', message: messageOf(error) }));
    this.#paying = null;
    dialogue.conclude(outcome);
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
      log.error({ attempt: one.id, state: one.state.name }, 'attempt without a dialogue');
      const reason = {
        code: 'driver_error',
        message: 'The dialogue with the terminal ended without a word.',
      };
      service.apply(one.id, { type: 'lost' }, { reason });
    }
  }

  #concerns(doubt: Attempt): boolean {
    if (doubt.deviceId === this.#ports.deviceId) return true;
    const here = this.#ports.terminal.identity;
    const there = doubt.mark?.terminal;
    return here !== null && there !== undefined && there.grade !== 'port' && isSameTerminal(there, here);
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
      log.info({ attempt: attempt.id, code, amount: formatMoney(attempt.amount) }, 'request expired');
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
