import { AppError } from '../../src/base/errors.ts';
import type { BytePipe } from '../../src/sandbox/terminal/byte-pipe.ts';
import type { Link, LinkLoss } from '../../src/terminal/link.ts';

interface EndActions {
  write(bytes: Uint8Array): void;
  close(): void;
}

/** One end of the way; the core's `Link` and a virtual terminal's pipe have the same shape. */
export class End implements Link, BytePipe {
  readonly kind: 'tcp' | 'serial';
  readonly closed: Promise<LinkLoss>;
  readonly bytes: AsyncIterable<Uint8Array>;
  peer: End | null = null;
  readonly #actions: EndActions;
  readonly #inbox: Uint8Array[] = [];
  readonly #resolveClosed: (loss: LinkLoss) => void;
  #loss: LinkLoss | null = null;
  #wake: () => void = () => undefined;
  #lastArrival = 0;
  #underway = 0;
  #forgotten = false;

  constructor(kind: 'tcp' | 'serial', actions: EndActions) {
    this.kind = kind;
    this.#actions = actions;
    const { promise, resolve } = Promise.withResolvers<LinkLoss>();
    this.closed = promise;
    this.#resolveClosed = resolve;
    this.bytes = { [Symbol.asyncIterator]: () => this.#read() };
  }

  get ended(): boolean {
    return this.#loss !== null;
  }

  async write(bytes: Uint8Array): Promise<void> {
    if (this.#loss) throw new AppError('LINK_CLOSED', `the link is closed: ${this.#loss.detail}`);
    this.#actions.write(Uint8Array.from(bytes));
  }

  async close(): Promise<void> {
    if (this.#loss) return;
    this.end({ reason: 'closed_by_us', detail: 'closed' });
    this.#actions.close();
  }

  /** Ends it at once; what waits to be sent is thrown away. */
  abandon(): Promise<void> {
    this.forget();
    return this.close();
  }

  /** What is still held back on this side never arrives. */
  forget(): void {
    this.#forgotten = true;
  }

  get isForgotten(): boolean {
    return this.#forgotten;
  }

  end(loss: LinkLoss): void {
    if (this.#loss) return;
    this.#loss = loss;
    this.#resolveClosed(loss);
    this.#wake();
  }

  receive(piece: Uint8Array): void {
    if (this.#loss) return;
    this.#inbox.push(piece);
    this.#wake();
  }

  /** Whether something that was written before is still on its way: nothing overtakes it. */
  get isLate(): boolean {
    return this.#underway > 0;
  }

  /** When a piece that is written now arrives, counted from now: never before an earlier one. */
  queued(now: number, delayMs: number): number {
    this.#lastArrival = Math.max(this.#lastArrival, now + delayMs);
    return this.#lastArrival - now;
  }

  /** Something is on its way from here, and has come to the other side. */
  departed(): void {
    this.#underway += 1;
  }

  arrived(): void {
    this.#underway -= 1;
  }

  async *#read(): AsyncGenerator<Uint8Array, void, undefined> {
    for (;;) {
      const piece = this.#inbox.shift();
      if (piece) yield piece;
      else if (this.#loss) return;
      else
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
    }
  }
}
