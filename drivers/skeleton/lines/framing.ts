import { AppError, type FrameSource, malformed } from '../../../src/driver-kit/terminal.ts';

const [CR, LF] = [0x0d, 0x0a];
/** Bytes of the longest line, without its end. */
const LONGEST = 200;

/**
 * Every message is a line of text:
 *
 *     text | 0D | 0A
 *
 * and is answered with the line `A`.
 */
export class LineReader implements FrameSource<Uint8Array> {
  broken: AppError | undefined;
  #buffered: number[] = [];

  push(bytes: Uint8Array): readonly Uint8Array[] {
    const lines: Uint8Array[] = [];
    for (const byte of bytes) {
      if (this.broken) break;
      this.#buffered.push(byte);
      if (byte === LF && this.#buffered.at(-2) === CR)
        lines.push(Uint8Array.from(this.#buffered.splice(0).slice(0, -2)));
      else if (this.#buffered.length > LONGEST + 1) this.broken = tooLong();
    }
    return lines;
  }
}

/** A text with its end: `S|00001234|978` 0D 0A. */
export function lineOf(text: Uint8Array): Uint8Array {
  return Uint8Array.of(...text, CR, LF);
}

/** The text of one whole line. @throws DECODE_MALFORMED */
export function textOf(line: Uint8Array): Uint8Array {
  const [found] = new LineReader().push(line);
  if (found?.length !== line.length - 2) throw malformed(0, 'this is not one line that ends with 0D 0A');
  return found;
}

function tooLong(): AppError {
  return new AppError('TERMINAL_GARBLED', `the terminal sent a line of more than ${LONGEST} bytes`, {
    retry: 'safe',
  });
}
