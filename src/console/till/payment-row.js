import { h } from 'preact';
import { useConsole } from '../app/console.js';
import { now } from '../app/now.js';
import { addressOf } from '../app/router.js';
import { formatMoney } from '../words/money.js';
import { formatMoment } from '../words/time.js';
import { useTill } from './till.js';
import { labelOf, t } from './words.js';

/** One payment in a list, with a link to it. @param {{ id: string }} props */
export function PaymentRow({ id }) {
  const till = useTill();
  const payment = useConsole().shop.payments.get(id);
  if (!payment) return null;
  const { amount_minor, approved_amount_minor, currency, created_at, device_id, reference, type } = payment;
  const { label, tone } = labelOf(payment);
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
