import { AppError } from '../base/errors.ts';
import type { Link, OpenLink } from '../terminal/link.ts';
import { reasonOf } from './inbox.ts';

/**
 * The connections of a terminal that has one for each exchange (`connection: 'per_exchange'`).
 *
 * INVARIANTS:
 * - at most one connection is open, and none between two exchanges;
 * - after a failed exchange its connection is discarded, so that unsent bytes never arrive later, when nothing waits for an answer.
 */
export class PerExchange {
  readonly #dial: OpenLink;
  /** The connection of the opening, until it is used. */
  #first: Link | undefined;
  #current: Link;
  #isClosed = false;

  constructor(first: Link, dial: OpenLink) {
    this.#first = first;
    this.#current = first;
    this.#dial = dial;
  }

  /** Runs one exchange on a connection of its own. @throws LINK_REFUSED, LINK_CLOSED (nothing was sent), what `task` throws */
  async over<T>(signal: AbortSignal, task: (link: Link) => Promise<T>): Promise<T> {
    this.#check(signal);
    const link = this.#first ?? (await this.#dial(signal));
    this.#first = undefined;
    this.#current = link;
    try {
      this.#check(signal);
      const result = await task(link);
      await link.close();
      return result;
    } catch (error) {
      await link.abandon();
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#current.abandon();
  }

  #check(signal: AbortSignal): void {
    if (signal.aborted) throw reasonOf(signal);
    if (this.#isClosed)
      throw new AppError(
        'LINK_CLOSED',
        'the conversation with the terminal is over; nothing was sent to it',
        { retry: 'safe', moneyMoved: 'no' },
      );
  }
}
