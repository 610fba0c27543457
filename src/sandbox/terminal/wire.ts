import type { BytePipe } from './byte-pipe.ts';

/** Bytes that are part of no protocol here; they contain no ACK, NAK, STX or DLE. */
const NOISE = Uint8Array.of(0xa5, 0x5a, 0x00, 0xff, 0x33, 0x7f);

/**
 * One connection of a virtual terminal, with its injected faults.
 * Why: a dialect sends frames and does not know that one of them is lost, duplicated or preceded by noise.
 * Writes are queued in order and never awaited: a till that does not read must not block the terminal.
 */
export class Wire {
  readonly kind: BytePipe['kind'];
  /** Aborts when the connection has ended. */
  readonly ended: AbortSignal;
  readonly #end = new AbortController();
  readonly #pipe: BytePipe;
  readonly #isMute: () => boolean;
  #double = false;

  /** `isMute`: while true nothing is received or sent; those bytes are lost. */
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

  /** What the till sends and the terminal receives. */
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

  /** Sends a control byte of the link layer (ACK, NAK). */
  control(byte: number): void {
    if (!this.#isMute()) this.#write(Uint8Array.of(byte));
  }

  noise(): void {
    this.#write(NOISE);
  }

  /** Sends the next frame twice. */
  doubleNext(): void {
    this.#double = true;
  }

  /** Ends the connection; nothing is received or sent on it afterwards. */
  close(): void {
    this.#end.abort();
    this.#pipe.close().catch(() => undefined);
  }

  #write(bytes: Uint8Array): void {
    if (!this.ended.aborted) this.#pipe.write(bytes).catch(() => undefined);
  }
}
