import { h } from 'preact';
import { PhoneReceipt } from './phone-receipt.js';
import { t } from './words.js';

/** @import { Payment } from '../app/contract.js' */
/** @typedef {'customer' | 'merchant'} Copy */

/** The terminal's receipts, to read and to print. The driver has masked their card numbers. @param {{ payment: Payment }} props */
export function Receipts({ payment }) {
  const { receipts, status } = payment;
  const copies = /** @type {const} */ (['customer', 'merchant']).filter((copy) => receipts[copy] !== null);
  if (copies.length === 0) {
    if (status !== 'succeeded') return null;
    return h(
      'div',
      { class: 'stack' },
      h('p', { class: 'quiet' }, t('receipt_none')),
      h('div', { class: 'buttons' }, h(PhoneReceipt, { payment })),
    );
  }
  return h(
    'section',
    { class: 'card receipts', 'aria-label': t('receipts') },
    h('h2', {}, t('receipts')),
    h(
      'div',
      { class: 'receipt-copies' },
      copies.map((copy) =>
        h(
          'figure',
          { key: copy, class: 'receipt', 'data-copy': copy },
          h('figcaption', {}, t(`receipt_${copy}`)),
          h('pre', { tabIndex: 0, 'aria-label': t(`receipt_${copy}`) }, receipts[copy]),
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

/**
 * Prints these copies, each on its own sheet: `print.css` hides everything else.
 * @param {readonly Copy[]} copies
 */
function print(copies) {
  document.documentElement.dataset['print'] = copies.join(' ');
  window.print();
  delete document.documentElement.dataset['print'];
}
