import { h } from 'preact';
import { useConsole } from '../app/console.js';
import { now } from '../app/now.js';
import { addressOf } from '../app/router.js';
import { formatMoney } from '../words/money.js';
import { formatMoment } from '../words/time.js';
import { hasMadeUpReference, splitOf } from './split.js';
import { useTill } from './till.js';
import { labelOf, t } from './words.js';

/** One payment in a list, with a link to it; `isDetailed` also with its card. @param {{ id: string, isDetailed?: boolean }} props */
export function PaymentRow({ id, isDetailed = false }) {
  const till = useTill();
  const payment = useConsole().shop.payments.get(id);
  if (!payment) return null;
  const {
    amount_minor,
    approved_amount_minor,
    currency,
    created_at,
    device_id,
    masked_pan,
    reference,
    type,
  } = payment;
  const { label, tone } = labelOf(payment);
  const isBack = type !== 'sale';
  const moment = formatMoment(created_at, now.peek());
  const bill = splitOf(payment);
  const part =
    bill &&
    hasMadeUpReference(bill) &&
    t('split_part', { whole: formatMoney(bill.wholeMinor, bill.currency) });
  const about = part || (reference ?? till.nameOf(device_id));
  const amount = formatMoney(approved_amount_minor ?? amount_minor, currency);
  return h(
    'a',
    { class: 'row', href: addressOf(['till', 'payment', id]) },
    h('span', { class: 'row-main' }, isBack ? `− ${amount}` : amount),
    h(
      'span',
      { class: 'row-more' },
      isDetailed
        ? [moment, masked_pan && `…${masked_pan.slice(-4)}`, about].filter(Boolean).join(' · ')
        : [about, moment].join(' · '),
    ),
    h(
      'span',
      { class: `badge badge-${tone}` },
      isBack ? t('row_back', { type: t(`type_${type}`), label }) : label,
    ),
  );
}
