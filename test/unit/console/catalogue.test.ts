import { afterEach, expect, it } from 'vitest';
import { catalogue } from '../../../src/console/words/catalogue.js';
import { language } from '../../../src/console/words/language.js';
import { formatSeconds } from '../../../src/console/words/time.js';

const t = catalogue({
  en: {
    rows: '{count} records',
    rows_one: '{count} record',
    of: '{done} of {total}',
    lasts: 'Takes {time}.',
  },
  de: {
    rows: '{count} Datensätze',
    rows_one: '{count} Datensatz',
    of: '{done} von {total}',
    lasts: 'Dauert {time}.',
  },
  fr: {
    rows: '{count} enregistrements',
    rows_one: '{count} enregistrement',
    of: '{done} sur {total}',
    lasts: 'Dure {time}.',
  },
});

afterEach(() => {
  language.value = 'en';
});

it.each([
  ['en', ['0 records', '1 record', '1,234 records']],
  ['de', ['0 Datensätze', '1 Datensatz', '1.234 Datensätze']],
  ['fr', ['0 enregistrement', '1 enregistrement', '1 234 enregistrements']],
] as const)('a count has the form and the digits of its language: %s', (spoken, words) => {
  language.value = spoken;
  expect([0, 1, 1234].map((count) => t('rows', { count }).replace(/\s/g, ' '))).toEqual(words);
});

it('a million is many in French, which has the form of the others', () => {
  language.value = 'fr';
  expect(t('rows', { count: 1_000_000 })).toContain('enregistrements');
});

it('other numbers are written as the language writes them, too', () => {
  language.value = 'de';
  expect(t('of', { done: 1_000, total: 20_000 })).toBe('1.000 von 20.000');
});

it.each([
  ['en', '1.5 seconds'],
  ['de', '1,5 Sekunden'],
  ['fr', '1,5 seconde'],
] as const)('seconds have the unit of their language: %s', (spoken, words) => {
  language.value = spoken;
  expect(formatSeconds(1_500).replace(/\s/g, ' ')).toBe(words);
});

it('a sentence has one full stop, also behind a value that ends with one', () => {
  language.value = 'en';
  expect(t('lasts', { time: '1 hr.' })).toBe('Takes 1 hr.');
  expect(t('lasts', { time: '1 hour' })).toBe('Takes 1 hour.');
});
