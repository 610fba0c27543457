import { AppError } from '../base/errors.ts';
import type { Link, LinkLoss, OpenLink } from './link.ts';

/** The part of a connection that its owner needs. */
export type Lifeline = Pick<Link, 'closed' | 'close' | 'abandon'>;

/**
 * The connections of one session: one at a time where the terminal hangs up after each answer, and at most one beside it. The end of one
 * connection says nothing about the terminal. The session ends when tilld ends it, and its open connections with it.
 */
export class Connections implements Lifeline {
  readonly closed: Promise<LinkLoss>;
  readonly #open: OpenLink;
  readonly #ended: (loss: LinkLoss) => void;
  #current: Link;
  #beside: Link | undefined;
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
    return this.#opened(signal, (link) => {
      void this.#current.abandon();
      this.#current = link;
    });
  }

  /**
   * Opens a connection beside the present one, and closes the previous one beside it.
   * @throws as {@link dial}; LINK_REFUSED on a cable, which has one user
   */
  async openBeside(signal: AbortSignal): Promise<Link> {
    if (this.#current.kind !== 'tcp')
      throw new AppError('LINK_REFUSED', 'a cable has no second connection', { retry: 'never' });
    await this.#beside?.close();
    return this.#opened(signal, (link) => {
      void this.#beside?.abandon();
      this.#beside = link;
    });
  }

  async close(): Promise<void> {
    this.#end();
    await this.#current.close();
  }

  async abandon(): Promise<void> {
    this.#end();
    await this.#current.abandon();
  }

  /** @param replace ends the one that it replaces: of several that are opened at once the last one stays */
  async #opened(signal: AbortSignal, replace: (link: Link) => void): Promise<Link> {
    if (this.#isOver) throw over();
    const link = await this.#open(signal);
    if (this.#isOver) {
      await link.abandon();
      throw over();
    }
    replace(link);
    return link;
  }

  #end(): void {
    this.#isOver = true;
    this.#ended({ reason: 'closed_by_us', detail: 'the conversation is over' });
    void this.#beside?.abandon();
  }
}

function over(): AppError {
  return new AppError('LINK_CLOSED', 'the conversation with the terminal is over; nothing was sent to it', {
    retry: 'safe',
    moneyMoved: 'no',
  });
}
