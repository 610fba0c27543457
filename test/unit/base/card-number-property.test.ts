import { describe, expect, it } from 'vitest';
import { maskCardNumbers } from '../../../src/base/card-number.ts';

const COUNT = 100_000;

/** Mulberry32: a generator of this file alone, so that a failure comes again. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

type Random = () => number;
const below = (random: Random, count: number) => Math.floor(random() * count);
const oneOf = <T>(random: Random, items: readonly T[]): T => items[below(random, items.length)] as T;
const digits = (random: Random, count: number) =>
  Array.from({ length: count }, () => below(random, 10)).join('');

/** Prefix and length of the numbers that schemes issue (their own published ranges). */
const SCHEMES: readonly (readonly [prefix: string, length: number])[] = [
  ['4', 16],
  ['4', 13],
  ['4', 19],
  ['51', 16],
  ['55', 16],
  ['2221', 16],
  ['2720', 16],
  ['34', 15],
  ['37', 15],
  ['36', 14],
  ['38', 14],
  ['300', 14],
  ['6011', 16],
  ['65', 16],
  ['3528', 16],
  ['3589', 16],
  ['50', 16],
  ['5893', 18],
  ['6759', 19],
  ['62', 16],
  ['62', 19],
];
const SCRIPTS = ['0', '０', '٠', '۰', '०', '๐', '𝟎', '𝟘', '₀'].map((zero) => zero.codePointAt(0) ?? 48);
const BETWEEN = [
  '',
  '',
  ' ',
  '-',
  '.',
  '/',
  ',',
  ':',
  '_',
  '\u00a0',
  '\u2009',
  '\u200b',
  '\n',
  '\r\n',
  '\t',
  '|',
  ' - ',
  '...',
  '•',
  '—',
  '\u00ad',
  ')(',
  '*',
  '**',
  ' * ',
];
const BESIDE = [
  '',
  'card ',
  'PAN:',
  '„',
  'x',
  'Kunde zahlt mit ',
  '{"note":"',
  '2026-11-26 ',
  '12 ',
  'n° ',
  'DE89370400440532013000 ',
  'iban gb82 west 1234 5698 7654 32, card ',
  'Re12 Kunde zahlt mit Karte ',
  'XY61 ',
  'NL91ABNA0417164300-',
  'AB12 ref 77 ',
  '0199c0de-0000-7000-8000-000000000001 ',
];

/** The digit that makes the sum come out right (ISO/IEC 7812), counted here anew. */
function withCheckDigit(body: string): string {
  for (const check of '0123456789') {
    const all = [...body, check].reverse().map(Number);
    const sum = all.reduce((total, digit, at) => {
      const twice = digit * 2;
      return total + (at % 2 === 0 ? digit : twice > 9 ? twice - 9 : twice);
    }, 0);
    if (sum % 10 === 0) return body + check;
  }
  throw new Error('no check digit');
}

function disguised(random: Random): { readonly pan: string; readonly text: string } {
  const [prefix, length] = oneOf(random, SCHEMES);
  const pan = withCheckDigit(prefix + digits(random, length - prefix.length - 1));
  const isEven = random() < 0.5;
  const between = oneOf(random, BETWEEN);
  const zero = oneOf(random, SCRIPTS);
  const isMixed = random() < 0.2;
  const shown = [...pan].map((digit, at) => {
    const from = isMixed ? oneOf(random, SCRIPTS) : zero;
    const gap = isEven ? (at > 0 && at % 4 === 0 ? between : '') : at > 0 ? oneOf(random, BETWEEN) : '';
    return gap + String.fromCodePoint(from + Number(digit));
  });
  return {
    pan,
    text: `${oneOf(random, BESIDE)}${shown.join('')}${oneOf(random, ['', '.', ' x', '"}', ' EUR'])}`,
  };
}

/** The digits of a text as a person reads them, whatever script and whatever is between. */
function digitsIn(text: string): string {
  return [...text.normalize('NFKC')]
    .map((symbol) => {
      const code = symbol.codePointAt(0) ?? 0;
      const zero = SCRIPTS.find((from) => code >= from && code < from + 10);
      return zero === undefined ? '' : String(code - zero);
    })
    .join('');
}

