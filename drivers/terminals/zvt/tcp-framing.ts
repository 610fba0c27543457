import { AppError, concatBytes, type FrameSource } from '../../../src/driver-kit/terminal.ts';
import { apduLength } from './apdu.ts';
import { isKnownClass } from './message-names.ts';

/**
 * Cuts APDUs out of a TCP stream by their length field: pieces of one byte, of 1024, or several APDUs at once.
 * TCP has no mark for resynchronisation, so an invalid first byte of a packet ends the stream; packets that were complete
 * before it are still returned.
 * It holds at most one APDU of the longest length.
 * @see PA00P016 4
 */
export class TcpReader implements FrameSource<Uint8Array> {
  #pieces: Uint8Array[] = [];
  #buffered = 0;
  #wanted = 1;
  #broken: AppError | undefined;

  /** TERMINAL_GARBLED, once the stream is unreadable. */
  get broken(): AppError | undefined {
    return this.#broken;
  }

  push(bytes: Uint8Array): readonly Uint8Array[] {
    if (this.#broken) return [];
    this.#pieces.push(bytes);
    this.#buffered += bytes.length;
    if (this.#buffered < this.#wanted) return [];
    const { apdus, rest, wanted, broken } = cut(concatBytes(...this.#pieces));
    this.#broken = broken;
    this.#pieces = rest.length === 0 ? [] : [rest];
    this.#buffered = rest.length;
    this.#wanted = wanted;
    return apdus;
  }
}

interface Cut {
  readonly apdus: readonly Uint8Array[];
  readonly rest: Uint8Array;
  /** How many bytes are needed before the next attempt. */
  readonly wanted: number;
  readonly broken?: AppError;
}

function cut(bytes: Uint8Array): Cut {
  const apdus: Uint8Array[] = [];
  let at = 0;
  while (at < bytes.length) {
    const first = bytes[at] ?? 0;
    if (!isKnownClass(first) && bytes.length - at >= 3)
      return { apdus, rest: new Uint8Array(), wanted: 1, broken: garbled(first) };
    const length = apduLength(bytes, at);
    if (length === undefined || at + length > bytes.length) {
      const rest = bytes.slice(at);
      return { apdus, rest, wanted: length ?? rest.length + 1 };
    }
    apdus.push(bytes.slice(at, at + length));
    at += length;
  }
  return { apdus, rest: new Uint8Array(), wanted: 1 };
}

function garbled(first: number): AppError {
  return new AppError('TERMINAL_GARBLED', 'the terminal sent bytes that are no ZVT packet', {
    retry: 'after_recovery',
    moneyMoved: 'unknown',
    context: { first },
  });
}
