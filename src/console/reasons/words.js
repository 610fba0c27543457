import { catalogue } from '../words/catalogue.js';
import { de } from './words/de.js';
import { en } from './words/en.js';
import { fr } from './words/fr.js';

/** @import { ApiError } from '../app/api.js' */
/** @import { Payment, Status } from '../app/contract.js' */

const t = catalogue({ en, de, fr });

/** Ends whose own words say more than their code does. */
const WITH_MORE = ['not_started', 'driver_error', 'not_charged', 'expired', 'needs_person'];
const TERMINAL_SAID = /^The terminal said: "(.*)"\.$/s;

/**
 * Why tilld refused a request and what to do, in the language of the page; tilld's own English words where it has none.
 * @param {Pick<ApiError, 'code' | 'message'>} error
 */
export function refusalWords({ code, message }) {
  const key = `refusal_${code}`;
  return t(isKey(key) ? key : 'refusal_unknown', { reason: message });
}

/**
 * Why a payment ended as it did. `more`: what tilld says beside, in English.
 * @param {Pick<Payment, 'error_code' | 'error_message'>} payment
 * @returns {{ text: string, more: string } | null} null: there is nothing to say
 */
export function endWords({ error_code: code, error_message: message }) {
  if (message === null) return null;
  const key = `end_${code}`;
  if (!isKey(key)) return { text: '', more: message };
  const [, words] = TERMINAL_SAID.exec(message) ?? [];
  if (words !== undefined) return { text: t('said', { reason: t(key), words }), more: '' };
  return { text: t(key), more: WITH_MORE.includes(String(code)) ? message : '' };
}

/**
 * Why a light is off, or what somebody must look at; `null`: the page has no words for it.
 * @param {Status['reasons'][number]} reason
 */
export function standWords({ code }) {
  const key = `stand_${code}`;
  return isKey(key) ? t(key) : null;
}

/**
 * @param {string} key
 * @returns {key is keyof typeof en}
 */
function isKey(key) {
  return Object.hasOwn(en, key);
}
