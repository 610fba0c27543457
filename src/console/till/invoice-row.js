import { h } from 'preact';
import { formatMoney } from '../words/money.js';
import { standOf } from './invoice-stand.js';
import { useTill } from './till.js';
import { t } from './words.js';

/** @import { Invoice } from './invoice-stand.js' */

/**
 * Invoices of a list; one that can be paid is a button.
 * @param {{ invoices: readonly Invoice[], currency: string, label?: string, chosen: () => void }} props
 */
export function InvoiceRows({ invoices, currency, label, chosen }) {
  const till = useTill();
  return h(
    'ul',
    { class: 'rows', 'aria-label': label },
    invoices.map((invoice) =>
      h(
        'li',
        { key: invoice.id },
        h(Row, {
          invoice,
          currency,
          choose: () => {
            till.payInvoice(invoice, currency);
            chosen();
          },
        }),
      ),
    ),
  );
}

/** @param {{ invoice: Invoice, currency: string, choose: () => void }} props */
function Row({ invoice, currency, choose }) {
  const { kind } = standOf(invoice, currency);
  const name = invoice['customer_name'];
  return h(
    'button',
    { type: 'button', class: 'row', onClick: choose, disabled: kind !== 'due' },
    h('span', { class: 'row-main' }, invoice.number ?? invoice.id),
    h('span', { class: 'row-more' }, typeof name === 'string' ? name : ''),
    kind === 'due'
      ? h('span', { class: 'row-amount' }, dueText(invoice, currency))
      : h('span', { class: 'badge badge-warn' }, standText(invoice, currency)),
  );
}

/** @param {Invoice} invoice @param {string} currency */
function dueText(invoice, currency) {
  const { restMinor } = standOf(invoice, currency);
  if (restMinor === null) return t('invoice_due_unknown');
  return t('invoice_due', { amount: formatMoney(restMinor, invoice.currency ?? currency) });
}

/** Why it cannot be paid, in a word. @param {Invoice} invoice @param {string} currency */
function standText(invoice, currency) {
  const { kind } = standOf(invoice, currency);
  return t(`invoice_${kind}`, { currency: invoice.currency ?? '' });
}

/**
 * Why an invoice that was scanned cannot be paid, in a sentence; empty: it can.
 * @param {Invoice} invoice
 * @param {string} currency of the terminal
 */
export function whyNot(invoice, currency) {
  const { kind } = standOf(invoice, currency);
  if (kind === 'due') return '';
  const number = invoice.number ?? invoice.id;
  return t(`scan_${kind}`, { number, currency: invoice.currency ?? '', taken: currency });
}
