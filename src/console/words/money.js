import { numbers } from './formatters.js';

/** ISO 4217 exponents that are not 2. The browser's own table differs for some (IQD, LBP), and tilld uses this one. */
export const EXPONENTS = /** @type {Readonly<Record<string, number>>} */ ({
  BHD: 3,
  CLP: 0,
  IQD: 3,
  ISK: 0,
  JOD: 3,
  JPY: 0,
  KRW: 0,
  KWD: 3,
  LYD: 3,
  OMR: 3,
  PYG: 0,
  RWF: 0,
  TND: 3,
  UGX: 0,
  VND: 0,
  XAF: 0,
  XOF: 0,
  XPF: 0,
});

/**
 * Digits after the decimal separator.
 * @param {string} currency
 */
export function exponentOf(currency) {
  return EXPONENTS[currency] ?? 2;
}

/**
 * An amount for people.
 * @param {number} minor minor units
 * @param {string} currency ISO 4217
 */
export function formatMoney(minor, currency) {
  const digits = exponentOf(currency);
  return numbers({
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(/** @type {any} */ (decimal(minor, digits)));
}

/**
 * A bare number with the currency's number of digits after the separator.
 * @param {number} minor
 * @param {number} digits
 */
export function formatDecimal(minor, digits) {
  return numbers({
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(/** @type {any} */ (decimal(minor, digits)));
}

/**
 * Minor units as an exact decimal text: Intl reads it without a float.
 * @param {number} minor
 * @param {number} digits
 */
function decimal(minor, digits) {
  const text = String(Math.abs(minor)).padStart(digits + 1, '0');
  const whole = text.slice(0, text.length - digits);
  const sign = minor < 0 ? '-' : '';
  return digits === 0 ? `${sign}${whole}` : `${sign}${whole}.${text.slice(-digits)}`;
}
