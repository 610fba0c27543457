import { type Timer, withDeadline } from '../base/clock.ts';
import { AppError, hasCode, messageOf } from '../base/errors.ts';
import type { Ids } from '../base/ids.ts';
import { SerialQueue } from '../base/serial-queue.ts';
import { type ConnectDeps, connectTerminal, tooSlow } from './connect-terminal.ts';
import type { Lifeline } from './connections.ts';
import { type AnsweringTerminal, answeringIn, nameOf } from './identity.ts';
import type { LinkLoss, PortSearch } from './link.ts';
import type { Capabilities, TerminalIdentity, TerminalSession } from './ports.ts';
import { ReconnectInterval } from './reconnect-interval.ts';
import { SilenceWatch } from './silence-watch.ts';

/** Time limit of the answer to a heartbeat. */
const BEAT_MS = 20_000;
/** Time limit of closing. */
const CLOSE_MS = 2000;
/** Longest time that one task may use the terminal: an end of day may take 15 minutes, its preparation some. */
const LONGEST_TASK_MS = 20 * 60_000;
/** How soon a lost connection is opened again. */
const REOPEN_MS = 250;
/** How soon after a hot-plug event the ports are listed: the system first gives the device its names and permissions. */
const ARRIVAL_MS = 50;
/** A terminal that hangs up this soon when idle wants a connection per operation. */
const IDLE_CLOSE_MS = 10_000;

export interface SupervisorDeps extends ConnectDeps {
  readonly capabilities: Capabilities;
  readonly heartbeatMs: number;
  readonly ids: Ids;
}

/** What a terminal is, and how it is reached. */
export type TerminalOptions = Pick<
  SupervisorDeps,
  'driver' | 'capabilities' | 'driverOptions' | 'connectsPerExchange' | 'openLink' | 'address' | 'heartbeatMs'
>;

/** Whether the terminal is reachable, payments aside. */
export type Reach =
  | { readonly kind: 'up' }
  /** `needs`: the code of what a terminal that answers needs from a person before it sells. */
  | { readonly kind: 'down'; readonly reason: string; readonly needs?: string }
  | { readonly kind: 'wrong_terminal'; readonly reason: string; readonly answering: AnsweringTerminal };

interface Session {
  readonly link: Lifeline;
  readonly session: TerminalSession;
  readonly openedAt: number;
}

/**
 * Keeps one terminal reachable: connects, identifies the terminal, notices its loss, reconnects as soon as it is there again.
 * A loss shows in one of three ways, each of which misses what the others see. The link ends (a cable is pulled, also in the middle of a
 * payment). The link takes no bytes (it ends then, too). The terminal does not answer a heartbeat (it has no power, its cable is still in).
 * The heartbeat is for the last of them; none is sent while a payment runs: the protocol judges silence there.
 *
 * INVARIANTS:
 * - one task talks to the terminal at a time (`use`), heartbeats included;
 * - a terminal that is not the remembered one never gets a task;
 * - an orderly close while idle is not a fault.
 */
export class TerminalSupervisor {
  readonly #deps: SupervisorDeps;
  readonly #listeners = new Set<() => void>();
  readonly #queue = new SerialQueue();
  readonly #stopping = new AbortController();
  #session: Session | null = null;
  #reach: Reach = { kind: 'down', reason: 'connecting for the first time' };
  #identity: TerminalIdentity | null = null;
  #lastSeenAt: number | null = null;
  readonly #reconnectInterval: ReconnectInterval;
  readonly #silence: SilenceWatch;
  #hangsUpWhenIdle = false;
  #timer: Timer | null = null;
  /** When the next heartbeat is due, on the monotonic clock. */
  #dueAt = 0;
  /** When the task that uses the terminal began, on the monotonic clock. */
  #taskSince = 0;
  #unwatch: () => void = () => undefined;

  constructor(deps: SupervisorDeps) {
    this.#deps = deps;
    this.#reconnectInterval = new ReconnectInterval(deps.clock, deps.ids);
    this.#silence = new SilenceWatch(deps.clock);
  }

  get reach(): Reach {
    return this.#reach;
  }

  get identity(): TerminalIdentity | null {
    return this.#identity ?? this.#deps.identities.get();
  }

  get capabilities(): Capabilities {
    return this.#session?.session.capabilities ?? this.#deps.capabilities;
  }

  get lastSeenAt(): number | null {
    return this.#lastSeenAt;
  }

