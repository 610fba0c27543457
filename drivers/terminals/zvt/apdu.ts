import {
  AppError,
  concatBytes,
  fromHex,
  invariant,
  malformed,
  toHex,
} from '../../../src/driver-kit/terminal.ts';

/** Longest APDU of the protocol: two bytes of control field, three of length, 65,535 of data. */
export const MAX_APDU_LENGTH = 5 + 0xffff;

/**
 * One application packet.
 *
 *     control (2) | length (1)            | data         length 00–FE
 *     control (2) | FF | low (1) high (1) | data         length up to 65,535
 *
 * @see PA00P016 5.2
 */
export interface Apdu {
  /** Control field as four upper-case hex digits: `060F`. */
  readonly control: string;
  readonly data: Uint8Array;
  /** Offset of the data inside the packet: 3 or 5. */
  readonly dataOffset: number;
}

/** Encodes an APDU; the extended length is used from 255 bytes of data on. */
export function encodeApdu(control: string, ...data: readonly Uint8Array[]): Uint8Array {
  const head = fromHex(control);
  const body = concatBytes(...data);
  invariant(head?.length === 2 && body.length <= 0xffff, 'this is no APDU', { control, length: body.length });
  const length = body.length < 0xff ? [body.length] : [0xff, body.length & 0xff, body.length >> 8];
  return concatBytes(head, Uint8Array.from(length), body);
}

/** Length of the APDU that begins at `at`, header included; `undefined` while its length field has not arrived. */
export function apduLength(bytes: Uint8Array, at = 0): number | undefined {
  const short = bytes[at + 2];
  if (short === undefined) return undefined;
  if (short !== 0xff) return 3 + short;
  const low = bytes[at + 3];
  const high = bytes[at + 4];
  return low === undefined || high === undefined ? undefined : 5 + low + (high << 8);
}

/**
 * Reads exactly one APDU.
 * @throws DECODE_INCOMPLETE when it is cut short, DECODE_TRAILING_BYTES when more follows; `context.offset` gives the place.
 */
export function parseApdu(bytes: Uint8Array): Apdu {
  const length = apduLength(bytes);
  if (length === undefined || length > bytes.length) {
    throw new AppError('DECODE_INCOMPLETE', `the APDU is cut short: ${missing(length, bytes.length)}`, {
      context: { offset: bytes.length },
    });
  }
  if (length < bytes.length) {
    throw new AppError('DECODE_TRAILING_BYTES', `${bytes.length - length} bytes follow the end of the APDU`, {
      context: { offset: length },
    });
  }
  return split(bytes);
}

/**
 * Reads one packet of a terminal. It tolerates only a Print Line whose length byte exceeds its text,
 * as some terminals send it.
 * @throws as {@link parseApdu}.
 */
export function parseReceived(bytes: Uint8Array): Apdu {
  return isShortPrintLine(bytes) ? split(bytes) : parseApdu(bytes);
}

/** A Print Line (`06 D1`) that carries less text than its one-byte length says. */
export function isShortPrintLine(bytes: Uint8Array): boolean {
  const length = apduLength(bytes) ?? 0;
  return (
    bytes[0] === 0x06 && bytes[1] === 0xd1 && bytes[2] !== 0xff && bytes.length > 3 && length > bytes.length
  );
}

/** The length field of the packet. */
export function claimedLength(bytes: Uint8Array): number {
  const length = apduLength(bytes);
  if (length === undefined) throw malformed(0, 'the packet has no length field');
  return length - (bytes[2] === 0xff ? 5 : 3);
}

function split(bytes: Uint8Array): Apdu {
  const dataOffset = bytes[2] === 0xff ? 5 : 3;
  return { control: toHex(bytes.subarray(0, 2)), data: bytes.subarray(dataOffset), dataOffset };
}

function missing(length: number | undefined, have: number): string {
  return length === undefined ? 'the length field is missing' : `${length - have} bytes are missing`;
}
