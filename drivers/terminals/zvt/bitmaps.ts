import {
  type AppError,
  ByteReader,
  concatBytes,
  fromHex,
  hasCode,
  invariant,
  malformed,
  toHex,
} from '../../../src/driver-kit/terminal.ts';
import { encodeTlv, findTlv, parseTlv, readTlvLength, type TlvNode, tlvLength } from './tlv.ts';

/** Length of a bitmap's value: fixed, or given by two (`LL`) or three (`LLL`) bytes `Fx Fy [Fz]` = decimal digits. */
type BitmapLength = number | 'LL' | 'LLL';

/**
 * Every bitmap of the protocol: length and our name for it. The dialogue-control bitmaps F9–FD have none.
 * @see PA00P015 13
 */
const BITMAPS: Readonly<Record<string, readonly [length: BitmapLength, name: string]>> = {
  '01': [1, 'timeout'],
  '02': [1, 'max_status_infos'],
  '03': [1, 'service_byte'],
  '04': [6, 'amount_minor'],
  '05': [1, 'pump_no'],
  '0B': [3, 'trace'],
  '0C': [3, 'time_hhmmss'],
  '0D': [2, 'date_mmdd'],
  '0E': [2, 'expiry_yymm'],
  '17': [2, 'card_seq'],
  '19': [1, 'type_or_status_byte'],
  '22': ['LL', 'pan'],
  '23': ['LL', 'track_2'],
  '24': ['LLL', 'track_3'],
  '27': [1, 'result_code'],
  '29': [4, 'terminal_id'],
  '2A': [15, 'vu_number'],
  '2D': ['LL', 'track_1'],
  '2E': ['LLL', 'sync_chip'],
  '37': [3, 'orig_trace'],
  '3A': [2, 'cvv'],
  '3B': [8, 'auth_attribute'],
  '3C': ['LLL', 'additional_text'],
  '3D': [3, 'password'],
  '49': [2, 'currency'],
  '4C': ['LL', 'blocked_goods_groups'],
  '60': ['LLL', 'totals'],
  '70': [4, 'image_request_id'],
  '71': [4, 'image_size'],
  '72': [1, 'image_type'],
  '73': [1, 'image_encoding'],
  '74': [1, 'image_chunks'],
  '75': [1, 'image_index'],
  '87': [2, 'receipt_no'],
  '88': [3, 'turnover_no'],
  '8A': [1, 'card_type'],
  '8B': ['LL', 'card_name'],
  '8C': [1, 'network_card_type'],
  '9A': ['LLL', 'geldkarte_record'],
  A0: [1, 'result_code_as'],
  A7: ['LL', 'chip_ef_id'],
  AA: [3, 'date_yymmdd'],
  AF: ['LLL', 'ef_info'],
  BA: [5, 'aid_parameter'],
  D0: [1, 'key_algorithm'],
  D1: ['LL', 'pin_data'],
  D2: [1, 'card_output'],
  D3: [1, 'dukpt_id'],
  E0: [1, 'input_min'],
  E1: ['LL', 'text2_1'],
  E2: ['LL', 'text2_2'],
  E3: ['LL', 'text2_3'],
  E4: ['LL', 'text2_4'],
  E5: ['LL', 'text2_5'],
  E6: ['LL', 'text2_6'],
  E7: ['LL', 'text2_7'],
  E8: ['LL', 'text2_8'],
  E9: [1, 'input_max'],
  EA: [1, 'input_echo'],
  EB: [8, 'mac'],
  F0: [1, 'display_seconds'],
  F1: ['LL', 'text1_1'],
  F2: ['LL', 'text1_2'],
  F3: ['LL', 'text1_3'],
  F4: ['LL', 'text1_4'],
  F5: ['LL', 'text1_5'],
  F6: ['LL', 'text1_6'],
  F7: ['LL', 'text1_7'],
  F8: ['LL', 'text1_8'],
  F9: [1, ''],
  FA: [1, ''],
  FB: [1, ''],
  FC: [1, ''],
  FD: [1, ''],
};

/** One bitmap of a message; bitmap 06 holds TLV elements, the others a value. */
export interface BitmapField {
  /** Upper-case hex: `8A`. */
  readonly bmp: string;
  readonly name: string;
  readonly value: Uint8Array;
  readonly tlv?: readonly TlvNode[];
}

interface BitmapScan {
  readonly fields: readonly BitmapField[];
  /** The error that ended the reading early. */
  readonly error?: AppError;
  /** Where it was a bitmap that the protocol does not have: it and all that follows, whose lengths are not known. */
  readonly unknown?: Uint8Array;
}

/**
 * Reads bitmaps to the end of `bytes`.
 * @throws DECODE_MALFORMED for an unknown bitmap or a value that is cut short.
 */
