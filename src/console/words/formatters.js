import { locale } from './language.js';
import { shopZone } from './shop-zone.js';

/** Formatters by locale and options: creating one takes longer than rendering a row of a list. @type {Map<string, any>} */
const kept = new Map();

/** A number formatter in the language of the page. @param {Intl.NumberFormatOptions} options */
export function numbers(options) {
  return /** @type {Intl.NumberFormat} */ (made('number', options, Intl.NumberFormat));
}

/** A date and time formatter in the language of the page and the time zone of the shop. @param {Intl.DateTimeFormatOptions} options */
export function moments(options) {
  const inZone = { timeZone: shopZone.value, ...options };
  return /** @type {Intl.DateTimeFormat} */ (made('moment', inZone, Intl.DateTimeFormat));
}

/** Which form a number takes in the language of the page: `one` or `other`, in French also `many`. */
export function plurals() {
  return /** @type {Intl.PluralRules} */ (made('plural', {}, Intl.PluralRules));
}

/**
 * @param {string} kind
 * @param {object} options
 * @param {new (locale: string, options: any) => object} Format
 */
function made(kind, options, Format) {
  const key = `${kind} ${locale()} ${JSON.stringify(options)}`;
  const known = kept.get(key);
  if (known !== undefined) return known;
  const format = new Format(locale(), options);
  kept.set(key, format);
  return format;
}
