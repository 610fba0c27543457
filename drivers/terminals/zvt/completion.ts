import { ByteReader, hasCode, toHex } from '../../../src/driver-kit/terminal.ts';
import { type BitmapField, isVariableLength, readBitmaps, readVariableLength } from './bitmaps.ts';
import { textOf } from './charset.ts';

/**
 * The end of a Status-Enquiry:
 *
 *     [Fx Fy Fz | SW version] | terminal status (1) | [06 TLV]
 *
 * A status of 06 is not a TLV container, and one of F0 is not a length: a length has three bytes `Fx`.
 * @see PA00P015 2.26
 */
export interface StatusCompletion {
  readonly swVersion?: string;
  /** Upper-case hex; absent when the terminal sent none. */
  readonly terminalStatus?: string;
  readonly fields: readonly BitmapField[];
}

/**
 * Reads the data of the `06 0F` that ends a Status-Enquiry.
 * @throws DECODE_MALFORMED
 */
export function readStatusCompletion(data: Uint8Array, base = 0): StatusCompletion {
  const reader = new ByteReader(data, base);
  const version = isVariableLength(data, 3) ? readVersion(reader) : {};
  if (reader.remaining === 0) return { ...version, fields: [] };
  const terminalStatus = toHex(reader.take(1, 'the terminal status'));
  const offset = reader.offset;
  return { ...version, terminalStatus, fields: readBitmaps(reader.rest(), offset) };
}

/**
 * Finds out whether a completion without its request ends a Status-Enquiry: it begins with a version, or it is not readable as
 * bitmaps but is readable as a status.
 * @throws DECODE_MALFORMED when it is neither.
 */
export function guessCompletion(data: Uint8Array, base = 0): StatusCompletion {
  // No bitmap is one byte long, not even 06.
  if (isVariableLength(data, 3) || data.length === 1) return readStatusCompletion(data, base);
  try {
    return { fields: readBitmaps(data, base) };
  } catch (error) {
    if (!hasCode(error, 'DECODE_MALFORMED') || data[0] === 0x06) throw error;
    return statusOr(data, base, error);
  }
}

function statusOr(data: Uint8Array, base: number, error: Error): StatusCompletion {
  const rest = data[1];
  if (rest !== undefined && rest !== 0x06) throw error;
  return readStatusCompletion(data, base);
}

function readVersion(reader: ByteReader): { readonly swVersion: string } {
  const length = readVariableLength(reader, 3, 'the SW version');
  return { swVersion: textOf(reader.take(length, 'the SW version'), 'iso-8859-1') };
}
