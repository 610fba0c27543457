import { exponentOf } from '../words/money.js';
import { writtenAmount } from '../words/typed-money.js';
import { isInvoiceId } from './scanned-text.js';

/**
 * One meaning of what a person typed. `value` is for the label; `amount`: where it is one, in minor units of these currencies; `params`: of `GET /v2/terminal-payments`, without
 * the day; `on`: a day, `YYYY-MM-DD`, or null; a reading by `invoice` has the number that is looked up first.
 * @typedef {'card' | 'amount' | 'receipt' | 'reference' | 'invoice' | 'part' | 'payment' | 'day' | 'status'} ReadingKind
 * @typedef {{ kind: ReadingKind, value: string, amount: { minor: number, currencies: readonly string[] } | null, params: Readonly<Record<string, string>>, on: string | null }} Reading
 */

const RELATIVE = /** @type {Readonly<Record<string, number>>} */ ({
  today: 0,
  heute: 0,
  "aujourd'hui": 0,
  'aujourd’hui': 0,
  yesterday: 1,
  gestern: 1,
  hier: 1,
});
const MASKED_CARD = /^[.…*•x]+(\d{4})$/i;
/** Digits of the longest amount that is searched. */
const MOST_AMOUNT_DIGITS = 9;
const MOST_RECEIPT = 32;
const MOST_REFERENCE = 64;
/** A shorter part is in too many. */
const LEAST_PART = 3;

/**
 * Every meaning of a text, the likeliest first: `1234` is a card, two amounts (12.34 as at a terminal, and 1,234.00), a receipt number, a reference
 * and an invoice. A word that is a day narrows the others.
 * @param {string} text
 * @param {{ currencies: readonly string[], today: string }} shop `today`: `YYYY-MM-DD` in the zone of the shop
 * @returns {readonly Reading[]}
 */
export function readingsOf(text, { currencies, today }) {
  const words = text.trim().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const isDay = (/** @type {string} */ word) => daysOf(word, today).length > 0 && !isAmount(word);
  const dayWord = words.find(isDay);
  const rest = words.filter((word) => word !== dayWord).join(' ');
  const days = dayWord === undefined ? [null] : daysOf(dayWord, today);
  if (rest === '') return days.map(dayReading);
  const readings = days.flatMap((on) =>
    restReadings(rest, currencies).map((reading) => ({ ...reading, on })),
  );
  const whole = dayWord === undefined ? daysOf(rest, today).map(dayReading) : [];
  return [...readings, ...whole];
}

/** @param {string | null} on @returns {Reading} */
function dayReading(on) {
  return { kind: 'day', value: on ?? '', amount: null, params: {}, on };
}

/**
 * @param {string} text
 * @param {readonly string[]} currencies
 * @returns {readonly Omit<Reading, 'on'>[]}
 */
function restReadings(text, currencies) {
  /** @param {ReadingKind} kind @param {string} value @param {Record<string, string>} params @param {Reading['amount']} [amount] */
  const reading = (kind, value, params, amount = null) => ({ kind, value, params, amount });
  const card = MASKED_CARD.exec(text)?.[1] ?? (/^\d{4}$/.test(text) ? text : undefined);
  const cards = card === undefined ? [] : [reading('card', card, { card_last4: card })];
  if (MASKED_CARD.test(text)) return cards;
  if (isInvoiceId(text)) return [reading('payment', text, {}), reading('invoice', text, {})];
  const amounts = amountsOf(text, currencies).map((amount) =>
    reading('amount', text, { amount_minor: String(amount.minor) }, amount),
  );
  const isReceipt = /^\d+$/.test(text) && text.length <= MOST_RECEIPT;
  const receipts = isReceipt ? [reading('receipt', text, { receipt_number: text })] : [];
  const references = text.length <= MOST_REFERENCE ? [reading('reference', text, { reference: text })] : [];
  const isPart = text.length >= LEAST_PART && text.length <= MOST_REFERENCE;
  const parts = isPart ? [reading('part', text, { contains: text })] : [];
  return [...cards, ...amounts, ...receipts, ...references, reading('invoice', text, {}), ...parts];
}

/**
 * The amounts that a text can mean, in minor units.
 * @param {string} text
 * @param {readonly string[]} currencies
 */
function amountsOf(text, currencies) {
  const meant = currencies.map((currency) => ({ currency, minors: minorsOf(text, currency) }));
  const minors = new Set(meant.flatMap((one) => one.minors).filter((minor) => minor > 0));
  return [...minors].map((minor) => ({
    minor,
    currencies: meant.filter((one) => one.minors.includes(minor)).map(({ currency }) => currency),
  }));
}

/**
 * @param {string} text
 * @param {string} currency
 * @returns {readonly number[]}
 */
function minorsOf(text, currency) {
  const exponent = exponentOf(currency);
  const digits = text.replace(/\D/g, '');
  if (digits === '' || digits.length > MOST_AMOUNT_DIGITS) return [];
  const whole = Number(digits) * 10 ** exponent;
  if (/^\d+$/.test(text)) return [Number(digits), whole];
  const { minor, problem } = writtenAmount(text, currency);
  if (problem === 'ambiguous') return exponent === 3 ? [Number(digits), whole] : [whole];
  return minor === null ? [] : [minor];
}

/** `12.11` can be both. @param {string} word */
function isAmount(word) {
  return /^\d+[.,]\d{1,3}$/.test(word);
}

/**
 * The days that a word can mean, the likeliest first: with a slash the month may stand before the day. Without a year it is the last such day.
 * @param {string} word
 * @param {string} today
 * @returns {readonly string[]}
 */
function daysOf(word, today) {
  const back = RELATIVE[word.toLowerCase()];
  if (back !== undefined) return [dayBefore(today, back)];
  if (/^\d{4}-\d{2}-\d{2}$/.test(word)) return isReal(word) ? [word] : [];
  const match = /^(\d{1,2})([./])(\d{1,2})(?:\2(\d{4}|\d{2})?)?$/.exec(word);
  if (!match) return [];
  const [, first = '', separator, second = '', year] = match;
  const orders =
    separator === '/'
      ? [
          [first, second],
          [second, first],
        ]
      : [[first, second]];
  const days = orders.map(([day = '', month = '']) => lastSuch(day, month, year, today));
  return [...new Set(days.filter((day) => day !== null))];
}

/**
 * @param {string} day
 * @param {string} month
 * @param {string | undefined} year
 * @param {string} today
 */
function lastSuch(day, month, year, today) {
  const own = `${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const thisYear = Number(today.slice(0, 4));
  const years =
    year === undefined ? [thisYear, thisYear - 1] : [year.length === 2 ? 2000 + Number(year) : Number(year)];
  const days = years.map((one) => `${one}-${own}`);
  return days.find((one) => isReal(one) && (year !== undefined || one <= today)) ?? null;
}

/** @param {string} day */
function isReal(day) {
  const at = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(day);
}

/** @param {string} day @param {number} count */
function dayBefore(day, count) {
  return new Date(Date.parse(`${day}T00:00:00Z`) - count * 86_400_000).toISOString().slice(0, 10);
}
