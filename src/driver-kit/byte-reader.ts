import { AppError } from '../base/errors.ts';

/**
 * Reads a piece of memory from front to back and never past its end.
 * `base` is added to every offset it reports, so that a reader of an inner part speaks in offsets of the whole.
 */
export class ByteReader {
  readonly #bytes: Uint8Array;
  readonly #base: number;
  #at = 0;

  constructor(bytes: Uint8Array, base = 0) {
    this.#bytes = bytes;
    this.#base = base;
  }

  /** Where the next byte lies, in offsets of the whole. */
  get offset(): number {
    return this.#base + this.#at;
  }

  get remaining(): number {
    return this.#bytes.length - this.#at;
  }

  /** The next byte without taking it. */
  peek(): number | undefined {
    return this.#bytes[this.#at];
  }

  /** @throws DECODE_MALFORMED when nothing is left; `context.offset` says where, `what` is named. */
  byte(what: string): number {
    const byte = this.#bytes[this.#at];
    if (byte === undefined) throw malformed(this.offset, `${what} is missing`);
    this.#at += 1;
    return byte;
  }

  /** @throws DECODE_MALFORMED when fewer than `count` bytes are left. */
  take(count: number, what: string): Uint8Array {
    if (count > this.remaining) {
      throw malformed(this.offset, `${what} needs ${count} bytes, only ${this.remaining} are left`);
    }
    const piece = this.#bytes.subarray(this.#at, this.#at + count);
    this.#at += count;
    return piece;
  }

  /**
   * The next `count` bytes as printable ASCII, blanks kept.
   * @throws DECODE_MALFORMED when fewer are left or one of them is something else.
   */
  text(count: number, what: string): string {
    const at = this.offset;
    const bytes = this.take(count, what);
    const strange = bytes.findIndex((byte) => byte < 0x20 || byte > 0x7e);
    if (strange !== -1) throw malformed(at + strange, `${what} is not printable ASCII`);
    return new TextDecoder().decode(bytes);
  }

  /**
   * The next `count` bytes as decimal digits, zeros in front kept.
   * @throws DECODE_MALFORMED when fewer are left or one of them is something else.
   */
  digits(count: number, what: string): string {
    const at = this.offset;
    const text = this.text(count, what);
    const strange = text.search(/\D/);
    if (strange !== -1) throw malformed(at + strange, `${what} is not made of digits`);
    return text;
  }

  /** Everything that is left. */
  rest(): Uint8Array {
    const piece = this.#bytes.subarray(this.#at);
    this.#at = this.#bytes.length;
    return piece;
  }
}

/** Bytes that break the protocol's rules at `offset`. */
export function malformed(offset: number, message: string): AppError {
  return new AppError('DECODE_MALFORMED', message, { context: { offset } });
}
