import { AppError, hasCode } from '../base/errors.ts';
import { invariant } from '../base/invariant.ts';
import { asciiBytes } from './ascii.ts';
import { malformed } from './byte-reader.ts';
import { concatBytes } from './hex.ts';

/** Letters of a tag and digits of a length. */
const HEADER_BYTES = 5;
/** Characters of the longest value. */
const LONGEST_VALUE = 999;

/**
 * One element of a text TLV:
 *
 *     tag (2 capital letters) | length (3 digits) | value (so many characters)
 *
 * A length of 000 is an empty value, which is read and never sent.
 * CR, LF and blanks between elements are skipped. A value is read as ISO-8859-1, so that a character is a byte.
 */
export interface TextTlvElement {
  readonly tag: string;
  readonly value: string;
  /** Present for a tag that begins with Z, whose value consists of elements; absent where they cannot be read: that spoils nothing around them. */
  readonly children?: readonly TextTlvElement[];
}

/** Limits on a peer's data. */
export interface TextTlvRules {
  /** How deep elements may be nested; 0: not at all. */
  readonly maxDepth: number;
  /** Elements in all, of every depth together. */
  readonly maxElements: number;
}

/**
 * Reads elements to the end of `bytes`; a tag occurs once per level.
 * @throws DECODE_INCOMPLETE when the last element is cut short, DECODE_MALFORMED for any other error; `context.offset` is counted from `base`.
 */
export function readTextTlv(bytes: Uint8Array, rules: TextTlvRules, base = 0): readonly TextTlvElement[] {
  return readElements(bytes, base, { rules, depth: 0, budget: { left: rules.maxElements } });
}

/**
 * Elements as bytes, in this order.
 * @throws INVARIANT_BROKEN for an invalid or repeated tag, an empty value (never sent), one over 999 characters or not ASCII.
 */
export function encodeTextTlv(elements: readonly (readonly [tag: string, value: string])[]): Uint8Array {
  const tags = new Set(elements.map(([tag]) => tag));
  invariant(tags.size === elements.length, 'a tag stands twice', { elements: elements.length });
  return concatBytes(...elements.map(([tag, value]) => encodeElement(tag, value)));
}

/**
 * Collects an answer that has neither a length in front nor a mark behind, and tells after each chunk whether it could end here: only whole elements
 * have come. The caller decides that it is complete (the peer closed, or was silent long enough).
 * Reads every byte once, in any segmentation.
 *
 * INVARIANTS:
 * - at most `maxBytes` are held.
 */
export class TextTlvCollector {
  readonly #maxBytes: number;
  #pieces: Uint8Array[] = [];
  #length = 0;
  #header = '';
  #valueLeft = 0;
  #elements = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** @throws DECODE_MALFORMED when this cannot become a text TLV, or is longer than `maxBytes`; `context.offset` is the position. */
  push(bytes: Uint8Array): void {
    const tooLong = this.#length + bytes.length > this.#maxBytes;
    if (tooLong) throw malformed(this.#maxBytes, `the answer is longer than ${this.#maxBytes} bytes`);
    this.#pieces.push(bytes.slice());
    for (const byte of bytes) {
      this.#take(byte);
      this.#length += 1;
    }
  }

  /** True when at least one element has come and none is cut short. */
  get couldEnd(): boolean {
    return this.#elements > 0 && this.#header === '' && this.#valueLeft === 0;
  }

  /** All received bytes. */
  get bytes(): Uint8Array {
    return concatBytes(...this.#pieces);
  }

  #take(byte: number): void {
    if (this.#valueLeft > 0) {
      this.#valueLeft -= 1;
      return;
    }
    if (this.#header === '' && isBlank(byte)) return;
    this.#header += headerSign(byte, this.#header.length, this.#length);
    if (this.#header.length < HEADER_BYTES) return;
    this.#valueLeft = lengthOf(this.#header);
    this.#header = '';
    this.#elements += 1;
  }
}

interface Level {
  readonly rules: TextTlvRules;
  readonly depth: number;
  readonly budget: { left: number };
}

function readElements(bytes: Uint8Array, base: number, level: Level): readonly TextTlvElement[] {
  const { rules, depth, budget } = level;
  if (depth > rules.maxDepth)
    throw malformed(base, `elements lie more than ${rules.maxDepth} deep in each other`);
  const elements = new Map<string, TextTlvElement>();
  for (let at = skipBlanks(bytes, 0); at < bytes.length; ) {
    if (budget.left === 0) throw malformed(base + at, `more than ${rules.maxElements} elements`);
    budget.left -= 1;
    const { element, end } = readElement(bytes, at, base, level);
    if (elements.has(element.tag)) throw malformed(base + at, `tag ${element.tag} stands twice`);
    elements.set(element.tag, element);
    at = skipBlanks(bytes, end);
  }
  return [...elements.values()];
}

function readElement(
  bytes: Uint8Array,
  at: number,
  base: number,
  level: Level,
): { readonly element: TextTlvElement; readonly end: number } {
  let header = '';
  for (const byte of bytes.subarray(at, at + HEADER_BYTES))
    header += headerSign(byte, header.length, base + at + header.length);
  if (header.length < HEADER_BYTES) throw cutShort(base + bytes.length);
  const tag = header.slice(0, 2);
  const start = at + HEADER_BYTES;
  const end = start + lengthOf(header);
  if (end > bytes.length) throw cutShort(base + bytes.length);
  const inner = bytes.subarray(start, end);
  const element = { tag, value: latin1(inner) };
  if (!tag.startsWith('Z')) return { element, end };
  const children = readable(() => readElements(inner, base + start, { ...level, depth: level.depth + 1 }));
  return { element: children === null ? element : { ...element, children }, end };
}

/** null: they are malformed or cut short. */
function readable(read: () => readonly TextTlvElement[]): readonly TextTlvElement[] | null {
  try {
    return read();
  } catch (error) {
    if (hasCode(error, 'DECODE_MALFORMED') || hasCode(error, 'DECODE_INCOMPLETE')) return null;
    throw error;
  }
}

function encodeElement(tag: string, value: string): Uint8Array {
  invariant(/^[A-Z]{2}$/.test(tag), 'this is no tag of a text TLV', { tag });
  invariant(value.length > 0 && value.length <= LONGEST_VALUE, 'the value does not fit', {
    tag,
    length: value.length,
  });
  return asciiBytes(`${tag}${String(value.length).padStart(3, '0')}${value}`);
}

/** A byte of a header at its place: two capitals, three digits. */
function headerSign(byte: number, place: number, offset: number): string {
  const fits = place < 2 ? byte >= 0x41 && byte <= 0x5a : byte >= 0x30 && byte <= 0x39;
  if (!fits) throw malformed(offset, place < 2 ? 'a tag is two capital letters' : 'a length is three digits');
  return String.fromCharCode(byte);
}

function lengthOf(header: string): number {
  return Number(header.slice(2));
}

function skipBlanks(bytes: Uint8Array, from: number): number {
  let at = from;
  while (isBlank(bytes[at])) at += 1;
  return at;
}

function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0d || byte === 0x0a;
}

function latin1(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}

function cutShort(offset: number): AppError {
  return new AppError('DECODE_INCOMPLETE', 'the last element is cut short', { context: { offset } });
}
