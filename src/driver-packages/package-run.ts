import type { Clock } from '../base/clock.ts';
import { AppError, messageOf } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import type { Link } from '../terminal/link.ts';
import type { DriverContext, Observer, TerminalSession } from '../terminal/ports.ts';
import { type PackageFiles, PackageProcess } from './child-process.ts';
import { LinkTable } from './link-table.ts';
import type { FromChild, SessionState, ToChild } from './messages.ts';
import { type Calls, remoteSession } from './remote-session.ts';
import { receivedError, sentError } from './sent-error.ts';
import { type Method, RESULTS, type ResultOf } from './terminal-values.ts';

/** A call that the package has not answered. */
interface Call {
  readonly session: number;
  readonly method: Method | 'open';
  readonly observer: Observer | null;
  readonly progress: ((text: string) => void) | null;
  readonly signal: AbortSignal | null;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

interface Opened {
  readonly state: SessionState;
  readonly optional: readonly string[];
}

interface HostedSession {
  readonly context: DriverContext;
  state: SessionState | null;
}

export interface PackageRunDeps {
  readonly clock: Clock;
  readonly log: Log;
  /** The process has ended: every session of it, too. */
  readonly onEnd: (reason: string) => void;
}

/**
 * One run of a package's process, with the sessions that live in it. When it ends, for whatever reason, every call rejects with DRIVER_FAULT and
 * every link is abandoned: a payment in it is in doubt and recovered.
 */
export class PackageRun {
  readonly #process: PackageProcess;
  readonly #links: LinkTable;
  readonly #log: Log;
  readonly #name: string;
  readonly #sessions = new Map<number, HostedSession>();
  readonly #calls = new Map<number, Call>();
  #lastCall = 0;
  #lastSession = 0;
  #fault: AppError | null = null;

