import type { Duplex } from 'node:stream';
import { AppError, messageOf } from '../base/errors.ts';
import type { Link, LinkLoss } from '../terminal/link.ts';
import { watchWrite } from './write-deadline.ts';

/** How long tilld's own close may take before the link counts as closed: a port can hold its last bytes for half a minute. */
const CLOSE_MS = 1000;

/** The differences between a socket and a serial port. */
export interface StreamEndpoint {
  readonly kind: Link['kind'];
  /** The address, for error texts: `127.0.0.1:20007`, `/dev/ttyACM0`. */
  readonly where: string;
  readonly isOpen: () => boolean;
  /** Starts the end of the stream; its `close` event follows. */
  readonly end: () => void;
  /** The same at once; unsent bytes are dropped. */
  readonly drop: () => void;
  /** How long the system may need to accept so many bytes, ms; a link that accepts none for longer is lost. */
  readonly writeMs: (length: number) => number;
  /** The loss by the argument of the `close` event and the last error, when tilld did not close it. */
  readonly lossOf: (closeArgument: unknown, lastError: Error | undefined) => LinkLoss;
}

/**
 * A {@link Link} over a Node stream.
 * Why: sockets and serial ports differ in how they end, not in how bytes pass through them.
 *
 * INVARIANTS:
 * - `closed` resolves once: at the stream's first `close`, or as soon as the link is known to be lost;
 * - unread bytes are bounded by the stream's high water mark, then backpressure stops the peer;
 * - a write that is still open when the stream ends rejects, it never hangs.
 */
export class StreamLink implements Link {
  readonly kind: Link['kind'];
  readonly closed: Promise<LinkLoss>;
  readonly bytes: AsyncIterable<Uint8Array>;
  readonly #stream: Duplex;
  readonly #endpoint: StreamEndpoint;
  readonly #resolveClosed: (loss: LinkLoss) => void;
  #closing = false;
  #loss: LinkLoss | undefined;
  #lastError: Error | undefined;

  constructor(stream: Duplex, endpoint: StreamEndpoint) {
    this.kind = endpoint.kind;
    this.#stream = stream;
    this.#endpoint = endpoint;
    this.bytes = { [Symbol.asyncIterator]: () => bytesOf(stream) };
    stream.on('error', (error: Error) => {
      this.#lastError = error;
    });
    const { promise, resolve } = Promise.withResolvers<LinkLoss>();
    this.closed = promise;
    this.#resolveClosed = resolve;
    stream.once('close', (argument: unknown) =>
      this.#settle(this.#closing ? this.#closedByUs() : endpoint.lossOf(argument, this.#lastError)),
    );
  }

  /** Ends the link because it is known to be dead, whatever state its stream reports; idempotent. */
  fail(loss: LinkLoss): void {
    if (this.#loss) return;
    this.#settle(loss);
    this.#endpoint.drop();
    // Ends every reader and every open write at once: the close itself may take long.
    this.#stream.destroy();
  }

  async write(bytes: Uint8Array): Promise<void> {
    if (this.#loss || this.#closing || !this.#endpoint.isOpen()) {
      throw new AppError(
        'LINK_CLOSED',
        `the connection to ${this.#endpoint.where} had ended before this was sent`,
        {
          retry: 'safe',
          moneyMoved: 'no',
        },
      );
    }
    await this.#handOver(bytes);
  }

  close(): Promise<void> {
    return this.#endBy(this.#endpoint.end);
  }

  abandon(): Promise<void> {
    return this.#endBy(this.#endpoint.drop);
  }

  async #endBy(end: () => void): Promise<void> {
    if (!this.#closing && !this.#loss) {
      this.#closing = true;
      if (this.#endpoint.isOpen() || !this.#stream.destroyed) end();
      const timer = setTimeout(() => this.#giveUpClosing(), CLOSE_MS);
      this.closed.then(
        () => clearTimeout(timer),
        () => undefined,
      );
    }
    await this.closed;
  }

  #giveUpClosing(): void {
    this.#settle(this.#closedByUs());
    this.#stream.destroy();
  }

  #settle(loss: LinkLoss): void {
    this.#loss ??= loss;
    this.#resolveClosed(this.#loss);
  }

  #closedByUs(): LinkLoss {
    return { reason: 'closed_by_us', detail: `closed ${this.#endpoint.where}` };
  }

  #handOver(bytes: Uint8Array): Promise<void> {
    return new Promise((resolve, reject) => {
      const lost = (cause: unknown) =>
        reject(
          new AppError(
            'LINK_LOST',
            `the connection to ${this.#endpoint.where} ended while sending: ${messageOf(cause)}`,
            {
              retry: 'after_recovery',
              moneyMoved: 'unknown',
              cause,
            },
          ),
        );
      const { writeMs, where } = this.#endpoint;
      const onClose = () => {
        taken();
        lost(this.#lastError ?? new Error('closed'));
      };
      const taken = watchWrite(writeMs(bytes.length), () =>
        this.fail({ reason: 'error', detail: `${where} takes no bytes any more` }),
      );
      this.#stream.once('close', onClose);
      this.#stream.write(bytes, (error) => {
        taken();
        this.#stream.off('close', onClose);
        if (error) lost(error);
        else resolve();
      });
    });
  }
}

/** The stream's chunks; a broken stream ends them, `closed` has the reason. */
async function* bytesOf(stream: Duplex): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
      if (chunk instanceof Uint8Array) yield chunk;
    }
  } catch {
    return;
  }
}
