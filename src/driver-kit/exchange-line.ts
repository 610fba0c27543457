import { AppError } from '../base/errors.ts';
import type { Link } from '../terminal/link.ts';
import type { DriverContext } from '../terminal/ports.ts';
import { Exchange, type FrameSource } from './exchange.ts';
import { asGarbled } from './garbled.ts';
import { concatBytes } from './hex.ts';
import { reasonOf, silence, type TimeLimit } from './inbox.ts';
import type { Sending } from './once.ts';
import { PerExchange } from './per-exchange.ts';
import type { MessageRecorder } from './transcript.ts';

/** How messages become bytes of a connection, and bytes messages: `LengthFraming` is one. */
export interface Framing<Frame> {
  /** Reads one connection. */
  readonly reader: () => FrameSource<Frame>;
  readonly frame: (message: Uint8Array) => Uint8Array;
}

/**
 * Takes one frame of an exchange, in the order of arrival: the response, or undefined while it is still to come. `reply` writes the answer to a
 * frame on the same connection. What it throws as DECODE_MALFORMED becomes TERMINAL_GARBLED.
 */
export type TakeFrame<Frame, Response> = (
  frame: Frame,
  reply: (message: Uint8Array) => Promise<void>,
) => Response | undefined | Promise<Response | undefined>;

/** How many first bytes are kept, to identify a foreign protocol. */
const HEARD_KEPT = 64;

/**
 * Requests in a framing of the protocol's own, each on a connection of its own: one request, the terminal's messages, its response. A request is
 * written once, and nothing is ever repeated.
 */
export class ExchangeLine<Frame extends object> {
  readonly #context: Pick<DriverContext, 'clock' | 'dial' | 'openBeside'>;
  readonly #framing: Framing<Frame>;
  readonly #record: MessageRecorder | undefined;
  readonly #connections: PerExchange;
  #heard: Uint8Array = new Uint8Array();

  /** @param record notes each message in the transcript: `messageRecorder` */
  constructor(
    first: Link,
    context: Pick<DriverContext, 'clock' | 'dial' | 'openBeside'>,
    framing: Framing<Frame>,
    record?: MessageRecorder,
  ) {
    this.#context = context;
    this.#framing = framing;
    this.#record = record;
    this.#connections = new PerExchange(first, context.dial);
  }

  /** The first bytes of the first connection on which any came, at most 64, to identify a foreign protocol. */
  get heard(): Uint8Array {
    return this.#heard;
  }

  /**
   * Sends a request and returns its response. `timeLimit` is that of the response, whatever else the terminal sends. `sending.begun` is called
   * just before the write: after it, an error proves nothing, except LINK_CLOSED until `handed`. `handed` is called once all bytes were handed over; when
   * it returns false, the line falls silent.
   * @throws LINK_REFUSED, LINK_CLOSED (nothing was sent); LINK_LOST; TERMINAL_NO_ANSWER after `timeLimit`; TERMINAL_LINK_LOST where the
   * connection ends before the response; TERMINAL_GARBLED where it cannot be read; NOT_STORED; the signal's reason
   */
  send<Response>(
    request: Uint8Array,
    take: TakeFrame<Frame, Response>,
    timeLimit: TimeLimit,
    signal: AbortSignal,
    sending?: Sending,
  ): Promise<Response> {
    return this.#connections.over(signal, (link) =>
      this.#exchange(link, request, take, timeLimit, signal, sending),
    );
  }

  /** Sends a request on a connection beside the one that waits for its response. @throws as {@link send} */
  async sendBeside<Response>(
    request: Uint8Array,
    take: TakeFrame<Frame, Response>,
    timeLimit: TimeLimit,
    signal: AbortSignal,
  ): Promise<Response> {
    const link = await this.#context.openBeside(signal);
    try {
      if (signal.aborted) throw reasonOf(signal);
      return await this.#exchange(link, request, take, timeLimit, signal);
    } finally {
      await link.abandon();
    }
  }

  close(): Promise<void> {
    return this.#connections.close();
  }

  async #exchange<Response>(
    link: Link,
    request: Uint8Array,
    take: TakeFrame<Frame, Response>,
    timeLimit: TimeLimit,
    signal: AbortSignal,
    sending?: Sending,
  ): Promise<Response> {
    const { clock } = this.#context;
    const exchange = new Exchange(link, clock, this.#noted(this.#framing.reader()));
    const bytes = this.#framing.frame(request);
    const reply = async (message: Uint8Array) => {
      if (signal.aborted) throw reasonOf(signal);
      this.#record?.('sent', message);
      await link.write(this.#framing.frame(message));
    };
    this.#record?.('sent', request);
    exchange.start();
    sending?.begun();
    try {
      await link.write(bytes);
      if (sending?.handed() === false)
        throw new AppError('NOT_STORED', 'it could not be stored that the request was sent');
      const until = clock.monotonic() + timeLimit.ms;
      for (let left = timeLimit.ms; left > 0; left = until - clock.monotonic()) {
        const frame = await exchange.next({ name: timeLimit.name, ms: left }, signal);
        if (frame instanceof Uint8Array) this.#record?.('received', frame);
        const response = await take(frame, reply);
        if (response !== undefined) return response;
      }
      throw silence(timeLimit);
    } catch (error) {
      throw asGarbled(error);
    }
  }

  /** The source of a connection, whose first bytes are kept. */
  #noted(source: FrameSource<Frame>): FrameSource<Frame> {
    const isFirst = this.#heard.length === 0;
    return {
      push: (bytes) => {
        if (isFirst && this.#heard.length < HEARD_KEPT)
          this.#heard = concatBytes(this.#heard, bytes).slice(0, HEARD_KEPT);
        return source.push(bytes);
      },
      end: () => source.end?.() ?? [],
      get broken() {
        return source.broken;
      },
    };
  }
}
