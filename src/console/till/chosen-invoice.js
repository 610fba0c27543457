import { h } from 'preact';
import { formatMoney } from '../words/money.js';
import { amountOf } from '../words/typed-money.js';
import { misfitOf } from './invoice-stand.js';
import { useTill } from './till.js';
import { t } from './words.js';

/** @import { ChosenInvoice } from './invoice-stand.js' */

/**
 * The picked invoice, and what the typed amount is of what is due. Its live regions are there without an invoice, too: a screen reader hears a region
 * only when it changes.
 * @param {{ currency: string }} props of the terminal
 */
export function ChosenInvoiceNote({ currency }) {
  const till = useTill();
  const chosen = till.invoice.value;
  const { minor } = till.amount.value;
  const misfit = chosen && misfitOf(chosen, minor, currency);
  return h(
    'div',
    { class: chosen ? 'chosen' : 'visually-hidden' },
    h(
      'div',
      { class: 'chosen-words' },
      h(
        'p',
        { id: 'chosen-part', role: 'status' },
        chosen && h('span', { class: 'chosen-number' }, t('invoice_chosen', { number: chosen.number })),
        chosen && !misfit && ` ${partOf(chosen, minor)}`,
      ),
      h(
        'p',
        { id: 'chosen-misfit', class: 'problem', role: 'alert' },
        chosen && misfit ? misfitText(chosen, misfit, currency) : '',
      ),
    ),
    chosen &&
      h(
        'button',
        {
          type: 'button',
          class: 'button button-icon',
          'aria-label': t('invoice_remove'),
          title: t('invoice_remove'),
          onClick: () => (till.invoice.value = null),
        },
        '✕',
      ),
    chosen && misfit !== 'currency' && minor !== chosen.dueMinor && h(All, { chosen }),
  );
}

/** Back to all that is due. @param {{ chosen: ChosenInvoice }} props */
function All({ chosen: { dueMinor, currency } }) {
  const till = useTill();
  if (dueMinor === null) return null;
  return h(
    'button',
    { type: 'button', class: 'button', onClick: () => till.propose(amountOf(dueMinor)) },
    t('invoice_all', { due: formatMoney(dueMinor, currency) }),
  );
}

/**
 * @param {ChosenInvoice} chosen
 * @param {number | null} minor
 */
function partOf({ dueMinor, currency }, minor) {
  if (dueMinor === null) return t('invoice_due_unknown');
  const due = formatMoney(dueMinor, currency);
  if (minor === null || minor === 0) return t('invoice_due', { amount: due });
  return minor === dueMinor
    ? t('invoice_whole', { due })
    : t('invoice_part', { amount: formatMoney(minor, currency), due });
}

/**
 * Why the amount cannot be taken for the picked invoice, and what to do.
 * @param {ChosenInvoice} chosen
 * @param {'over' | 'currency'} misfit
 * @param {string} taken the currency of the terminal
 */
function misfitText({ dueMinor, currency, number }, misfit, taken) {
  return misfit === 'over'
    ? t('invoice_over', { due: formatMoney(dueMinor ?? 0, currency) })
    : t('scan_currency', { number, currency, taken });
}
