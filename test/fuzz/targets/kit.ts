import fc from 'fast-check';
import { asciiBytes, zeroFilled } from '../../../src/driver-kit/ascii.ts';
import { bcdOf, numberOfBcd } from '../../../src/driver-kit/bcd.ts';
import { type BerTlvNode, encodeBerTlv, readBerTlv } from '../../../src/driver-kit/ber-tlv.ts';
import { ByteReader } from '../../../src/driver-kit/byte-reader.ts';
import type { LrcRule } from '../../../src/driver-kit/checksum.ts';
import { concatBytes, fromHex, toHex } from '../../../src/driver-kit/hex.ts';
import { LengthFraming } from '../../../src/driver-kit/length-reader.ts';
import { encodeStx, readStxPacket, type StxFraming, StxReader } from '../../../src/driver-kit/stx-framing.ts';
import { encodeTextTlv, readTextTlv, TextTlvCollector } from '../../../src/driver-kit/text-tlv.ts';
import { hostile, oneOf, utf8 } from '../mutations.ts';
import { must, mustEqual, mustNotMindSegmentation, verdictOf } from '../oracles.ts';
import type { Target } from '../target.ts';
import { tlvElements } from '../zvt-messages.ts';

const framing = new LengthFraming(4, 1000);

const PLAIN: LrcRule = { start: 0, covers: 'data_etx' };
const sevenF = (covers: LrcRule['covers']): LrcRule => ({ start: 0x7f, covers });

/** The dialects of the fact sheets. */
const DIALECTS: readonly StxFraming[] = [
  { checks: [PLAIN], maxData: 200, controls: [0x06, 0x15] },
  { checks: [PLAIN], maxData: 83, controls: [0x04, 0x05, 0x06, 0x15], sevenBits: true },
  {
    checks: [sevenF('data'), sevenF('data_etx'), sevenF('stx_data_etx'), sevenF('stx_data')],
    maxData: 1100,
    controls: [],
    framedControls: [0x06, 0x15],
    notice: { start: 0x01, end: 0x04, maxText: 20 },
  },
];

/** What is on such lines: frames with right checks, controls, notices. */
function stxLine(): fc.Arbitrary<Uint8Array> {
  const data = fc.string({ maxLength: 40 }).map((text) => utf8(text.replaceAll(/[^\x20-\x7e]/g, '|')));
  const piece = fc.oneof(
    fc.tuple(data, fc.constantFrom(0, 1, 2)).map(([body, index]) => frameOf(body, index)),
    fc.constantFrom('06', '15', '05', '04', '060379', '15036A', '0137373704', '02', '03').map(bytesOf),
  );
  return fc.array(piece, { maxLength: 6 }).map((pieces) => concatBytes(...pieces));
}

function frameOf(body: Uint8Array, index: number): Uint8Array {
  const [, , ecr17] = DIALECTS;
  const check = index === 2 ? ecr17?.checks[0] : PLAIN;
  return encodeStx(body, { checks: [check ?? PLAIN], maxData: 1100, controls: [] });
}

const stx: Target = {
  name: 'kit-stx',
  promise:
    'the same packets in any segmentation, none longer than it may be, every frame framed again as it was',
  inputs: hostile(stxLine()),
  check: (bytes) => {
    for (const dialect of DIALECTS) {
      const packets = mustNotMindSegmentation(bytes, () => new StxReader(dialect));
      for (const packet of packets) {
        if (packet.kind === 'notice') must(packet.text.length <= 20, 'a notice is too long');
        if (packet.kind !== 'frame') continue;
        must(packet.data.length <= dialect.maxData, 'a frame is too long');
        const again = new StxReader(dialect).push(encodeStx(packet.data, dialect, packet.check));
        must(again.length === 1 && again[0]?.kind === 'frame', 'a frame cannot be framed again');
      }
      const verdict = verdictOf(() => readStxPacket(bytes, 0, dialect), bytes.length);
      must(verdict.kind === 'refused' || verdict.value.end <= bytes.length, 'it ends behind the end');
    }
  },
};

const BER_RULES = { maxDepth: 4, maxElements: 64 };

const ber: Target = {
  name: 'kit-ber-tlv',
  promise:
    'elements are read within depth and number or refused at an offset, and are the same when written again',
  inputs: hostile(tlvElements()),
  check: (bytes) => {
    const verdict = verdictOf(() => readBerTlv(bytes, BER_RULES), bytes.length);
    if (verdict.kind === 'refused') return;
    must(countOf(verdict.value) <= BER_RULES.maxElements, 'too many elements');
    const again = readBerTlv(concatBytes(...verdict.value.map(written)), BER_RULES);
    must(countOf(again) === countOf(verdict.value), 'elements got lost');
  },
};

const TEXT_RULES = { maxDepth: 2, maxElements: 64 };
const MOST_TEXT = 4000;

