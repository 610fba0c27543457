import { h } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { useConsole } from '../app/console.js';
import { exponentOf, formatDecimal, formatMoney } from '../words/money.js';
import { InvoicePicker } from './invoice-picker.js';
import { useTill } from './till.js';
import { t } from './words.js';

const MAX_DIGITS = 11;
const KEYS = ['7', '8', '9', '4', '5', '6', '1', '2', '3', '00', '0'];

/** Types an amount as on a terminal: from the right, digit by digit. Works with the pad, the keyboard and a screen reader. */
export function AmountPad() {
  const till = useTill();
  const { live } = useConsole();
  const [problem, setProblem] = useState('');
  const field = useRef(/** @type {HTMLInputElement | null} */ (null));
  const { device, digits, taking } = till;
  const currency = device?.currency ?? 'EUR';
  const minor = Number(digits.value);
  const isBusy = taking.pending.value !== null;

  /** @param {string} text */
  const set = (text) => {
    digits.value = text.replace(/\D/g, '').replace(/^0+/, '').slice(0, MAX_DIGITS);
    till.invoice.value = null;
    setProblem('');
  };

  /** @param {Event} event */
  const submit = (event) => {
    event.preventDefault();
    if (live.state.value === 'lost') return setProblem(t('take_lost'));
    if (!device) return setProblem(t('take_choose'));
    if (minor === 0) {
      field.current?.focus();
      return setProblem(t('take_type'));
    }
    taking.take(wantedOf(till, device.id, minor, currency));
  };

  return h(
    'form',
    { class: 'card pad', onSubmit: submit, noValidate: true },
    h(
      'label',
      { class: 'field' },
      h('span', {}, t('amount', { currency })),
      h('input', {
        ref: field,
        class: 'amount',
        name: 'amount',
        inputMode: 'numeric',
        autoComplete: 'off',
        value: formatDecimal(minor, exponentOf(currency)),
        'aria-describedby': 'pad-problem',
        onInput: (/** @type {Event & { currentTarget: HTMLInputElement }} */ event) => {
          set(event.currentTarget.value);
          event.currentTarget.value = formatDecimal(Number(digits.value), exponentOf(currency));
        },
      }),
    ),
    h('div', { class: 'pad-more' }, h(InvoicePicker, { currency }), h(Reference, {})),
    h(Pad, { press: (key) => set(key === 'erase' ? digits.value.slice(0, -1) : `${digits.value}${key}`) }),
    h('p', { id: 'pad-problem', class: 'problem', role: 'alert' }, problem),
    h(
      'button',
      { type: 'submit', class: 'button button-main button-big', disabled: isBusy },
      isBusy
        ? t('take_sending')
        : minor === 0
          ? t('take')
          : t('take_amount', { amount: formatMoney(minor, currency) }),
    ),
  );
}

/** @param {{ press: (key: string) => void }} props */
function Pad({ press }) {
  return h(
    'div',
    { class: 'keys', role: 'group', 'aria-label': t('pad') },
    KEYS.map((key) => h('button', { key, type: 'button', class: 'button', onClick: () => press(key) }, key)),
    h(
      'button',
      { type: 'button', class: 'button', 'aria-label': t('pad_erase'), onClick: () => press('erase') },
      '⌫',
    ),
  );
}

function Reference() {
  const { reference } = useTill();
  return h(
    'label',
    { class: 'field' },
    h('span', {}, t('reference')),
    h('input', {
      name: 'reference',
      maxLength: 64,
      autoComplete: 'off',
      placeholder: t('reference_hint'),
      value: reference.value,
      onInput: (/** @type {Event & { currentTarget: HTMLInputElement }} */ event) => {
        reference.value = event.currentTarget.value;
      },
    }),
  );
}

/**
 * @param {import('./till.js').Till} till
 * @param {string} deviceId
 * @param {number} minor
 * @param {string} currency
 * @returns {import('../app/contract.js').CreatePayment}
 */
function wantedOf({ reference, invoice }, deviceId, minor, currency) {
  const text = reference.value.trim();
  return {
    device_id: deviceId,
    amount_minor: minor,
    currency: /** @type {import('../app/contract.js').CreatePayment['currency']} */ (currency),
    ...(text === '' ? {} : { reference: text }),
    ...(invoice.value ? { invoice_id: invoice.value.id } : {}),
  };
}
