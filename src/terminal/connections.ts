import { AppError } from '../base/errors.ts';
import type { Link, LinkLoss, OpenLink } from './link.ts';

/** The part of a connection that its owner needs. */
export type Lifeline = Pick<Link, 'closed' | 'close' | 'abandon'>;

/**
 * The connections of one session with a terminal that hangs up after each answer: one at a time. The end of one connection says nothing about
 * the terminal. The session ends when tilld ends it, and its open connection with it.
 */
export class Connections implements Lifeline {
  readonly closed: Promise<LinkLoss>;
  readonly #open: OpenLink;
  readonly #ended: (loss: LinkLoss) => void;
  #current: Link;
  #isOver = false;

  /** @param first is open already */
  constructor(first: Link, open: OpenLink) {
    const { promise, resolve } = Promise.withResolvers<LinkLoss>();
    this.closed = promise;
    this.#ended = resolve;
    this.#current = first;
    this.#open = open;
  }

  /**
   * Closes the previous connection, which carries nothing any more, and opens another.
   * @throws LINK_REFUSED; LINK_CLOSED once the session is over (nothing was sent); the signal's reason.
   */
  async dial(signal: AbortSignal): Promise<Link> {
    await this.#current.close();
    if (this.#isOver) throw over();
    const link = await this.#open(signal);
    if (this.#isOver) {
      await link.abandon();
      throw over();
    }
    this.#current = link;
    return link;
  }

  close(): Promise<void> {
    this.#end();
    return this.#current.close();
  }

  abandon(): Promise<void> {
    this.#end();
    return this.#current.abandon();
  }

  #end(): void {
    this.#isOver = true;
    this.#ended({ reason: 'closed_by_us', detail: 'the conversation is over' });
  }
}

function over(): AppError {
  return new AppError('LINK_CLOSED', 'the conversation with the terminal is over; nothing was sent to it', {
    retry: 'safe',
    moneyMoved: 'no',
  });
}
