import { h } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useReading } from '../parts/reading.js';
import { besideName, nameOf } from './customer-lists.js';
import { CustomerPayments } from './customer-payments.js';
import { DataAge } from './data-age.js';
import { Entitlements } from './entitlements.js';
import { InvoiceRows } from './invoice-row.js';
import { t } from './words.js';

/** @import { ComponentChildren } from 'preact' */
/** @import { CustomerState } from './customer-lists.js' */
/** @import { Invoice } from './invoice-stand.js' */

/** Invoices and payments change while the dialog is open. */
const EVERY_MS = 5_000;
const SHOWN_INVOICES = 5;

/**
 * One customer, as the mirror has them: what is due, what they may have without paying, what they paid last.
 * @param {{ id: string, currency: string, chosen: () => void, back: () => void }} props
 */
export function CustomerDetail({ id, currency, chosen, back }) {
  const { document: answer, problem } = useReading(`/v2/customers/${encodeURIComponent(id)}/state`, EVERY_MS);
  const button = useRef(/** @type {HTMLButtonElement | null} */ (null));
  // The row that had the focus is gone.
  useEffect(() => button.current?.focus(), []);
  return h(
    'div',
    { class: 'found' },
    h('p', {}, h('button', { ref: button, type: 'button', class: 'button', onClick: back }, t('back'))),
    h('p', { class: 'problem', role: 'alert' }, problem),
    answer && h(State, { state: answer.data, freshAt: answer.fresh_at, currency, chosen }),
  );
}

/** @param {{ state: CustomerState, freshAt: string | null, currency: string, chosen: () => void }} props */
function State({ state, freshAt, currency, chosen }) {
  const { customer, open_invoices: invoices, entitlements, payments } = state;
  return h(
    'div',
    { class: 'found' },
    h('h3', { class: 'customer-name' }, nameOf(customer)),
    h('p', { class: 'quiet' }, besideName(customer)),
    h(DataAge, { freshAt }),
    h(
      Part,
      { title: t('customer_invoices'), part: invoices, none: t('customer_no_invoices') },
      invoices && h(OpenInvoices, { invoices: invoices.data, currency, chosen }),
    ),
    h(
      Part,
      { title: t('customer_entitlements'), part: entitlements, none: t('customer_no_entitlements') },
      entitlements && h(Entitlements, { entitlements: entitlements.data }),
    ),
    h(
      Part,
      { title: t('customer_payments'), part: payments, none: t('customer_no_payments'), isLastOnes: true },
      payments && h(CustomerPayments, { payments: payments.data }),
    ),
  );
}

/** A few of them, so that the other lists can be seen. @param {{ invoices: readonly Invoice[], currency: string, chosen: () => void }} props */
function OpenInvoices({ invoices, currency, chosen }) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? invoices : invoices.slice(0, SHOWN_INVOICES);
  return [
    h(InvoiceRows, { invoices: shown, currency, label: t('customer_invoices'), chosen }),
    shown.length < invoices.length &&
      h(
        'button',
        { type: 'button', class: 'button', onClick: () => setWhole(true) },
        t('customer_all_invoices', { count: invoices.length }),
      ),
  ];
}

/**
 * A list of the customer. null: it is not mirrored here.
 * @param {object} props
 * @param {string} props.title
 * @param {{ data: readonly object[], has_more: boolean, fresh_at: string | null } | null} props.part
 * @param {string} props.none
 * @param {boolean} [props.isLastOnes] older ones are not missed
 * @param {ComponentChildren} [props.children]
 */
function Part({ title, part, none, isLastOnes = false, children }) {
  const isEmpty = part?.data.length === 0;
  return h(
    'section',
    { class: 'found', 'aria-label': title },
    h('h4', {}, title),
    part === null && h('p', { class: 'quiet' }, t('not_kept')),
    isEmpty && h('p', { class: 'quiet' }, part.fresh_at === null ? t('data_incomplete') : none),
    part !== null && !isEmpty && children,
    part?.has_more && !isLastOnes && h('p', { class: 'quiet' }, t('customer_more')),
  );
}
