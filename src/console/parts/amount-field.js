import { h } from 'preact';
import { useRef } from 'preact/hooks';
import { t } from '../app/words.js';
import { exampleAmount, shownAmount, typedAmount, writtenAmount } from '../words/typed-money.js';

/** @import { TypedAmount } from '../words/typed-money.js' */

/** Event on the field: the next key may be the first one of a scan. */
export const SCAN_FIRST_KEY = 'scan-first-key';
/** Event on the field: a scan was typed since then, and is taken out again. */
export const SCAN_TAKEN_OUT = 'scan-taken-out';

/**
 * A typed or pasted amount; it means what the field shows.
 * @param {object} props
 * @param {string} props.label
 * @param {TypedAmount} props.typed
 * @param {string} props.currency
 * @param {boolean} [props.isWrong]
 * @param {object} [props.more] attributes of the input
 * @param {(typed: TypedAmount) => void} props.set
 */
export function AmountField({ label, typed, currency, isWrong = false, more = {}, set }) {
  // Two keys may arrive before the next render.
  const latest = useRef(typed);
  latest.current = typed;
  const beforeScan = useRef(typed);
  /** @param {HTMLInputElement} field @param {TypedAmount} next */
  const show = (field, next) => {
    latest.current = next;
    field.value = shownAmount(next, currency);
    set(next);
  };
  return h(
    'label',
    { class: 'field' },
    h('span', {}, label),
    h('input', {
      ...more,
      class: 'amount',
      inputMode: 'decimal',
      autoComplete: 'off',
      value: shownAmount(typed, currency),
      'aria-invalid': isWrong || typed.problem !== null ? 'true' : undefined,
      [`on${SCAN_FIRST_KEY}`]: () => {
        beforeScan.current = latest.current;
      },
      [`on${SCAN_TAKEN_OUT}`]: (/** @type {Event & { currentTarget: HTMLInputElement }} */ event) => {
        show(event.currentTarget, beforeScan.current);
      },
      onPaste: (/** @type {ClipboardEvent & { currentTarget: HTMLInputElement }} */ event) => {
        event.preventDefault();
        const text = event.clipboardData?.getData('text').trim() ?? '';
        if (text !== '') show(event.currentTarget, writtenAmount(text, currency));
      },
      onInput: (/** @type {InputEvent & { currentTarget: HTMLInputElement }} */ event) => {
        const { currentTarget: field, data = null, inputType = '' } = event;
        show(field, typedAmount(latest.current, { value: field.value, data, inputType }, currency));
      },
    }),
    typed.problem !== null &&
      h(
        'span',
        { class: 'problem', role: 'alert' },
        t(`amount_${typed.problem}`, { example: exampleAmount(currency) }),
      ),
  );
}
