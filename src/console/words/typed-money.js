import { numbers } from './formatters.js';
import { exponentOf, formatDecimal } from './money.js';

/** @typedef {'invalid' | 'ambiguous'} AmountProblem */
/**
 * An amount during typing. `text`: as a person has written it; null: digit by digit from the right, as at a terminal.
 * `minor`: minor units; null: the text is no amount.
 * @typedef {{ text: string | null, minor: number | null, problem: AmountProblem | null }} TypedAmount
 */

/** Maximum of digits of an amount. */
const MAX_DIGITS = 11;
/** Groups of three, their separator, and the fraction after another separator. */
const GROUPED = /^([1-9]\d{0,2}(?:([., '’])\d{3})(?:\2\d{3})*)(?:([.,])(\d+))?$/;
const SIMPLE = /^(\d*)(?:([.,])(\d*))?$/;

export const NO_AMOUNT = /** @type {TypedAmount} */ ({ text: null, minor: 0, problem: null });

/**
 * An amount that is already known.
 * @param {number} minor
 * @returns {TypedAmount}
 */
export function amountOf(minor) {
  return { text: null, minor, problem: null };
}

/**
 * The text of the field.
 * @param {TypedAmount} typed
 * @param {string} currency
 */
export function shownAmount({ text, minor }, currency) {
  return text ?? formatDecimal(minor ?? 0, exponentOf(currency));
}

/**
 * The meaning of the field after a change of its text. A digit key shifts the amount to the left, as at a terminal, wherever the caret
 * stands; the key of a separator makes the typed digits the whole units; a pasted text means what it looks like.
 * @param {TypedAmount} before
 * @param {{ value: string, data: string | null, inputType: string }} input the text now, and the browser's description of the change
 * @param {string} currency
 * @returns {TypedAmount}
 */
export function typedAmount({ text, minor }, { value, data, inputType }, currency) {
  if (value === '') return NO_AMOUNT;
  if (text !== null) return writtenAmount(value, currency);
  const before = minor ?? 0;
  if (inputType.startsWith('delete')) return erased(value, before, currency);
  if (data === null || data.length !== 1) return writtenAmount(value, currency);
  if (/[.,]/.test(data)) return writtenAmount(`${before}${data}`, currency);
  if (!/\d/.test(data)) return writtenAmount(value, currency);
  return value === data || before === 0 ? amountOf(Number(data)) : digitsOf(value, before);
}

/**
 * A key of the number pad: digits, or `erase`.
 * @param {TypedAmount} before
 * @param {string} key
 * @param {string} currency
 * @returns {TypedAmount}
 */
export function keyedAmount(before, key, currency) {
  const { text, minor } = before;
  if (text !== null) {
    const value = key === 'erase' ? text.slice(0, -1) : `${text}${key}`;
    return value === '' ? NO_AMOUNT : writtenAmount(value, currency);
  }
  return key === 'erase'
    ? amountOf(Math.floor((minor ?? 0) / 10))
    : digitsOf(`${minor ?? 0}${key}`, minor ?? 0);
}

/**
 * The meaning of a written text: with thousands and decimal separators of any language. An ambiguous text is
 * rejected: `1,234` is a thousand in one language and one in another.
 * @param {string} text
 * @param {string} currency
 * @returns {TypedAmount}
 */
export function writtenAmount(text, currency) {
  const minor = minorOf(bare(text, currency), exponentOf(currency));
  return typeof minor === 'number' ? { text, minor, problem: null } : { text, minor: null, problem: minor };
}

/**
 * @param {string} text
 * @param {number} exponent
 * @returns {number | AmountProblem}
 */
function minorOf(text, exponent) {
  const [, whole = '', separator = '', fraction = ''] = SIMPLE.exec(text) ?? [];
  if (SIMPLE.test(text) && `${whole}${fraction}` !== '') {
    const mayBeThousands = fraction.length === 3 && /^[1-9]\d{0,2}$/.test(whole);
    if (!mayBeThousands) return joined(whole, fraction, exponent);
    if (exponent === 0) return joined(`${whole}${fraction}`, '', exponent);
    return exponent === 3 && separator === decimalSeparator()
      ? joined(whole, fraction, exponent)
      : 'ambiguous';
  }
  const [, groups, between, point, rest = ''] = GROUPED.exec(text) ?? [];
  if (groups === undefined || between === point) return 'invalid';
  return joined(groups.replace(/\D/g, ''), rest, exponent);
}

/**
 * @param {string} whole
 * @param {string} fraction
 * @param {number} exponent
 * @returns {number | AmountProblem}
 */
function joined(whole, fraction, exponent) {
  const digits = `${whole}${fraction.padEnd(exponent, '0')}`.replace(/^0+(?=\d)/, '');
  return fraction.length > exponent || digits.length > MAX_DIGITS ? 'invalid' : Number(digits);
}

/**
 * Without the name or the sign of its own currency, which a copied amount may include.
 * @param {string} text
 * @param {string} currency
 */
function bare(text, currency) {
  const names = [currency, signOf(currency)];
  const plain = text.replace(/[\u00a0\u202f\u2009]/g, ' ').trim();
  const name = names.find((one) => plain.startsWith(one) || plain.endsWith(one));
  return name === undefined ? plain : plain.replace(name, '').trim();
}

/**
 * An unambiguous example of an amount.
 * @param {string} currency
 */
export function exampleAmount(currency) {
  const digits = exponentOf(currency);
  return digits === 0 ? '1234' : `1234${decimalSeparator()}${'500'.slice(0, digits)}`;
}

/** @param {string} currency */
function signOf(currency) {
  const parts = numbers({ style: 'currency', currency, currencyDisplay: 'narrowSymbol' }).formatToParts(0);
  return parts.find(({ type }) => type === 'currency')?.value ?? currency;
}

function decimalSeparator() {
  return numbers({ minimumFractionDigits: 1 })
    .formatToParts(0)
    .find(({ type }) => type === 'decimal')?.value;
}

/**
 * The digits of a text as minor units; the previous value where there are too many.
 * @param {string} text
 * @param {number} before
 */
function digitsOf(text, before) {
  const digits = text.replace(/\D/g, '').replace(/^0+(?=\d)/, '');
  return amountOf(digits.length > MAX_DIGITS ? before : Number(digits));
}

/**
 * One character less; without a separator the last digit is removed.
 * @param {string} value
 * @param {number} before
 * @param {string} currency
 */
function erased(value, before, currency) {
  const count = (/** @type {string} */ text) => text.replace(/\D/g, '').length;
  const isDigitGone = count(value) < count(formatDecimal(before, exponentOf(currency)));
  return isDigitGone ? digitsOf(value, before) : amountOf(Math.floor(before / 10));
}
