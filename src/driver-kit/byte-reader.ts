import { AppError } from '../base/errors.ts';

/**
 * Reads bytes from front to back and never past their end.
 * `base` is added to every offset it reports, so that a reader of an inner part reports offsets of the whole.
 */
export class ByteReader {
  readonly #bytes: Uint8Array;
  readonly #base: number;
  #at = 0;

  constructor(bytes: Uint8Array, base = 0) {
    this.#bytes = bytes;
    this.#base = base;
  }

  /** The position of the next byte, as an offset of the whole. */
  get offset(): number {
    return this.#base + this.#at;
  }

  get remaining(): number {
    return this.#bytes.length - this.#at;
  }

  /** The next byte; it stays unread. */
  peek(): number | undefined {
    return this.#bytes[this.#at];
  }

  /** @throws DECODE_MALFORMED when nothing is left; `context.offset` is the position, the message names `what`. */
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
   * @throws DECODE_MALFORMED when fewer are left or one of them is not printable ASCII.
   */
  text(count: number, what: string): string {
    const at = this.offset;
    const bytes = this.take(count, what);
    const strange = bytes.findIndex((byte) => byte < 0x20 || byte > 0x7e);
    if (strange !== -1) throw malformed(at + strange, `${what} is not printable ASCII`);
    return new TextDecoder().decode(bytes);
  }

  /**
   * The next `count` bytes as decimal digits, leading zeros kept.
   * @throws DECODE_MALFORMED when fewer are left or one of them is no digit.
   */
  digits(count: number, what: string): string {
    const at = this.offset;
    const text = this.text(count, what);
    const strange = text.search(/\D/);
    if (strange !== -1) throw malformed(at + strange, `${what} is not made of digits`);
    return text;
  }

  /** All remaining bytes. */
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
