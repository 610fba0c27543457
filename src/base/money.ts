import { AppError } from './errors.ts';

/** ISO 4217 numeric code and exponent of every active currency that a card scheme settles in. */
const CURRENCIES = {
  AED: [784, 2],
  ALL: [8, 2],
  AMD: [51, 2],
  ARS: [32, 2],
  AUD: [36, 2],
  AZN: [944, 2],
  BAM: [977, 2],
  BDT: [50, 2],
  BGN: [975, 2],
  BHD: [48, 3],
  BOB: [68, 2],
  BRL: [986, 2],
  BYN: [933, 2],
  CAD: [124, 2],
  CHF: [756, 2],
  CLP: [152, 0],
  CNY: [156, 2],
  COP: [170, 2],
  CRC: [188, 2],
  CZK: [203, 2],
  DKK: [208, 2],
  DOP: [214, 2],
  DZD: [12, 2],
  EGP: [818, 2],
  EUR: [978, 2],
  GBP: [826, 2],
  GEL: [981, 2],
  GHS: [936, 2],
  GTQ: [320, 2],
  HKD: [344, 2],
  HNL: [340, 2],
  HUF: [348, 2],
  IDR: [360, 2],
  ILS: [376, 2],
  INR: [356, 2],
  IQD: [368, 3],
  ISK: [352, 0],
  JOD: [400, 3],
  JPY: [392, 0],
  KES: [404, 2],
  KRW: [410, 0],
  KWD: [414, 3],
  KZT: [398, 2],
  LBP: [422, 2],
  LKR: [144, 2],
  LYD: [434, 3],
  MAD: [504, 2],
  MDL: [498, 2],
  MKD: [807, 2],
  MUR: [480, 2],
  MXN: [484, 2],
  MYR: [458, 2],
  NGN: [566, 2],
  NIO: [558, 2],
  NOK: [578, 2],
  NZD: [554, 2],
  OMR: [512, 3],
  PAB: [590, 2],
  PEN: [604, 2],
  PHP: [608, 2],
  PKR: [586, 2],
  PLN: [985, 2],
  PYG: [600, 0],
  QAR: [634, 2],
  RON: [946, 2],
  RSD: [941, 2],
  RUB: [643, 2],
  RWF: [646, 0],
  SAR: [682, 2],
  SEK: [752, 2],
  SGD: [702, 2],
  THB: [764, 2],
  TND: [788, 3],
  TRY: [949, 2],
  TWD: [901, 2],
  TZS: [834, 2],
  UAH: [980, 2],
  UGX: [800, 0],
  USD: [840, 2],
  UYU: [858, 2],
  UZS: [860, 2],
  VND: [704, 0],
  XAF: [950, 0],
  XOF: [952, 0],
  ZAR: [710, 2],
  ZMW: [967, 2],
} as const satisfies Record<string, readonly [numeric: number, exponent: 0 | 2 | 3]>;

/** ISO 4217 alphabetic code. */
export type Currency = keyof typeof CURRENCIES;

/** An amount: a safe integer of minor units (cents) and its currency. Amounts are never floats. */
export interface Money {
  readonly minor: number;
  readonly currency: Currency;
}

export const currencies = Object.keys(CURRENCIES) as readonly Currency[];

export function isCurrency(text: string): text is Currency {
  return Object.hasOwn(CURRENCIES, text);
}

/** Digits after the decimal point: JPY 0, EUR 2, KWD 3. */
export function exponentOf(currency: Currency): number {
  return CURRENCIES[currency][1];
}

/** ISO 4217 numeric code: EUR 978. */
export function numericCodeOf(currency: Currency): number {
  return CURRENCIES[currency][0];
}

/** The currency with this ISO 4217 numeric code, if it is in the table. */
export function currencyOfNumericCode(code: number): Currency | undefined {
  return currencies.find((currency) => CURRENCIES[currency][0] === code);
}

/**
 * Parses a decimal amount as a person types it: `12.34`, `12,34`, `12`. A comma before three digits may separate thousands and is refused.
 * @throws AMOUNT_INVALID for signs, exponents, spaces, too many digits after the point, zero, or more than a safe integer.
 */
export function parseAmount(text: string, currency: Currency): Money {
  const exponent = exponentOf(currency);
  const match = /^(\d{1,13})(?:[.,](\d+))?$/.exec(text);
  const fraction = match?.[2] ?? '';
  const mayBeThousands = /^[1-9]\d{0,2},\d{3}$/.test(text);
  if (!match || fraction.length > exponent || mayBeThousands) {
    throw new AppError(
      'AMOUNT_INVALID',
      `"${text}" is not an amount in ${currency}: write ${example(exponent)}`,
    );
  }
  const minor = Number(`${match[1]}${fraction.padEnd(exponent, '0')}`);
  if (minor === 0 || !Number.isSafeInteger(minor)) {
    throw new AppError('AMOUNT_INVALID', `"${text}" is not an amount that can be paid`);
  }
  return { minor, currency };
}

/** `12.34 EUR`, for people; programs get the minor units. */
export function formatMoney(money: Money): string {
  const exponent = exponentOf(money.currency);
  const digits = String(Math.abs(money.minor)).padStart(exponent + 1, '0');
  const sign = money.minor < 0 ? '-' : '';
  if (exponent === 0) return `${sign}${digits} ${money.currency}`;
  return `${sign}${digits.slice(0, -exponent)}.${digits.slice(-exponent)} ${money.currency}`;
}

function example(exponent: number): string {
  return exponent === 0 ? '1234' : `12.${'345'.slice(0, exponent)}`;
}
