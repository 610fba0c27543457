import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { currencies } from '../../../src/base/money.ts';
import { decimalOf, minorOf } from '../../../src/driver-kit/decimal.ts';

describe('an amount in the major unit', () => {
  it.each([
    [1234, 'EUR', '12.34'],
    [5, 'EUR', '0.05'],
    [1234, 'JPY', '1234'],
    [1234, 'KWD', '1.234'],
  ] as const)('%i minor units of %s are %s', (minor, currency, text) => {
    expect(decimalOf({ minor, currency })).toBe(text);
    expect(minorOf(text, currency)).toBe(minor);
  });

  it.each([
    12.345,
    '12.345',
    '-1',
    -1,
    '1e3',
    1e21,
    '12,34',
    ' 1',
    '',
    null,
    undefined,
    true,
    Number.NaN,
    '99999999999999',
  ])('is not %j', (amount) => {
    expect(minorOf(amount, 'EUR')).toBeUndefined();
  });

  it('survives JSON, whatever amount and currency it is', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 999_999_999_999 }),
        fc.constantFrom(...currencies),
        (minor, currency) => {
          const sent: unknown = JSON.parse(
            JSON.stringify({ amount: Number(decimalOf({ minor, currency })) }),
          );
          expect(minorOf((sent as { amount: unknown }).amount, currency)).toBe(minor);
        },
      ),
    );
  });
});