const two = (value: number) => String(value).padStart(2, '0');
const aDate = (random: Random) =>
  [1990 + below(random, 60), two(1 + below(random, 12)), two(1 + below(random, 28))] as const;
const aTime = (random: Random) =>
  [two(below(random, 24)), two(below(random, 60)), two(below(random, 60))] as const;

function iban(random: Random): string {
  const [country, length] = oneOf(random, [
    ['DE', 18],
    ['AT', 16],
    ['FR', 23],
    ['NL', 10],
    ['ES', 20],
  ] as const);
  const account = digits(random, length);
  const moved = `${account}${[...country].map((letter) => letter.charCodeAt(0) - 55).join('')}00`;
  const check = two(98 - Number(BigInt(moved) % 97n));
  const plain = `${country}${check}${account}`;
  return random() < 0.5 ? plain : plain.replace(/(.{4})(?=.)/g, '$1 ');
}

const uuid = (random: Random) => {
  const hex = Array.from({ length: 32 }, () => below(random, random() < 0.9 ? 10 : 16).toString(16)).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
};

const INNOCENT: readonly ((random: Random) => string)[] = [
  iban,
  (random) => `IBAN ${iban(random)}, ${oneOf(random, ['danke', 'thanks'])}`,
  (random) =>
    `+${oneOf(random, ['49', '33', '44', '1', '39', '351'])} ${digits(random, 3)} ${digits(random, 7)}`,
  (random) => `+${oneOf(random, ['49', '43', '41'])}${digits(random, 11)}`,
  (random) => `Tel. 0${1 + below(random, 9)}${digits(random, 2)}/${digits(random, 8)}`,
  uuid,
  (random) => `evt_${uuid(random)}`,
  (random) => `${aDate(random).join('-')}T${aTime(random).join(':')}.${digits(random, 3)}Z`,
  (random) => `${aDate(random).join('-')} ${aTime(random).join(':')}.${digits(random, 6)}`,
  (random) => `${[...aDate(random)].reverse().join('.')} ${aTime(random).slice(0, 2).join(':')}`,
  (random) =>
    `${aDate(random).join('-')} ${aTime(random).join(':')} - ${aDate(random).join('-')} ${aTime(random).join(':')}`,
  (random) => String(1_600_000_000_000 + below(random, 400_000_000_000)),
  (random) =>
    `${below(random, 9_999)}.${two(below(random, 100))} EUR, ${below(random, 9_999)}.${two(below(random, 100))} EUR`,
  (random) => `INV-${2020 + below(random, 10)}-${digits(random, 5)}`,
  (random) => `order ${digits(random, 12)}`,
];

describe('the card number guard', () => {
  it(`finds a card number in each of ${COUNT} disguises`, () => {
    const random = randomFrom(1);
    const missed: string[] = [];
    for (let round = 0; round < COUNT; round += 1) {
      const { pan, text } = disguised(random);
      const once = maskCardNumbers(text);
      if (digitsIn(once).includes(pan)) missed.push(JSON.stringify(text));
      if (maskCardNumbers(once) !== once) missed.push(`not the same twice: ${JSON.stringify(once)}`);
    }
    expect(missed.slice(0, 10)).toEqual([]);
  }, 60_000);

  it(`leaves all but one in 10,000 of ${COUNT} innocent texts as they are`, () => {
    const random = randomFrom(2);
    const masked: string[] = [];
    for (let round = 0; round < COUNT; round += 1) {
      const text = oneOf(random, INNOCENT)(random);
      if (maskCardNumbers(text) !== text) masked.push(`${JSON.stringify(text)} → ${maskCardNumbers(text)}`);
    }
    expect(masked.length, masked.slice(0, 10).join('\n')).toBeLessThanOrEqual(COUNT / 10_000);
  }, 60_000);

  it('takes no longer than the text is long', () => {
    for (const piece of ['1.', '4 - ', '4111 1111 1111 1112 ', 'DE89 ', '2026-11-26 08:15 - ', '٤ ']) {
      const begin = performance.now();
      maskCardNumbers(piece.repeat(Math.ceil(200_000 / piece.length)));
      expect(performance.now() - begin, piece).toBeLessThan(5_000);
    }
  });
});
