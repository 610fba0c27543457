import type { BytePipe } from './byte-pipe.ts';

/** Bytes that belong to no protocol here; they contain no ACK, NAK, STX or DLE. */
const NOISE = Uint8Array.of(0xa5, 0x5a, 0x00, 0xff, 0x33, 0x7f);

/**
 * One connection of a virtual terminal, with its faults.
 * Why: a dialect writes frames and need not know that one of them is lost, doubled or led by noise.
 * Writes are handed over in order and never awaited: a till that does not read must not stop the terminal.
 */
export class Wire {
  readonly kind: BytePipe['kind'];
  /** Aborts when the connection has ended. */
  readonly ended: AbortSignal;
  readonly #end = new AbortController();
  readonly #pipe: BytePipe;
  readonly #isMute: () => boolean;
  #double = false;

  /** `isMute`: while true nothing is heard and nothing is said; what is missed is lost. */
  constructor(pipe: BytePipe, isMute: () => boolean) {
    this.kind = pipe.kind;
    this.ended = this.#end.signal;
    this.#pipe = pipe;
    this.#isMute = isMute;
    pipe.closed.then(
      () => this.#end.abort(),
      () => this.#end.abort(),
    );
  }

  /** What the till sends and this terminal hears. */
  async *bytes(): AsyncGenerator<Uint8Array> {
    for await (const chunk of this.#pipe.bytes) {
      if (this.ended.aborted) return;
      if (!this.#isMute()) yield chunk;
    }
  }

  /** Sends one whole frame. */
  frame(bytes: Uint8Array): void {
    const copies = this.#double ? 2 : 1;
    if (this.#isMute()) return;
    this.#double = false;
    for (let copy = 0; copy < copies; copy += 1) this.#write(bytes);
  }

  /** Sends a byte of the link layer (ACK, NAK), which is no frame. */
  control(byte: number): void {
    if (!this.#isMute()) this.#write(Uint8Array.of(byte));
  }

  noise(): void {
    this.#write(NOISE);
  }

  /** The next frame goes out twice. */
  doubleNext(): void {
    this.#double = true;
  }

  /** Ends the connection; from here on nothing is heard or said on it. */
  close(): void {
    this.#end.abort();
    this.#pipe.close().catch(() => undefined);
  }

  #write(bytes: Uint8Array): void {
    if (!this.ended.aborted) this.#pipe.write(bytes).catch(() => undefined);
  }
}
