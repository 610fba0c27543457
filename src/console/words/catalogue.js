import { filled } from '../../sentences/tongue.js';
import { numbers, plurals } from './formatters.js';
import { language } from './language.js';

/** @typedef {import('./language.js').Language} Language */
/** @typedef {Readonly<Record<string, string | number>>} Values the values for `{name}` in a text */

/**
 * The texts of one area in every language. English is the reference: the others have the same keys, which tsc and a test check.
 * A text with a `{count}` may have a second one under its key and `_one`: for the numbers that the language calls one thing (French: 0, too).
 * @template {Readonly<Record<string, string>>} T
 * @param {Readonly<Record<Language, T>>} texts
 * @returns {(key: keyof T & string, values?: Values) => string} the text in the language of the page, its numbers as the language writes them
 */
export function catalogue(texts) {
  return (key, values = {}) => {
    const of = texts[language.value];
    const { count } = values;
    const form = typeof count === 'number' ? `${key}_${plurals().select(count)}` : key;
    return filled(of[form] ?? of[key] ?? key, written(values));
  };
}

/** @param {Values} values */
function written(values) {
  const entries = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'number' ? numbers({}).format(value) : value,
  ]);
  return Object.fromEntries(entries);
}
