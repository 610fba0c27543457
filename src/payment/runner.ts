import { Bell } from '../base/bell.ts';
import { type Clock, sleep } from '../base/clock.ts';
import { AppError, hasCode, messageOf } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import { formatMoney } from '../base/money.ts';
import type { Outcome, TerminalSession } from '../terminal/ports.ts';
import type { TerminalSupervisor } from '../terminal/supervisor.ts';
import type { Attempt, Mark } from './attempt.ts';
import { Dialogue, type FrameLog } from './dialogue.ts';
import { NOTHING_SENT } from './intake.ts';
import type { PaymentStore } from './ports.ts';
import { Recovery, type RecoveryLimits } from './recovery.ts';
import type { PaymentService } from './service.ts';

/** Pause between two looks at a terminal that says "not now". */
const LOOK_AGAIN_MS = 1000;
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
 * - nothing is sold on a terminal that has an attempt in doubt which was not released.
 */
export class LaneRunner {
  readonly #ports: RunnerPorts;
  readonly #recovery: Recovery;
  readonly #bell = new Bell();
  readonly #stopping = new AbortController();
  #running: Attempt | null = null;
  /** The session whose money dialogue runs. */
  #paying: TerminalSession | null = null;
  /** When each waiting request was first seen, on the monotonic clock: a wall clock that is set back makes none younger. */
  readonly #seenAt = new Map<string, number>();
  readonly #givingUp = new AbortController();
  #loop: Promise<void> = Promise.resolve();

  constructor(ports: RunnerPorts) {
    this.#ports = ports;
    this.#recovery = new Recovery(ports);
  }

  /** The attempt that the terminal works on right now. */
  get running(): Attempt | null {
    return this.#running;
  }

  /** The attempt in doubt that keeps this terminal from selling. */
  get blockedBy(): Attempt | null {
    const { store, deviceId } = this.#ports;
    return (
      store.openAttempts(deviceId).find((one) => one.state.name === 'in_doubt' && one.releasedAt === null) ??
      null
    );
  }

  get waiting(): number {
    const { store, deviceId } = this.#ports;
    return store.openAttempts(deviceId).filter((one) => one.state.name === 'requested').length;
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
    this.#expireWaiting('expired', 'tilld was shut down. Nothing was charged.');
  }

  /** Passes a wish to stop on to the terminal, if it works on that attempt. */
  abort(attemptId: string): void {
    if (this.#running?.id === attemptId) this.#paying?.abort();
  }

  /** Something is new in the lane, or the terminal came back. */
  wake(): void {
    const { store, deviceId, clock } = this.#ports;
    for (const one of store.openAttempts(deviceId)) {
      if (one.state.name === 'requested' && !this.#seenAt.has(one.id))
        this.#seenAt.set(one.id, clock.monotonic());
    }
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
    const { store, deviceId } = this.#ports;
    const doubt = this.blockedBy;
    if (doubt) {
      this.#expireWaiting(
        'terminal_recovering',
        'The payment before it is not settled yet. Nothing was charged: try again shortly.',
      );
      await this.#recovery.run(doubt, signal);
      return;
    }
    const next = store.openAttempts(deviceId).find((one) => one.state.name === 'requested');
    if (!next) return this.#bell.wait(signal);
    this.#running = next;
    try {
      await this.#serve(next, signal);
    } finally {
      this.#running = null;
      this.#seenAt.delete(next.id);
    }
  }

  /** Tries until the terminal takes it or its time is over. */
  async #serve(attempt: Attempt, signal: AbortSignal): Promise<void> {
    const { clock, terminal, service, log } = this.#ports;
    let obstacle = 'the terminal was busy with another payment';
    while (!signal.aborted && this.#msLeft(attempt) > 0) {
      if (service.require(attempt.id).state.name !== 'requested') return;
      try {
        const result = await terminal.use((session) => this.#attend(attempt, session, signal));
        if (result === 'done') return;
        obstacle = result.wait;
      } catch (error) {
        obstacle = messageOf(error);
        if (service.require(attempt.id).state.name !== 'requested') return;
        log.warn({ attempt: attempt.id, error: obstacle }, 'terminal not reached, nothing was sent');
      }
      service.progress(attempt, obstacle);
      await sleep(clock, Math.max(1, Math.min(LOOK_AGAIN_MS, this.#msLeft(attempt))), signal).catch(
        () => undefined,
      );
    }
    if (!signal.aborted)
      this.#expire(attempt, 'expired', `It waited too long: ${obstacle}. Nothing was charged.`);
  }

  /** With the terminal in hand: ready, mark read, `dispatched` on disk, then the first byte. */
  async #attend(
    attempt: Attempt,
    session: TerminalSession,
    signal: AbortSignal,
  ): Promise<'done' | { readonly wait: string }> {
    const { service, terminal } = this.#ports;
    const readiness = await session.readiness(signal);
    if (readiness.kind !== 'ready') return { wait: readiness.message };
    const last = await session.lastTransaction(signal);
    const identity = terminal.identity;
    if (!identity) throw new AppError('TERMINAL_NO_ANSWER', 'the terminal was not identified');
    if (this.#msLeft(attempt) <= 0) return { wait: 'the terminal became ready too late' };
    const mark: Mark = { last, terminal: identity };
    this.#ports.frames.take();
    const dispatched = service.apply(attempt.id, { type: 'dispatch' }, { mark });
    const outcome = await this.#execute(dispatched, session);
    if (outcome.kind === 'unknown') await terminal.disconnect(outcome.code);
    return 'done';
  }

  async #execute(attempt: Attempt, session: TerminalSession): Promise<Outcome> {
    const dialogue = new Dialogue(attempt, this.#ports);
    const command = { kind: 'sale', attemptId: attempt.id, amount: attempt.amount } as const;
    this.#paying = session;
    const outcome = await session
      .execute(command, dialogue, this.#givingUp.signal)
      .catch((error): Outcome => ({ kind: 'unknown', code: 'driver_error', message: messageOf(error) }));
    this.#paying = null;
    dialogue.conclude(outcome);
    return outcome;
  }

  /** What is left of a request's time, by whichever clock says less. */
  #msLeft(attempt: Attempt): number {
    const { clock } = this.#ports;
    const seenAt = this.#seenAt.get(attempt.id) ?? clock.monotonic();
    const span = attempt.expiresAt - attempt.createdAt;
    return Math.min(attempt.expiresAt - clock.now(), span - (clock.monotonic() - seenAt));
  }

  #expireWaiting(code: string, message: string): void {
    const { store, deviceId } = this.#ports;
    for (const one of store.openAttempts(deviceId)) {
      if (one.state.name === 'requested') this.#expire(one, code, message);
    }
  }

  #expire(attempt: Attempt, code: string, message: string): void {
    const { service, log } = this.#ports;
    this.#seenAt.delete(attempt.id);
    try {
      service.apply(attempt.id, { type: 'expire' }, { reason: { code, message }, evidence: NOTHING_SENT });
    } catch (error) {
      if (!hasCode(error, 'TRANSITION_REFUSED')) throw error;
      log.debug({ attempt: attempt.id }, 'request ended by itself');
      return;
    }
    log.info({ attempt: attempt.id, code, amount: formatMoney(attempt.amount) }, 'request expired');
  }
}
