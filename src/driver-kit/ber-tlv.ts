import { type AppError, hasCode } from '../base/errors.ts';
import { invariant } from '../base/invariant.ts';
import { ByteReader, malformed } from './byte-reader.ts';
import { concatBytes, fromHex, toHex } from './hex.ts';

/** Bytes of the longest tag. */
const LONGEST_TAG = 4;

/**
 * One element of a binary TLV:
 *
 *     tag (1, or 2+ when the low five bits of the first are all ones) | length (00–7F, 81 nn, 82 hi lo) | value
 */
export interface BerTlvNode {
  /** Upper-case hex digits: `1F42`. */
  readonly tag: string;
  readonly value: Uint8Array;
  /**
   * Present when bit 0x20 of the tag's first byte marks a container of further elements; absent where they cannot be read: that spoils nothing
   * around them.
   */
  readonly children?: readonly BerTlvNode[];
}

/** Limits on a peer's data, and where its tags differ from the standard's. */
export interface BerTlvRules {
  /** How deep elements may be nested; 0: not at all. */
  readonly maxDepth: number;
  /** Elements in all, of every depth together. */
  readonly maxElements: number;
  /** True where a tag ends although its last byte announces another one. */
  readonly endsTag?: (bytes: readonly number[]) => boolean;
}

/**
 * Reads elements to the end of `bytes`.
 * @throws DECODE_MALFORMED with `context.offset` counted from `base`: too deep, too many, and outside of containers cut short or with a length that is not allowed.
 */
export function readBerTlv(bytes: Uint8Array, rules: BerTlvRules, base = 0): readonly BerTlvNode[] {
  return readNodes(bytes, base, { rules, depth: 0, budget: { left: rules.maxElements, isSpent: false } });
}

/**
 * Reads a length: `00–7F`, `81 nn`, `82 hi lo`; a longer form than needed is accepted.
 * @throws DECODE_MALFORMED
 */
export function readBerLength(reader: ByteReader): number {
  const at = reader.offset;
  const first = reader.byte('the TLV length');
  if (first < 0x80) return first;
  if (first === 0x81) return reader.byte('the TLV length');
  if (first !== 0x82) throw malformed(at, `TLV length ${first.toString(16)} is not allowed`);
  return (reader.byte('the TLV length') << 8) | reader.byte('the TLV length');
}

/**
 * One element as bytes, its length in the shortest form.
 * @throws INVARIANT_BROKEN when `tag` is not hex, or the value is longer than 65,535 bytes.
 */
export function encodeBerTlv(tag: string, ...value: readonly Uint8Array[]): Uint8Array {
  const head = fromHex(tag);
  const body = concatBytes(...value);
  invariant(head && head.length > 0 && head.length <= LONGEST_TAG, 'this is no TLV tag', { tag });
  return concatBytes(head, berLength(body.length), body);
}

/** A length as bytes. @throws INVARIANT_BROKEN above 65,535 */
export function berLength(length: number): Uint8Array {
  invariant(Number.isInteger(length) && length >= 0 && length <= 0xffff, 'this is no TLV length', { length });
  if (length < 0x80) return Uint8Array.of(length);
  return length < 0x100 ? Uint8Array.of(0x81, length) : Uint8Array.of(0x82, length >> 8, length & 0xff);
}

/** The first element with this tag, at any depth. */
export function findBerTlv(nodes: readonly BerTlvNode[], tag: string): BerTlvNode | undefined {
  for (const node of nodes) {
    const found = node.tag === tag ? node : findBerTlv(node.children ?? [], tag);
    if (found) return found;
  }
  return undefined;
}

interface Level {
  readonly rules: BerTlvRules;
  readonly depth: number;
  /** `isSpent`: the data is over a limit, and nothing of it is read. */
  readonly budget: { left: number; isSpent: boolean };
}

function readNodes(bytes: Uint8Array, base: number, level: Level): readonly BerTlvNode[] {
  const { rules, depth, budget } = level;
  if (depth > rules.maxDepth)
    throw spent(budget, base, `TLV containers lie more than ${rules.maxDepth} deep in each other`);
  const reader = new ByteReader(bytes, base);
  const nodes: BerTlvNode[] = [];
  while (reader.remaining > 0) {
    if (budget.left === 0) throw spent(budget, reader.offset, `more than ${rules.maxElements} TLV elements`);
    budget.left -= 1;
    nodes.push(readNode(reader, level));
  }
  return nodes;
}

function readNode(reader: ByteReader, level: Level): BerTlvNode {
  const tag = readTag(reader, level.rules);
  const length = readBerLength(reader);
  const base = reader.offset;
  const value = reader.take(length, `TLV ${tag}`);
  const constructed = (Number.parseInt(tag.slice(0, 2), 16) & 0x20) !== 0;
  if (!constructed) return { tag, value };
  const children = childrenOf(value, base, level);
  return children === null ? { tag, value } : { tag, value, children };
}

/** null: they cannot be read. @throws DECODE_MALFORMED for data over a limit */
function childrenOf(value: Uint8Array, base: number, level: Level): readonly BerTlvNode[] | null {
  try {
    return readNodes(value, base, { ...level, depth: level.depth + 1 });
  } catch (error) {
    if (level.budget.isSpent || !hasCode(error, 'DECODE_MALFORMED')) throw error;
    return null;
  }
}

function spent(budget: Level['budget'], offset: number, message: string): AppError {
  budget.isSpent = true;
  return malformed(offset, message);
}

function readTag(reader: ByteReader, { endsTag }: BerTlvRules): string {
  const at = reader.offset;
  const bytes = [reader.byte('the TLV tag')];
  if (((bytes[0] ?? 0) & 0x1f) !== 0x1f) return toHex(Uint8Array.from(bytes));
  do {
    if (bytes.length === LONGEST_TAG) throw malformed(at, 'a TLV tag is longer than four bytes');
    bytes.push(reader.byte('the TLV tag'));
  } while (((bytes.at(-1) ?? 0) & 0x80) !== 0 && endsTag?.(bytes) !== true);
  return toHex(Uint8Array.from(bytes));
}
