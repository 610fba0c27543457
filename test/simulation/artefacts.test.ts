import { describe, expect, it } from 'vitest';
import { guardJson, guardText } from '../../src/base/text-guard.ts';
import { cardNumbersIn } from './artefacts.ts';

/** Numbers for tests that the schemes publish; none belongs to anybody. */
const PLANTED = [
  '4111111111111111',
  '4111 1111 1111 1111',
  '5555-5555-5555-4444',
  '378282246310005',
  '3782 822463 10005',
  '6011111111111117',
  '30569309025904',
] as const;

const PLACES: readonly (readonly [string, (number: string) => unknown])[] = [
  ['a reference', (number) => ({ reference: `SALE ${number}` })],
  ['metadata', (number) => ({ metadata: { note: { deep: [`card ${number}, thanks`] } } })],
  ['the words of who decides', (number) => ({ by: 'Kim', reason: 'looked', shown: `card ${number}` })],
  ['a text of the terminal', (number) => ({ text: `APPROVED ${number}` })],
  ['a receipt', (number) => ({ receipts: { merchant: `Counter 1\nCard: ${number}\nTotal 12.34` } })],
];

const bytesOf = (value: unknown) =>
  Buffer.concat([Buffer.from([0, 13, 255]), Buffer.from(JSON.stringify(value)), Buffer.from([7, 0])]);

describe('the search for card numbers', () => {
  it.each(PLACES)('finds one in %s when nobody guards it, and none when the guard is on', (_title, plant) => {
    for (const number of PLANTED) {
      expect(cardNumbersIn(bytesOf(plant(number)))).toEqual([number.replace(/\D/g, '')]);
      expect(cardNumbersIn(bytesOf(guardJson(plant(number))))).toEqual([]);
      expect(cardNumbersIn(guardText(`log ${number}`))).toEqual([]);
    }
  });

  it.each([
    ['an RRN', '412345678901'],
    ['an instant', String(Date.UTC(2026, 10, 21))],
    ['an id', '41111111-1111-4111-8111-111111111111'],
    ['a hash', 'a4111111111111111b'],
    ['a masked number', '411111******1111'],
    ['a dump of hex pairs', '04 0F 41 11 11 11 11 11 11 11 00'],
    ['digits that no scheme has', '9111111111111111'],
    ['a number that fails its check digit', '4111111111111112'],
    ['a longer run of digits', '41111111111111110000'],
  ])('is not tripped by %s', (_title, text) => {
    expect(cardNumbersIn(`x ${text} y`)).toEqual([]);
  });
});
