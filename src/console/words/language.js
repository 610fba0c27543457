import { signal } from '@preact/signals-core';

/** @typedef {'en' | 'de' | 'fr'} Language */

/** Each by its own name, so that whoever cannot read the page finds the way out. */
export const LANGUAGES = /** @type {const} */ ({ en: 'English', de: 'Deutsch', fr: 'Français' });

/**
 * The language of this document. One signal for the whole page: what reads it in a component is drawn again when it changes.
 * @type {import('@preact/signals-core').Signal<Language>}
 */
export const language = signal('en');

/** What the browser says its person speaks, with regions: `en-GB` writes times and amounts in another way than `en-US`. */
export const spoken = signal(/** @type {readonly string[]} */ ([]));

/** The tag for `Intl`: the language of the page, in the region of the browser where it has one for it. */
export function locale() {
  return spoken.value.find((tag) => tag.slice(0, 2).toLowerCase() === language.value) ?? language.value;
}

/**
 * The first language of a list that we speak; English where there is none.
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
