import {
  ByteReader,
  concatBytes,
  hasCode,
  malformed,
  maskCardNumbers,
  toHex,
} from '../../../src/driver-kit/terminal.ts';
import { type Apdu, claimedLength, isShortPrintLine, parseApdu } from './apdu.ts';
import { type BitmapField, readBitmaps, scanBitmaps } from './bitmaps.ts';
import { textOf } from './charset.ts';
import { guessCompletion, readStatusCompletion, type StatusCompletion } from './completion.ts';
import { readIntermediateStatus } from './intermediate-status.ts';
import { type MessageLayout, messageOf } from './message-names.ts';
import { splitTrailingTlv } from './printing.ts';
import type { TlvNode } from './tlv.ts';

/** The fields of one packet as plain data: hex values in upper case, card numbers masked, track data removed. */
export type Fields = Record<string, unknown>;

/** Bitmaps of card data that must not be stored (tracks, check value, PIN data); their values are removed first. */
const CUT: ReadonlySet<string> = new Set(['23', '24', '2D', '3A', 'D1']);
/** The same as EMV tags: tracks 1 and 2 and their equivalents. */
const CUT_TAGS: ReadonlySet<string> = new Set(['56', '57', '9F1F', '9F20', '9F6B']);
/** Digits of the shortest card number that is searched for in plain text. */
const SHORTEST_CARD_NUMBER = 13;
/** Bitmaps of a fixed meaning that may look like a card number: contract number, approval code, MAC. */
const TYPED: ReadonlySet<string> = new Set(['2A', '3B', 'EB']);
/** Length of bitmap 60 by the specification; another length has no known layout. */
const TOTALS_BYTES = 53;
/** Bitmaps and tags with text: as packed digits their letters could look like card numbers. */
const TEXT_BITMAPS = /^(?:3C|8B|[EF][1-8])$/;
const TEXT_TAGS: ReadonlySet<string> = new Set([
  ...['07', '15', '42', '44', '45', '46', '47', '50', '9F12'],
  ...['1F17', '1F40', '1F41', '1F45', '1F62', '1F63'],
]);
/** EMV tag of the card number, BCD. */
const PAN_TAG = '5A';

/**
 * The fields of one APDU. `request` is the APDU that it answers; it decides how a `06 0F` is read.
 * `base`: added to offsets in errors.
 * @throws DECODE_INCOMPLETE, DECODE_MALFORMED, DECODE_TRAILING_BYTES
 */
export function fieldsOfApdu(bytes: Uint8Array, request: Uint8Array | undefined, base = 0): Fields {
  if (isShortPrintLine(bytes)) return shortPrintLine(bytes);
  const apdu = parseApdu(bytes);
  const head = { control_field: apdu.control, length: apdu.data.length };
  return { ...head, ...readBody(apdu, request, base + apdu.dataOffset) };
}

function shortPrintLine(bytes: Uint8Array): Fields {
  const length = claimedLength(bytes);
  const data = bytes.subarray(3);
  return { control_field: '06D1', length, length_mismatch: data.length - length, ...printLine(data) };
}

function readBody(apdu: Apdu, request: Uint8Array | undefined, base: number): Fields {
  const { data, control } = apdu;
  const { layout, kind } = messageOf(control);
  if (kind === 'answer') return answer(control, data, base);
  if (layout === 'completion') return completion(data, request, base);
  if (control === '06D3') return textBlock(data, base);
  if (data.length === 0 && (control === '06B0' || control === '0670')) return { raw: '' };
  return READERS[layout](data, base);
}

const READERS: Readonly<
  Record<Exclude<MessageLayout, 'completion'>, (data: Uint8Array, base: number) => Fields>
> = {
  bitmaps: (data, base) => ({ fields: allBitmaps(data, base) }),
  password: (data, base) => {
    const reader = new ByteReader(data, base);
    const password = toHex(reader.take(3, 'the password'));
    return { password, ...restOf(reader, allBitmaps) };
  },
  optional_password: optionalPassword,
  registration,
  read_card: (data, base) => {
    if (data.length === 0) return {};
    const reader = new ByteReader(data, base);
    const timeout = reader.byte('the time-out');
    return { timeout, ...restOf(reader, allBitmaps) };
  },
  intermediate,
  abort: abortFields,
  print_line: printLine,
  raw: (data) => ({ raw: maskedRaw(data) }),
};