const textTlv: Target = {
  name: 'kit-text-tlv',
  promise: 'a text TLV is read or refused; the collector ends where the reader does, in any segmentation',
  inputs: hostile(textMessages()),
  check: (bytes) => {
    const verdict = verdictOf(() => readTextTlv(bytes, TEXT_RULES), bytes.length);
    const whole = collected(bytes, bytes.length);
    mustEqual(collected(bytes, 1), whole, 'byte by byte');
    const couldEnd = whole === 'could end';
    if (verdict.kind === 'value' && verdict.value.length > 0 && bytes.length <= MOST_TEXT)
      must(couldEnd, 'the reader reads what the collector calls incomplete');
    if (verdict.kind === 'refused' && verdict.code === 'DECODE_INCOMPLETE')
      must(!couldEnd || isInner(bytes), 'the collector calls whole what is cut short');
    // An empty value is read and never sent.
    if (verdict.kind !== 'value' || verdict.value.some(({ value }) => !/^[\x20-\x7e]+$/.test(value))) return;
    const again = readTextTlv(
      encodeTextTlv(verdict.value.map(({ tag, value }) => [tag, value] as const)),
      TEXT_RULES,
    );
    mustEqual(again, verdict.value, 'written and read');
  },
};

/** What a collector says after pieces of this size. */
function collected(bytes: Uint8Array, size: number): string {
  const collector = new TextTlvCollector(MOST_TEXT);
  const verdict = verdictOf(() => {
    for (let at = 0; at < bytes.length; at += size) collector.push(bytes.subarray(at, at + size));
  }, bytes.length);
  if (verdict.kind === 'refused') return verdict.code;
  return collector.couldEnd ? 'could end' : 'incomplete';
}

/** A container whose inside is cut short looks whole from the outside. */
function isInner(bytes: Uint8Array): boolean {
  return bytes.includes(0x5a);
}

function textMessages(): fc.Arbitrary<Uint8Array> {
  const tag = fc.constantFrom('CZ', 'CJ', 'CA', 'CE', 'BA', 'CD', 'CB', 'AE', 'AF', 'AA', 'CF');
  const element = fc.tuple(tag, fc.string({ maxLength: 30 })).map(([name, value]) => {
    const plain = value.replaceAll(/[^\x20-\x7e]/g, '?');
    return `${name}${String(plain.length).padStart(3, '0')}${plain}`;
  });
  const container = fc
    .array(element, { minLength: 1, maxLength: 3 })
    .map((inner) => inner.join(''))
    .map((inner) => `ZT${String(inner.length).padStart(3, '0')}${inner}`);
  const message = fc
    .array(fc.oneof({ weight: 5, arbitrary: element }, container, fc.constantFrom('\r\n', ' ')), {
      maxLength: 8,
    })
    .map((pieces) => utf8(pieces.join('')));
  return fc.oneof(message, oneOf([utf8('CZ0040300CA00201CD001IAE00210')]));
}

const numbers: Target = {
  name: 'kit-numbers',
  promise:
    'packed digits, digits in text and hex come to the same when written and read again, or are refused',
  inputs: hostile(fc.oneof(fc.uint8Array({ maxLength: 8 }), fc.string().map(utf8))),
  check: (bytes) => {
    const number = numberOfBcd(bytes);
    if (number !== undefined) mustEqual(numberOfBcd(bcdOf(number, bytes.length)), number, 'packed again');
    mustEqual(Buffer.from(fromHex(toHex(bytes)) ?? []), Buffer.from(bytes), 'hex');
    fromHex(new TextDecoder('latin1').decode(bytes));
    const half = Math.ceil(bytes.length / 2);
    const digits = verdictOf(() => new ByteReader(bytes).digits(half, 'a number'), bytes.length);
    if (digits.kind === 'value' && Number.isSafeInteger(Number(digits.value)))
      mustEqual(
        Buffer.from(asciiBytes(zeroFilled(Number(digits.value), half || 1))).length,
        half || 1,
        'filled',
      );
    verdictOf(() => new ByteReader(bytes).text(half + 1, 'a text'), bytes.length);
  },
};

function countOf(nodes: readonly BerTlvNode[]): number {
  return nodes.reduce((sum, { children }) => sum + 1 + countOf(children ?? []), 0);
}

function written({ tag, value, children }: BerTlvNode): Uint8Array {
  return children ? encodeBerTlv(tag, ...children.map(written)) : encodeBerTlv(tag, value);
}

function bytesOf(hex: string): Uint8Array {
  return fromHex(hex) ?? new Uint8Array();
}

const lengths: Target = {
  name: 'kit-length',
  promise: 'the same messages in any segmentation; framed again they are the bytes that came',
  inputs: hostile(
    fc
      .array(fc.uint8Array({ maxLength: 30 }), { maxLength: 5 })
      .map((all) => concatBytes(...all.map(framing.frame))),
  ),
  check: (bytes) => {
    const messages = mustNotMindSegmentation(bytes, framing.reader);
    const whole = concatBytes(...messages.map(framing.frame));
    mustEqual(Buffer.from(whole), Buffer.from(bytes.subarray(0, whole.length)), 'the messages');
  },
};

export const kit: readonly Target[] = [stx, ber, textTlv, numbers, lengths];
