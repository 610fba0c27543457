import fc from 'fast-check';

/** Longest input that is built; the longest ZVT packet and a little more. */
export const LONGEST_INPUT = 70_000;

/** Bytes that mean something somewhere: marks, lengths and their borders, ACK, NAK, escape codes, digits. */
const TELLING = [
  0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x0f, 0x10, 0x15, 0x1f, 0x24, 0x30, 0x39, 0x7c, 0x7f,
];
const MORE_TELLING = [0x80, 0x81, 0x82, 0x83, 0x84, 0xd1, 0xd3, 0xf0, 0xf9, 0xfe, 0xff];

/** Something that goes wrong with a message; places are fractions of its length, so that they fit every message. */
type Mutation = (bytes: readonly number[]) => readonly number[];

/**
 * Messages as they go wrong in practice and in malice: bits flipped, bytes set, lengths off by a little, cut, spliced with another,
 * parts repeated until they are huge, nested in containers.
 */
export function mutated(messages: fc.Arbitrary<Uint8Array>): fc.Arbitrary<Uint8Array> {
  return fc
    .tuple(messages, fc.array(mutation(messages), { minLength: 1, maxLength: 4 }))
    .map(([message, changes]) => {
      let bytes: readonly number[] = [...message];
      for (const change of changes) bytes = change(bytes).slice(0, LONGEST_INPUT);
      return Uint8Array.from(bytes);
    });
}

/** Messages as they are, mutated ones, and bytes that were never a message. */
export function hostile(messages: fc.Arbitrary<Uint8Array>): fc.Arbitrary<Uint8Array> {
  return fc.oneof(
    { weight: 2, arbitrary: messages },
    { weight: 7, arbitrary: mutated(messages) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 80 }) },
    { weight: 1, arbitrary: tellingBytes() },
  );
}

/** One of these messages. */
export function oneOf(messages: readonly Uint8Array[]): fc.Arbitrary<Uint8Array> {
  return fc.constantFrom(...(messages.length > 0 ? messages : [new Uint8Array()]));
}

/** Text as bytes. */
export function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** Bytes of which most mean something to a parser. */
function tellingBytes(): fc.Arbitrary<Uint8Array> {
  return fc.array(telling(), { maxLength: 60 }).map((bytes) => Uint8Array.from(bytes));
}

function telling(): fc.Arbitrary<number> {
  return fc.constantFrom(...TELLING, ...MORE_TELLING);
}

function place(): fc.Arbitrary<number> {
  return fc.integer({ min: 0, max: 999 });
}

function mutation(messages: fc.Arbitrary<Uint8Array>): fc.Arbitrary<Mutation> {
  const span = fc.record({ from: place(), length: fc.integer({ min: 1, max: 12 }) });
  return fc.oneof(
    fc.record({ at: place(), bit: fc.integer({ min: 0, max: 7 }) }).map(flip),
    fc.record({ at: place(), byte: fc.oneof(telling(), fc.integer({ min: 0, max: 255 })) }).map(set),
    fc.record({ at: place(), by: fc.integer({ min: -3, max: 3 }) }).map(nudge),
    place().map(truncate),
    span.map(remove),
    fc.record({ at: place(), bytes: fc.array(telling(), { minLength: 1, maxLength: 6 }) }).map(insert),
    fc.record({ at: place(), other: messages, from: place() }).map(splice),
    fc.record({ span, times: times() }).map(repeat),
    fc.record({ span, tag: fc.constantFrom(0x06, 0x24, 0x25, 0x60, 0xe4), deep: depth() }).map(nest),
  );
}

/** Mostly a few, seldom so many that the message becomes as long as can be. */
function times(): fc.Arbitrary<number> {
  return fc.oneof(
    { weight: 40, arbitrary: fc.integer({ min: 2, max: 6 }) },
    { weight: 1, arbitrary: fc.constantFrom(300, 5000, LONGEST_INPUT) },
  );
}

function depth(): fc.Arbitrary<number> {
  return fc.oneof(
    { weight: 20, arbitrary: fc.integer({ min: 1, max: 3 }) },
    { weight: 1, arbitrary: fc.constantFrom(9, 2000) },
  );
}

function at(bytes: readonly number[], fraction: number): number {
  return Math.floor((fraction * bytes.length) / 1000);
}

function flip(change: { at: number; bit: number }): Mutation {
  return (bytes) => replaced(bytes, at(bytes, change.at), (byte) => byte ^ (1 << change.bit));
}

function set(change: { at: number; byte: number }): Mutation {
  return (bytes) => replaced(bytes, at(bytes, change.at), () => change.byte);
}

function nudge(change: { at: number; by: number }): Mutation {
  return (bytes) => replaced(bytes, at(bytes, change.at), (byte) => (byte + change.by) & 0xff);
}

function truncate(fraction: number): Mutation {
  return (bytes) => bytes.slice(0, at(bytes, fraction));
}

function remove(span: { from: number; length: number }): Mutation {
  return (bytes) => bytes.toSpliced(at(bytes, span.from), span.length);
}

function insert(change: { at: number; bytes: readonly number[] }): Mutation {
  return (bytes) => bytes.toSpliced(at(bytes, change.at), 0, ...change.bytes);
}

function splice(change: { at: number; other: Uint8Array; from: number }): Mutation {
  return (bytes) => [
    ...bytes.slice(0, at(bytes, change.at)),
    ...change.other.subarray(at([...change.other], change.from)),
  ];
}

function repeat({ span, times: count }: { span: { from: number; length: number }; times: number }): Mutation {
  return (bytes) => {
    const from = at(bytes, span.from);
    const part = bytes.slice(from, from + span.length);
    if (part.length === 0) return bytes;
    const most = Math.min(count, Math.floor((LONGEST_INPUT - bytes.length) / part.length));
    const copies = Array.from({ length: Math.max(0, most) }, () => part).flat();
    return [...bytes.slice(0, from), ...copies, ...bytes.slice(from)];
  };
}

/** Wraps the span, with everything behind it, into containers whose lengths are right. */
function nest(change: { span: { from: number; length: number }; tag: number; deep: number }): Mutation {
  return (bytes) => {
    const from = at(bytes, change.span.from);
    const heads: number[][] = [];
    let length = bytes.length - from;
    for (let level = 0; level < change.deep && length < 0xffff; level += 1) {
      const head = [change.tag, ...berLength(length)];
      heads.push(head);
      length += head.length;
    }
    return [...bytes.slice(0, from), ...heads.reverse().flat(), ...bytes.slice(from)];
  };
}

function berLength(length: number): number[] {
  if (length < 0x80) return [length];
  return length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
}

function replaced(
  bytes: readonly number[],
  index: number,
  change: (byte: number) => number,
): readonly number[] {
  const byte = bytes[index];
  return byte === undefined ? bytes : bytes.with(index, change(byte));
}
