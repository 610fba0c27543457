import { de } from './words/de.js';
import { en } from './words/en.js';
import { fr } from './words/fr.js';
import { outcomes as german } from './words/outcomes.de.js';
import { outcomes as english } from './words/outcomes.en.js';
import { outcomes as french } from './words/outcomes.fr.js';

/** @typedef {'en' | 'de' | 'fr'} Language */
/** @typedef {Readonly<Record<string, string | number>>} Values the values for `{name}` in a text */
/** @typedef {keyof typeof en} WordKey */

/**
 * The form of all texts for a reader: the language, and the formats of amounts and times.
 * @typedef {object} Tongue
 * @property {Language} language
 * @property {(minor: number, currency: string) => string} money
 * @property {(instant: string) => string} moment
 */

const WORDS = { en, de, fr };
const OUTCOMES = { en: english, de: german, fr: french };

/**
 * @param {Language} language
 * @param {WordKey} key
 * @param {Values} [values]
 */
export function wordsOf(language, key, values) {
  return filled(WORDS[language][key], values);
}

/**
 * @param {Language} language
 * @param {import('./outcome.js').OutcomeKey} key
 */
export function outcomeWords(language, key) {
  return OUTCOMES[language][key];
}

/**
 * Whether a text exists under this key; codes and kinds are open sets.
 * @param {string} key
 * @returns {key is WordKey}
 */
export function isWordKey(key) {
  return Object.hasOwn(en, key);
}

/** French has a space before these signs and inside its quotation marks: a narrow one, at which no line breaks. */
const FRENCH_SPACE = / (?=[:;?!»%])|(?<=«) /g;

/**
 * A value that ends with a full stop, as `Miller & Co.`, ends its sentence, too.
 * @param {string} text
 * @param {Values} [values]
 */
export function filled(text, values = {}) {
  return text.replace(FRENCH_SPACE, '\u202f').replace(/\{(\w+)\}(\.(?!\.))?/g, (hole, name, stop = '') => {
    if (!Object.hasOwn(values, name)) return hole;
    const value = String(values[name]);
    return value.endsWith('.') ? value : value + stop;
  });
}

/** @param {readonly string[]} parts */
export function joined(...parts) {
  return parts.filter((part) => part !== '').join(' ');
}
