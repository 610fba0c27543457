import {
  AppError,
  type Clock,
  Exchange,
  hasCode,
  type Link,
  messageOf,
  TextTlvCollector,
} from '../../../src/driver-kit/terminal.ts';
import { LONGEST_MESSAGE, readV3, type V3Message } from './v3-messages.ts';

/** An answer is complete when this time passes without further bytes. */
const QUIET_MS = 300;
/** The same for an answer that lacks something: it may have been cut between two tags. */
const LACKING_QUIET_MS = 3000;
const HEARD_KEPT = 64;

/**
 * One exchange over one connection. An answer has neither a length nor an end mark: it is complete when it consists of whole
 * tags and the terminal has closed the connection, or has been quiet for a while.
 */
export class NetworkExchange {
  readonly #link: Link;
  readonly #clock: Clock;
  readonly #collector = new TextTlvCollector(LONGEST_MESSAGE);
  readonly #exchange: Exchange<'whole'>;
  #heard: readonly number[] = [];

  constructor(link: Link, clock: Clock) {
    this.#link = link;
    this.#clock = clock;
    this.#exchange = new Exchange(link, clock, { push: (bytes) => this.#take(bytes) });
    this.#exchange.start();
  }

  get heard(): Uint8Array {
    return Uint8Array.from(this.#heard);
  }

  /** @throws LINK_CLOSED (nothing was sent), LINK_LOST */
  write(request: Uint8Array): Promise<void> {
    return this.#link.write(request);
  }

  /**
   * The answer. `isLacking`: a required tag is still missing.
   * @throws TERMINAL_NO_ANSWER after `ms` without a whole one; TERMINAL_HUNG_UP when the terminal closed without an answer;
   * TERMINAL_LINK_LOST within it; TERMINAL_GARBLED; or the signal's reason
   */
  async answer(
    name: string,
    ms: number,
    isLacking: (message: V3Message) => boolean,
    signal: AbortSignal,
  ): Promise<Uint8Array> {
    const until = this.#clock.monotonic() + ms;
    while (true) {
      const left = Math.max(0, until - this.#clock.monotonic());
      const timeLimit = this.#collector.couldEnd ? Math.min(left, this.#quietMs(isLacking)) : left;
      try {
        await this.#exchange.next({ name, ms: timeLimit }, signal);
      } catch (error) {
        if (this.#isOver(error)) return this.#collector.bytes;
        // Another tag has begun meanwhile; wait for the rest.
        const hasBegun = hasCode(error, 'TERMINAL_NO_ANSWER') && left > timeLimit;
        if (!hasBegun) throw this.#named(error);
      }
    }
  }

  /** The silence after which the answer counts as complete. */
  #quietMs(isLacking: (message: V3Message) => boolean): number {
    try {
      const message = readV3(this.#collector.bytes);
      if (message.get('AE') === undefined) return Number.POSITIVE_INFINITY;
      return isLacking(message) ? LACKING_QUIET_MS : QUIET_MS;
    } catch {
      return QUIET_MS;
    }
  }

  #isOver(error: unknown): boolean {
    if (!this.#collector.couldEnd) return false;
    return hasCode(error, 'TERMINAL_NO_ANSWER') || hasCode(error, 'TERMINAL_LINK_LOST');
  }

  #named(error: unknown): unknown {
    if (hasCode(error, 'DECODE_MALFORMED'))
      return new AppError('TERMINAL_GARBLED', `the terminal's answer cannot be read: ${messageOf(error)}`, {
        retry: 'safe',
        moneyMoved: 'unknown',
        cause: error,
      });
    if (!hasCode(error, 'TERMINAL_LINK_LOST') || this.#heard.length > 0) return error;
    return new AppError('TERMINAL_HUNG_UP', 'the terminal hung up without an answer', {
      retry: 'safe',
      moneyMoved: 'unknown',
      cause: error,
    });
  }

  #take(bytes: Uint8Array): readonly 'whole'[] {
    if (this.#heard.length < HEARD_KEPT) this.#heard = [...this.#heard, ...bytes].slice(0, HEARD_KEPT);
    this.#collector.push(bytes);
    return this.#collector.couldEnd ? ['whole'] : [];
  }
}
