import { TruncatedCardNumber } from '../../base/card-number.ts';
import type { Clock } from '../../base/clock.ts';
import type {
  AskedReference,
  DriverContext,
  MoneyCommand,
  Observer,
  TerminalDriver,
  TerminalSession,
} from '../../terminal/ports.ts';
import type { Sent, ToChild } from '../messages.ts';
import { errorOfCore, sentError } from '../sent-error.ts';
import { ask, post, send } from './channel.ts';
import { childLog } from './child-log.ts';
import { Links } from './link-proxy.ts';

type Open = Extract<ToChild, { type: 'open' }>;
type Call = Extract<ToChild, { type: 'call' }>;
type State = Extract<Sent, { type: 'result' }>['state'];

/** What is shown of a frame and of a text for the people at the counter; tilld refuses longer ones. */
const LONGEST_LINE = 1000;
const LONGEST_TEXT = 500;

/** The driver of the package: it says how its options are read. */
export interface LoadedDriver {
  readonly driver: TerminalDriver;
  readonly parse: (options: unknown) => unknown;
}

/** The sessions of this process, and the calls that run in them. */
export class Sessions {
  readonly #loaded: LoadedDriver;
  readonly #clock: Clock;
  readonly #links = new Links();
  readonly #sessions = new Map<number, TerminalSession>();
  readonly #calls = new Map<number, AbortController>();
  /** The references that tilld knows, by session, as text. */
  readonly #references = new Map<number, string>();

  constructor(loaded: LoadedDriver, clock: Clock) {
    this.#loaded = loaded;
    this.#clock = clock;
  }

  take(message: Exclude<ToChild, { type: 'load' | 'ping' }>): void {
    switch (message.type) {
      case 'open':
        return void this.#run(message.call, (signal) => this.#open(message, signal));
      case 'call':
        return void this.#run(message.call, (signal) => this.#call(message, signal));
      case 'aborted':
        return void this.#calls.get(message.call)?.abort(errorOfCore(message.reason));
      case 'abort':
        return void this.#sessions.get(message.session)?.abort();
      default:
        return void this.#links.take(message);
    }
  }

  async #run(call: number, work: (signal: AbortSignal) => Promise<Sent>): Promise<void> {
    const controller = new AbortController();
    this.#calls.set(call, controller);
    try {
      send(await work(controller.signal));
    } catch (error) {
      send({ type: 'failed', call, error: sentError(error) });
    } finally {
      this.#calls.delete(call);
    }
  }

  async #open({ call, session, link, ...asked }: Open, signal: AbortSignal): Promise<Sent> {
    const context: DriverContext = {
      deviceId: asked.deviceId,
      currency: asked.currency,
      options: this.#loaded.parse(asked.options),
      clock: this.#clock,
      log: childLog,
      transcript: {
        record: (direction, summary) =>
          post({ type: 'record', session, direction, summary: String(summary).slice(0, LONGEST_LINE) }),
      },
      dial: (within) => this.#links.dial(session, false, within),
      openBeside: (within) => this.#links.dial(session, true, within),
      ...(asked.address ? { address: asked.address } : {}),
    };
    const opened = await this.#loaded.driver.open(this.#links.use(link), context, signal);
    this.#sessions.set(session, opened);
    const optional = (['ownTransaction', 'lateEnd', 'reprint'] as const).filter(
      (method) => typeof opened[method] === 'function',
    );
    return { type: 'opened', call, state: this.#stateOf(session, opened), optional };
  }

  async #call({ call, session, method, argument }: Call, signal: AbortSignal): Promise<Sent> {
    const called = this.#sessions.get(session);
    if (!called) throw new Error('the session is closed');
    const value = (await this.#valueOf(called, { call, method, argument }, signal)) ?? null;
    const state = this.#stateOf(session, called);
    if (method === 'close') this.#forget(session);
    return { type: 'result', call, value, state };
  }

  #forget(session: number): void {
    this.#sessions.delete(session);
    this.#references.delete(session);
  }

  async #valueOf(
    session: TerminalSession,
    { call, method, argument }: Pick<Call, 'call' | 'method' | 'argument'>,
    signal: AbortSignal,
  ): Promise<unknown> {
    switch (method) {
      case 'execute':
        return session.execute(commandOf(argument), observerOf(call), signal);
      case 'lateEnd':
        return session.lateEnd?.(commandOf(argument), observerOf(call), signal);
      case 'endOfDay':
        return session.endOfDay(
          (text) => post({ type: 'progress', call, text: String(text).slice(0, LONGEST_TEXT) }),
          signal,
        );
      case 'ownTransaction':
        return session.ownTransaction?.(argument as AskedReference, signal);
      case 'reprint':
        return session.reprint?.(signal);
      case 'close':
        return session.close();
      default:
        return session[method](signal);
    }
  }

  /** The references are sent when they have changed. */
  #stateOf(session: number, of: TerminalSession): State {
    const { capabilities } = of;
    const list = of.references ? [...of.references()] : null;
    const text = JSON.stringify(list);
    if (this.#references.get(session) === text) return { capabilities };
    this.#references.set(session, text);
    return { capabilities, references: list };
  }
}

/** The callbacks of a payment: each returns when tilld has committed. */
function observerOf(call: number): Observer {
  return {
    accepted: () => ask({ type: 'accepted', call }),
    progress: (text) => post({ type: 'progress', call, text: String(text).slice(0, LONGEST_TEXT) }),
    beforeAcknowledge: (report, end) =>
      ask({ type: 'beforeAcknowledge', call, report, ...(end ? { end } : {}) } as unknown as Sent),
    beforeEnd: (outcome) => ask({ type: 'beforeEnd', call, outcome } as unknown as Sent),
  };
}

/** A card number passes the channel as its text. */
function commandOf(argument: unknown): MoneyCommand {
  const command = argument as MoneyCommand;
  if (!('original' in command) || command.original?.maskedPan === undefined) return command;
  const { maskedPan: shown, ...original } = command.original;
  const maskedPan = TruncatedCardNumber.of(String(shown));
  return { ...command, original: { ...original, ...(maskedPan ? { maskedPan } : {}) } };
}
