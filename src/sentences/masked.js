/** Fields that say nothing of a person. */
const PLAIN =
  /^(?:id|.*_id|.*_ids|.*Id|op|status|state|currency|kind|type|charge_type|interval|sku|slot|scope|language|locale|country|left_out|(?:.*_)?(?:on|at|date|from|until|minor|percent|count|quantity))$/;
/** A date that is about a person, or a number that an office gave one. */
const PERSONAL = /birth|born/i;
const OFFICIAL = /tax|vat|passport|insurance|national|social|licen[cs]e/i;
const MAIL = /[^\s/<>"'(),;:]+(?:@|%40)[^\s/<>"'(),;:]+/g;
/** A value that an error of an expression quotes; names of fields are quoted elsewhere. */
const QUOTED_VALUE = /(: |\bGiven |\bvalues? |\band )"((?:[^"\\]|\\.)*)"/g;
/** A telephone number may be sent as a number. */
const LEAST_NUMBER = 100_000;
/** Resources whose records are no people's. */
const IMPERSONAL = ['products', 'prices'];

/**
 * A record in which texts that may be about a person show their first letter alone; ids, states, dates and amounts stay.
 * @param {string} resource
 * @param {unknown} body
 * @returns {unknown}
 */
export function masked(resource, body) {
  return IMPERSONAL.includes(resource) ? body : maskedValue(body);
}

/** @param {unknown} value @returns {unknown} */
function maskedValue(value) {
  if (typeof value === 'string') return maskedText(value);
  if (typeof value === 'number' && Math.abs(value) >= LEAST_NUMBER) return '…';
  if (Array.isArray(value)) return value.map(maskedValue);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, ofField(name, item)]));
}

/** @param {string} name @param {unknown} value */
function ofField(name, value) {
  const isPlain = PLAIN.test(name) && !PERSONAL.test(name) && typeof value !== 'object';
  const isTheirs = typeof value === 'string' && (OFFICIAL.test(name) || value.includes('@'));
  return isPlain && !isTheirs ? value : maskedValue(value);
}

/** A reason, an id or a path without mail addresses and quoted values. @param {string} words */
export function maskedWords(words) {
  return words
    .replace(QUOTED_VALUE, (_, before, value) => `${before}"${maskedText(value)}"`)
    .replace(MAIL, maskedText);
}

/** @param {string} text */
function maskedText(text) {
  const [first = ''] = text;
  return first === '' ? '' : `${first}…`;
}
