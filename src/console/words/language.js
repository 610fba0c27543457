import { signal } from '@preact/signals-core';

/** @typedef {'en' | 'de' | 'fr'} Language */

/** Each by its own name, so that a user who cannot read the page finds another language. */
export const LANGUAGES = /** @type {const} */ ({ en: 'English', de: 'Deutsch', fr: 'Français' });

/**
 * The language of this document. One signal for the whole page: a component that reads it is rendered again when it changes.
 * @type {import('@preact/signals-core').Signal<Language>}
 */
export const language = signal('en');

/** The languages of the browser, with regions: `en-GB` formats times and amounts differently from `en-US`. */
export const spoken = signal(/** @type {readonly string[]} */ ([]));

/** The tag for `Intl`: the language of the page, in the browser's region where it has one for it. */
export function locale() {
  return spoken.value.find((tag) => tag.slice(0, 2).toLowerCase() === language.value) ?? language.value;
}

/**
 * The first supported language of a list; English where there is none.
 * @param {readonly string[]} wanted like `navigator.languages`
 * @returns {Language}
 */
export function bestLanguage(wanted) {
  const spoken = wanted.map((tag) => tag.slice(0, 2).toLowerCase()).find((tag) => tag in LANGUAGES);
  return isLanguage(spoken) ? spoken : 'en';
}

/**
 * @param {unknown} value
 * @returns {value is Language}
 */
export function isLanguage(value) {
  return typeof value === 'string' && Object.hasOwn(LANGUAGES, value);
}
