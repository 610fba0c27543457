import { describe, expect, it } from 'vitest';
import { asciiBytes } from '../../../src/driver-kit/ascii.ts';
import {
  encodeTextTlv,
  readTextTlv,
  TextTlvCollector,
  type TextTlvRules,
} from '../../../src/driver-kit/text-tlv.ts';

const RULES: TextTlvRules = { maxDepth: 1, maxElements: 30 };
const text = (value: string) => new TextEncoder().encode(value);
const error = (code: string, offset: number) => expect.objectContaining({ code, context: { offset } });

/** The published answer of an accepted debit of 12.34 EUR. */
const ACCEPTED =
  'CZ0040300CJ012012345678901CA00201CE003978BA0010CD0010CB0041234AE00210CC003001CI0011AC006798077' +
  'AA016741752######3530AI021A00000000511106181455AB0042711CF0101010000000CG006424242';

describe('text TLV', () => {
  it('reads the published answer, and writes it again', () => {
    const elements = readTextTlv(text(ACCEPTED), RULES);
    expect(elements.slice(0, 3).map(({ tag, value }) => [tag, value])).toEqual([
      ['CZ', '0300'],
      ['CJ', '012345678901'],
      ['CA', '01'],
    ]);
    const again = encodeTextTlv(elements.map(({ tag, value }) => [tag, value] as const));
    expect(again).toEqual(text(ACCEPTED));
  });

  it('reads elements in an element that begins with Z, and skips line ends and blanks between', () => {
    const [outer, next] = readTextTlv(text('\r\nZT018CK003100 AK004QQ==\r\nAE00210\n'), RULES);
    expect(outer?.children).toEqual([
      { tag: 'CK', value: '100' },
      { tag: 'AK', value: 'QQ==' },
    ]);
    expect(next).toEqual({ tag: 'AE', value: '10' });
  });

  it('keeps bytes beyond ASCII inside a value, one character for each', () => {
    const bytes = Uint8Array.of(...text('AF002'), 0xe9, 0x20);
    expect(readTextTlv(bytes, RULES)).toEqual([{ tag: 'AF', value: '\u00e9 ' }]);
  });

  it.each([
    ['AE00', 4],
    ['AE002', 5],
    ['AE0021', 6],
    ['AE00210AF', 9],
  ])('"%s" is cut short', (cut, offset) => {
    expect(() => readTextTlv(text(cut), RULES)).toThrowError(error('DECODE_INCOMPLETE', offset));
    expect(() => readTextTlv(text(cut), RULES, 7)).toThrowError(error('DECODE_INCOMPLETE', 7 + offset));
  });

  it.each([
    ['a small letter in a tag', 'aE00210', 0],
    ['a sign in a length', 'AE-0210', 2],
    ['a tag that stands twice', 'AE00210AE00201', 7],
  ])('refuses %s and says where', (_what, wrong, offset) => {
    expect(() => readTextTlv(text(wrong), RULES)).toThrowError(error('DECODE_MALFORMED', offset));
  });

  it.each([
    ['malformed', 'ZT004AE-0'],
    ['cut short', 'ZT006AE0031'],
    ['a tag twice', 'ZT012CK0011CK0012'],
  ])(
    'leaves out what stands within an element where that is %s, and reads what is around it',
    (_, broken) => {
      expect(readTextTlv(text(`CD0010${broken}AE00210`), RULES)).toEqual([
        { tag: 'CD', value: '0' },
        { tag: 'ZT', value: broken.slice(5) },
        { tag: 'AE', value: '10' },
      ]);
    },
  );

  it('reads an empty value, which is not an absent one', () => {
    const [version, empty, ...others] = readTextTlv(text('CZ0040300AC000'), RULES);
    expect([version?.value, empty, others]).toEqual(['0300', { tag: 'AC', value: '' }, []]);
    const collector = new TextTlvCollector(100);
    collector.push(text('CZ0040300AC00'));
    expect(collector.couldEnd).toBe(false);
    collector.push(text('0'));
    expect(collector.couldEnd).toBe(true);
  });

  it('reads as deep as the rules say', () => {
    const [outer] = readTextTlv(text('ZT010ZT005AE000'), RULES);
    expect(outer?.children).toEqual([{ tag: 'ZT', value: 'AE000' }]);
  });

  it('reads so many elements and no more', () => {
    const tags = Array.from({ length: 31 }, (_, n) => `A${String.fromCharCode(65 + (n % 26))}`);
    const many = (count: number) =>
      tags.slice(0, count).map((tag, n) => (n < 26 ? `${tag}0011` : `B${tag[1]}0011`));
    expect(readTextTlv(text(many(30).join('')), RULES)).toHaveLength(30);
    expect(() => readTextTlv(text(many(31).join('')), RULES)).toThrowError(error('DECODE_MALFORMED', 180));
  });

  it.each([
    ['an empty value', [['CF', '']]],
    ['a value of 1000 characters', [['CF', 'x'.repeat(1000)]]],
    ['a value beyond ASCII', [['CF', 'é']]],
    [
      'a tag twice',
      [
        ['CF', '1'],
        ['CF', '2'],
      ],
    ],
    ['a tag that is none', [['C1', '1']]],
  ] as const)('never sends %s', (_what, elements) => {
    expect(() => encodeTextTlv(elements as readonly (readonly [string, string])[])).toThrowError(
      expect.objectContaining({ code: 'INVARIANT_BROKEN' }),
    );
  });

  it('sends a value of 999 characters', () => {
    expect(encodeTextTlv([['AK', 'x'.repeat(999)]])).toHaveLength(1004);
  });
});

describe('TextTlvCollector', () => {
  const bytes = asciiBytes(ACCEPTED);

  it('could end between elements and nowhere else, byte by byte', () => {
    const collector = new TextTlvCollector(1000);
    const ends: number[] = [];
    for (const [at, byte] of bytes.entries()) {
      collector.push(Uint8Array.of(byte));
      if (collector.couldEnd) ends.push(at + 1);
    }
    expect(ends.slice(0, 4)).toEqual([9, 26, 33, 41]);
    expect(ends.at(-1)).toBe(bytes.length);
    expect(collector.bytes).toEqual(bytes);
  });

  it('could not end before anything came, nor on blanks alone', () => {
    const collector = new TextTlvCollector(10);
    collector.push(text('\r\n'));
    expect(collector.couldEnd).toBe(false);
  });

  it.each([1, 2, 5, 300])('comes to the same in pieces of %i', (size) => {
    const collector = new TextTlvCollector(bytes.length);
    for (let at = 0; at < bytes.length; at += size) collector.push(bytes.subarray(at, at + size));
    expect([collector.couldEnd, readTextTlv(collector.bytes, RULES)]).toEqual([
      true,
      readTextTlv(bytes, RULES),
    ]);
  });

  it('holds its maximum and not one byte more', () => {
    const collector = new TextTlvCollector(7);
    collector.push(text('AE00210'));
    expect(collector.couldEnd).toBe(true);
    expect(() => collector.push(text('A'))).toThrowError(error('DECODE_MALFORMED', 7));
  });

  it('refuses a foreign protocol at its first byte', () => {
    const collector = new TextTlvCollector(100);
    expect(() => collector.push(Uint8Array.of(0x15, 0x03, 0x69))).toThrowError(error('DECODE_MALFORMED', 0));
  });
});
