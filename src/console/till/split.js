/** @import { CreatePayment, Payment } from '../app/contract.js' */

/**
 * A bill that several cards pay, a payment after the other under one reference. Each part names it in its metadata, so that what is left is always
 * read from the payments themselves, also after a reload.
 * @typedef {object} Split
 * @property {string} id
 * @property {number} wholeMinor
 * @property {string} currency
 * @property {string} reference
 */

const KEPT = 'tilld.split';
/** So long after its newest part a bill is shown to every till: later its customers have gone. */
const BILL_SHOWN_MS = 3_600_000;
/** Each takes a request, and a row of the screen. */
const MOST_BILLS = 3;

/**
 * @param {{ minor: number, currency: string, reference: string }} whole `reference` '': it gets one
 * @returns {Split}
 */
export function newSplit({ minor, currency, reference }) {
  const id = crypto.randomUUID();
  return { id, wholeMinor: minor, currency, reference: reference || madeUpReference(id) };
}

/**
 * What is paid of a split bill, and what may still be taken: a part whose outcome is not known yet counts as taken.
 * @param {Split} split
 * @param {readonly Payment[]} payments newest first
 */
export function standOf({ id, wholeMinor }, payments) {
  const parts = payments.filter(({ type, metadata }) => type === 'sale' && metadata['split'] === id);
  const known = parts.filter(isKnown);
  const paidMinor = known.reduce((sum, part) => sum + keptOf(part), 0);
  const openMinor = parts
    .filter((part) => !isKnown(part))
    .reduce((sum, { amount_minor }) => sum + amount_minor, 0);
  const leftMinor = Math.max(0, wholeMinor - paidMinor - openMinor);
  return { parts, paidMinor, openMinor, leftMinor };
}

/** Whether it is certain what the customer was charged. @param {Payment} payment */
function isKnown({ completed_at, in_doubt, needs_person, charged }) {
  return completed_at !== null && !in_doubt && !needs_person && (charged === 'yes' || charged === 'no');
}

/** The part that pays the bill, without a tip or cash; what was given back is first taken from those. @param {Payment} payment */
function keptOf({ charged, approved_amount_minor, amount_minor, given_back_minor }) {
  const keptMinor = (approved_amount_minor ?? amount_minor) - given_back_minor;
  return charged === 'yes' ? Math.max(0, Math.min(amount_minor, keptMinor)) : 0;
}

/** The reference of a bill that has none. @param {string} id of the split */
const madeUpReference = (id) => `split-${id.slice(0, 8)}`;

/** Whether no person has typed the reference of the bill: it says nothing to people. @param {Split} split */
export function hasMadeUpReference({ id, reference }) {
  return reference === madeUpReference(id);
}

/**
 * What makes a payment a part of the bill. Two parts of one amount are two payments on purpose: the later one names the earlier one.
 * @param {Split} split
 * @param {number} minor of the part
 * @param {readonly Payment[]} parts newest first
 * @returns {Pick<CreatePayment, 'reference' | 'metadata' | 'after'>}
 */
export function partOf({ id, reference, wholeMinor }, minor, parts) {
  const same = parts.find((part) => part.amount_minor === minor && isKnown(part) && keptOf(part) > 0);
  return {
    reference,
    metadata: { split: id, split_of_minor: String(wholeMinor) },
    ...(same ? { after: same.id } : {}),
  };
}

/** The bill that a payment is a part of, at whichever till; null: it is none. @param {Payment} payment @returns {Split | null} */
export function splitOf({ type, metadata, currency, reference }) {
  const { split: id, split_of_minor: whole } = metadata;
  const wholeMinor = typeof whole === 'string' ? Number(whole) : Number.NaN;
  const isPart = type === 'sale' && typeof id === 'string' && reference !== null;
  return isPart && Number.isSafeInteger(wholeMinor) && wholeMinor > 0
    ? { id, wholeMinor, currency, reference }
    : null;
}

/**
 * Bills of which a part was taken lately and something is left, as far as these payments show, the one with the newest part first.
 * @param {readonly Payment[]} payments newest first
 * @param {number} at epoch ms
 * @returns {readonly Split[]}
 */
export function openBills(payments, at) {
  /** @type {Map<string, Split>} */
  const bills = new Map();
  for (const payment of payments) {
    const split = splitOf(payment);
    const isFresh = at - Date.parse(payment.created_at) < BILL_SHOWN_MS;
    if (split !== null && isFresh && !bills.has(split.id)) bills.set(split.id, split);
  }
  return [...bills.values()]
    .filter((split) => {
      const { paidMinor, openMinor, leftMinor } = standOf(split, payments);
      return leftMinor > 0 && paidMinor + openMinor > 0;
    })
    .slice(0, MOST_BILLS);
}

/** @param {Storage} storage of this tab @param {Split | null} split */
export function keepSplit(storage, split) {
  if (split === null) storage.removeItem(KEPT);
  else storage.setItem(KEPT, JSON.stringify(split));
}

/** @param {Storage} storage @returns {Split | null} */
export function keptSplit(storage) {
  try {
    const kept = JSON.parse(storage.getItem(KEPT) ?? 'null');
    const isSplit =
      typeof kept?.id === 'string' &&
      typeof kept.reference === 'string' &&
      typeof kept.currency === 'string' &&
      Number.isSafeInteger(kept.wholeMinor);
    return isSplit ? kept : null;
  } catch {
    return null;
  }
}
