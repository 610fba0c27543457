import { exponentOf } from '../words/money.js';

/** @import { Payment } from '../app/contract.js' */

/** A spreadsheet runs a text that begins so. */
const FORMULA = /^[=+\-@\t\r]/;
const QUOTED = /[",\r\n]|^\s|\s$/;
/** Excel reads UTF-8 only with it. */
const BYTE_ORDER_MARK = '\uFEFF';

/** What moved: refunds and voids with a minus; empty: nothing, or it is not known. */
const COLUMNS =
  /** @type {readonly (readonly [string, (payment: Payment, shop: Shop) => string | null])[]} */ ([
    ['date', ({ created_at }, { day }) => day(created_at)],
    ['time', ({ created_at }, { time }) => time(created_at)],
    ['type', ({ type }) => type],
    ['status', ({ status }) => status],
    ['charged', ({ charged }) => charged],
    ['amount', ({ amount_minor, currency }) => decimal(amount_minor, currency)],
    ['moved', moved],
    ['tip', ({ tip_minor, currency }) => (tip_minor === null ? null : decimal(tip_minor, currency))],
    ['currency', ({ currency }) => currency],
    ['card_scheme', ({ card_scheme }) => guarded(card_scheme)],
    ['masked_pan', ({ masked_pan }) => guarded(masked_pan)],
    ['receipt_number', ({ receipt_number }) => guarded(receipt_number)],
    ['auth_code', ({ auth_code }) => guarded(auth_code)],
    ['terminal', ({ device_id }, { nameOf }) => guarded(nameOf(device_id))],
    ['terminal_id', ({ terminal_id }) => guarded(terminal_id)],
    ['reference', ({ reference }) => guarded(reference)],
    ['invoice_id', ({ invoice_id }) => invoice_id],
    ['id', ({ id }) => id],
    ['parent_id', ({ parent_id }) => parent_id],
  ]);

/** @typedef {{ nameOf: (deviceId: string) => string, day: (instant: string) => string, time: (instant: string) => string }} Shop */

/**
 * Payments as CSV of RFC 4180, in their order: amounts as decimals with a point, times in the zone of the shop.
 * @param {readonly Payment[]} payments
 * @param {{ zone: string | undefined, nameOf: (deviceId: string) => string }} shop
 */
export function csvOf(payments, { zone, nameOf }) {
  const days = new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' });
  const times = new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeStyle: 'medium' });
  const shop = {
    nameOf,
    day: (/** @type {string} */ instant) => days.format(Date.parse(instant)),
    time: (/** @type {string} */ instant) => times.format(Date.parse(instant)),
  };
  const lines = payments.map((payment) => COLUMNS.map(([, cell]) => quoted(cell(payment, shop) ?? '')));
  const table = [COLUMNS.map(([name]) => name), ...lines];
  return `${BYTE_ORDER_MARK}${table.map((line) => `${line.join(',')}\r\n`).join('')}`;
}

/** @param {Payment} payment */
function moved({ charged, type, approved_amount_minor, amount_minor, currency }) {
  if (charged !== 'yes') return null;
  return `${type === 'sale' ? '' : '-'}${decimal(approved_amount_minor ?? amount_minor, currency)}`;
}

/** @param {number} minor @param {string} currency */
function decimal(minor, currency) {
  const digits = exponentOf(currency);
  const text = String(minor).padStart(digits + 1, '0');
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

/** A foreign text is never a formula. @param {string | null} text */
function guarded(text) {
  return text !== null && FORMULA.test(text) ? `'${text}` : text;
}

/** @param {string} cell */
function quoted(cell) {
  return QUOTED.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
