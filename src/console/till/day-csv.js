import { csvOfRows, decimal, textCell } from '../../sentences/csv.js';
import { exponentOf } from '../words/money.js';

/** @import { Payment } from '../app/contract.js' */

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
    ['amount', ({ amount_minor, currency }) => amount(amount_minor, currency)],
    ['moved', moved],
    ['tip', ({ tip_minor, currency }) => (tip_minor === null ? null : amount(tip_minor, currency))],
    ['currency', ({ currency }) => currency],
    ['card_scheme', ({ card_scheme }) => textCell(card_scheme ?? '')],
    ['masked_pan', ({ masked_pan }) => textCell(masked_pan ?? '')],
    ['receipt_number', ({ receipt_number }) => textCell(receipt_number ?? '')],
    ['auth_code', ({ auth_code }) => textCell(auth_code ?? '')],
    ['terminal', ({ device_id }, { nameOf }) => textCell(nameOf(device_id))],
    ['terminal_id', ({ terminal_id }) => textCell(terminal_id ?? '')],
    ['reference', ({ reference }) => textCell(reference ?? '')],
    ['invoice_id', ({ invoice_id }) => textCell(invoice_id ?? '')],
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
  const lines = payments.map((payment) => COLUMNS.map(([, cell]) => cell(payment, shop) ?? ''));
  const table = [COLUMNS.map(([name]) => name), ...lines];
  return `${BYTE_ORDER_MARK}${csvOfRows(table)}`;
}

/** @param {Payment} payment */
function moved({ charged, type, approved_amount_minor, amount_minor, currency }) {
  if (charged !== 'yes') return null;
  return `${type === 'sale' ? '' : '-'}${amount(approved_amount_minor ?? amount_minor, currency)}`;
}

/** @param {number} minor @param {string} currency */
function amount(minor, currency) {
  return decimal(minor, exponentOf(currency));
}
