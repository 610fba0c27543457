import { existsSync, readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { LONGEST_INPUT, mutated, oneOf } from './mutations.ts';

/**
 * ZVT messages from the outside: built here a second time, so that a generator does not share the mistakes of the code under fire.
 * @see PA00P015 13 (bitmaps), 9 (TLV)
 */

/** A card number that no issuer has given out, and what it looks like on the wire. */
export const PLANTED_CARD = '5413330089020011';

/** Messages of our own making, each of a kind that the driver reads. */
const EXAMPLES: readonly string[] = [
  '0600061234561E0978',
  '060015123456BE09780301 06 0B 26 09 0A 02 060F 0A 02 061E'.replaceAll(' ', ''),
  '06010A04000000001234490978',
  '0630061234568700 42'.replaceAll(' ', ''),
  '06310D12345604000000001234490978',
  '0650031234 56'.replaceAll(' ', ''),
  '06200512345603 03'.replaceAll(' ', ''),
  '05010512345603 04'.replaceAll(' ', ''),
  '06B000',
  '800000',
  '848300',
  '849D0704000000001200',
  '841E026F0978',
  '04FF0A0A0106062404070243 41'.replaceAll(' ', ''),
  '04FF020E15',
  '060F00',
  '060F0A19102952523535490978',
  '061E016C',
  '061E0A0506081F16 0205 07 07 01 41'.replaceAll(' ', '').slice(0, 26),
  '06D10640 54 45 53 54 21'.replaceAll(' ', ''),
  '06D102FF03',
];

/** APDUs: ours, and the recorded ones where they lie beside this project. */
export function zvtCorpus(): readonly Uint8Array[] {
  return [...EXAMPLES.map(bytesOf), ...recorded()];
}

function recorded(): readonly Uint8Array[] {
  const folder = new URL('../../../shared/vectors/zvt/', import.meta.url);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .flatMap((file) => hexOf(JSON.parse(readFileSync(new URL(file, folder), 'utf8'))))
    .map(bytesOf)
    .filter((bytes) => bytes.length > 0);
}

function hexOf(vectors: unknown): readonly string[] {
  if (!Array.isArray(vectors)) return [];
  return vectors.flatMap((vector: unknown) => {
    if (typeof vector !== 'object' || vector === null) return [];
    const words = ['apdu_hex', 'hex'].map((name): unknown => Reflect.get(vector, name));
    const found = words.find((word) => typeof word === 'string');
    return typeof found === 'string' ? [found] : [];
  });
}

function bytesOf(hex: string): Uint8Array {
  return new Uint8Array(Buffer.from(hex, 'hex'));
}

/** `CLASS INSTR LEN data`, the length right. */
export function apdu(control: number, data: Uint8Array): Uint8Array {
  const body = data.subarray(0, 0xffff);
  const head = body.length < 0xff ? [body.length] : [0xff, body.length & 0xff, body.length >> 8];
  return Uint8Array.from([control >> 8, control & 0xff, ...head, ...body]);
}

/** `10 02 | APDU, every 10 twice | 10 03 | CRC low high`, the CRC right. */
export function serialFrame(packet: Uint8Array): Uint8Array {
  const stuffed = [...packet].flatMap((byte) => (byte === 0x10 ? [byte, byte] : [byte]));
  const crc = kermit([...packet, 0x03]);
  return Uint8Array.from([0x10, 0x02, ...stuffed, 0x10, 0x03, crc & 0xff, crc >> 8]);
}

/** CRC-16/KERMIT by table, where the driver's goes bit by bit. */
function kermit(bytes: readonly number[]): number {
  return bytes.reduce((crc, byte) => (crc >> 8) ^ tableEntry((crc ^ byte) & 0xff), 0);
}

function tableEntry(index: number): number {
  let value = index;
  for (let bit = 0; bit < 8; bit += 1) value = value % 2 === 1 ? (value >> 1) ^ 0x8408 : value >> 1;
  return value;
}

const FIXED: readonly (readonly [bmp: number, length: number])[] = [
  [0x01, 1],
  [0x04, 6],
  [0x0b, 3],
  [0x0c, 3],
  [0x0d, 2],
  [0x0e, 2],
  [0x17, 2],
  [0x19, 1],
  [0x27, 1],
  [0x29, 4],
  [0x2a, 15],
  [0x37, 3],
  [0x3b, 8],
  [0x49, 2],
  [0x87, 2],
  [0x88, 3],
  [0x8a, 1],
  [0xa0, 1],
  [0xaa, 3],
];
const VARIABLE: readonly (readonly [bmp: number, digits: 2 | 3])[] = [
  [0x22, 2],
  [0x23, 2],
  [0x24, 3],
  [0x2d, 2],
  [0x3c, 3],
  [0x60, 3],
  [0x8b, 2],
  [0xf1, 2],
];
const TAGS = [0x07, 0x08, 0x09, 0x14, 0x24, 0x25, 0x26, 0x2f, 0x34, 0x41, 0x43, 0x60, 0xe4];
const LONG_TAGS = [0x1f07, 0x1f0e, 0x1f10, 0x1f12, 0x1f16, 0x1f17, 0x1f25, 0x1f2b, 0x1f36, 0x1f42, 0x1f81];

/** Well-formed bitmaps one after the other, TLV containers among them. */
export function bitmaps(value: fc.Arbitrary<Uint8Array> = anyValue()): fc.Arbitrary<Uint8Array> {
  return fc
    .array(
      fc.oneof(
        { weight: 4, arbitrary: fixedBitmap() },
        { weight: 2, arbitrary: variableBitmap(value) },
        { weight: 2, arbitrary: tlvElements(value).map((body) => tlv(0x06, body)) },
      ),
      { maxLength: 8 },
    )
    .map(joined);
}

/** Well-formed TLV elements, containers with right lengths among them. */
export function tlvElements(value: fc.Arbitrary<Uint8Array> = anyValue()): fc.Arbitrary<Uint8Array> {
  const primitive = fc
    .tuple(fc.constantFrom(...TAGS.filter((tag) => (tag & 0x20) === 0), ...LONG_TAGS), value)
    .map(([tag, body]) => tlv(tag, body));
  const { tree } = fc.letrec<{ tree: Uint8Array; node: Uint8Array }>((tie) => ({
    tree: fc.array(tie('node'), { maxLength: 5, depthIdentifier: 'tlv' }).map(joined),
    node: fc.oneof(
      { depthIdentifier: 'tlv', maxDepth: 10 },
      primitive,
      fc
        .tuple(fc.constantFrom(...TAGS.filter((tag) => (tag & 0x20) !== 0)), tie('tree'))
        .map(([tag, body]) => tlv(tag, body)),
    ),
  }));
  return tree;
}

/** Data of messages: the recorded ones, and built ones. */
export function messageData(): fc.Arbitrary<Uint8Array> {
  return fc.oneof(
    oneOf(zvtCorpus().map((bytes) => bytes.subarray(bytes[2] === 0xff ? 5 : 3))),
    bitmaps(),
    fc.tuple(fc.uint8Array({ maxLength: 4 }), bitmaps()).map(joined),
  );
}

const CONTROLS = [
  0x0600, 0x0601, 0x0620, 0x0630, 0x0650, 0x0501, 0x06b0, 0x06c0, 0x040f, 0x04ff, 0x0401, 0x060f, 0x061e,
  0x06d1, 0x06d3, 0x8000, 0x8400, 0x841e, 0x849d, 0x0fa1,
];

/** APDUs whose length is right and whose data may be anything. */
export function apdus(): fc.Arbitrary<Uint8Array> {
  const built = fc
    .tuple(fc.constantFrom(...CONTROLS), fc.oneof(messageData(), mutated(messageData())))
    .map(([control, data]) => apdu(control, data));
  return fc.oneof(oneOf(zvtCorpus()), built);
}

/** Values that hold {@link PLANTED_CARD}: as text, as packed digits, as a track, alone or with words around. */
export function cardValue(): fc.Arbitrary<Uint8Array> {
  return fc.constantFrom(
    text(PLANTED_CARD),
    text(`card ${PLANTED_CARD}, thank you`),
    text(PLANTED_CARD.replace(/(\d{4})(?=\d)/g, '$1 ')),
    bytesOf(PLANTED_CARD),
    bytesOf(`${PLANTED_CARD}D28122010000012345F`.padEnd(38, 'F')),
    text(`${PLANTED_CARD}=28122010000012345`),
  );
}

/** `tag | length | value`, the length right. */
export function tlv(tag: number, value: Uint8Array): Uint8Array {
  const body = value.subarray(0, 0xffff);
  return Uint8Array.from([
    ...(tag > 0xff ? [tag >> 8, tag & 0xff] : [tag]),
    ...berLength(body.length),
    ...body,
  ]);
}

function berLength(length: number): number[] {
  if (length < 0x80) return [length];
  return length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
}

export function joined(pieces: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(pieces.flatMap((piece) => [...piece])).subarray(0, LONGEST_INPUT);
}

function fixedBitmap(): fc.Arbitrary<Uint8Array> {
  return fc
    .constantFrom(...FIXED)
    .chain(([bmp, length]) =>
      fc
        .oneof(digits(length), fc.uint8Array({ minLength: length, maxLength: length }))
        .map((value) => Uint8Array.from([bmp, ...value])),
    );
}

function variableBitmap(value: fc.Arbitrary<Uint8Array>): fc.Arbitrary<Uint8Array> {
  return fc.tuple(fc.constantFrom(...VARIABLE), value).map(([[bmp, places], body]) => {
    const most = places === 2 ? 99 : 999;
    const kept = body.subarray(0, most);
    const length = String(kept.length).padStart(places, '0');
    return Uint8Array.from([bmp, ...Array.from(length, (digit) => 0xf0 | Number(digit)), ...kept]);
  });
}

/** Packed decimal digits. */
function digits(length: number): fc.Arbitrary<Uint8Array> {
  return fc
    .array(fc.integer({ min: 0, max: 99 }), { minLength: length, maxLength: length })
    .map((pairs) => Uint8Array.from(pairs, (pair) => Math.floor(pair / 10) * 16 + (pair % 10)));
}

function anyValue(): fc.Arbitrary<Uint8Array> {
  return fc.oneof(
    fc.uint8Array({ maxLength: 12 }),
    fc.string({ maxLength: 20 }).map(text),
    digits(2),
    fc.uint8Array({ minLength: 53, maxLength: 53 }),
  );
}

function text(words: string): Uint8Array {
  return new TextEncoder().encode(words);
}
