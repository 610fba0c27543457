import { AppError } from '../base/errors.ts';
import { invariant } from '../base/invariant.ts';
import type { FrameSource } from './exchange.ts';
import type { Framing } from './exchange-line.ts';
import { garbled } from './garbled.ts';
import { concatBytes } from './hex.ts';

/**
 * Cuts frames out of a stream by a length that stands in front of each. Without a start mark there is no resynchronisation: where no frame can
 * begin, the stream is broken; frames that were complete before are still returned. It holds the bytes of one frame.
 */
export class LengthReader implements FrameSource<Uint8Array> {
  readonly #lengthOf: (bytes: Uint8Array) => number | undefined;
  #pieces: Uint8Array[] = [];
  #buffered = 0;
  /** How many bytes are needed before the next attempt. */
  #wanted = 1;
  #broken: AppError | undefined;

  /**
   * @param lengthOf of the frame at the start of the bytes, with its head, 1 or more; undefined while its length has not arrived. It throws an AppError
   * where no frame begins so, and for one that is too long.
   */
  constructor(lengthOf: (bytes: Uint8Array) => number | undefined) {
    this.#lengthOf = lengthOf;
  }

  get broken(): AppError | undefined {
    return this.#broken;
  }

  push(bytes: Uint8Array): readonly Uint8Array[] {
    if (this.#broken) return [];
    this.#pieces.push(bytes);
    this.#buffered += bytes.length;
    return this.#buffered < this.#wanted ? [] : this.#cut(concatBytes(...this.#pieces));
  }

  #cut(bytes: Uint8Array): readonly Uint8Array[] {
    const frames: Uint8Array[] = [];
    let rest = bytes;
    let length = this.#next(rest);
    while (length !== undefined && length <= rest.length) {
      frames.push(rest.slice(0, length));
      rest = rest.subarray(length);
      length = this.#next(rest);
    }
    this.#pieces = rest.length === 0 || this.#broken ? [] : [rest.slice()];
    this.#buffered = rest.length;
    this.#wanted = length ?? rest.length + 1;
    return frames;
  }

  #next(bytes: Uint8Array): number | undefined {
    if (bytes.length === 0) return undefined;
    try {
      return this.#lengthOf(bytes);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      this.#broken = error;
      return undefined;
    }
  }
}

/** Frames with a length of 2 or 4 bytes in front, the highest first, which counts the bytes behind it. */
export class LengthFraming implements Framing<Uint8Array> {
  readonly #head: 2 | 4;
  readonly #longest: number;

  /** @param longest bytes behind the length, at most 65,535 where it has 2 bytes; a longer frame of the terminal ends the connection at the first byte that shows it */
  constructor(head: 2 | 4, longest: number) {
    invariant(longest < 256 ** head, 'the length cannot count so many bytes', { head, longest });
    this.#head = head;
    this.#longest = longest;
  }

  /** It returns what stands behind the lengths. */
  readonly reader = (): FrameSource<Uint8Array> => {
    const reader = new LengthReader((bytes) => this.#lengthOf(bytes));
    return {
      push: (bytes) => reader.push(bytes).map((frame) => frame.subarray(this.#head)),
      get broken() {
        return reader.broken;
      },
    };
  };

  /** The message with its length in front. @throws TERMINAL_CANNOT for a longer one */
  readonly frame = (message: Uint8Array): Uint8Array => {
    if (message.length > this.#longest)
      throw new AppError('TERMINAL_CANNOT', `a message has at most ${this.#longest} bytes: it was not sent`);
    const head = new Uint8Array(4);
    new DataView(head.buffer).setUint32(0, message.length);
    return concatBytes(head.subarray(4 - this.#head), message);
  };

  /** What has not arrived of the length counts as 0: a frame that is too long whatever follows is refused at once. */
  #lengthOf(bytes: Uint8Array): number | undefined {
    let body = 0;
    for (let at = 0; at < this.#head; at += 1) body = body * 256 + (bytes[at] ?? 0);
    if (body > this.#longest) throw garbled(`a message is longer than ${this.#longest} bytes`);
    return bytes.length < this.#head ? undefined : this.#head + body;
  }
}
