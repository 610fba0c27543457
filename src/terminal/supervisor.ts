import { type Clock, type Timer, withDeadline } from '../base/clock.ts';
import { AppError, hasCode, messageOf } from '../base/errors.ts';
import type { Ids } from '../base/ids.ts';
import type { Log } from '../base/log.ts';
import { SerialQueue } from '../base/serial-queue.ts';
import type { Device } from './device.ts';
import { isSameTerminal, isStronger, nameOf } from './identity.ts';
import type { Link, LinkLoss, OpenLink } from './link.ts';
import type { Capabilities, TerminalDriver, TerminalIdentity, TerminalSession, Transcript } from './ports.ts';
import type { TerminalRoster } from './roster.ts';

/** Longest that opening, registering and identifying may take together. */
const CONNECT_MS = 20_000;
/** Longest that closing may take. */
const CLOSE_MS = 2000;
const RETRY_MIN_MS = 250;
const RETRY_MAX_MS = 10_000;
/** A terminal that hangs up this soon when idle is one that wants a connection per operation. */
const IDLE_CLOSE_MS = 10_000;

export interface SupervisorPorts {
  readonly device: Device;
  readonly driver: TerminalDriver;
  readonly capabilities: Capabilities;
  readonly driverOptions: unknown;
  readonly openLink: OpenLink;
  readonly transcript: Transcript;
  readonly heartbeatMs: number;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  /** The terminal that is known to serve this device; remembered when it is first seen. */
  readonly identities: { get(): TerminalIdentity | null; remember(identity: TerminalIdentity): void };
  /** Shared by all terminals of the shop. */
  readonly roster: TerminalRoster;
  /** Called whenever the terminal becomes reachable or stops being so. */
  readonly onChange: () => void;
}

/** How the terminal stands, payments aside. */
export type Reach =
  | { readonly kind: 'up' }
  | { readonly kind: 'down'; readonly reason: string }
  | { readonly kind: 'wrong_terminal'; readonly reason: string };

interface Session {
  readonly link: Link;
  readonly session: TerminalSession;
  readonly openedAt: number;
}

/**
 * Keeps one terminal reachable: connects, proves who is there, notices when it goes, comes back with growing pauses.
 * Trades a heartbeat every few seconds for knowing within seconds that a cable was pulled.
 *
 * INVARIANTS:
 * - one task talks to the terminal at a time (`use`), heartbeats included;
 * - a terminal that is not the remembered one never gets a task;
 * - an orderly close while idle is not a fault.
 */
export class TerminalSupervisor {
  readonly #ports: SupervisorPorts;
  readonly #queue = new SerialQueue();
  readonly #stopping = new AbortController();
  #session: Session | null = null;
  #reach: Reach = { kind: 'down', reason: 'connecting for the first time' };
  #identity: TerminalIdentity | null = null;
  #lastSeenAt: number | null = null;
  #failures = 0;
  #hangsUpWhenIdle = false;
  #timer: Timer | null = null;

  constructor(ports: SupervisorPorts) {
    this.#ports = ports;
  }

  get reach(): Reach {
    return this.#reach;
  }

  get identity(): TerminalIdentity | null {
    return this.#identity ?? this.#ports.identities.get();
  }

  get capabilities(): Capabilities {
    return this.#session?.session.capabilities ?? this.#ports.capabilities;
  }

  get lastSeenAt(): number | null {
    return this.#lastSeenAt;
  }

  /** Connects in the background. */
  start(): void {
    this.#plan(0);
  }

  /** Ends the conversation; a running task is aborted. */
  async stop(): Promise<void> {
    this.halt();
    await this.#queue.run(() => this.#drop('closed by us'));
  }

