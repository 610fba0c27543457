import { h } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { useConsole } from '../app/console.js';
import { AmountField } from '../parts/amount-field.js';
import { formatMoney } from '../words/money.js';
import { keyedAmount } from '../words/typed-money.js';
import { InvoicePicker } from './invoice-picker.js';
import { useTill } from './till.js';
import { said, t } from './words.js';

const KEYS = ['7', '8', '9', '4', '5', '6', '1', '2', '3', '00', '0'];

/** The amount, by the pad, the keyboard or a screen reader: digit by digit as on a terminal, or as written text. */
export function AmountPad() {
  const till = useTill();
  const { live } = useConsole();
  const [problem, setProblem] = useState('');
  const form = useRef(/** @type {HTMLFormElement | null} */ (null));
  const { device, amount, taking } = till;
  const currency = device?.currency ?? 'EUR';
  const { minor, problem: unread } = amount.value;
  const isBusy = taking.pending.value !== null;

  /** @param {import('../words/typed-money.js').TypedAmount} typed */
  const set = (typed) => {
    amount.value = typed;
    till.invoice.value = null;
    setProblem('');
  };

  /** @param {Event} event */
  const submit = (event) => {
    event.preventDefault();
    if (live.state.value === 'lost') return setProblem(said('take_lost'));
    if (!device) return setProblem(t('take_choose'));
    if (minor === null || minor === 0) {
      form.current?.querySelector('input')?.focus();
      return setProblem(unread === null ? t('take_type') : '');
    }
    taking.take(wantedOf(till, device.id, minor, currency));
  };

  return h(
    'form',
    { ref: form, class: 'card pad', onSubmit: submit, noValidate: true },
    h(AmountField, {
      label: t('amount', { currency }),
      typed: amount.value,
      currency,
      more: { name: 'amount', 'aria-describedby': 'pad-problem' },
      set,
    }),
    h('div', { class: 'pad-more' }, h(InvoicePicker, { currency }), h(Reference, {})),
    h(Pad, { press: (key) => set(keyedAmount(amount.value, key, currency)) }),
    h('p', { id: 'pad-problem', class: 'problem', role: 'alert' }, problem),
    h(
      'button',
      { type: 'submit', class: 'button button-main button-big', disabled: isBusy },
      isBusy
        ? t('take_sending')
        : minor === null || minor === 0
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
