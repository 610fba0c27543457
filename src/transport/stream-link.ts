import type { Duplex } from 'node:stream';
import { AppError, messageOf } from '../base/errors.ts';
import type { Link, LinkLoss } from '../terminal/link.ts';

/** What a socket and a serial port do differently. */
export interface StreamDoor {
  readonly kind: Link['kind'];
  /** Where it leads, for error texts: `127.0.0.1:20007`, `/dev/ttyACM0`. */
  readonly where: string;
  readonly isOpen: () => boolean;
  /** Starts the end of the stream; its `close` event follows. */
  readonly end: () => void;
  /** The same at once; what waits to be sent is thrown away. */
  readonly drop: () => void;
  /** What the argument of the `close` event and the last error say of the loss, when it was not we who closed. */
  readonly lossOf: (closeArgument: unknown, lastError: Error | undefined) => LinkLoss;
}

/**
 * A {@link Link} over a Node stream.
 * Why: sockets and serial ports differ in how they end, not in how bytes pass through them.
 *
 * INVARIANTS:
 * - `closed` resolves once, at the stream's first `close`;
 * - what waits unread is bounded by the stream's high water mark, then the peer is held back;
 * - a write that was still open when the stream ended rejects, it never hangs.
 */
export class StreamLink implements Link {
  readonly kind: Link['kind'];
  readonly closed: Promise<LinkLoss>;
  readonly bytes: AsyncIterable<Uint8Array>;
  readonly #stream: Duplex;
  readonly #door: StreamDoor;
  #closing = false;
  #loss: LinkLoss | undefined;
  #lastError: Error | undefined;

  constructor(stream: Duplex, door: StreamDoor) {
    this.kind = door.kind;
    this.#stream = stream;
    this.#door = door;
    this.bytes = { [Symbol.asyncIterator]: () => bytesOf(stream) };
    stream.on('error', (error: Error) => {
      this.#lastError = error;
    });
    this.closed = new Promise((resolve) => {
      stream.once('close', (argument: unknown) => {
        this.#loss = this.#closing
          ? { reason: 'closed_by_us', detail: `closed ${door.where}` }
          : door.lossOf(argument, this.#lastError);
        resolve(this.#loss);
      });
    });
  }

  async write(bytes: Uint8Array): Promise<void> {
    if (this.#loss || this.#closing || !this.#door.isOpen()) {
      throw new AppError(
        'LINK_CLOSED',
        `the connection to ${this.#door.where} had ended before this was sent`,
        {
          retry: 'safe',
          moneyMoved: 'no',
        },
      );
    }
    await this.#handOver(bytes);
  }

  close(): Promise<void> {
    return this.#endBy(this.#door.end);
  }

  abandon(): Promise<void> {
    return this.#endBy(this.#door.drop);
  }

  async #endBy(end: () => void): Promise<void> {
    if (!this.#closing && !this.#loss) {
      this.#closing = true;
      if (this.#door.isOpen() || !this.#stream.destroyed) end();
    }
    await this.closed;
  }

  #handOver(bytes: Uint8Array): Promise<void> {
    return new Promise((resolve, reject) => {
      const lost = (cause: unknown) =>
        reject(
          new AppError(
            'LINK_LOST',
            `the connection to ${this.#door.where} ended while sending: ${messageOf(cause)}`,
            {
              retry: 'after_recovery',
              moneyMoved: 'unknown',
              cause,
            },
          ),
        );
      const onClose = () => lost(this.#lastError ?? new Error('closed'));
      this.#stream.once('close', onClose);
      this.#stream.write(bytes, (error) => {
        this.#stream.off('close', onClose);
        if (error) lost(error);
        else resolve();
      });
    });
  }
}

/** The stream's chunks; a broken stream ends them, `closed` says why. */
async function* bytesOf(stream: Duplex): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
      if (chunk instanceof Uint8Array) yield chunk;
    }
  } catch {
    return;
  }
}
