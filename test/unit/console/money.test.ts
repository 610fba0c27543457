import { afterEach, describe, expect, it } from 'vitest';
import { currencies, exponentOf as ours } from '../../../src/base/money.ts';
import { language } from '../../../src/console/words/language.js';
import { exponentOf, formatMoney } from '../../../src/console/words/money.js';
import { formatAge, formatMoment } from '../../../src/console/words/time.js';

const NOON = Date.parse('2026-11-22T12:00:00');

describe('amounts and times at the pages', () => {
  afterEach(() => {
    language.value = 'en';
  });

  it.each(currencies)('have the exponent of the core in %s', (currency) => {
    expect(exponentOf(currency)).toBe(ours(currency));
  });

  it.each([
    [1234, 'EUR', '€12.34'],
    [5, 'EUR', '€0.05'],
    [1234, 'JPY', '¥1,234'],
    [1234, 'KWD', 'KWD 1.234'],
    [9_007_199_254_740_991, 'EUR', '€90,071,992,547,409.91'],
  ])('%i %s is %s', (minor, currency, shown) => {
    expect(formatMoney(minor, currency).replaceAll('\u00a0', ' ')).toBe(shown);
  });

  it('follow the language', () => {
    language.value = 'de';
    expect(formatMoney(123_456, 'EUR').replaceAll('\u00a0', ' ')).toBe('1.234,56 €');
    expect(formatAge(NOON - 65_000, NOON)).toBe('1 Minute');
  });

  it('say the date of what was not today', () => {
    const shown = (text: string) => formatMoment(new Date(text).toISOString(), NOON);
    expect(shown('2026-11-22T09:05:00')).not.toContain('2026');
    expect(shown('2026-11-21T09:05:00')).toContain('2026');
  });
});
