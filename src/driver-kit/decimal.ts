import { type Currency, exponentOf, type Money } from '../base/money.ts';

/** An amount in the major unit with the currency's digits behind the point: `12.34`, JPY `1234`. */
export function decimalOf({ minor, currency }: Money): string {
  const exponent = exponentOf(currency);
  const digits = String(minor).padStart(exponent + 1, '0');
  return exponent === 0 ? digits : `${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`;
}

/**
 * The minor units of an amount in the major unit, as JSON carries it: a number, or a text of digits and one point. Undefined for anything
 * else: a sign, more digits than the currency has, more than a safe integer.
 */
export function minorOf(amount: unknown, currency: Currency): number | undefined {
  if (typeof amount !== 'number' && typeof amount !== 'string') return undefined;
  const parts = /^(\d{1,13})(?:\.(\d{1,9}))?$/.exec(String(amount));
  const fraction = (parts?.[2] ?? '').replace(/0+$/, '');
  const exponent = exponentOf(currency);
  if (!parts || fraction.length > exponent) return undefined;
  const minor = Number(`${parts[1]}${fraction.padEnd(exponent, '0')}`);
  return Number.isSafeInteger(minor) ? minor : undefined;
}
