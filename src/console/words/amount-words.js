import { numbers } from './formatters.js';
import { language } from './language.js';
import { exponentOf } from './money.js';

/** @import { Language } from './language.js' */

/** @type {Readonly<Record<Language, (whole: number) => string>>} */
const SPELLED = { en: english, de: german, fr: french };

/**
 * An amount in the words of the page's language, as on a cheque: "one thousand two hundred thirty-four euros 56/100".
 * @param {number} minor minor units, below 10^12 of the major unit
 * @param {string} currency ISO 4217
 */
export function amountInWords(minor, currency) {
  const unit = 10 ** exponentOf(currency);
  const whole = Math.floor(minor / unit);
  const rest = minor % unit;
  const words = `${spelled(whole, language.value)}${nameOf(whole, currency)}`;
  return rest === 0 ? words : `${words} ${String(rest).padStart(exponentOf(currency), '0')}/${unit}`;
}

/**
 * A whole number in words.
 * @param {number} whole 0 to 999,999,999,999
 * @param {Language} language
 */
export function spelled(whole, language) {
  return SPELLED[language](whole);
}

/** The name of the currency behind the number, with the preposition that French has behind millions. @param {number} whole @param {string} currency */
function nameOf(whole, currency) {
  const parts = numbers({
    style: 'currency',
    currency,
    currencyDisplay: 'name',
    minimumFractionDigits: 0,
    maximumFractionDigits: 0,
  }).formatToParts(whole);
  const last = parts.findLastIndex(({ type }) => type === 'integer');
  const name = parts
    .slice(last + 1)
    .map(({ value }) => value)
    .join('')
    .trim();
  if (language.value !== 'fr' || whole === 0 || whole % 1_000_000 !== 0) return ` ${name}`;
  return /^[aeiou]/i.test(name) ? ` d’${name}` : ` de ${name}`;
}

const EN =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const EN_TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');

/** @param {number} n @returns {string} */
function english(n) {
  if (n < 20) return EN[n] ?? '';
  if (n < 100) return joined(EN_TENS[Math.floor(n / 10) - 2] ?? '', n % 10, english, '-');
  if (n < 1_000) return joined(`${english(Math.floor(n / 100))} hundred`, n % 100, english, ' ');
  const [size, name] = sizeOf(n, ['thousand', 'million', 'billion']);
  return joined(`${english(Math.floor(n / size))} ${name}`, n % size, english, ' ');
}

const DE =
  'null ein zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn'.split(
    ' ',
  );
const DE_TENS = 'zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig'.split(' ');

/** Before a noun: "ein Euro", "eintausend Euro". @param {number} n @returns {string} */
function german(n) {
  if (n < 20) return DE[n] ?? '';
  if (n < 100) {
    const tens = DE_TENS[Math.floor(n / 10) - 2] ?? '';
    return n % 10 === 0 ? tens : `${german(n % 10)}und${tens}`;
  }
  if (n < 1_000) return joined(`${german(Math.floor(n / 100))}hundert`, n % 100, german, '');
  if (n < 1_000_000) return joined(`${german(Math.floor(n / 1_000))}tausend`, n % 1_000, german, '');
  const [size, one] = sizeOf(n, ['', 'Million', 'Milliarde']);
  const count = Math.floor(n / size);
  const words =
    count === 1 ? `eine ${one}` : `${german(count)} ${one === 'Million' ? 'Millionen' : 'Milliarden'}`;
  return joined(words, n % size, german, ' ');
}

const FR =
  'zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf'.split(
    ' ',
  );
const FR_TENS = 'vingt trente quarante cinquante soixante soixante quatre-vingt quatre-vingt'.split(' ');

/** @param {number} n @returns {string} */
function french(n) {
  if (n < 1_000) return frenchHundreds(n, true);
  if (n < 1_000_000) {
    const count = Math.floor(n / 1_000);
    // "cents" and "vingts" have no s before "mille".
    const words = count === 1 ? 'mille' : `${frenchHundreds(count, false)} mille`;
    return joined(words, n % 1_000, french, ' ');
  }
  const [size, one] = sizeOf(n, ['', 'million', 'milliard']);
  const count = Math.floor(n / size);
  return joined(`${french(count)} ${one}${count === 1 ? '' : 's'}`, n % size, french, ' ');
}

/** @param {number} n below 1,000 @param {boolean} isLast whether no "mille" follows @returns {string} */
function frenchHundreds(n, isLast) {
  if (n < 100) return frenchTens(n, isLast);
  const count = Math.floor(n / 100);
  if (n % 100 === 0 && count > 1) return `${FR[count]} cent${isLast ? 's' : ''}`;
  return joined(count === 1 ? 'cent' : `${FR[count]} cent`, n % 100, (rest) => frenchTens(rest, isLast), ' ');
}

/** @param {number} n below 100 @param {boolean} isLast @returns {string} */
function frenchTens(n, isLast) {
  if (n < 20) return FR[n] ?? '';
  const place = Math.floor(n / 10);
  const tens = FR_TENS[place - 2] ?? '';
  // 70 and 90 count on from 60 and 80.
  const rest = place === 7 || place === 9 ? (n % 10) + 10 : n % 10;
  if (n === 80) return isLast ? 'quatre-vingts' : tens;
  if (rest === 0) return tens;
  const isAnd = rest % 10 === 1 && place < 8;
  return `${tens}${isAnd ? ' et ' : '-'}${FR[rest]}`;
}

/**
 * The largest of these that the number has: a thousand, a million, a thousand millions.
 * @param {number} n from 1,000
 * @param {readonly [string, string, string]} names
 * @returns {readonly [number, string]}
 */
function sizeOf(n, [thousand, million, milliard]) {
  if (n >= 1e9) return [1e9, milliard];
  return n >= 1e6 ? [1e6, million] : [1e3, thousand];
}

/** @param {string} words @param {number} rest @param {(rest: number) => string} spell @param {string} between */
function joined(words, rest, spell, between) {
  return rest === 0 ? words : `${words}${between}${spell(rest)}`;
}
