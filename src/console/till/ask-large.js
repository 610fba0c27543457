import { h } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useConsole } from '../app/console.js';
import { Dialog } from '../parts/dialog.js';
import { amountInWords } from '../words/amount-words.js';
import { formatMoney } from '../words/money.js';
import { useTill } from './till.js';
import { t } from './words.js';

/** @import { CreatePayment, UsualAmount } from '../app/contract.js' */

/**
 * Asks once more before more than the usual is taken, in figures and in words: a key too many is a tenfold amount. The first button closes it, so
 * that Enter by habit takes nothing.
 * @param {{ wanted: CreatePayment, minor: number, currency: string, close: () => void }} props
 */
export function AskLarge({ wanted, minor, currency, close }) {
  const till = useTill();
  const amount = formatMoney(minor, currency);
  const { api } = useConsole();
  const [usual, setUsual] = useState(/** @type {UsualAmount | null} */ (null));
  useEffect(() => {
    // Without an answer the question stands alone.
    api
      .get(`/v2/terminal-devices/${wanted.device_id}/usual-amount`)
      .then(({ data }) => setUsual(data))
      .catch(() => undefined);
  }, []);
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
    h('p', { class: 'large-usual', role: 'status' }, usualText(usual)),
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

/** What the sales of the terminal come to; empty where there are too few. @param {UsualAmount | null} usual */
function usualText(usual) {
  if (usual === null || usual.at_most_minor === null) return '';
  return t('large_usual', { most: formatMoney(usual.at_most_minor, usual.currency) });
}
