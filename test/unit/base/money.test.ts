import { describe, expect, it } from 'vitest';
import {
  currencies,
  currencyOfNumericCode,
  exponentOf,
  formatMoney,
  numericCodeOf,
  parseAmount,
} from '../../../src/base/money.ts';

describe('amounts', () => {
  it.each([
    ['12.34', 'EUR', 1234],
    ['12,34', 'EUR', 1234],
    ['12', 'EUR', 1200],
    ['0.05', 'EUR', 5],
    ['12.3', 'EUR', 1230],
    ['1234', 'JPY', 1234],
    ['1.234', 'KWD', 1234],
    ['0,234', 'KWD', 234],
    ['12,5', 'EUR', 1250],
    ['12,5', 'KWD', 12500],
    ['0.1', 'EUR', 10],
    ['1.10', 'EUR', 110],
    ['1234567890.12', 'EUR', 123456789012],
  ] as const)('%s %s is %d minor units', (text, currency, minor) => {
    expect(parseAmount(text, currency)).toEqual({ minor, currency });
  });

  it.each([
    ['0', 'EUR'],
    ['0.00', 'EUR'],
    ['-1', 'EUR'],
    ['+1', 'EUR'],
    ['1e3', 'EUR'],
    ['1.234', 'EUR'],
    ['1.5', 'JPY'],
    ['1 000', 'EUR'],
    ['1.000,00', 'EUR'],
    ['.5', 'EUR'],
    ['5.', 'EUR'],
    ['', 'EUR'],
    ['٣', 'EUR'],
    ['99999999999999', 'EUR'],
    ['9999999999999.99', 'KWD'],
    ['1,234', 'KWD'],
    ['1,234', 'JPY'],
    ['Infinity', 'EUR'],
  ] as const)('%s %s is refused', (text, currency) => {
    expect(() => parseAmount(text, currency)).toThrow(expect.objectContaining({ code: 'AMOUNT_INVALID' }));
  });

  it('every currency survives being written and read', () => {
    for (const currency of currencies) {
      const money = { minor: 1_234_567, currency };
      expect(parseAmount(formatMoney(money).split(' ')[0] ?? '', currency)).toEqual(money);
      expect(currencyOfNumericCode(numericCodeOf(currency))).toBe(currency);
      expect([0, 2, 3]).toContain(exponentOf(currency));
    }
  });

  it('shows small and negative amounts whole', () => {
    expect(formatMoney({ minor: 5, currency: 'EUR' })).toBe('0.05 EUR');
    expect(formatMoney({ minor: -5, currency: 'EUR' })).toBe('-0.05 EUR');
    expect(formatMoney({ minor: 7, currency: 'JPY' })).toBe('7 JPY');
  });
});