  /** Connects no more and beats no more; a money dialogue that runs goes on. */
  halt(): void {
    this.#timer?.stop();
    if (this.#stopping.signal.aborted) return;
    this.#stopping.abort(new AppError('SHUTTING_DOWN', 'tilld is shutting down'));
  }

  /**
   * Runs one task with the terminal, alone, connecting first when there is no connection.
   * @throws TERMINAL_UNREACHABLE, WRONG_TERMINAL, or what the task throws.
   */
  use<T>(task: (session: TerminalSession) => Promise<T>): Promise<T> {
    return this.#queue.run(async () => {
      this.#timer?.stop();
      try {
        const { session } = this.#session ?? (await this.#reconnect());
        const result = await task(session);
        this.#seen();
        return result;
      } catch (error) {
        await this.#drop(messageOf(error));
        throw error;
      } finally {
        this.#plan(this.#session ? this.#ports.heartbeatMs : this.#pause());
      }
    });
  }

  /** Gives up the present connection: what is still said on it, by either side, belongs to an old dialogue. */
  async disconnect(reason: string): Promise<void> {
    await this.#drop(reason, 'abandon');
  }

  /** The terminal that is known to serve this device was forgotten: whoever answers next is met as a new one. */
  async meetAnew(): Promise<void> {
    await this.#queue.run(() => this.#drop('another terminal is adopted'));
    this.#identity = null;
    this.#plan(0);
  }

  /** One beat: connects when there is no connection, else asks whether the terminal is still there. */
  async #beat(): Promise<void> {
    const { log } = this.#ports;
    try {
      await this.use(async (session) => {
        const readiness = await this.#within((signal) => session.readiness(signal));
        this.#turn(
          readiness.kind === 'person' ? { kind: 'down', reason: readiness.message } : { kind: 'up' },
        );
      });
    } catch (error) {
      if (this.#stopping.signal.aborted) return;
      log.debug({ error: messageOf(error) }, 'terminal does not answer');
      if (this.#reach.kind === 'up') this.#turn({ kind: 'down', reason: messageOf(error) });
    }
  }

  async #reconnect(): Promise<Session> {
    try {
      return await this.#connect();
    } catch (error) {
      this.#failures += 1;
      this.#ports.roster.leave(this.#ports.device.id);
      const kind = hasCode(error, 'WRONG_TERMINAL') ? 'wrong_terminal' : 'down';
      this.#turn({ kind, reason: messageOf(error) });
      throw error;
    }
  }

  async #connect(): Promise<Session> {
    const { openLink, clock, log } = this.#ports;
    return this.#within(async (signal) => {
      const link = await openLink(signal);
      try {
        const { session, identity } = await this.#greet(link, signal);
        const opened = { link, session, openedAt: clock.monotonic() };
        this.#session = opened;
        this.#identity = identity;
        this.#failures = 0;
        this.#watch(opened);
        this.#seen();
        this.#turn({ kind: 'up' });
        log.info({ terminal: nameOf(identity), grade: identity.grade }, 'terminal connected');
        return opened;
      } catch (error) {
        await link.close();
        throw error;
      }
    });
  }

  async #greet(
    link: Link,
    signal: AbortSignal,
  ): Promise<{ session: TerminalSession; identity: TerminalIdentity }> {
    const { driver, clock, log, device, driverOptions, transcript } = this.#ports;
    const context = {
      deviceId: device.id,
      currency: device.currency,
      clock,
      log,
      transcript,
      options: driverOptions,
    };
    const session = await driver.open(link, context, signal);
    const identity = await session.identify(signal);
    this.#check(identity);
    return { session, identity };
  }

  #within<T>(task: (signal: AbortSignal) => Promise<T>): Promise<T> {
    return withDeadline(this.#ports.clock, CONNECT_MS, noAnswer, this.#stopping.signal, task);
  }

  /** @throws WRONG_TERMINAL when another terminal answers than the one that is known to serve this device. */
  #check(identity: TerminalIdentity): void {
    const { identities, roster, device } = this.#ports;
    const known = identities.get();
    if (known !== null && !isSameTerminal(known, identity)) throw this.#stranger(known, identity);
    roster.take(device.id, identity);
    if (known === null || isStronger(identity, known)) identities.remember(identity);
  }

  #stranger(known: TerminalIdentity, identity: TerminalIdentity): AppError {
    const { device } = this.#ports;
    return new AppError(
      'WRONG_TERMINAL',
      `${nameOf(identity)} answers at the place of ${device.name}, which is served by ${nameOf(known)}`,
      { context: { device: device.id } },
    );
  }

  #watch(session: Session): void {
    const onLoss = (loss: LinkLoss) => {
      if (this.#session !== session) return;
      this.#session = null;
      const { clock, log } = this.#ports;
      log.debug({ loss: loss.reason, detail: loss.detail }, 'terminal link ended');
      const idle = this.#queue.length === 0;
      if (idle && loss.reason === 'closed_by_peer') {
        this.#hangsUpWhenIdle =
          clock.monotonic() - session.openedAt < IDLE_CLOSE_MS + this.#ports.heartbeatMs;
        this.#plan(this.#hangsUpWhenIdle ? this.#ports.heartbeatMs : RETRY_MIN_MS);
        return;
      }
      this.#ports.roster.leave(this.#ports.device.id);
      this.#turn({ kind: 'down', reason: `connection lost: ${loss.detail}` });
      if (idle) this.#plan(RETRY_MIN_MS);
    };
    session.link.closed.then(onLoss, () => undefined);
  }

  async #drop(reason: string, how: 'close' | 'abandon' = 'close'): Promise<void> {
    const session = this.#session;
    this.#session = null;
    if (!session) return;
    this.#ports.roster.leave(this.#ports.device.id);
    this.#ports.log.debug({ reason }, 'terminal link given up');
    const ended = how === 'abandon' ? session.link.abandon() : Promise.resolve();
    await this.#atMost(
      CLOSE_MS,
      ended.then(() => session.session.close()).then(() => session.link.close()),
    );
  }

  /** Waits for `work`, but not longer: a driver or a port that never ends must not hold the lane. */
  async #atMost(ms: number, work: Promise<unknown>): Promise<void> {
    const { clock, log } = this.#ports;
    let timer: Timer | undefined;
    const late = new Promise<void>((resolve) => {
      timer = clock.timer('close', ms, resolve);
    });
    const failed = (error: unknown) =>
      log.debug({ error: messageOf(error) }, 'terminal link did not close well');
    await Promise.race([work.catch(failed), late]);
    timer?.stop();
  }

  #plan(ms: number): void {
    this.#timer?.stop();
    if (this.#stopping.signal.aborted) return;
    this.#timer = this.#ports.clock.timer('terminal-beat', ms, () => void this.#beat());
  }

  /** Doubles with every failure, with jitter, so that many agents do not knock in step. */
  #pause(): number {
    const base = Math.min(RETRY_MAX_MS, RETRY_MIN_MS * 2 ** Math.min(this.#failures, 10));
    return Math.round(base * (0.75 + this.#ports.ids.random() / 2));
  }

  #seen(): void {
    this.#lastSeenAt = this.#ports.clock.now();
  }

  #turn(reach: Reach): void {
    const changed = reach.kind !== this.#reach.kind;
    this.#reach = reach;
    if (!changed) return;
    const { log, onChange } = this.#ports;
    if (reach.kind === 'up') log.info({}, 'terminal ready');
    else log.warn({ state: reach.kind, reason: reach.reason }, 'terminal not ready');
    try {
      onChange();
    } catch (error) {
      log.error({ error: messageOf(error) }, 'change of the terminal could not be passed on');
    }
  }
}

function noAnswer(): AppError {
  return new AppError('TERMINAL_NO_ANSWER', 'the terminal does not answer', { retry: 'safe' });
}
