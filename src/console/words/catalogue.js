import { filled } from '../../sentences/tongue.js';
import { language } from './language.js';

/** @typedef {import('./language.js').Language} Language */
/** @typedef {Readonly<Record<string, string | number>>} Values the values for `{name}` in a text */

/**
 * The texts of one area in every language. English is the reference: the others have the same keys, which tsc and a test check.
 * @template {Readonly<Record<string, string>>} T
 * @param {Readonly<Record<Language, T>>} texts
 * @returns {(key: keyof T & string, values?: Values) => string} the text in the language of the page
 */
export function catalogue(texts) {
  return (key, values) => filled(texts[language.value][key] ?? key, values);
}
