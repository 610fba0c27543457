import { h } from 'preact';
import { useConsole } from '../app/console.js';
import { now } from '../app/now.js';
import { addressOf } from '../app/router.js';
import { formatMoney } from '../words/money.js';
import { formatMoment } from '../words/time.js';
import { useTill } from './till.js';
import { t } from './words.js';

/** @import { Payment } from '../app/contract.js' */

/** One payment in a list; leads to it. @param {{ id: string }} props */
export function PaymentRow({ id }) {
  const till = useTill();
  const payment = useConsole().shop.payments.get(id);
  if (!payment) return null;
  const { amount_minor, approved_amount_minor, currency, created_at, device_id, reference, type } = payment;
  const { label, tone } = stateOf(payment);
  const isBack = type !== 'sale';
  const amount = formatMoney(approved_amount_minor ?? amount_minor, currency);
  return h(
    'a',
    { class: 'row', href: addressOf(['till', 'payment', id]) },
    h('span', { class: 'row-main' }, isBack ? `− ${amount}` : amount),
    h(
      'span',
      { class: 'row-more' },
      [reference ?? till.nameOf(device_id), formatMoment(created_at, now.peek())].join(' · '),
    ),
    h('span', { class: `badge badge-${tone}` }, isBack ? `${t(`type_${type}`)}: ${label}` : label),
  );
}

/**
 * A payment in a word or two.
 * @param {Payment} payment
 */
function stateOf({ status, in_doubt, charged, corrected_by, given_back_minor, type }) {
  if (corrected_by !== null) return { label: t('status_corrected'), tone: 'bad' };
  if (in_doubt) return { label: t('status_in_doubt'), tone: 'warn' };
  if (status === 'succeeded') {
    const isBack = type !== 'sale' || given_back_minor > 0;
    return {
      label: t(isBack ? 'status_given_back' : 'status_succeeded'),
      tone: charged === 'yes' ? 'good' : 'bad',
    };
  }
  if (status === 'requested' || status === 'in_progress')
    return { label: t(`status_${status}`), tone: 'calm' };
  return { label: t(`status_${status}`), tone: status === 'cancelled' ? 'plain' : 'bad' };
}
