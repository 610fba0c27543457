import { afterEach, describe, expect, it } from 'vitest';
import { currencies } from '../../../src/base/money.ts';
import { language } from '../../../src/console/words/language.js';
import { exponentOf, formatDecimal } from '../../../src/console/words/money.js';
import {
  keyedAmount,
  NO_AMOUNT,
  shownAmount,
  typedAmount,
  writtenAmount,
} from '../../../src/console/words/typed-money.js';

type Typed = typeof NO_AMOUNT;
const key = (data: string, value: string) => ({ value, data, inputType: 'insertText' });
/** A text that came as a whole: filled in by a program, dropped, composed. */
const whole = (value: string) => ({ value, data: null, inputType: '' });
const erasing = (value: string) => ({ value, data: null, inputType: 'deleteContentBackward' });

/** Key by key, as a browser tells it: the key stands behind what the field shows. */
function typed(keys: string, currency = 'EUR', from: Typed = NO_AMOUNT) {
  return [...keys].reduce(
    (before, sign) => typedAmount(before, key(sign, `${shownAmount(before, currency)}${sign}`), currency),
    from,
  );
}
const read = (text: string, currency: string) => {
  const { minor, problem } = writtenAmount(text, currency);
  return problem ?? minor;
};

describe('an amount means what it looks like', () => {
  afterEach(() => {
    language.value = 'en';
  });

  it.each([
    ['12,5', 'EUR', 1250],
    ['12.5', 'EUR', 1250],
    ['12', 'EUR', 1200],
    ['12', 'JPY', 12],
    ['12', 'KWD', 12_000],
    ['12,5', 'KWD', 12_500],
    ['12,', 'EUR', 1200],
    ['.5', 'EUR', 50],
    ['0,05', 'EUR', 5],
    ['0.234', 'KWD', 234],
    ['1,234.56', 'EUR', 123_456],
    ['1.234,56', 'EUR', 123_456],
    ['1 234,56', 'EUR', 123_456],
    ['1\u202f234,56\u00a0€', 'EUR', 123_456],
    ['1’234.56', 'CHF', 123_456],
    ['1,234,567', 'EUR', 123_456_700],
    ['1.234.567,8', 'EUR', 123_456_780],
    ['1,234', 'JPY', 1234],
    ['1.234', 'JPY', 1234],
    ['1.234', 'KWD', 1234],
    ['1,234.500', 'KWD', 1_234_500],
    ['EUR 12.50', 'EUR', 1250],
    ['€12.50', 'EUR', 1250],
    ['12.50 EUR', 'EUR', 1250],
  ])('%s in %s is %i', (text, currency, minor) => {
    expect(read(text, currency)).toBe(minor);
  });

  it.each([
    ['1,234', 'EUR'],
    ['1.234', 'EUR'],
    ['12.345', 'EUR'],
    ['1,234', 'KWD'],
  ])('%s in %s could be two amounts, and is refused', (text, currency) => {
    expect(read(text, currency)).toBe('ambiguous');
  });

  it.each([
    ['12.345.6', 'EUR'],
    ['1,23,456', 'EUR'],
    ['1.234,567', 'EUR'],
    ['12.5', 'JPY'],
    ['0.1234', 'KWD'],
    ['-12', 'EUR'],
    ['12 5', 'EUR'],
    ['$12.50', 'EUR'],
    ['1e3', 'EUR'],
    ['١٢', 'EUR'],
    [',', 'EUR'],
    ['twelve', 'EUR'],
    ['999999999999', 'EUR'],
    ['1,234,56', 'EUR'],
  ])('%s in %s is no amount', (text, currency) => {
    expect(read(text, currency)).toBe('invalid');
  });

  it('takes three digits behind the separator of this language for a fraction where the currency has three', () => {
    language.value = 'de';
    expect(read('1,234', 'KWD')).toBe(1234);
    expect(read('1.234', 'KWD')).toBe('ambiguous');
  });

  it('is typed digit by digit as at a terminal, and the field shows at every key what it means', () => {
    expect(shownAmount(typed('7'), 'EUR')).toBe('0.07');
    expect(shownAmount(typed('750'), 'EUR')).toBe('7.50');
    expect(typed('750').minor).toBe(750);
    expect(shownAmount(typed('750', 'JPY'), 'JPY')).toBe('750');
  });

  it('is whole units as soon as a separator is typed behind it', () => {
    expect([typed('12,').minor, typed('12,5').minor, typed('12.50').minor]).toEqual([1200, 1250, 1250]);
    expect(shownAmount(typed('12,5'), 'EUR')).toBe('12,5');
    language.value = 'de';
    expect([typed('12,5').minor, typed('12.5', 'KWD').minor]).toEqual([1250, 12_500]);
  });

  it.each(['12', '10.00', '1', '30.00', '3.00'])('is what was put into the field as a whole: %s', (text) => {
    const minor = Math.round(Number(text) * 100);
    expect(typedAmount(NO_AMOUNT, whole(text), 'EUR').minor).toBe(minor);
    expect(typedAmount(NO_AMOUNT, { ...whole(text), data: `${text} ` }, 'EUR').minor).toBe(minor);
    expect(typedAmount(typed('750'), whole(text), 'EUR').minor).toBe(minor);
  });

  it('does not depend on where the caret stood', () => {
    expect(typedAmount(NO_AMOUNT, key('1', '0.100'), 'EUR').minor).toBe(1);
    expect(typedAmount(NO_AMOUNT, key('1', '10.00'), 'EUR').minor).toBe(1);
    expect(typedAmount(typed('12'), key(',', '0.1,2'), 'EUR').minor).toBe(1200);
    expect(typedAmount(typed('1234'), key('5', '152.34'), 'EUR').minor).toBe(15_234);
    expect(typedAmount(typed('1234'), key('5', '5'), 'EUR').minor).toBe(5);
    expect(typedAmount(typed('1234'), erasing('1.34'), 'EUR').minor).toBe(134);
    expect(typedAmount(typed('1234'), erasing('1234'), 'EUR').minor).toBe(123);
  });

  it('goes on from what is shown: erased, by the pad, and emptied', () => {
    expect(typedAmount(typed('750'), erasing('7.5'), 'EUR').minor).toBe(75);
    const pad = ['1', '2', '00', 'erase'].reduce((sum, one) => keyedAmount(sum, one, 'EUR'), NO_AMOUNT);
    expect(pad.minor).toBe(120);
    expect(keyedAmount(writtenAmount('12,5', 'EUR'), '0', 'EUR').minor).toBe(1250);
    expect(keyedAmount(writtenAmount('12,5', 'EUR'), 'erase', 'EUR').minor).toBe(1200);
    expect(typedAmount(writtenAmount('12,5', 'EUR'), erasing(''), 'EUR')).toEqual(NO_AMOUNT);
    expect(typedAmount(typed('750'), key('x', '7.50x'), 'EUR').problem).toBe('invalid');
  });

  it('is the same again when what the page shows is copied and put back, in every language and currency', () => {
    for (const tongue of ['en', 'de', 'fr'] as const) {
      language.value = tongue;
      for (const currency of currencies)
        for (const minor of [1, 1234, 123_450, 98_765_432_10])
          expect(
            read(formatDecimal(minor, exponentOf(currency)), currency),
            `${tongue} ${currency} ${minor}`,
          ).toBe(minor);
    }
  });
});
