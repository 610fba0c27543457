import { refusalWords } from '../reasons/words.js';
import { catalogue, filled } from '../words/catalogue.js';
import { language } from '../words/language.js';
import { formatMoney } from '../words/money.js';
import { de } from './words/de.js';
import { en } from './words/en.js';
import { fr } from './words/fr.js';
import { outcomes as german } from './words/outcomes.de.js';
import { outcomes as english } from './words/outcomes.en.js';
import { outcomes as french } from './words/outcomes.fr.js';

/** @import { Outcome } from './outcome.js' */

export const t = catalogue({ en, de, fr });

const OUTCOMES = { en: english, de: german, fr: french };

/**
 * Title, whether the customer was charged, and what to do now.
 * @param {Outcome} outcome
 * @param {string} currency
 */
export function wordsOf({ key, values }, currency) {
  const words = OUTCOMES[language.value][key];
  const amounts = Object.fromEntries(
    Object.entries(values).map(([name, minor]) => [name, formatMoney(minor, currency)]),
  );
  return {
    title: filled(words.title, amounts),
    charged: filled(words.charged, amounts),
    now: filled(words.now, amounts),
  };
}

/** What to do after a refusal. */
export const afterRefusal = refusalWords;

/**
 * What a task asks for, in the language of the page.
 * @param {string} kind
 */
export function taskWords(kind) {
  const key = `task_${kind}`;
  return isKey(key) ? t(key) : t('task_unknown');
}

/**
 * @param {string} key
 * @returns {key is keyof typeof en}
 */
function isKey(key) {
  return Object.hasOwn(en, key);
}
