import { AppError, LengthReader } from '../../../src/driver-kit/terminal.ts';
import { apduLength } from './apdu.ts';
import { isKnownClass } from './message-names.ts';

/**
 * Cuts APDUs out of a TCP stream by their length field: pieces of one byte, of 1024, or several APDUs at once.
 * TCP has no mark for resynchronisation, so an invalid first byte of a packet ends the stream; packets that were complete
 * before it are still returned.
 * It holds at most one APDU of the longest length.
 * @see PA00P016 4
 */
export class TcpReader extends LengthReader {
  constructor() {
    super((bytes) => {
      const first = bytes[0] ?? 0;
      if (!isKnownClass(first) && bytes.length >= 3) throw garbled(first);
      return apduLength(bytes);
    });
  }
}

function garbled(first: number): AppError {
  return new AppError('TERMINAL_GARBLED', 'the terminal sent bytes that are no ZVT packet', {
    retry: 'after_recovery',
    moneyMoved: 'unknown',
    context: { first },
  });
}