  constructor(files: PackageFiles, { clock, log, onEnd }: PackageRunDeps) {
    this.#log = log;
    this.#name = files.name;
    this.#process = new PackageProcess(files, clock, {
      onMessage: (message) => this.#take(message),
      onEnd: (reason) => {
        this.#fail(reason);
        onEnd(reason);
      },
    });
    this.#links = new LinkTable(this.#process);
  }

  get rssBytes(): number {
    return this.#process.rssBytes;
  }

  /** Opens a session with a terminal. @throws DRIVER_FAULT, or what the driver throws */
  async open(link: Link, context: DriverContext, signal: AbortSignal): Promise<TerminalSession> {
    this.#lastSession += 1;
    const session = this.#lastSession;
    const hosted: HostedSession = { context, state: null };
    this.#sessions.set(session, hosted);
    const { deviceId, currency, options, address } = context;
    const attached = this.#links.attach(link);
    const call = { session, method: 'open', observer: null, progress: null, signal } as const;
    const opened = (await this.#call(call, (id) => ({
      type: 'open',
      call: id,
      session,
      link: attached,
      deviceId,
      ...(address ? { address } : {}),
      currency,
      options,
    })).catch((error) => {
      this.#sessions.delete(session);
      throw error;
    })) as Opened;
    hosted.state = opened.state;
    return remoteSession(() => hosted.state ?? opened.state, opened, this.#callsOf(session));
  }

  end(reason: string): void {
    this.#process.end(reason);
  }

  #callsOf(session: number): Calls {
    return {
      call: <Name extends Method>(
        method: Name,
        argument: unknown,
        signal: AbortSignal | null,
        { observer = null, progress = null }: Partial<Pick<Call, 'observer' | 'progress'>> = {},
      ) =>
        this.#call({ session, method, observer, progress, signal }, (call) => ({
          type: 'call',
          call,
          session,
          method,
          argument,
        })) as Promise<ResultOf<Name>>,
      abort: () => this.#process.send({ type: 'abort', session }),
    };
  }

  async #call(
    wanted: Omit<Call, 'resolve' | 'reject'>,
    message: (call: number) => ToChild,
  ): Promise<unknown> {
    if (this.#fault) throw this.#fault;
    const { signal } = wanted;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#lastCall += 1;
    const call = this.#lastCall;
    this.#calls.set(call, { ...wanted, resolve, reject });
    this.#process.send(message(call));
    const onAbort = () => this.#process.send({ type: 'aborted', call, reason: sentError(signal?.reason) });
    if (signal?.aborted) onAbort();
    else signal?.addEventListener('abort', onAbort, { once: true });
    try {
      return await promise;
    } finally {
      signal?.removeEventListener('abort', onAbort);
    }
  }

  #fail(reason: string): void {
    this.#fault = new AppError('DRIVER_FAULT', `the driver package ${this.#name} ${reason}`, {
      retry: 'safe',
    });
    for (const { reject } of this.#calls.values()) reject(this.#fault);
    this.#calls.clear();
    this.#links.abandonAll();
  }

  /** @throws what breaks the protocol */
  #take(message: FromChild): void {
    switch (message.type) {
      case 'opened': {
        const { resolve } = this.#ended(message.call, 'open');
        return void resolve({ state: message.state, optional: message.optional } satisfies Opened);
      }
      case 'result':
        return void this.#result(message.call, message.value, message.state);
      case 'failed': {
        const { reject, signal } = this.#ended(message.call);
        return void reject(receivedError(message.error, signal ?? undefined));
      }
      case 'accepted':
        return void this.#commit(message.call, (observer) => observer.accepted());
      case 'beforeAcknowledge':
        return void this.#commit(message.call, (observer) =>
          observer.beforeAcknowledge(message.report, message.end),
        );
      case 'beforeEnd':
        return void this.#commit(message.call, (observer) => observer.beforeEnd(message.outcome));
      case 'progress': {
        const running = this.#known(message.call);
        return void (running?.observer ?? { progress: running?.progress }).progress?.(message.text);
      }
      case 'record':
        return void this.#session(message.session)?.context.transcript.record(
          message.direction,
          message.summary,
        );
      case 'dial':
        return void this.#links.dial(
          message.request,
          this.#session(message.session)?.context[message.beside ? 'openBeside' : 'dial'] ?? refused,
        );
      case 'log':
        return void this.#log[message.level](
          { package: this.#name, text: message.message, fields: message.fields },
          'driver package says',
        );
      case 'fault':
        return void this.#process.end(`failed: ${message.message}`);
      case 'ready':
      case 'pong':
        return;
      default:
        return void this.#links.take(message);
    }
  }

  #result(call: number, value: unknown, state: SessionState): void {
    const { method, session, resolve } = this.#ended(call);
    if (method === 'open') throw new Error('it answers an open with a result');
    const result = RESULTS[method].parse(value);
    const hosted = this.#session(session);
    const { references = hosted?.state?.references ?? null } = state;
    if (hosted) hosted.state = { ...state, references };
    if (method === 'close') this.#sessions.delete(session);
    resolve(result);
  }

  /** The core commits before the package goes on: its process waits for this answer. A payment that is over stores nothing more. */
  #commit(call: number, commit: (observer: Observer) => boolean): void {
    const running = this.#known(call);
    if (running && !running.observer) throw new Error('it reports a result outside of a payment');
    this.#process.answer({ stored: running?.observer ? this.#stored(running.observer, commit) : false });
  }

  #stored(observer: Observer, commit: (observer: Observer) => boolean): boolean {
    try {
      return commit(observer);
    } catch (error) {
      this.#log.error({ package: this.#name, error: messageOf(error) }, 'callback of a payment failed');
      return false;
    }
  }

  /** @returns undefined when it is over */
  #known(call: number): Call | undefined {
    if (call > this.#lastCall) throw new Error('it speaks of a call that never was');
    return this.#calls.get(call);
  }

  #ended(call: number, method?: Call['method']): Call {
    const found = this.#calls.get(call);
    if (!found) throw new Error('it answers a call that does not run');
    if (method !== undefined && found.method !== method)
      throw new Error(`it answers ${found.method} as ${method}`);
    this.#calls.delete(call);
    return found;
  }

  /** @returns undefined when it is closed */
  #session(session: number): HostedSession | undefined {
    if (session > this.#lastSession) throw new Error('it speaks of a session that never was');
    return this.#sessions.get(session);
  }
}

/** A session that is closed opens no connection. */
function refused(): Promise<never> {
  return Promise.reject(new AppError('LINK_REFUSED', 'the session is closed', { retry: 'safe' }));
}
