import { h } from 'preact';
import { Dialog } from '../parts/dialog.js';
import { amountInWords } from '../words/amount-words.js';
import { formatMoney } from '../words/money.js';
import { useTill } from './till.js';
import { t } from './words.js';

/** @import { CreatePayment } from '../app/contract.js' */

/**
 * Asks once more before more than the usual is taken, in figures and in words: a key too many is a tenfold amount. The first button closes it, so
 * that Enter by habit takes nothing.
 * @param {{ wanted: CreatePayment, minor: number, currency: string, close: () => void }} props
 */
export function AskLarge({ wanted, minor, currency, close }) {
  const till = useTill();
  const amount = formatMoney(minor, currency);
  const take = () => {
    close();
    till.taking.take(wanted);
  };
  return h(
    Dialog,
    { title: t('large_title'), close },
    h('p', { class: 'large-amount' }, amount),
    h('p', { class: 'large-words' }, amountInWords(minor, currency)),
    h('p', {}, t('large_where', { name: till.nameOf(wanted.device_id) })),
    h(
      'div',
      { class: 'buttons' },
      h('button', { type: 'button', class: 'button', onClick: close }, t('large_change')),
      h(
        'button',
        { type: 'button', class: 'button button-main', 'data-takes': '', onClick: take },
        t('take_amount', { amount }),
      ),
    ),
  );
}