/** `password (3) | config byte (1) | [currency (2)] | [03 service byte] [06 TLV]` */
function registration(data: Uint8Array, base: number): Fields {
  const reader = new ByteReader(data, base);
  const head = {
    password: toHex(reader.take(3, 'the password')),
    config_byte: toHex(reader.take(1, 'the config byte')),
  };
  if (reader.remaining === 0) return head;
  const [at, rest] = [reader.offset, reader.rest()];
  return {
    ...head,
    ...eitherWay(
      () => withCurrency(rest, at, shownBitmaps),
      () => ({ fields: shownBitmaps(rest, at) }),
      () => withCurrency(rest, at, allBitmaps),
    ),
  };
}

function withCurrency(rest: Uint8Array, base: number, fieldsOf: ReadsBitmaps): Fields {
  const reader = new ByteReader(rest, base);
  return { currency: toHex(reader.take(2, 'the currency')), ...restOf(reader, fieldsOf) };
}

function optionalPassword(data: Uint8Array, base: number): Fields {
  if (data.length === 0) return {};
  const withPassword = (fieldsOf: ReadsBitmaps) => {
    const reader = new ByteReader(data, base);
    return { password: toHex(reader.take(3, 'the password')), ...restOf(reader, fieldsOf) };
  };
  return eitherWay(
    () => withPassword(shownBitmaps),
    () => ({ fields: shownBitmaps(data, base) }),
    () => withPassword(allBitmaps),
  );
}

function intermediate(data: Uint8Array, base: number): Fields {
  const message = readIntermediateStatus(data, base);
  if (!message) throw malformed(base, 'the intermediate status is missing');
  if (message.error) throw message.error;
  const timeout = message.timeout === undefined ? {} : { timeout_min_bcd: message.timeout };
  const fields = message.fields.length === 0 ? {} : { fields: message.fields.map(shown) };
  return { status: message.status, ...timeout, ...fields };
}

/** `result code (1) | [currency (2), only with code 6F] | [06 TLV]`; it may be empty. */
function abortFields(data: Uint8Array, base: number): Fields {
  if (data.length === 0) return {};
  const reader = new ByteReader(data, base);
  const code = toHex(reader.take(1, 'the result code'));
  const [at, rest] = [reader.offset, reader.rest()];
  const plain = (fieldsOf: ReadsBitmaps) => (rest.length === 0 ? {} : { fields: fieldsOf(rest, at) });
  const currency = () => withCurrency(rest, at, shownBitmaps);
  const body =
    code === '6F' && rest.length >= 2
      ? eitherWay(
          () => plain(shownBitmaps),
          currency,
          () => plain(allBitmaps),
        )
      : plain(allBitmaps);
  return { result_code: code, ...body };
}

function printLine(data: Uint8Array): Fields {
  if (data.length === 0) return {};
  const { text, fields } = splitTrailingTlv(data.subarray(1));
  const extra = fields.length === 0 ? {} : { fields: fields.map(shown) };
  return {
    attribute: toHex(data.subarray(0, 1)),
    text_cp437: maskCardNumbers(textOf(text, 'cp437')),
    ...extra,
  };
}

/** A text block is a TLV container; any other data is shown unchanged. */
function textBlock(data: Uint8Array, base: number): Fields {
  if (data.length > 0 && data[0] !== 0x06) return { raw: maskedRaw(data) };
  return { fields: allBitmaps(data, base) };
}

/** `80 00`/`84 xx` may carry bitmaps; `84 1E` carries a result code, with 6F also the currency. */
function answer(control: string, data: Uint8Array, base: number): Fields {
  if (data.length === 0) return {};
  if (control === '841E') return abortFields(data, base);
  return eitherWay(
    () => ({ data: shownBitmaps(data, base) }),
    () => ({ raw: maskedRaw(data) }),
  );
}

function completion(data: Uint8Array, request: Uint8Array | undefined, base: number): Fields {
  const asked = request === undefined ? undefined : toHex(request.subarray(0, 2));
  if (asked === '0501') return shownStatus(readStatusCompletion(data, base));
  const isText = data.length > 3 && data.every((byte) => byte >= 0x20 && byte < 0x7f);
  if (isText)
    return eitherWay(
      () => ({ fields: shownBitmaps(data, base) }),
      () => ({ raw: maskedRaw(data) }),
    );
  if (asked !== undefined) return { fields: allBitmaps(data, base) };
  return eitherWay(
    () => shownStatus(guessCompletion(data, base)),
    () => ({ fields: allBitmaps(data, base) }),
  );
}

function shownStatus(status: StatusCompletion): Fields {
  return {
    ...(status.swVersion === undefined ? {} : { sw_version: maskCardNumbers(status.swVersion) }),
    ...(status.terminalStatus === undefined ? {} : { terminal_status: status.terminalStatus }),
    fields: status.fields.map(shown),
  };
}

type ReadsBitmaps = (data: Uint8Array, base: number) => Fields[];

