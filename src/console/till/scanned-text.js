import { writtenAmount } from '../words/typed-money.js';

const LINK = /^[a-z][a-z0-9+.-]*:\/\//i;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** A number with a separator, so that an invoice number is no amount. */
const SEPARATED = /\d[.,]\d/;

/**
 * What a scanner has typed: the number or id of an invoice, or a link that ends with it.
 * @param {string} text
 */
export function scannedText(text) {
  const plain = text.trim();
  if (!LINK.test(plain)) return plain;
  const last =
    plain
      .replace(/[/#?&]+$/, '')
      .split(/[/#?&=]/)
      .at(-1) ?? '';
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}

/** @param {string} text */
export function isInvoiceId(text) {
  return UUID.test(text);
}

/**
 * The amount that a person has written, in minor units; null: the text is none.
 * @param {string} text
 * @param {string} currency
 */
export function searchedAmount(text, currency) {
  return SEPARATED.test(text) ? writtenAmount(text.trim(), currency).minor : null;
}

/**
 * The words to search for: an amount as it stands in the records, without separators.
 * @param {string} text
 * @param {string} currency
 */
export function searchOf(text, currency) {
  const minor = searchedAmount(text, currency);
  return minor === null ? scannedText(text) : String(minor);
}
