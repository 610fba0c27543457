import { h } from 'preact';
import { exponentOf, formatDecimal } from '../words/money.js';

/** Digits that an amount may have. */
const MAX_DIGITS = 11;

/**
 * An amount that is typed from the right, digit by digit.
 * @param {object} props
 * @param {string} props.label
 * @param {number} props.minor minor units
 * @param {string} props.currency
 * @param {boolean} [props.isWrong]
 * @param {(minor: number) => void} props.set
 */
export function AmountField({ label, minor, currency, isWrong = false, set }) {
  const digits = exponentOf(currency);
  return h(
    'label',
    { class: 'field' },
    h('span', {}, label),
    h('input', {
      class: 'amount',
      inputMode: 'numeric',
      autoComplete: 'off',
      value: formatDecimal(minor, digits),
      'aria-invalid': isWrong ? 'true' : undefined,
      onInput: (/** @type {Event & { currentTarget: HTMLInputElement }} */ event) => {
        const typed = Number(event.currentTarget.value.replace(/\D/g, '').slice(0, MAX_DIGITS));
        event.currentTarget.value = formatDecimal(typed, digits);
        set(typed);
      },
    }),
  );
}
