import { afterEach, describe, expect, it } from 'vitest';
import { amountInWords, spelled } from '../../../src/console/words/amount-words.js';
import { type Language, language } from '../../../src/console/words/language.js';

const NUMBERS: readonly (readonly [number, string, string, string])[] = [
  [0, 'zero', 'null', 'zéro'],
  [1, 'one', 'ein', 'un'],
  [17, 'seventeen', 'siebzehn', 'dix-sept'],
  [21, 'twenty-one', 'einundzwanzig', 'vingt et un'],
  [70, 'seventy', 'siebzig', 'soixante-dix'],
  [71, 'seventy-one', 'einundsiebzig', 'soixante et onze'],
  [80, 'eighty', 'achtzig', 'quatre-vingts'],
  [81, 'eighty-one', 'einundachtzig', 'quatre-vingt-un'],
  [91, 'ninety-one', 'einundneunzig', 'quatre-vingt-onze'],
  [99, 'ninety-nine', 'neunundneunzig', 'quatre-vingt-dix-neuf'],
  [100, 'one hundred', 'einhundert', 'cent'],
  [200, 'two hundred', 'zweihundert', 'deux cents'],
  [201, 'two hundred one', 'zweihundertein', 'deux cent un'],
  [1_000, 'one thousand', 'eintausend', 'mille'],
  [
    1_234,
    'one thousand two hundred thirty-four',
    'eintausendzweihundertvierunddreißig',
    'mille deux cent trente-quatre',
  ],
  [12_500, 'twelve thousand five hundred', 'zwölftausendfünfhundert', 'douze mille cinq cents'],
  [80_000, 'eighty thousand', 'achtzigtausend', 'quatre-vingt mille'],
  [200_000, 'two hundred thousand', 'zweihunderttausend', 'deux cent mille'],
  [1_000_000, 'one million', 'eine Million', 'un million'],
  [2_000_080, 'two million eighty', 'zwei Millionen achtzig', 'deux millions quatre-vingts'],
  [
    999_999_999,
    'nine hundred ninety-nine million nine hundred ninety-nine thousand nine hundred ninety-nine',
    'neunhundertneunundneunzig Millionen neunhundertneunundneunzigtausendneunhundertneunundneunzig',
    'neuf cent quatre-vingt-dix-neuf millions neuf cent quatre-vingt-dix-neuf mille neuf cent quatre-vingt-dix-neuf',
  ],
  [1_000_000_000, 'one billion', 'eine Milliarde', 'un milliard'],
];

describe('an amount in words', () => {
  afterEach(() => {
    language.value = 'en';
  });

  it.each(NUMBERS)('%i', (whole, en, de, fr) => {
    expect([spelled(whole, 'en'), spelled(whole, 'de'), spelled(whole, 'fr')]).toEqual([en, de, fr]);
  });

  it.each<readonly [Language, number, string, string]>([
    ['en', 123_456, 'EUR', 'one thousand two hundred thirty-four euros 56/100'],
    ['de', 1_200_000, 'EUR', 'zwölftausend Euro'],
    ['de', 150_005, 'CHF', 'eintausendfünfhundert Schweizer Franken 05/100'],
    ['fr', 200_000, 'EUR', 'deux mille euros'],
    ['fr', 100_000_000, 'EUR', 'un million d’euros'],
    ['en', 12_000, 'JPY', 'twelve thousand Japanese yen'],
    ['en', 1_234_567, 'KWD', 'one thousand two hundred thirty-four Kuwaiti dinars 567/1000'],
  ])('%s: %i %s', (tongue, minor, currency, words) => {
    language.value = tongue;
    expect(amountInWords(minor, currency)).toBe(words);
  });

  it('has other words for every other amount', () => {
    for (const tongue of ['en', 'de', 'fr'] as const) {
      const seen = new Set(Array.from({ length: 20_000 }, (_, whole) => spelled(whole, tongue)));
      expect(seen.size).toBe(20_000);
    }
  });
});
