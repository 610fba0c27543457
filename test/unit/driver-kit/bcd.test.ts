import { describe, expect, it } from 'vitest';
import { bcdOf, bcdOfDigits, numberOfBcd } from '../../../src/driver-kit/bcd.ts';
import { fromHex, toHex } from '../../../src/driver-kit/hex.ts';

describe('BCD', () => {
  it.each([
    [1234, 6, '000000001234'],
    [0, 2, '0000'],
    [978, 2, '0978'],
    [999_999_999_999, 6, '999999999999'],
  ])('packs %i into %i bytes and reads it again', (value, length, hex) => {
    expect(toHex(bcdOf(value, length))).toBe(hex);
    expect(numberOfBcd(bcdOf(value, length))).toBe(value);
  });

  it.each([
    [1_000_000_000_000, 6],
    [-1, 6],
    [1.5, 6],
    [Number.NaN, 6],
  ])('refuses %d in %i bytes', (value, length) => {
    expect(() => bcdOf(value, length)).toThrowError(expect.objectContaining({ code: 'INVARIANT_BROKEN' }));
  });

  it('keeps leading zeros of digits', () => {
    expect(toHex(bcdOfDigits('000042', 3))).toBe('000042');
  });

  it('reads no number from half bytes that are no digits', () => {
    expect(numberOfBcd(fromHex('FFFF') ?? new Uint8Array())).toBeUndefined();
    expect(numberOfBcd(new Uint8Array())).toBeUndefined();
  });
});

describe('hex', () => {
  it('takes spaces and either case, and refuses the rest', () => {
    expect(fromHex('06 0f')).toEqual(Uint8Array.of(6, 15));
    expect(fromHex('060')).toBeUndefined();
    expect(fromHex('zz')).toBeUndefined();
  });
});
