import { de } from './words/de.js';
import { en } from './words/en.js';
import { fr } from './words/fr.js';

const TEXTS = { en, de, fr };

const spoken = navigator.languages.map((tag) => ({ tag, language: tag.slice(0, 2).toLowerCase() }));
const best = spoken.find(({ language }) => Object.hasOwn(TEXTS, language));

/** The first language of the browser that the pages have; else English. */
export const language = /** @type {keyof typeof TEXTS} */ (best?.language ?? 'en');
/** The same with the browser's region, for numbers and instants. */
const locale = best?.tag ?? 'en';

const plurals = new Intl.PluralRules(locale);
const numbers = new Intl.NumberFormat(locale);
const percents = new Intl.NumberFormat(locale, { style: 'percent' });
const moments = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' });
const ages = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });

/**
 * A text in the language of the page; `{count}` has its singular under `<key>_one`.
 * @param {keyof typeof en} key
 * @param {Readonly<Record<string, string | number>>} [values]
 */
export function t(key, values = {}) {
  const { count } = values;
  const form = typeof count === 'number' ? `${key}_${plurals.select(count)}` : key;
  return spaced(word(form) ?? TEXTS[language][key]).replace(/\{(\w+)\}/g, (_, name) => {
    const value = values[name] ?? '';
    return typeof value === 'number' ? numbers.format(value) : value;
  });
}

/** French has a narrow space, at which no line breaks, before its signs and inside its quotes. @param {string} text */
function spaced(text) {
  return language === 'fr' ? text.replace(/ (?=[:;?!»%])|(?<=«) /g, '\u202f') : text;
}

/**
 * The word for a code of an open set, like a state; the code itself where there is none.
 * @param {string} set
 * @param {string} code
 */
export function wordFor(set, code) {
  return spaced(word(`${set}_${code}`) ?? code);
}

/** @param {string} key */
function word(key) {
  /** @type {Readonly<Record<string, string>>} */
  const texts = TEXTS[language];
  return Object.hasOwn(texts, key) ? texts[key] : undefined;
}

/** @param {string | number} instant ISO 8601, or epoch ms */
export function moment(instant) {
  return moments.format(new Date(instant));
}

/** How long ago: “3 minutes ago”. @param {string} instant */
export function age(instant) {
  const seconds = Math.max(0, Math.round((Date.now() - Date.parse(instant)) / 1_000));
  if (seconds < 60) return ages.format(-seconds, 'second');
  if (seconds < 3_600) return ages.format(-Math.floor(seconds / 60), 'minute');
  if (seconds < 48 * 3_600) return ages.format(-Math.floor(seconds / 3_600), 'hour');
  return ages.format(-Math.floor(seconds / 86_400), 'day');
}

/** @param {number} value from 0 to 100 */
export function percent(value) {
  return percents.format(value / 100);
}

/** Whole days, else whole hours, else minutes: “2 days”. @param {number} minutes */
export function duration(minutes) {
  if (minutes % 1_440 === 0) return inUnit(minutes / 1_440, 'day');
  return minutes % 60 === 0 ? inUnit(minutes / 60, 'hour') : inUnit(minutes, 'minute');
}

/**
 * @param {number} value
 * @param {'day' | 'hour' | 'minute'} unit
 */
function inUnit(value, unit) {
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(value);
}

/** Who did it: an operator by name, else as the hub has noted it. @param {string} noted */
export function actor(noted) {
  return noted.replace(/^operator /, '');
}