  /** Monotonic instant by which the next heartbeat or the end of a task is due; Infinity once it stops. */
  dueBy(): number {
    if (this.#stopping.signal.aborted) return Number.POSITIVE_INFINITY;
    return this.#queue.length > 0 ? this.#taskSince + LONGEST_TASK_MS : this.#dueAt;
  }

  /** Calls `listener` whenever the terminal becomes reachable or unreachable. */
  subscribe(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /** Connects in the background. */
  start(): void {
    this.#unwatch = this.#search?.watch(() => this.#portsChanged()) ?? this.#unwatch;
    this.#plan(0);
  }

  /** Ends the session; a running task is aborted. */
  async stop(): Promise<void> {
    this.halt();
    await this.#queue.run(() => this.#drop('closed by us'));
  }

  /** Stops connecting and heartbeats; a running money dialogue goes on. */
  halt(): void {
    this.#timer?.stop();
    this.#unwatch();
    if (this.#stopping.signal.aborted) return;
    this.#stopping.abort(new AppError('SHUTTING_DOWN', 'tilld is shutting down'));
  }

  /**
   * Runs one task with the terminal, alone, connecting first when there is no connection.
   * @throws WRONG_TERMINAL, the error of the failed connection (LINK_REFUSED, TERMINAL_NO_ANSWER, …), or what the task throws.
   */
  use<T>(task: (session: TerminalSession) => Promise<T>): Promise<T> {
    if (this.#queue.length === 0) this.#taskSince = this.#deps.clock.monotonic();
    return this.#queue.run(async () => {
      this.#timer?.stop();
      this.#taskSince = this.#deps.clock.monotonic();
      let used: Session | null = null;
      try {
        used = this.#session ?? (await this.#reconnect());
        const result = await task(used.session);
        this.#seen();
        return result;
      } catch (error) {
        await this.#drop(messageOf(error));
        throw error;
      } finally {
        if (used && used !== this.#session) this.#leaveBehind(used);
        this.#plan(this.#session ? this.#deps.heartbeatMs : this.#reconnectInterval.next());
      }
    });
  }

  /** Abandons the present connection: later bytes on it, of either side, belong to an old dialogue. */
  async disconnect(reason: string): Promise<void> {
    await this.#drop(reason, 'abandon');
  }

  /** The known terminal of this device was deleted: the next terminal that answers is connected as a new one. */
  async meetAnew(): Promise<void> {
    if (this.#queue.length === 0) this.#taskSince = this.#deps.clock.monotonic();
    await this.#queue.run(() => this.#drop('another terminal is adopted'));
    this.#identity = null;
    this.#search?.forget();
    this.#plan(0);
  }

  get #search(): PortSearch | null {
    const { openLink } = this.#deps;
    return typeof openLink === 'function' ? null : openLink;
  }

  /** A device was plugged in or out: a terminal that is away is searched at once. */
  #portsChanged(): void {
    if (this.#session) return;
    this.#reconnectInterval.hurry();
    const isSoon = this.#dueAt <= this.#deps.clock.monotonic() + ARRIVAL_MS;
    if (this.#queue.length === 0 && !isSoon) this.#plan(ARRIVAL_MS);
  }

  /** One heartbeat: connects when there is no connection, else asks whether the terminal is still there. */
  async #beat(): Promise<void> {
    const { log } = this.#deps;
    try {
      await this.use(async (session) => {
        const { clock } = this.#deps;
        const stopping = this.#stopping.signal;
        const readiness = await this.#silence.during(
          () => withDeadline(clock, BEAT_MS, tooSlow, stopping, (signal) => session.readiness(signal)),
          () => this.#fellSilent(),
        );
        this.#turn(
          readiness.kind === 'person'
            ? { kind: 'down', reason: readiness.message, needs: readiness.code.toLowerCase() }
            : { kind: 'up' },
        );
      });
    } catch (error) {
      if (this.#stopping.signal.aborted) return;
      log.debug({ error: messageOf(error) }, 'terminal does not answer');
      if (hasAnswered(this.#reach)) this.#turn({ kind: 'down', reason: messageOf(error) });
    }
  }

  /** A late answer to the heartbeat makes it reachable again; no answer in the protocol's own time ends the connection. */
  #fellSilent(): void {
    if (hasAnswered(this.#reach)) this.#turn({ kind: 'down', reason: 'the terminal does not answer' });
  }

  async #reconnect(): Promise<Session> {
    try {
      return await this.#connect();
    } catch (error) {
      this.#reconnectInterval.failed(error);
      this.#deps.registry.leave(this.#deps.device.id);
      const reason = messageOf(error);
      const isWrong = hasCode(error, 'WRONG_TERMINAL');
      this.#turn(
        isWrong
          ? { kind: 'wrong_terminal', reason, answering: answeringIn(error) }
          : { kind: 'down', reason },
      );
      throw error;
    }
  }

  async #connect(): Promise<Session> {
    const { clock, log } = this.#deps;
    const from = clock.monotonic();
    const { link, session, identity } = await connectTerminal(
      this.#deps,
      this.#reconnectInterval.timeLimit(),
      this.#stopping.signal,
    );
    const opened = { link, session, openedAt: clock.monotonic() };
    this.#session = opened;
    this.#identity = identity;
    this.#reconnectInterval.met(clock.monotonic() - from);
    this.#watch(opened);
    this.#seen();
    this.#turn({ kind: 'up' });
    log.info({ terminal: nameOf(identity), grade: identity.grade }, 'terminal connected');
    return opened;
  }

  #watch(session: Session): void {
    const onLoss = (loss: LinkLoss) => {
      if (this.#session !== session) return;
      this.#session = null;
      const { clock, log } = this.#deps;
      log.debug({ loss: loss.reason, detail: loss.detail }, 'terminal link ended');
      const idle = this.#queue.length === 0;
      if (idle) this.#leaveBehind(session);
      if (idle && loss.reason === 'closed_by_peer') {
        this.#hangsUpWhenIdle = clock.monotonic() - session.openedAt < IDLE_CLOSE_MS + this.#deps.heartbeatMs;
        this.#plan(this.#hangsUpWhenIdle ? this.#deps.heartbeatMs : REOPEN_MS);
        return;
      }
      this.#deps.registry.leave(this.#deps.device.id);
      this.#turn({ kind: 'down', reason: `connection lost: ${loss.detail}` });
      this.#reconnectInterval.hurry();
      if (idle) this.#plan(REOPEN_MS);
    };
    session.link.closed.then(onLoss, () => undefined);
  }

  async #drop(reason: string, how: 'close' | 'abandon' = 'close'): Promise<void> {
    const session = this.#session;
    this.#session = null;
    if (!session) return;
    this.#deps.registry.leave(this.#deps.device.id);
    this.#deps.log.debug({ reason }, 'terminal link given up');
    const ended = how === 'abandon' ? session.link.abandon() : Promise.resolve();
    await this.#atMost(
      CLOSE_MS,
      ended.then(() => session.session.close()).then(() => session.link.close()),
    );
  }

