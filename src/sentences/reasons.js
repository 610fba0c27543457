import { isWordKey, wordsOf } from './tongue.js';

/** @import { Language } from './tongue.js' */

/** Ends whose own text says more than their code. */
const WITH_MORE = ['not_started', 'driver_error', 'not_charged', 'expired', 'needs_person'];
const TERMINAL_REPORTED = /^The terminal said: "(.*)"\.$/s;

/**
 * Why a payment ended as it did, or why it is in doubt. `more`: further text of tilld, in English.
 * @param {{ readonly error_code: string | null, readonly error_message: string | null, readonly cancel_requested_at?: string | null }} payment
 * @param {Language} language
 * @returns {{ text: string, more: string } | null} null: there is no reason to show
 */
export function endWords(
  { error_code: code, error_message: message, cancel_requested_at: cancel },
  language,
) {
  if (message === null || message.trim() === '') return null;
  const key = code === 'aborted' && cancel ? 'aborted_here' : `end_${code}`;
  if (!isWordKey(key)) return { text: '', more: message };
  const [, words] = TERMINAL_REPORTED.exec(message) ?? [];
  const text = wordsOf(language, key);
  if (words !== undefined) return { text: wordsOf(language, 'said', { reason: text, words }), more: '' };
  return { text, more: WITH_MORE.includes(String(code)) ? message : '' };
}

/**
 * Why an indicator is off, or what a person must check.
 * @param {{ readonly code: string }} reason
 * @param {Language} language
 * @returns {string | null} null: there is no text for it
 */
export function standWords({ code }, language) {
  const key = `stand_${code}`;
  return isWordKey(key) ? wordsOf(language, key) : null;
}
