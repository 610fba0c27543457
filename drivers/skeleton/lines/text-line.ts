import {
  AppError,
  type Clock,
  Exchange,
  type Handed,
  hasCode,
  Inbox,
  type LineEvent,
  type Link,
  linkLost,
  reasonOf,
  type TimeLimit,
} from '../../../src/driver-kit/terminal.ts';
import type { Line } from '../sample/line.ts';
import { LineReader, lineOf } from './framing.ts';

/** Longest wait for the line `A`. */
const ACKNOWLEDGEMENT = { name: 'acknowledgement', ms: 2000 };
const A = 0x41;
/** First bytes that are kept, to identify a foreign protocol. */
const HEARD_KEPT = 64;

/**
 * Lines of text, each answered with the line `A`.
 *
 * INVARIANTS:
 * - nothing is ever written twice: a line has no check, so no "damaged" could be believed;
 * - the dialogue acknowledges a line, once its content is on disk;
 * - after `mute` nothing is written and nothing is read.
 */
export class TextLine implements Line {
  readonly #link: Link;
  readonly #exchange: Exchange<LineEvent>;
  readonly #signs: Inbox<'heard'>;
  readonly #reader = new LineReader();
  #heard: readonly number[] = [];
  #isMuted = false;

  constructor(link: Link, clock: Clock) {
    this.#link = link;
    this.#signs = new Inbox(clock);
    this.#exchange = new Exchange(link, clock, { push: (bytes) => this.#take(bytes) });
  }

  /** The first received bytes, at most 64. */
  get heard(): Uint8Array {
    return Uint8Array.from(this.#heard);
  }

  /** Starts reading; nothing may be written before it. */
  start(): void {
    this.#exchange.start();
    void this.#link.closed.then((loss) => this.#signs.fail(linkLost(`${loss.reason}: ${loss.detail}`)));
  }

  async send(data: Uint8Array, signal: AbortSignal): Promise<void> {
    if ((await this.#write(data, signal)) === 'silence') throw notHeard();
  }

  async sendMoney(data: Uint8Array, handed: () => void, signal: AbortSignal): Promise<Handed> {
    if (signal.aborted) throw reasonOf(signal);
    this.drain();
    handed();
    return { sign: await this.#write(data, signal), writes: 1 };
  }

  async acknowledge(): Promise<void> {
    if (!this.#isMuted) await this.#link.write(lineOf(Uint8Array.of(A)));
  }

  receive(timeLimit: TimeLimit, signal: AbortSignal): Promise<LineEvent> {
    return this.#exchange.next(timeLimit, signal);
  }

  drain(): void {
    this.#exchange.drain();
    this.#signs.drain();
  }

  mute(): void {
    this.#isMuted = true;
  }

  async #write(data: Uint8Array, signal: AbortSignal): Promise<'heard' | 'silence'> {
    if (signal.aborted) throw reasonOf(signal);
    if (this.#isMuted) throw over();
    this.#signs.drain();
    await this.#link.write(lineOf(data));
    try {
      return await this.#signs.next(ACKNOWLEDGEMENT, signal);
    } catch (error) {
      if (hasCode(error, 'TERMINAL_NO_ANSWER')) return 'silence';
      throw error;
    }
  }

  /** Any line proves that the terminal heard ours. @throws TERMINAL_GARBLED */
  #take(bytes: Uint8Array): readonly LineEvent[] {
    if (this.#isMuted) return [];
    if (this.#heard.length < HEARD_KEPT) this.#heard = [...this.#heard, ...bytes].slice(0, HEARD_KEPT);
    const lines = this.#reader.push(bytes);
    if (lines.length > 0) this.#signs.offer('heard');
    if (this.#reader.broken) throw this.#reader.broken;
    return lines
      .filter(([first, ...more]) => first !== A || more.length > 0)
      .map((data) => ({ kind: 'frame', data }));
  }
}

function over(): AppError {
  return new AppError('LINK_CLOSED', 'the conversation with the terminal is over; nothing was sent to it', {
    retry: 'safe',
    moneyMoved: 'no',
  });
}

function notHeard(): AppError {
  return new AppError(
    'TERMINAL_NOT_HEARD',
    'the terminal did not take our line; check the cable and the baud rate',
    {
      retry: 'safe',
    },
  );
}
