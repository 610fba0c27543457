import { AppError } from '../../src/base/errors.ts';
import type { Link, LinkLoss } from '../../src/terminal/link.ts';

export interface MemoryLinkOptions {
  readonly kind?: 'serial' | 'tcp';
  /** How a write arrives on the other side; default: in one piece. `(bytes) => [...bytes].map((b) => Uint8Array.of(b))` gives single bytes. */
  readonly segment?: (bytes: Uint8Array) => readonly Uint8Array[];
}

/** Two ends of one pipe in memory, and the scissors. */
export interface MemoryLinkPair {
  readonly ours: MemoryLink;
  readonly theirs: MemoryLink;
  /** Ends the pipe for both sides at once. */
  cut(reason?: LinkLoss['reason'], detail?: string): void;
}

/** A pair of connected links; what one end writes, the other reads, in order. */
export function memoryLinkPair(options: MemoryLinkOptions = {}): MemoryLinkPair {
  const ours = new MemoryLink(options);
  const theirs = new MemoryLink(options);
  ours.connect(theirs);
  theirs.connect(ours);
  const cut = (reason: LinkLoss['reason'] = 'error', detail = 'cut by the test') => {
    ours.end({ reason, detail });
    theirs.end({ reason, detail });
  };
  return { ours, theirs, cut };
}

/** One end of a pipe in memory. */
export class MemoryLink implements Link {
  readonly kind: 'serial' | 'tcp';
  readonly closed: Promise<LinkLoss>;
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Everything that this end has written, write by write. */
  readonly written: Uint8Array[] = [];
  /** Called before a write is delivered; throwing rejects the write, as a broken pipe does. */
  beforeWrite: (bytes: Uint8Array) => void = () => undefined;
  readonly #segment: (bytes: Uint8Array) => readonly Uint8Array[];
  readonly #inbox: Uint8Array[] = [];
  readonly #resolveClosed: (loss: LinkLoss) => void;
  #wake: () => void = () => undefined;
  #peer: MemoryLink | undefined;
  #loss: LinkLoss | undefined;

  constructor(options: MemoryLinkOptions = {}) {
    this.kind = options.kind ?? 'tcp';
    this.#segment = options.segment ?? ((bytes) => [bytes]);
    const { promise, resolve } = Promise.withResolvers<LinkLoss>();
    this.closed = promise;
    this.#resolveClosed = resolve;
    this.bytes = { [Symbol.asyncIterator]: () => this.#read() };
  }

  connect(peer: MemoryLink): void {
    this.#peer = peer;
  }

  async write(bytes: Uint8Array): Promise<void> {
    if (this.#loss) throw new AppError('LINK_CLOSED', `the link is closed: ${this.#loss.detail}`);
    this.beforeWrite(bytes);
    this.written.push(Uint8Array.from(bytes));
    for (const piece of this.#segment(Uint8Array.from(bytes))) this.#peer?.receive(piece);
  }

  async close(): Promise<void> {
    this.end({ reason: 'closed_by_us', detail: 'closed' });
    this.#peer?.end({ reason: 'closed_by_peer', detail: 'closed by the other side' });
  }

  abandon(): Promise<void> {
    return this.close();
  }

  receive(piece: Uint8Array): void {
    if (this.#loss) return;
    this.#inbox.push(piece);
    this.#wake();
  }

  /** Ends this side; what has arrived before can still be read. */
  end(loss: LinkLoss): void {
    if (this.#loss) return;
    this.#loss = loss;
    this.#resolveClosed(loss);
    this.#wake();
  }

  async *#read(): AsyncGenerator<Uint8Array, void, undefined> {
    while (true) {
      const piece = this.#inbox.shift();
      if (piece) yield piece;
      else if (this.#loss) return;
      else await this.#arrival();
    }
  }

  #arrival(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}