export function readBitmaps(bytes: Uint8Array, base = 0): readonly BitmapField[] {
  const { fields, error } = scanBitmaps(bytes, base);
  if (error) throw error;
  return fields;
}

/** Reads bitmaps up to the first error: a terminal's result is worth more than its last unreadable field. */
export function scanBitmaps(bytes: Uint8Array, base = 0): BitmapScan {
  const reader = new ByteReader(bytes, base);
  const fields: BitmapField[] = [];
  try {
    while (reader.remaining > 0) {
      const at = reader.offset;
      if (!isKnown(reader.peek()))
        return { fields, error: unknownBitmap(at, reader.peek()), unknown: bytes.subarray(at - base) };
      fields.push(readBitmap(reader));
    }
    return { fields };
  } catch (error) {
    if (!hasCode(error, 'DECODE_MALFORMED')) throw error;
    return { fields, error };
  }
}

/** The value of the last bitmap with this number. */
export function bitmapOf(fields: readonly BitmapField[], bmp: string): Uint8Array | undefined {
  return fields.findLast((field) => field.bmp === bmp)?.value;
}

/** The first TLV element with this tag in any container of the message. */
export function tlvOf(fields: readonly BitmapField[], tag: string): TlvNode | undefined {
  return findTlv(
    fields.flatMap((field) => field.tlv ?? []),
    tag,
  );
}

/** One bitmap as bytes; lengths are checked against the table. */
export function encodeBitmap(bmp: string, value: Uint8Array): Uint8Array {
  const number = fromHex(bmp);
  const rule = BITMAPS[bmp];
  invariant(number && rule, 'unknown bitmap', { bmp });
  return concatBytes(number, lengthPrefix(rule[0], value), value);
}

/** A TLV container as bitmap 06. */
export function encodeTlvBitmap(...nodes: readonly Uint8Array[]): Uint8Array {
  const body = concatBytes(...nodes);
  return concatBytes(Uint8Array.of(0x06), tlvLength(body.length), body);
}

/** A TLV element; see {@link encodeTlvBitmap}. */
export { encodeTlv };

/** True for the three bytes `Fx Fy Fz` of an LLLVAR length, digits 0–9. */
export function isVariableLength(bytes: Uint8Array, digits: 2 | 3): boolean {
  const length = bytes.subarray(0, digits);
  return length.length === digits && length.every((byte) => byte >= 0xf0 && byte <= 0xf9);
}

/** The number in `Fx Fy` or `Fx Fy Fz`: 12 is `F0 F1 F2`. */
export function readVariableLength(reader: ByteReader, digits: 2 | 3, what: string): number {
  const at = reader.offset;
  const bytes = reader.take(digits, `the length of ${what}`);
  if (!isVariableLength(bytes, digits))
    throw malformed(at, `the length of ${what} is not ${'Fx '.repeat(digits).trim()}`);
  return bytes.reduce((sum, byte) => sum * 10 + (byte & 0x0f), 0);
}

function isKnown(byte: number | undefined): boolean {
  return byte === 0x06 || BITMAPS[nameOf(byte)] !== undefined;
}

function nameOf(byte: number | undefined): string {
  return byte === undefined ? '' : toHex(Uint8Array.of(byte));
}

function unknownBitmap(at: number, byte: number | undefined): AppError {
  return malformed(at, `bitmap ${nameOf(byte)} is not known`);
}

/** One bitmap that the protocol has. */
function readBitmap(reader: ByteReader): BitmapField {
  const at = reader.offset;
  const bmp = toHex(reader.take(1, 'the bitmap'));
  if (bmp === '06') return readContainer(reader);
  const rule = BITMAPS[bmp];
  invariant(rule, 'unknown bitmap', { at });
  const [length, name] = rule;
  const what = `bitmap ${bmp}`;
  const count =
    typeof length === 'number' ? length : readVariableLength(reader, length === 'LL' ? 2 : 3, what);
  return { bmp, name, value: reader.take(count, what) };
}

function readContainer(reader: ByteReader): BitmapField {
  const length = readTlvLength(reader);
  const base = reader.offset;
  const value = reader.take(length, 'bitmap 06');
  return { bmp: '06', name: '', value, tlv: parseTlv(value, base) };
}

function lengthPrefix(length: BitmapLength, value: Uint8Array): Uint8Array {
  if (typeof length === 'number') {
    invariant(value.length === length, 'the value does not fit the bitmap', { length: value.length });
    return new Uint8Array();
  }
  const digits = String(value.length).padStart(length.length, '0');
  invariant(digits.length === length.length, 'the value is too long for the bitmap', {
    length: value.length,
  });
  return Uint8Array.from(digits, (digit) => 0xf0 | Number(digit));
}
