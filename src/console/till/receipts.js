import { h } from 'preact';
import { moments } from '../words/formatters.js';
import { formatMoney } from '../words/money.js';
import { cardText } from './card-text.js';
import { hasReceipt } from './has-receipt.js';
import { PhoneReceipt } from './phone-receipt.js';
import { useTill } from './till.js';
import { t } from './words.js';

/** @import { Payment } from '../app/contract.js' */
/** @typedef {'customer' | 'merchant'} Copy */

/**
 * The receipts of a payment, to read and to print: those of the terminal, whose card numbers the driver has masked; where it gave none of one that
 * has a receipt, the same facts.
 * @param {{ payment: Payment }} props
 */
export function Receipts({ payment }) {
  const { receipts } = payment;
  const made = useReceiptOf(payment);
  const given = /** @type {const} */ (['customer', 'merchant']).filter((copy) => receipts[copy] !== null);
  const isMade = given.length === 0 && hasReceipt(payment);
  const copies = isMade ? /** @type {const} */ (['customer']) : given;
  if (copies.length === 0) return null;
  return h(
    'section',
    { class: 'card receipts', 'aria-label': t('receipts') },
    h('h2', {}, t('receipts')),
    isMade && h('p', { class: 'quiet' }, t('receipt_none')),
    h(
      'div',
      { class: 'receipt-copies' },
      copies.map((copy) =>
        h(
          'figure',
          { key: copy, class: 'receipt', 'data-copy': copy },
          h('figcaption', {}, t(`receipt_${copy}`)),
          h('pre', { tabIndex: 0, 'aria-label': t(`receipt_${copy}`) }, receipts[copy] ?? made),
        ),
      ),
    ),
    h(
      'div',
      { class: 'buttons' },
      copies.map((copy) =>
        h(
          'button',
          { key: copy, type: 'button', class: 'button', onClick: () => print([copy]) },
          t(`print_${copy}`),
        ),
      ),
      copies.length === 2 &&
        h('button', { type: 'button', class: 'button', onClick: () => print(copies) }, t('print_both')),
      h(PhoneReceipt, { payment }),
    ),
  );
}

/** What stands on a receipt, a line each, from what is known of the payment. @param {Payment} payment */
function useReceiptOf(payment) {
  const till = useTill();
  const { type, currency, tip_minor: tip, receipt_number: number, auth_code: code } = payment;
  const at = new Date(payment.completed_at ?? payment.created_at);
  const card = cardText(payment);
  const facts = /** @type {const} */ ([
    ['detail_tip', tip === null ? null : formatMoney(tip, currency)],
    ['detail_card', card === '' ? null : card],
    ['detail_receipt', number],
    ['detail_auth', code],
    ['detail_terminal', till.nameOf(payment.device_id)],
    ['detail_terminal_id', payment.terminal_id],
  ]);
  return [
    `${t(`type_${type}`)} ${formatMoney(payment.approved_amount_minor ?? payment.amount_minor, currency)}`,
    moments({ dateStyle: 'long', timeStyle: 'short' }).format(at),
    ...facts.filter(([, value]) => value !== null).map(([name, value]) => `${t(name)}: ${value}`),
  ].join('\n');
}

/**
 * Prints these copies, each on its own sheet: `print.css` hides everything else.
 * @param {readonly Copy[]} copies
 */
function print(copies) {
  document.documentElement.dataset['print'] = copies.join(' ');
  window.print();
  delete document.documentElement.dataset['print'];
}