function restOf(reader: ByteReader, fieldsOf: ReadsBitmaps): Fields {
  const offset = reader.offset;
  const rest = reader.rest();
  return rest.length === 0 ? {} : { fields: fieldsOf(rest, offset) };
}

function shownBitmaps(data: Uint8Array, base: number): Fields[] {
  return readBitmaps(data, base).map(shown);
}

/** The same, where the data can be nothing but bitmaps: from one that the protocol does not have, its bytes as they are. */
function allBitmaps(data: Uint8Array, base: number): Fields[] {
  const { fields, error, unknown } = scanBitmaps(data, base);
  if (error && !unknown) throw error;
  if (!unknown) return fields.map(shown);
  const bmp = toHex(unknown.subarray(0, 1));
  return [...fields.map(shown), { bmp, name: 'unknown', value: unread(unknown.subarray(1)) }];
}

/** Bytes of an unknown layout; where they hold a card number, other card data may be beside it. */
function unread(value: Uint8Array): string {
  const shownBytes = maskedRaw(value);
  return shownBytes === toHex(value) ? shownBytes : `(${value.length} bytes with a card number)`;
}

function shown(field: BitmapField): Fields {
  if (field.tlv) return { bmp: field.bmp, tlv: field.tlv.map(shownTlv) };
  return { bmp: field.bmp, name: field.name, value: shownValue(field.bmp, field.value) };
}

function shownTlv(node: TlvNode): Fields {
  if (node.children) return { tag: node.tag, children: node.children.map(shownTlv) };
  return { tag: node.tag, value: shownTag(node.tag, node.value) };
}

function shownTag(tag: string, value: Uint8Array): string {
  if (CUT_TAGS.has(tag)) return '';
  if (isContainer(tag)) return unread(value);
  if (tag === PAN_TAG) return maskPan(toHex(value));
  return TEXT_TAGS.has(tag) ? maskedText(value) : maskedRaw(value);
}

/** Its elements cannot be read: else it is shown by them. */
function isContainer(tag: string): boolean {
  return (Number.parseInt(tag.slice(0, 2), 16) & 0x20) !== 0;
}

function shownValue(bmp: string, value: Uint8Array): string {
  if (CUT.has(bmp)) return '';
  if (bmp === '22') return maskPan(toHex(value));
  const isTotals = bmp === '60' && value.length === TOTALS_BYTES;
  if (isTotals || TYPED.has(bmp)) return maskedHex(value);
  return TEXT_BITMAPS.test(bmp) ? maskedText(value) : maskedRaw(value);
}

/** A run of twelve or more plain digits keeps its first six and its last four; `E` stands for the others, as on the wire. */
function maskPan(digits: string): string {
  return digits.replace(/\d{12,}/g, (run) => run.slice(0, 6) + 'E'.repeat(run.length - 10) + run.slice(-4));
}

/** Hex of a value in which plain-text card numbers are masked. */
function maskedHex(value: Uint8Array): string {
  if (value.length < SHORTEST_CARD_NUMBER) return toHex(value);
  const text = textOf(value, 'iso-8859-1');
  const masked = maskCardNumbers(text);
  if (masked === text) return toHex(value);
  return toHex(concatBytes(Uint8Array.from(masked, (sign) => sign.charCodeAt(0) & 0xff)));
}

/** A text; a value that is not text, or only packed digits, may be a card number, unless it is a number in text. */
function maskedText(value: Uint8Array): string {
  const isNumberInText = value.every((byte) => byte === 0x20 || (byte >= 0x30 && byte <= 0x39));
  if (isNumberInText) return maskedHex(value);
  const isText = value.every((byte) => byte >= 0x20 || byte === 0x0a || byte === 0x0d);
  return isText && !/^\d+F?$/.test(toHex(value)) ? maskedHex(value) : maskedRaw(value);
}

/** Bytes without a known meaning: digits that look like a card number are masked, in plain text and as BCD. */
function maskedRaw(value: Uint8Array): string {
  return maskedHex(value).replace(/(?<!\d)\d{13,19}(?!\d)/g, (run) =>
    maskCardNumbers(run) === run ? run : maskPan(run),
  );
}

/** What the first of these readers returns that can read the data. @throws the error of the first */
function eitherWay(first: () => Fields, ...others: readonly (() => Fields)[]): Fields {
  try {
    return first();
  } catch (error) {
    if (!hasCode(error, 'DECODE_MALFORMED')) throw error;
    for (const other of others) {
      try {
        return other();
      } catch (next) {
        if (!hasCode(next, 'DECODE_MALFORMED')) throw next;
      }
    }
    throw error;
  }
}
