import { describe, expect, it } from 'vitest';
import {
  type BerTlvRules,
  berLength,
  encodeBerTlv,
  findBerTlv,
  readBerLength,
  readBerTlv,
} from '../../../src/driver-kit/ber-tlv.ts';
import { ByteReader } from '../../../src/driver-kit/byte-reader.ts';
import { concatBytes, fromHex, toHex } from '../../../src/driver-kit/hex.ts';

const RULES: BerTlvRules = { maxDepth: 3, maxElements: 10 };
const bytes = (hex: string) => fromHex(hex) ?? new Uint8Array();
const refused = (offset: number) =>
  expect.objectContaining({ code: 'DECODE_MALFORMED', context: { offset } });

describe('BER-TLV', () => {
  it('reads elements in each other and finds one at any depth', () => {
    const nodes = readBerTlv(bytes('E4 09 1F42 01 AA 1F43 02 BBCC 07 00'), RULES);
    expect(nodes.map(({ tag, children }) => [tag, children?.map((child) => child.tag)])).toEqual([
      ['E4', ['1F42', '1F43']],
      ['07', undefined],
    ]);
    expect(toHex(findBerTlv(nodes, '1F43')?.value ?? new Uint8Array())).toBe('BBCC');
    expect(findBerTlv(nodes, '1F44')).toBeUndefined();
  });

  it.each([0, 1, 127, 128, 255, 256, 65_535])(
    'a length of %i is written as short as can be, and read',
    (length) => {
      const written = berLength(length);
      expect(written.length).toBe(length < 0x80 ? 1 : length < 0x100 ? 2 : 3);
      expect(readBerLength(new ByteReader(written))).toBe(length);
      const element = encodeBerTlv('1F0F', new Uint8Array(length));
      expect(readBerTlv(element, RULES)[0]?.value.length).toBe(length);
    },
  );

  it('takes a length that is longer than it need be', () => {
    expect(readBerTlv(bytes('07 82 0001 41'), RULES)[0]?.value).toEqual(bytes('41'));
  });

  it.each([
    ['a value that is cut short', '07 05 41', 2],
    ['a missing length', '07', 1],
    ['a length of unknown size', '07 80 00', 1],
    ['a length of more than two bytes', '07 84 FFFFFFFF', 1],
    ['a tag that does not end', '1F8081828301', 0],
    ['a tag that is cut short', '9F', 1],
  ])('refuses %s and says where', (_what, hex, offset) => {
    expect(() => readBerTlv(bytes(hex), RULES)).toThrowError(refused(offset));
    expect(() => readBerTlv(bytes(hex), RULES, 100)).toThrowError(refused(100 + offset));
  });

  it.each([
    ['an inner value that is longer than it', '24 03 07 05 41', '070541'],
    ['a single byte', 'E4 01 07', '07'],
    ['a length that is not allowed', 'E4 02 07 80', '0780'],
  ])('keeps the bytes of a container with %s, and what is beside it', (_what, hex, inside) => {
    const [container, beside] = readBerTlv(bytes(`${hex} 41 01 AA`), RULES);
    expect([container?.children, toHex(container?.value ?? new Uint8Array())]).toEqual([undefined, inside]);
    expect(beside).toMatchObject({ tag: '41', value: bytes('AA') });
    expect(readBerTlv(bytes('E4 00'), RULES)[0]?.children).toEqual([]);
  });

  it('reads so deep and no deeper', () => {
    const nested = (depth: number): Uint8Array =>
      depth === 0 ? encodeBerTlv('07') : encodeBerTlv('24', nested(depth - 1));
    expect(findBerTlv(readBerTlv(nested(3), RULES), '07')).toBeDefined();
    expect(() => readBerTlv(nested(4), RULES)).toThrowError(refused(8));
  });

  it('reads so many elements and no more, at whatever depth they are', () => {
    const many = (count: number) => concatBytes(...Array.from({ length: count }, () => encodeBerTlv('07')));
    expect(readBerTlv(many(10), RULES)).toHaveLength(10);
    expect(() => readBerTlv(many(11), RULES)).toThrowError(refused(20));
    expect(() => readBerTlv(encodeBerTlv('24', many(10)), RULES)).toThrowError(refused(20));
  });

  it('lets a family end a tag early', () => {
    const rules = { ...RULES, endsTag: (tag: readonly number[]) => tag.length === 2 && tag[1] === 0x80 };
    expect(readBerTlv(bytes('1F80 01 AA'), rules)[0]).toMatchObject({ tag: '1F80' });
  });

  it.each([
    ['a tag that is not hex', 'XY', 1],
    ['no tag', '', 1],
    ['a tag of five bytes', '1F80808001', 1],
    ['a value that no length can tell', '07', 65_536],
  ])('does not write %s', (_what, tag, length) => {
    expect(() => encodeBerTlv(tag, new Uint8Array(length))).toThrowError(
      expect.objectContaining({ code: 'INVARIANT_BROKEN' }),
    );
  });
});
