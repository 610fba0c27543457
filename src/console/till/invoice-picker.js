import { h } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError } from '../app/api.js';
import { useConsole } from '../app/console.js';
import { now } from '../app/now.js';
import { Dialog } from '../parts/dialog.js';
import { formatMoney } from '../words/money.js';
import { formatMoment } from '../words/time.js';
import { amountOf } from '../words/typed-money.js';
import { useTill } from './till.js';
import { afterRefusal, t } from './words.js';

/** @typedef {import('../../api/contract/invoice.ts').Invoice} Invoice */
/** @typedef {import('../../api/contract/invoice.ts').InvoiceList} InvoiceList */

const PAGE = 20;
const TYPING_MS = 200;

/** The mirror's open invoices, also while the shop is offline. @param {{ currency: string }} props */
export function InvoicePicker({ currency }) {
  const till = useTill();
  const [isOpen, setOpen] = useState(false);
  const chosen = till.invoice.value;
  return h(
    'div',
    { class: 'invoice' },
    chosen && h('span', { class: 'badge badge-calm' }, t('invoice_chosen', { number: chosen.number })),
    h('button', { type: 'button', class: 'button', onClick: () => setOpen(true) }, t('invoice_pick')),
    chosen &&
      h(
        'button',
        { type: 'button', class: 'button', onClick: () => (till.invoice.value = null) },
        t('invoice_remove'),
      ),
    isOpen && h(Picker, { currency, close: () => setOpen(false) }),
  );
}

/** @param {{ currency: string, close: () => void }} props */
function Picker({ currency, close }) {
  const { api } = useConsole();
  const [search, setSearch] = useState('');
  const [found, setFound] = useState(/** @type {InvoiceList | null} */ (null));
  const [problem, setProblem] = useState('');
  const reading = useRef(/** @type {AbortController | null} */ (null));

  /** @param {number} offset */
  const read = async (offset) => {
    reading.current?.abort();
    const abort = new AbortController();
    reading.current = abort;
    try {
      const page = await pageOf(api, { search, currency, offset }, abort.signal);
      if (abort.signal.aborted) return;
      setProblem('');
      setFound((before) =>
        offset === 0 || !before ? page : { ...page, data: [...before.data, ...page.data] },
      );
    } catch (error) {
      if (error instanceof ApiError && !abort.signal.aborted) setProblem(afterRefusal(error));
    }
  };
  useEffect(() => {
    const typing = setTimeout(() => void read(0), TYPING_MS);
    return () => clearTimeout(typing);
  }, [search]);

  return h(
    Dialog,
    { title: t('invoice_pick'), close },
    h(
      'label',
      { class: 'field' },
      h('span', {}, t('invoice_search')),
      h('input', {
        type: 'search',
        maxlength: 200,
        autofocus: true,
        value: search,
        onInput: (/** @type {Event & { currentTarget: HTMLInputElement }} */ event) =>
          setSearch(event.currentTarget.value),
      }),
    ),
    h('p', { class: 'problem', role: 'alert' }, problem),
    found && h(Found, { found, close, more: () => void read(found.data.length) }),
  );
}

/** @param {{ found: InvoiceList, close: () => void, more: () => void }} props */
function Found({ found, close, more }) {
  const { shop } = useConsole();
  const till = useTill();
  if (found.fresh_at === null && found.data.length === 0) return h('p', {}, t('invoice_no_mirror'));
  const moment = formatMoment(found.fresh_at, now.value);
  const isOffline = shop.status.value?.link.state === 'offline';
  return h(
    'div',
    { class: 'found' },
    h(
      'p',
      { class: isOffline ? 'badge-warn note' : 'quiet', role: 'status' },
      isOffline ? t('invoice_stale', { moment }) : t('invoice_fresh', { moment, count: found.data.length }),
    ),
    found.data.length === 0 && h('p', {}, t('invoice_empty')),
    h(
      'ul',
      { class: 'rows' },
      found.data.map((invoice) =>
        h(
          'li',
          { key: invoice.id },
          h(Row, {
            invoice,
            choose: () => {
              till.invoice.value = chosenOf(invoice);
              till.amount.value = amountOf(standOf(invoice).restMinor);
              close();
            },
          }),
        ),
      ),
    ),
    found.has_more && h('button', { type: 'button', class: 'button', onClick: more }, t('invoice_more')),
  );
}

/** @param {{ invoice: Invoice, choose: () => void }} props */
function Row({ invoice, choose }) {
  const { number, currency = 'EUR' } = invoice;
  const { state, restMinor } = standOf(invoice);
  const name = invoice['customer_name'];
  return h(
    'button',
    { type: 'button', class: 'row', onClick: choose, disabled: state !== null },
    h('span', { class: 'row-main' }, number ?? invoice.id),
    h('span', { class: 'row-more' }, typeof name === 'string' ? name : ''),
    state === null
      ? h('span', { class: 'row-amount' }, t('invoice_due', { amount: formatMoney(restMinor, currency) }))
      : h(
          'span',
          { class: 'badge badge-warn' },
          t(state === 'running' ? 'invoice_running' : 'invoice_paid_here'),
        ),
  );
}

/**
 * Facts that the mirror does not have yet: a running payment of the invoice, and what tilld has taken for it.
 * @param {Invoice} invoice
 * @returns {{ state: 'running' | 'paid' | null, restMinor: number }}
 */
function standOf({ amount_due_minor: due = 0, open_payment_id: open, paid_here_minor: paid }) {
  const isPaid = paid > 0 && paid >= due;
  return { state: open !== null ? 'running' : isPaid ? 'paid' : null, restMinor: Math.max(0, due - paid) };
}

/** @param {Invoice} invoice */
function chosenOf(invoice) {
  const { id, number, currency = 'EUR' } = invoice;
  return { id, number: number ?? id, dueMinor: standOf(invoice).restMinor, currency };
}

/**
 * @param {import('../app/api.js').Api} api
 * @param {{ search: string, currency: string, offset: number }} wanted
 * @param {AbortSignal} signal
 * @returns {Promise<InvoiceList>}
 */
function pageOf(api, { search, currency, offset }, signal) {
  const query = new URLSearchParams({
    status: 'open',
    limit: String(PAGE),
    offset: String(offset),
    currency,
  });
  if (search.trim() !== '') query.set('search', search.trim());
  return api.get(`/v2/invoices?${query}`, signal);
}
