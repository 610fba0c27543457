/**
 * The terminal's own encoder and decoder of ZVT bytes. It shares nothing with the driver: shared code would hide
 * the same error on both sides.
 * @module
 */

/** One ZVT packet: class and instruction as one number (`0x0601`), and its data. */
export interface Apdu {
  readonly command: number;
  readonly data: Uint8Array;
}

/** Header 2, length `FF lo hi` 3, data 65535. */
export const MAX_APDU_BYTES = 5 + 0xffff;

/** Thrown for malformed ZVT; `code` is the terminal's answer in `84 xx`. */
export class ZvtRefusal extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.name = 'ZvtRefusal';
    this.code = code;
  }
}

/** `CLASS INSTR LEN data`; LEN is one byte up to 254, else `FF lo hi`. */
export function encodeApdu(
  command: number,
  ...parts: readonly (readonly number[] | Uint8Array)[]
): Uint8Array {
  const data = concat(...parts);
  const header = [command >> 8, command & 0xff];
  if (data.length < 0xff) return concat(header, [data.length], data);
  return concat(header, [0xff, data.length & 0xff, data.length >> 8], data);
}

/** The first packet in `bytes` and its size; undefined while it is incomplete. */
export function firstApdu(bytes: Uint8Array): { readonly apdu: Apdu; readonly size: number } | undefined {
  const [cls, instr, length] = bytes;
  if (cls === undefined || instr === undefined || length === undefined) return undefined;
  const long = length === 0xff;
  if (long && bytes.length < 5) return undefined;
  const start = long ? 5 : 3;
  const size = start + (long ? (bytes[3] ?? 0) | ((bytes[4] ?? 0) << 8) : length);
  if (bytes.length < size) return undefined;
  return { apdu: { command: (cls << 8) | instr, data: bytes.slice(start, size) }, size };
}

export function concat(...parts: readonly (readonly number[] | Uint8Array)[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

/** Packs decimal digits two to a byte, right-justified: `bcd('1234', 6)` is `00 00 00 00 12 34`. */
export function bcd(digits: string, size: number): Uint8Array {
  const padded = digits.padStart(size * 2, '0').slice(-size * 2);
  return packed(padded);
}

/** Packs symbols (digits, `E`, `F`) two to a byte; an odd count is padded with `F`. */
export function packed(symbols: string): Uint8Array {
  const even = symbols.length % 2 === 0 ? symbols : `${symbols}F`;
  return Uint8Array.from(even.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

/** The digits of packed BCD, or undefined when one is not a decimal digit. */
export function digitsOf(bytes: Uint8Array): string | undefined {
  const text = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return /^\d*$/.test(text) ? text : undefined;
}

/** A field with a decimal length of two or three `Fx` bytes: LLVAR, LLLVAR. */
export function lvar(width: 2 | 3, bytes: Uint8Array): Uint8Array {
  const length = String(bytes.length).padStart(width, '0');
  return concat(
    [...length].map((digit) => 0xf0 | Number(digit)),
    bytes,
  );
}

/** A TLV element; a two-byte tag is written `0x1f12`. */
export function tlv(tag: number, ...parts: readonly (readonly number[] | Uint8Array)[]): Uint8Array {
  const value = concat(...parts);
  const tagBytes = tag > 0xff ? [tag >> 8, tag & 0xff] : [tag];
  return concat(tagBytes, berLength(value.length), value);
}

/** Bitmap 06: a TLV container. */
export function container(...elements: readonly Uint8Array[]): Uint8Array {
  return tlv(0x06, ...elements);
}

function berLength(length: number): number[] {
  if (length < 0x80) return [length];
  return length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
}

const FIXED: Readonly<Record<number, number>> = {
  1: 1,
  2: 1,
  3: 1,
  4: 6,
  5: 1,
  11: 3,
  12: 3,
  13: 2,
  14: 2,
  23: 2,
  25: 1,
  41: 4,
  42: 15,
  55: 3,
  58: 2,
  59: 8,
  61: 3,
  73: 2,
  135: 2,
  136: 3,
  138: 1,
  140: 1,
  160: 1,
  170: 3,
  186: 5,
  235: 8,
  250: 1,
};
const LL = new Set([0x22, 0x23, 0x2d, 0x4c, 0x8b, 0xa7, 0xd1]);
const LLL = new Set([0x24, 0x2e, 0x3c, 0x60, 0x9a, 0xaf]);

/**
 * Splits a command's data into its bitmaps.
 * @throws ZvtRefusal 83 for an unknown bitmap, 9A for one that is cut off or comes twice.
 */
export function readBitmaps(data: Uint8Array): ReadonlyMap<number, Uint8Array> {
  const found = new Map<number, Uint8Array>();
  for (let at = 0; at < data.length; ) {
    const bitmap = data[at] ?? 0;
    const { start, length } = extentOf(bitmap, data, at + 1);
    if (start + length > data.length || found.has(bitmap)) {
      throw new ZvtRefusal(0x9a, `bitmap ${bitmap.toString(16)} is cut off or comes twice`);
    }
    found.set(bitmap, data.slice(start, start + length));
    at = start + length;
  }
  return found;
}

function extentOf(bitmap: number, data: Uint8Array, at: number): { start: number; length: number } {
  if (bitmap === 0x06) return berExtent(data, at);
  const fixed = FIXED[bitmap];
  if (fixed !== undefined) return { start: at, length: fixed };
  const width = LL.has(bitmap) ? 2 : LLL.has(bitmap) ? 3 : 0;
  if (width === 0) throw new ZvtRefusal(0x83, `unknown bitmap ${bitmap.toString(16)}`);
  const digits = [...data.slice(at, at + width)];
  if (digits.length < width || digits.some((digit) => digit < 0xf0 || digit > 0xf9)) {
    throw new ZvtRefusal(0x9a, `bitmap ${bitmap.toString(16)} has no proper length`);
  }
  return { start: at + width, length: digits.reduce((sum, digit) => sum * 10 + (digit & 0x0f), 0) };
}

function berExtent(data: Uint8Array, at: number): { start: number; length: number } {
  const first = data[at];
  if (first !== undefined && first < 0x80) return { start: at + 1, length: first };
  if (first === 0x81) return { start: at + 2, length: data[at + 1] ?? 0 };
  if (first === 0x82) return { start: at + 3, length: ((data[at + 1] ?? 0) << 8) | (data[at + 2] ?? 0) };
  throw new ZvtRefusal(0x9a, 'a TLV container without a proper length');
}

/** One TLV element; its value is not parsed. */
export interface TlvElement {
  readonly tag: number;
  readonly value: Uint8Array;
}

/** @throws ZvtRefusal 9A for an element that is cut off. */
export function readTlv(data: Uint8Array): readonly TlvElement[] {
  const elements: TlvElement[] = [];
  for (let at = 0; at < data.length; ) {
    const first = data[at] ?? 0;
    const long = (first & 0x1f) === 0x1f;
    const tag = long ? (first << 8) | (data[at + 1] ?? 0) : first;
    const { start, length } = berExtent(data, at + (long ? 2 : 1));
    if (start + length > data.length) throw new ZvtRefusal(0x9a, `TLV ${tag.toString(16)} is cut off`);
    elements.push({ tag, value: data.slice(start, start + length) });
    at = start + length;
  }
  return elements;
}