  /** The link has ended and no reader is left: the driver stops its timers. */
  #leaveBehind(session: Session): void {
    void this.#atMost(CLOSE_MS, session.session.close());
  }

  /** Waits for `work`, but not longer: a driver or a port that never ends must not hold the queue of the terminal. */
  async #atMost(ms: number, work: Promise<unknown>): Promise<void> {
    const { clock, log } = this.#deps;
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
    const { clock } = this.#deps;
    this.#timer?.stop();
    if (this.#stopping.signal.aborted) return;
    this.#dueAt = clock.monotonic() + ms;
    this.#timer = clock.timer('terminal-beat', ms, () => void this.#beat());
  }

  #seen(): void {
    this.#lastSeenAt = this.#deps.clock.now();
  }

  #turn(reach: Reach): void {
    const changed = reach.kind !== this.#reach.kind || needOf(reach) !== needOf(this.#reach);
    this.#reach = reach;
    if (!changed) return;
    const { log } = this.#deps;
    if (reach.kind === 'up') log.info({}, 'terminal ready');
    else log.warn({ state: reach.kind, reason: reach.reason }, 'terminal not ready');
    for (const listener of this.#listeners) {
      try {
        listener();
      } catch (error) {
        log.error({ error: messageOf(error) }, 'change of the terminal could not be passed on');
      }
    }
  }
}

/** What a person must do before it sells, if it said so. */
function needOf(reach: Reach): string | undefined {
  return reach.kind === 'down' ? reach.needs : undefined;
}

/** The known terminal answered when it was asked last, also one that needs a person before it sells. */
function hasAnswered(reach: Reach): boolean {
  return reach.kind === 'up' || (reach.kind === 'down' && reach.needs !== undefined);
}
