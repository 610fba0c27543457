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

/** The result of a call. `clean` false: the last bytes written may still be in the send buffer, and must not be sent any more. */
export interface Ended<T> {
  readonly value: T;
  readonly clean: boolean;
}

/**
 * The connections to one terminal: in the network one per exchange, because many of these terminals close the connection after their answer; on a cable
 * one line for all of them.
 *
 * INVARIANTS:
 * - one connection at a time; in the network it is closed before `call` returns;
 * - on a cable an exchange does not read what came before it;
 * - the LRC mode that the terminal has used is used from then on;
 * - after `hangUp` no connection is opened and nothing is written.
 */
export class Calls {
  readonly #context: DriverContext;
  #first: Link | undefined;
  #mode: LrcMode | null;
  #current: Call | undefined;
  /** The line of a cable, once it is in use. */
  #cable: Call | undefined;
  #heard: Uint8Array = new Uint8Array();
  #isOver = false;

  /** @param first is already open and serves the first call */
  constructor(first: Link, context: DriverContext, mode: LrcMode | null) {
    this.#first = first;
    this.#context = context;
    this.#mode = mode;
  }

  /** The first bytes received in the last call. */
  get heard(): Uint8Array {
    return this.#heard;
  }

  /**
   * Opens a connection and runs `talk` on it.
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

  /** Ends the running call and refuses all further ones; idempotent. */
  async hangUp(): Promise<void> {
    this.#isOver = true;
    this.#current?.line.mute();
    await Promise.all([this.#current?.link.close(), this.#first?.close()]);
    this.#first = undefined;
  }

  async #begin(signal: AbortSignal): Promise<Call> {
    if (this.#isOver) throw over();
    if (signal.aborted) throw reasonOf(signal);
    if (this.#cable) {
      this.#cable.line.drain();
      return this.#cable;
    }
    const link = this.#first ?? (await this.#context.dial(signal));
    this.#first = undefined;
    const line = new StxLine(link, this.#context.clock, framingOf(this.#mode), TIMES);
    const call = { link, line };
    if (this.#isOver) {
      await link.abandon();
      throw over();
    }
    this.#current = call;
    if (link.kind === 'serial') this.#cable = call;
    line.start();
    return call;
  }

  async #end({ link, line }: Call, clean: boolean): Promise<void> {
    this.#heard = line.heard;
    // The core abandons a cable after an outcome that is not known.
    if (this.#cable) return;
    line.mute();
    if (line.learned) this.#mode = modeOf(line.learned);
    this.#current = undefined;
    // The result of the call stands, whatever happens to the connection now.
    await (clean ? link.close() : link.abandon()).catch(() => undefined);
  }
}

function over(): AppError {
  return new AppError('LINK_CLOSED', 'the conversation with the terminal is over; nothing was sent to it', {
    retry: 'safe',
  });
}
