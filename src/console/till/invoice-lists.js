import { ApiError } from '../app/api.js';
import { standOf } from './invoice-stand.js';
import { isInvoiceId, scannedText, searchedAmount, searchOf } from './scanned-text.js';

/** @import { Api } from '../app/api.js' */
/** @import { Invoice, InvoiceList } from '../../api/contract/invoice.ts' */
/** @import { Customer } from './customer-lists.js' */

const PAGE = 20;
const SHOWN_CUSTOMERS = 5;
/** Records of any status that are looked through: `limit` of one request, and requests. */
const LOOKED = 100;
const MOST_PAGES = 5;

/**
 * `open`: what the mirror calls open; `others`: finalized ones, and for a search those of any other status; `customers`: an invoice may not have the name of its
 * customer.
 * @typedef {{ open: InvoiceList, others: readonly Invoice[], customers: readonly Customer[] }} FittingInvoices
 */

/**
 * The invoices that fit what was typed; all open ones where nothing was.
 * @param {Api} api
 * @param {{ text: string, currency: string, before: FittingInvoices | null }} asked `before`: the next page of its open ones is added
 * @param {AbortSignal} signal
 * @returns {Promise<FittingInvoices>}
 */
export async function fittingInvoices(api, { text, currency, before }, signal) {
  const search = searchOf(text, currency);
  const offset = before?.open.data.length ?? 0;
  const open = listed(api, { search, status: 'open', currency, limit: PAGE, offset }, signal);
  if (before) {
    const next = await open;
    return { ...before, open: { ...next, data: [...before.open.data, ...next.data] } };
  }
  if (search === '') {
    const finalized = listed(api, { search, status: 'finalized', currency, limit: PAGE, offset: 0 }, signal);
    const [first, { data: others }] = await Promise.all([open, finalized]);
    return { open: first, others, customers: [] };
  }
  const [first, any, customers] = await Promise.all([
    open,
    listed(api, { search, limit: LOOKED, offset: 0 }, signal),
    namedCustomers(api, text.trim(), signal),
  ]);
  const isListed = (/** @type {Invoice} */ one) => one.status === 'open' && one.currency === currency;
  return { open: first, others: any.data.filter((one) => !isListed(one)).slice(0, PAGE), customers };
}

/**
 * The invoices that a scan, or Enter, can mean: those of exactly this id, number or amount; where there is none and no amount was written, all that
 * fit.
 * @param {Api} api
 * @param {{ text: string, currency: string }} asked
 * @param {AbortSignal} signal
 * @returns {Promise<readonly Invoice[]>}
 */
export async function meantInvoices(api, { text, currency }, signal) {
  const wanted = scannedText(text);
  if (isInvoiceId(wanted)) return invoiceOfId(api, wanted, signal);
  const minor = searchedAmount(text, currency);
  const isExact = (/** @type {Invoice} */ one) =>
    one.number?.toLowerCase() === wanted.toLowerCase() ||
    (minor !== null && (one.total_minor === minor || standOf(one, currency).restMinor === minor));
  const { found } = await allFitting(api, searchOf(text, currency), isExact, signal);
  const exact = found.filter(isExact);
  return exact.length > 0 || minor !== null ? exact : found;
}

/**
 * The invoices of exactly this number or id. `isWhole` false: not all that may have it were looked through.
 * @param {Api} api
 * @param {string} text
 * @param {AbortSignal} signal
 * @returns {Promise<{ exact: readonly Invoice[], isWhole: boolean }>}
 */
export async function exactInvoices(api, text, signal) {
  if (isInvoiceId(text)) return { exact: await invoiceOfId(api, text, signal), isWhole: true };
  const isExact = (/** @type {Invoice} */ one) => one.number?.toLowerCase() === text.toLowerCase();
  const { found, isWhole } = await allFitting(api, text, isExact, signal);
  return { exact: found.filter(isExact), isWhole };
}

/**
 * @param {Api} api
 * @param {string} id
 * @param {AbortSignal} signal
 */
async function invoiceOfId(api, id, signal) {
  try {
    const { data } = await api.get(`/v2/invoices/${id}`, signal);
    return [data];
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return [];
    throw error;
  }
}

/**
 * Of any status and currency; read until an exact one is found: a short number begins many others.
 * @param {Api} api
 * @param {string} search
 * @param {(invoice: Invoice) => boolean} isExact
 * @param {AbortSignal} signal
 */
async function allFitting(api, search, isExact, signal) {
  /** @type {Invoice[]} */
  const found = [];
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const { data, has_more } = await listed(api, { search, limit: LOOKED, offset: found.length }, signal);
    found.push(...data);
    if (!has_more || data.some(isExact)) return { found, isWhole: !has_more };
  }
  return { found, isWhole: false };
}

/**
 * Customers by name. A shop without a mirror of customers has none here.
 * @param {Api} api
 * @param {string} search
 * @param {AbortSignal} signal
 * @returns {Promise<readonly Customer[]>}
 */
async function namedCustomers(api, search, signal) {
  const query = new URLSearchParams({ search, limit: String(SHOWN_CUSTOMERS) });
  try {
    const { data } = await api.get(`/v2/customers?${query}`, signal);
    return data;
  } catch (error) {
    if (error instanceof ApiError && error.status === 501) return [];
    throw error;
  }
}

/**
 * @param {Api} api
 * @param {{ search: string, limit: number, offset: number, status?: string, currency?: string }} asked
 * @param {AbortSignal} signal
 * @returns {Promise<InvoiceList>}
 */
function listed(api, { search, limit, offset, status, currency }, signal) {
  const query = new URLSearchParams({ limit: String(limit), offset: String(offset) });
  if (search !== '') query.set('search', search);
  if (status !== undefined) query.set('status', status);
  if (currency !== undefined) query.set('currency', currency);
  return api.get(`/v2/invoices?${query}`, signal);
}
