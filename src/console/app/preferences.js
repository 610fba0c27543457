import { effect, signal } from '@preact/signals-core';
import { bestLanguage, isLanguage, language, spoken as spokenHere } from '../words/language.js';

/** @import { Signal } from '@preact/signals-core' */
/** @typedef {'system' | 'light' | 'dark'} Theme */

/** @type {readonly Theme[]} */
export const THEMES = ['system', 'light', 'dark'];
const LANGUAGE = 'tilld.language';
const THEME = 'tilld.theme';
const SIGNALS = 'tilld.signals';

/** Language, colours and signals of this browser; stored here only. */
export class Preferences {
  /** @type {Signal<Theme>} */
  theme = signal('system');
  /** Whether an outcome is heard and felt, too. @type {Signal<boolean>} */
  hasSignals = signal(false);

  /**
   * @param {Storage} storage
   * @param {Document} document
   * @param {readonly string[]} spoken the languages of the browser
   */
  constructor(storage, document, spoken) {
    spokenHere.value = spoken;
    const kept = storage.getItem(LANGUAGE);
    const { language: ofShop } = document.documentElement.dataset;
    const usual = isLanguage(ofShop) ? ofShop : bestLanguage(spoken);
    language.value = isLanguage(kept) ? kept : usual;
    this.theme.value = THEMES.find((theme) => theme === storage.getItem(THEME)) ?? 'system';
    effect(() => {
      document.documentElement.lang = language.value;
      if (language.value !== usual || kept !== null) storage.setItem(LANGUAGE, language.value);
    });
    this.hasSignals.value = storage.getItem(SIGNALS) === 'on';
    effect(() => storage.setItem(SIGNALS, this.hasSignals.value ? 'on' : 'off'));
    effect(() => {
      document.documentElement.dataset['theme'] = this.theme.value;
      storage.setItem(THEME, this.theme.value);
    });
  }
}
