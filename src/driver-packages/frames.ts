import { AppError, messageOf } from '../base/errors.ts';

/** The longest message of the channel, in bytes: the journal of a terminal with 2,000 lines fits. */
export const MAX_MESSAGE_BYTES = 1_048_576;

const HEAD_BYTES = 4;

/**
 * One message on the channel:
 *
 *     [length of the text, 4 bytes, big endian] [JSON, UTF-8]
 *
 * @throws PACKAGE_PROTOCOL when it is longer than {@link MAX_MESSAGE_BYTES}
 */
export function frameOf(message: object): Buffer {
  const text = Buffer.from(JSON.stringify(message));
  if (text.length > MAX_MESSAGE_BYTES) throw tooLong(text.length);
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32BE(text.length);
  return Buffer.concat([head, text]);
}

/**
 * Cuts a stream of bytes into messages. It holds less than one message; a longer one is refused at its head, before any of it is stored.
 */
export class FrameReader {
  #parts: Buffer[] = [];
  #buffered = 0;
  /** Bytes that the next frame takes, its head included; null while its head is not complete. */
  #wanted: number | null = null;

  /** The messages that end in this chunk, each with its size in bytes. @throws PACKAGE_PROTOCOL */
  *push(chunk: Buffer): Generator<{ readonly message: unknown; readonly bytes: number }> {
    this.#parts.push(chunk);
    this.#buffered += chunk.length;
    for (;;) {
      this.#wanted ??= this.#readHead();
      if (this.#wanted === null || this.#buffered < this.#wanted) return;
      const bytes = this.#wanted;
      const text = this.#take(bytes).subarray(HEAD_BYTES).toString('utf8');
      this.#wanted = null;
      yield { message: parsed(text), bytes };
    }
  }

  #readHead(): number | null {
    if (this.#buffered < HEAD_BYTES) return null;
    const length = this.#joined().readUInt32BE(0);
    if (length > MAX_MESSAGE_BYTES) throw tooLong(length);
    return HEAD_BYTES + length;
  }

  #take(count: number): Buffer {
    const all = this.#joined();
    const rest = all.subarray(count);
    this.#parts = rest.length > 0 ? [rest] : [];
    this.#buffered = rest.length;
    return all.subarray(0, count);
  }

  #joined(): Buffer {
    const [first] = this.#parts;
    if (first && this.#parts.length === 1) return first;
    const all = Buffer.concat(this.#parts, this.#buffered);
    this.#parts = [all];
    return all;
  }
}

function tooLong(bytes: number): AppError {
  return new AppError('PACKAGE_PROTOCOL', `a message of ${bytes} bytes is longer than ${MAX_MESSAGE_BYTES}`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new AppError('PACKAGE_PROTOCOL', `a message is no JSON: ${messageOf(error)}`);
  }
}
