import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError } from '../app/api.js';
import { useConsole } from '../app/console.js';
import { problemOf } from '../parts/reading.js';
import { exactInvoices } from './invoice-lists.js';
import { isInvoiceId } from './scanned-text.js';

/** @import { Console } from '../app/console.js' */
/** @import { Reading } from './payment-readings.js' */

const TYPING_MS = 200;
/** Readings of a text as the whole of what a payment has. */
export const WHOLE = ['reference', 'invoice'];

/**
 * What was found by one reading. `query` null: nothing can be found by it, like by the number of an invoice that is not here.
 * `last`: where its next page begins; `ids` lacks those that a reading before it has found.
 * @typedef {{ reading: Reading, query: Readonly<Record<string, string>> | null, ids: readonly string[], last: string, hasMore: boolean }} Found
 */

/**
 * Searches payments by several readings at once, a moment behind the last change; a newer search ends an older one. `found` null: nothing was read yet.
 * @param {readonly Reading[]} readings
 * @param {Readonly<Record<string, string>>} filters further parameters of every reading
 */
export function usePaymentSearch(readings, filters) {
  const app = useConsole();
  const [found, setFound] = useState(/** @type {readonly Found[] | null} */ (null));
  const [problem, setProblem] = useState('');
  const reading = useRef(/** @type {AbortController | null} */ (null));
  const typing = useRef(/** @type {ReturnType<typeof setTimeout> | undefined} */ (undefined));
  const isGoingOn = useRef(false);
  const key = JSON.stringify([readings, filters]);

  /** @returns {Promise<readonly Found[] | null>} null: it failed, or a newer one has ended it */
  const search = async () => {
    // Enter reads at once: the read that waits for the last key would end it.
    clearTimeout(typing.current);
    reading.current?.abort();
    const abort = new AbortController();
    reading.current = abort;
    try {
      const next = await Promise.all(readings.map((one) => foundBy(app, one, filters, abort.signal)));
      if (abort.signal.aborted) return null;
      const distinct = withoutRepeated(next);
      setFound(distinct);
      setProblem('');
      return distinct;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (!abort.signal.aborted) setProblem(problemOf(error));
      return null;
    }
  };
  /** The next page of the first reading that has one; those behind it are shown once it is complete. */
  const more = async () => {
    const open = found?.find(({ hasMore }) => hasMore);
    if (!found || !open || isGoingOn.current) return;
    isGoingOn.current = true;
    try {
      const query = { ...open.query, starting_after: open.last };
      const page = await pageOf(app.shop.payments, query, reading.current?.signal);
      const next = { ...open, ...page, ids: [...open.ids, ...page.ids] };
      const whole = withoutRepeated(found.map((one) => (one === open ? next : one)));
      setFound((now) => (now === found ? whole : now));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    } finally {
      isGoingOn.current = false;
    }
  };
  useEffect(() => {
    setFound(null);
    setProblem('');
    if (readings.length === 0) return;
    typing.current = setTimeout(() => void search(), TYPING_MS);
    return () => {
      clearTimeout(typing.current);
      reading.current?.abort();
    };
  }, [key]);
  return { found, problem, search, more };
}

/**
 * @param {Console} app
 * @param {Reading} reading
 * @param {Readonly<Record<string, string>>} filters
 * @param {AbortSignal} signal
 * @returns {Promise<Found>}
 */
async function foundBy({ api, shop }, reading, filters, signal) {
  const { kind, value, params, on } = reading;
  const query = { ...filters, ...params, ...(on === null ? {} : { on }) };
  if (kind === 'payment') return { ...nothingOf(reading), ids: await ofId(shop.payments, value) };
  if (kind !== 'invoice') return { reading, query, ...(await pageOf(shop.payments, query, signal)) };
  const id = await invoiceIdOf(api, value, signal);
  if (id === null) return nothingOf(reading);
  const named = { ...query, invoice_id: id };
  return { reading, query: named, ...(await pageOf(shop.payments, named, signal)) };
}

/** @param {Reading} reading @returns {Found} */
function nothingOf(reading) {
  return { reading, query: null, ids: [], last: '', hasMore: false };
}

/**
 * @param {Console['shop']['payments']} payments
 * @param {Readonly<Record<string, string>>} query
 * @param {AbortSignal} [signal]
 */
async function pageOf(payments, query, signal) {
  const page = await payments.find(query, signal);
  return { ...page, last: page.ids.at(-1) ?? '' };
}

/**
 * What has a text as a part has it also as the whole: each payment stands once, under the first reading of the text that has found it.
 * @param {readonly Found[]} found
 * @returns {readonly Found[]}
 */
export function withoutRepeated(found) {
  const whole = new Set(found.flatMap(({ reading, ids }) => (WHOLE.includes(reading.kind) ? ids : [])));
  return found.map((one) =>
    one.reading.kind === 'part' ? { ...one, ids: one.ids.filter((id) => !whole.has(id)) } : one,
  );
}

/**
 * @param {Console['shop']['payments']} payments
 * @param {string} id
 */
async function ofId(payments, id) {
  try {
    await payments.read(id);
    return [id.toLowerCase()].filter((one) => payments.get(one));
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return [];
    throw error;
  }
}

/**
 * The id of the invoice of exactly this number; an id is its own. Without a mirror of invoices there is none.
 * @param {Console['api']} api
 * @param {string} text
 * @param {AbortSignal} signal
 */
async function invoiceIdOf(api, text, signal) {
  try {
    const { exact } = await exactInvoices(api, text, signal);
    const [first] = exact;
    return first?.id ?? (isInvoiceId(text) ? text : null);
  } catch (error) {
    if (error instanceof ApiError && error.status === 501) return isInvoiceId(text) ? text : null;
    throw error;
  }
}
