import {
  AppError,
  type DriverContext,
  type Link,
  reasonOf,
  StxLine,
} from '../../../src/driver-kit/terminal.ts';
import { framingOf, type LrcMode, modeOf, TIMES } from './framing.ts';

interface Call {
  readonly link: Link;
  readonly line: StxLine;
}

/** What a call came to. `clean` false: what was written last may still lie in the send buffer, and must not leave any more. */
export interface Ended<T> {
  readonly value: T;
  readonly clean: boolean;
}

/**
 * The calls to one terminal: a connection for each exchange, because many of these terminals hang up after their answer.
 *
 * INVARIANTS:
 * - one connection at a time; it is closed before `call` returns;
 * - the check that the terminal has shown to be its own is used from then on;
 * - after `hangUp` nobody is called any more and nothing is written.
 */
export class Calls {
  readonly #context: DriverContext;
  #first: Link | undefined;
  #mode: LrcMode | null;
  #current: Call | undefined;
  #heard: Uint8Array = new Uint8Array();
  #isOver = false;

  /** @param first is open already and serves the first call */
  constructor(first: Link, context: DriverContext, mode: LrcMode | null) {
    this.#first = first;
    this.#context = context;
    this.#mode = mode;
  }

  /** The first bytes that came in the last call. */
  get heard(): Uint8Array {
    return this.#heard;
  }

  /**
   * Calls the terminal and talks to it.
   * @throws LINK_REFUSED, LINK_CLOSED (nothing was sent), the signal's reason, or what `talk` throws.
   */
  async call<T>(signal: AbortSignal, talk: (line: StxLine) => Promise<Ended<T>>): Promise<T> {
    const call = await this.#begin(signal);
    let clean = false;
    try {
      const ended = await talk(call.line);
      clean = ended.clean;
      return ended.value;
    } finally {
      await this.#end(call, clean);
    }
  }

  /** Ends the call that runs, and all to come; idempotent. */
  async hangUp(): Promise<void> {
    this.#isOver = true;
    this.#current?.line.mute();
    await Promise.all([this.#current?.link.close(), this.#first?.close()]);
    this.#first = undefined;
  }

  async #begin(signal: AbortSignal): Promise<Call> {
    if (this.#isOver) throw over();
    if (signal.aborted) throw reasonOf(signal);
    const link = this.#first ?? (await this.#context.dial(signal));
    this.#first = undefined;
    const line = new StxLine(link, this.#context.clock, framingOf(this.#mode), TIMES);
    const call = { link, line };
    if (this.#isOver) {
      await link.abandon();
      throw over();
    }
    this.#current = call;
    line.start();
    return call;
  }

  async #end({ link, line }: Call, clean: boolean): Promise<void> {
    line.mute();
    this.#heard = line.heard;
    if (line.learned) this.#mode = modeOf(line.learned);
    this.#current = undefined;
    // Whatever becomes of the connection now, what was said in it stays said.
    await (clean ? link.close() : link.abandon()).catch(() => undefined);
  }
}

function over(): AppError {
  return new AppError('LINK_CLOSED', 'the conversation with the terminal is over; nothing was sent to it', {
    retry: 'safe',
  });
}
