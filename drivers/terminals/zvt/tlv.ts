import {
  ByteReader,
  concatBytes,
  fromHex,
  invariant,
  malformed,
  toHex,
} from '../../../src/driver-kit/terminal.ts';

/** How deep containers may lie in each other; real ones have two levels. */
const MAX_DEPTH = 8;

/**
 * One element of the TLV container (bitmap 06).
 *
 *     tag (1, or 2+ when the low five bits of the first are all ones) | length (00–7F, 81 nn, 82 hi lo) | value
 *
 * @see PA00P015 9
 */
export interface TlvNode {
  /** Upper-case hex digits: `1F42`. */
  readonly tag: string;
  readonly value: Uint8Array;
  /** Present when bit 0x20 of the tag's first byte says that it holds further elements. */
  readonly children?: readonly TlvNode[];
}

/**
 * Reads elements to the end of `bytes`.
 * @throws DECODE_MALFORMED with `context.offset` counted from `base`.
 */
export function parseTlv(bytes: Uint8Array, base = 0, depth = 0): readonly TlvNode[] {
  if (depth > MAX_DEPTH)
    throw malformed(base, `TLV containers lie more than ${MAX_DEPTH} deep in each other`);
  const reader = new ByteReader(bytes, base);
  const nodes: TlvNode[] = [];
  while (reader.remaining > 0) nodes.push(readNode(reader, depth));
  return nodes;
}

/** Reads a length: `00–7F`, `81 nn`, `82 hi lo`. */
export function readTlvLength(reader: ByteReader): number {
  const at = reader.offset;
  const first = reader.byte('the TLV length');
  if (first < 0x80) return first;
  if (first === 0x81) return reader.byte('the TLV length');
  if (first !== 0x82) throw malformed(at, `TLV length ${first.toString(16)} is not allowed`);
  return (reader.byte('the TLV length') << 8) | reader.byte('the TLV length');
}

/** One element as bytes. */
export function encodeTlv(tag: string, ...value: readonly Uint8Array[]): Uint8Array {
  const head = fromHex(tag);
  const body = concatBytes(...value);
  invariant(head && head.length > 0 && body.length <= 0xffff, 'this is no TLV element', { tag });
  return concatBytes(head, tlvLength(body.length), body);
}

/** A length as bytes. */
export function tlvLength(length: number): Uint8Array {
  if (length < 0x80) return Uint8Array.of(length);
  return length < 0x100 ? Uint8Array.of(0x81, length) : Uint8Array.of(0x82, length >> 8, length & 0xff);
}

/** The first element with this tag, at any depth. */
export function findTlv(nodes: readonly TlvNode[], tag: string): TlvNode | undefined {
  for (const node of nodes) {
    const found = node.tag === tag ? node : findTlv(node.children ?? [], tag);
    if (found) return found;
  }
  return undefined;
}

function readNode(reader: ByteReader, depth: number): TlvNode {
  const tag = readTag(reader);
  const length = readTlvLength(reader);
  const base = reader.offset;
  const value = reader.take(length, `TLV ${tag}`);
  const constructed = (Number.parseInt(tag.slice(0, 2), 16) & 0x20) !== 0;
  return constructed ? { tag, value, children: parseTlv(value, base, depth + 1) } : { tag, value };
}

/** The tags 1F80–1F83 are two bytes long although their second byte announces a third (PA00P015 9.4). */
function readTag(reader: ByteReader): string {
  const at = reader.offset;
  const bytes = [reader.byte('the TLV tag')];
  if (((bytes[0] ?? 0) & 0x1f) !== 0x1f) return toHex(Uint8Array.from(bytes));
  do {
    if (bytes.length === 4) throw malformed(at, 'a TLV tag is longer than four bytes');
    bytes.push(reader.byte('the TLV tag'));
  } while (((bytes.at(-1) ?? 0) & 0x80) !== 0 && !isTwoByteTag(bytes));
  return toHex(Uint8Array.from(bytes));
}

function isTwoByteTag(bytes: readonly number[]): boolean {
  const second = bytes[1] ?? 0;
  return bytes.length === 2 && bytes[0] === 0x1f && second >= 0x80 && second <= 0x83;
}
