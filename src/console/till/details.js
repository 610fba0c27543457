import { h } from 'preact';
import { useConsole } from '../app/console.js';
import { now } from '../app/now.js';
import { addressOf } from '../app/router.js';
import { useReading } from '../parts/reading.js';
import { formatMoney } from '../words/money.js';
import { formatMoment } from '../words/time.js';
import { withoutIds } from '../words/without-ids.js';
import { standOf } from './invoice-stand.js';
import { ownNumbers } from './own-numbers.js';
import { PaymentRow } from './payment-row.js';
import { splitOf } from './split.js';
import { useTill } from './till.js';
import { t } from './words.js';

/** @import { Payment } from '../app/contract.js' */
/** @import { Invoice } from './invoice-stand.js' */

/** The facts of a payment, and its refunds. @param {{ payment: Payment }} props */
export function Details({ payment }) {
  const { payments } = useConsole().shop;
  const children = payments.childrenOf(payment.id);
  return h(
    'section',
    { class: 'card details' },
    h('h2', {}, t('details')),
    h(Facts, { payment }),
    children.length > 0 &&
      h(
        'ul',
        { class: 'rows' },
        children.map(({ id }) => h('li', { key: id }, h(PaymentRow, { id }))),
      ),
  );
}

/** @param {{ payment: Payment }} props */
function Facts({ payment }) {
  const till = useTill();
  const { card, receipt, trace, auth } = ownNumbers(payment);
  const money = (/** @type {number | null} */ minor) =>
    minor === null ? null : formatMoney(minor, payment.currency);
  const link = (/** @type {string | null} */ id) =>
    id === null ? null : h('a', { href: addressOf(['till', 'payment', id]) }, shortOf(id));
  /** @type {readonly (readonly [string, import('preact').ComponentChildren])[]} */
  const facts = [
    [t('detail_amount'), money(payment.amount_minor)],
    [
      t(payment.type === 'sale' ? 'detail_approved' : 'detail_approved_back'),
      money(payment.approved_amount_minor),
    ],
    [t('detail_tip'), money(payment.tip_minor)],
    [t('detail_given_back'), payment.given_back_minor === 0 ? null : money(payment.given_back_minor)],
    [t('detail_split'), money(splitOf(payment)?.wholeMinor ?? null)],
    [t('detail_reference'), payment.reference],
    [t('detail_invoice'), payment.invoice_id && h(PaidInvoice, { key: payment.status, payment })],
    [t('detail_terminal'), till.nameOf(payment.device_id)],
    [t('detail_terminal_id'), payment.terminal_id],
    [t('detail_started'), formatMoment(payment.created_at, now.peek())],
    [
      t('detail_ended'),
      payment.completed_at === null ? null : formatMoment(payment.completed_at, now.peek()),
    ],
    [t('detail_card'), card === '' ? '' : h(CardNumber, { card })],
    [t('detail_receipt'), receipt],
    [t('detail_trace'), trace],
    [t('detail_auth'), auth],
    [t('detail_parent'), link(payment.parent_id)],
    [t('detail_corrected'), link(payment.corrected_by)],
    [t('detail_id'), shortOf(payment.id)],
  ];
  return h(
    'dl',
    { class: 'facts' },
    facts
      .filter(([, value]) => value !== null && value !== '')
      .map(([name, value]) => h('div', { key: name }, h('dt', {}, name), h('dd', {}, value))),
  );
}

/** Another till may pay the rest while the payment is open here. */
const INVOICE_MS = 10_000;

/** The number of the invoice, and what is still due of it, as soon as they are read. @param {{ payment: Payment }} props */
function PaidInvoice({ payment: { invoice_id, currency } }) {
  const id = invoice_id ?? '';
  const { document } = useReading(`/v2/invoices/${encodeURIComponent(id)}`, INVOICE_MS);
  /** @type {Invoice | undefined} */
  const invoice = document?.data;
  const due = invoice ? standOf(invoice, currency).restMinor : null;
  return [
    invoice?.number ?? withoutIds(id, []),
    due !== null && due > 0 && ` · ${t('detail_due', { due: formatMoney(due, currency) })}`,
  ];
}

/** The last digits, which a person compares, stay in one line. @param {{ card: string }} props */
function CardNumber({ card }) {
  return [card.slice(0, -6), h('span', { key: 'end', class: 'unbroken' }, card.slice(-6))];
}

/**
 * The end of an id, which is the part that differs.
 * @param {string} id
 */
function shortOf(id) {
  return `…${id.slice(-8)}`;
}
