import { h } from 'preact';
import { now } from '../app/now.js';
import { formatMoney } from '../words/money.js';
import { formatMoment } from '../words/time.js';
import { t } from './words.js';

/** @import { CustomerState } from './customer-lists.js' */
/** @typedef {NonNullable<CustomerState['payments']>['data'][number]} CustomerPayment */

/** The service's statuses are an open set: another one is shown as it is. */
const STATUSES = /** @type {const} */ ({
  succeeded: { text: 'payment_succeeded', tone: 'good' },
  paid: { text: 'payment_succeeded', tone: 'good' },
  failed: { text: 'payment_failed', tone: 'bad' },
  canceled: { text: 'payment_canceled', tone: 'plain' },
  cancelled: { text: 'payment_canceled', tone: 'plain' },
  refunded: { text: 'payment_refunded', tone: 'plain' },
  pending: { text: 'payment_pending', tone: 'warn' },
  processing: { text: 'payment_pending', tone: 'warn' },
});

/** The last payments of a customer, wherever they were made. @param {{ payments: readonly CustomerPayment[] }} props */
export function CustomerPayments({ payments }) {
  return h(
    'ul',
    { class: 'rows' },
    payments.map(({ id, amount_minor: minor, currency, status, created_at }) =>
      h(
        'li',
        { key: id, class: 'row' },
        h('span', { class: 'row-main' }, amountText(minor, currency)),
        h('span', { class: 'row-more' }, formatMoment(created_at ?? null, now.peek())),
        h(Status, { status: status ?? '' }),
      ),
    ),
  );
}

/** @param {{ status: string }} props */
function Status({ status }) {
  const known = Object.hasOwn(STATUSES, status)
    ? STATUSES[/** @type {keyof typeof STATUSES} */ (status)]
    : null;
  return h('span', { class: `badge badge-${known?.tone ?? 'plain'}` }, known ? t(known.text) : status);
}

/**
 * @param {number | null | undefined} minor
 * @param {string | null | undefined} currency
 */
function amountText(minor, currency) {
  return typeof minor === 'number' && currency ? formatMoney(minor, currency) : '';
}
