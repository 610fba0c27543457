import { h } from 'preact';
import { useState } from 'preact/hooks';
import { useConsole } from '../app/console.js';
import { Dialog } from '../parts/dialog.js';
import { CustomerDetail } from './customer-detail.js';
import { CustomerRows } from './customer-rows.js';
import { DataAge } from './data-age.js';
import { fittingInvoices, meantInvoices } from './invoice-lists.js';
import { InvoiceRows, whyNot } from './invoice-row.js';
import { standOf } from './invoice-stand.js';
import { scannedText } from './scanned-text.js';
import { SearchField } from './search-field.js';
import { useTill } from './till.js';
import { useTypedSearch } from './typed-search.js';
import { t } from './words.js';

/** @import { FittingInvoices } from './invoice-lists.js' */
/** @import { Unpicked } from './scanned-invoice.js' */

const MOST_REFERENCE = 64;

/**
 * The dialog that picks an invoice from the mirror, also while the shop is offline.
 * @param {{ currency: string, close: () => void, unpicked?: Unpicked | undefined }} props `currency` of the terminal; `unpicked` a scan that it begins with
 */
export function InvoicePicker({ currency, close, unpicked }) {
  const { api } = useConsole();
  const [customer, setCustomer] = useState(/** @type {string | null} */ (null));
  const search = useTypedSearch(
    (text, before, signal) => fittingInvoices(api, { text, currency, before }, signal),
    unpicked?.text,
  );
  const scan = useScan(search, currency, close, unpicked);
  const { found, isKept } = search;
  if (customer !== null)
    return h(
      Dialog,
      { title: t('customer'), close },
      h(CustomerDetail, { id: customer, currency, chosen: close, back: () => setCustomer(null) }),
    );
  return h(
    Dialog,
    { title: t('invoice_pick'), close },
    h(SearchField, {
      label: t('invoice_search'),
      text: search.text,
      type: (text) => {
        scan.forget();
        search.type(text);
      },
      enter: scan.enter,
    }),
    h('p', { class: 'problem', role: 'alert' }, search.problem || scan.said),
    scan.unknown !== '' && h(AsReference, { text: scan.unknown, close }),
    !isKept && h('p', {}, t('not_kept')),
    isKept && found && h(Found, { found, currency, close, more: search.more, open: setCustomer }),
  );
}

/**
 * Enter, as a scanner presses it behind what it has read: the one invoice that is meant is picked at once, and otherwise it is said why not.
 * @param {Pick<ReturnType<typeof useTypedSearch>, 'alone' | 'search'>} search
 * @param {string} currency
 * @param {() => void} close
 * @param {Unpicked} [before] a scan before
 */
function useScan({ alone, search }, currency, close, before) {
  const { api } = useConsole();
  const till = useTill();
  const [said, setSaid] = useState(before?.said ?? '');
  const [unknown, setUnknown] = useState(before?.isUnknown ? before.text : '');
  const forget = () => {
    setSaid('');
    setUnknown('');
  };
  /** @param {string} typed */
  const enter = async (typed) => {
    const text = scannedText(typed);
    forget();
    if (text === '') return;
    const meant = await alone((signal) => meantInvoices(api, { text, currency }, signal));
    if (meant === null) return;
    const payable = meant.filter((one) => standOf(one, currency).kind === 'due');
    const [one, ...others] = payable.length > 0 ? payable : meant;
    if (one && others.length === 0 && payable.length === 1) {
      till.payInvoice(one, currency);
      return close();
    }
    void search(text);
    if (!one) setUnknown(text);
    if (!one) setSaid(t('scan_none', { text }));
    else setSaid(others.length > 0 ? t('scan_many') : whyNot(one, currency));
  };
  return { said, unknown, enter, forget };
}

/** What is no invoice may be the number of an order. @param {{ text: string, close: () => void }} props */
function AsReference({ text, close }) {
  const { reference } = useTill();
  if (text.length > MOST_REFERENCE) return null;
  const use = () => {
    reference.value = text;
    close();
  };
  return h('button', { type: 'button', class: 'button', onClick: use }, t('scan_as_reference', { text }));
}

/**
 * @param {object} props
 * @param {FittingInvoices} props.found
 * @param {string} props.currency
 * @param {() => void} props.close
 * @param {() => void} props.more
 * @param {(customer: string) => void} props.open
 */
function Found({ found: { open, others, customers }, currency, close, more, open: openCustomer }) {
  if (open.fresh_at === null && open.data.length === 0) return h('p', {}, t('invoice_no_mirror'));
  return h(
    'div',
    { class: 'found' },
    h(DataAge, { freshAt: open.fresh_at, count: open.data.length, hasMore: open.has_more }),
    open.data.length === 0 && h('p', { role: 'status' }, t('invoice_empty')),
    h(InvoiceRows, { invoices: open.data, currency, label: t('invoice_open'), chosen: close }),
    open.has_more && h('button', { type: 'button', class: 'button', onClick: more }, t('invoice_more')),
    customers.length > 0 && h('h3', {}, t('customers')),
    customers.length > 0 && h(CustomerRows, { customers, open: openCustomer }),
    others.length > 0 && h('h3', {}, t('invoice_others')),
    others.length > 0 &&
      h(InvoiceRows, { invoices: others, currency, label: t('invoice_others'), chosen: close }),
  );
}
