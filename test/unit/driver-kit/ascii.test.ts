import { describe, expect, it } from 'vitest';
import { asciiBytes, blankFilled, zeroFilled } from '../../../src/driver-kit/ascii.ts';
import { ByteReader } from '../../../src/driver-kit/byte-reader.ts';

const broken = expect.objectContaining({ code: 'INVARIANT_BROKEN' });

describe('fields of fixed width', () => {
  it('fills and never cuts', () => {
    expect(zeroFilled(1250, 8)).toBe('00001250');
    expect(zeroFilled(99_999_999, 8)).toBe('99999999');
    expect(blankFilled('AB', 4)).toBe('AB  ');
    expect(blankFilled('AB', 4, 'left')).toBe('  AB');
    expect(() => zeroFilled(100_000_000, 8)).toThrowError(broken);
    expect(() => blankFilled('ABCDE', 4)).toThrowError(broken);
  });

  it.each([-1, 1.5, Number.NaN, 2 ** 60])('%d is no amount', (value) => {
    expect(() => zeroFilled(value, 8)).toThrowError(broken);
  });

  it.each(['ü', '\u0003', '\n', '€'])('%j is not sent', (text) => {
    expect(() => asciiBytes(text)).toThrowError(broken);
  });
});

describe('ByteReader on text', () => {
  const at = (offset: number) => expect.objectContaining({ code: 'DECODE_MALFORMED', context: { offset } });

  it('reads what was written, zeros and blanks kept', () => {
    const reader = new ByteReader(asciiBytes('00001250  B'));
    expect([reader.digits(8, 'the amount'), reader.text(3, 'the rest')]).toEqual(['00001250', '  B']);
  });

  it('says where something else than text or a digit stands', () => {
    expect(() => new ByteReader(Uint8Array.of(0x30, 0xc3), 5).text(2, 'it')).toThrowError(at(6));
    expect(() => new ByteReader(asciiBytes('12a4'), 5).digits(4, 'it')).toThrowError(at(7));
    expect(() => new ByteReader(asciiBytes('12'), 5).digits(3, 'it')).toThrowError(at(5));
  });
});
