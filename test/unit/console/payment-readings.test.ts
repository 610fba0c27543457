import { describe, expect, it } from 'vitest';
import { readingsOf } from '../../../src/console/till/payment-readings.js';

const SHOP = { currencies: ['EUR'], today: '2026-11-26' };
const ID = '0198c5a0-0000-7000-8000-0000000000aa';

/** Each reading in short: what it is, what it asks for, and the day. */
function short(text: string, shop = SHOP): readonly string[] {
  return readingsOf(text, shop).map(({ kind, params, on }) =>
    [kind, ...Object.values(params), ...(on === null ? [] : [on])].join(' '),
  );
}

describe('what a person types to find a payment', () => {
  it.each<[string, readonly string[]]>([
    ['', []],
    [
      '1234',
      ['card 1234', 'amount 1234', 'amount 123400', 'receipt 1234', 'reference 1234', 'invoice', 'part 1234'],
    ],
    [
      '0042',
      ['card 0042', 'amount 42', 'amount 4200', 'receipt 0042', 'reference 0042', 'invoice', 'part 0042'],
    ],
    ['0000', ['card 0000', 'receipt 0000', 'reference 0000', 'invoice', 'part 0000']],
    ['…4242', ['card 4242']],
    ['****4242', ['card 4242']],
    ['77', ['amount 77', 'amount 7700', 'receipt 77', 'reference 77', 'invoice']],
    ['12,34', ['amount 1234', 'reference 12,34', 'invoice', 'part 12,34']],
    ['1.234,50', ['amount 123450', 'reference 1.234,50', 'invoice', 'part 1.234,50']],
    ['1.234', ['amount 123400', 'reference 1.234', 'invoice', 'part 1.234']],
    ['12,34 €', ['amount 1234', 'reference 12,34 €', 'invoice', 'part 12,34 €']],
    ['12.11', ['amount 1211', 'reference 12.11', 'invoice', 'part 12.11', 'day 2026-11-12']],
    ['Table 7', ['reference Table 7', 'invoice', 'part Table 7']],
    [ID, ['payment', 'invoice']],
    ['today', ['day 2026-11-26']],
    ['gestern', ['day 2026-11-25']],
    ['hier', ['day 2026-11-25']],
    ['2026-11-25', ['day 2026-11-25']],
    ['25.11.', ['day 2026-11-25']],
    ['27.11.', ['day 2025-11-27']],
    ['25.11.24', ['day 2024-11-25']],
    ['5/11', ['day 2026-11-05', 'day 2026-05-11']],
    ['…4242 yesterday', ['card 4242 2026-11-25']],
    [
      '25.11. 12,34',
      ['amount 1234 2026-11-25', 'reference 12,34 2026-11-25', 'invoice 2026-11-25', 'part 12,34 2026-11-25'],
    ],
    ['30.2.', ['reference 30.2.', 'invoice', 'part 30.2.']],
  ])('%j', (text, readings) => {
    expect(short(text)).toEqual(readings);
  });

  it('is an amount in every currency of the shop, once where they write it alike', () => {
    const amounts = (text: string, currencies: readonly string[]) =>
      readingsOf(text, { ...SHOP, currencies: [...currencies] }).flatMap(({ amount }) => amount ?? []);
    expect(amounts('12,34', ['EUR', 'CHF'])).toEqual([{ minor: 1234, currencies: ['EUR', 'CHF'] }]);
    expect(amounts('500', ['EUR', 'JPY'])).toEqual([
      { minor: 500, currencies: ['EUR', 'JPY'] },
      { minor: 50_000, currencies: ['EUR'] },
    ]);
  });
});
