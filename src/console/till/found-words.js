import { h } from 'preact';
import { locale } from '../words/language.js';
import { exponentOf, formatDecimal, formatMoney } from '../words/money.js';
import { DayHeading, dayText } from './day-heading.js';
import { WHOLE } from './use-payment-search.js';
import { t } from './words.js';

/** @import { KnownTotals } from './day-heading.js' */
/** @import { Reading } from './payment-readings.js' */
/** @import { ShopDays } from './shop-days.js' */
/** @import { Found } from './use-payment-search.js' */

/** The heading above the payments of one reading: how they were found, or the totals of their day. @param {{ found: Found, days: ShopDays, known: KnownTotals }} props */
export function FoundHeading({ found, days, known }) {
  const { reading } = found;
  if (reading.kind === 'day' && reading.on !== null) return h(DayHeading, { day: reading.on, days, known });
  return h('div', { class: 'day-heading' }, h('h2', {}, hitsText(found)));
}

/** What was searched for and what came of it: each reading that found something, then those that did not. @param {readonly Found[]} found */
export function foundText(found) {
  const hits = found.filter(({ ids }) => ids.length > 0).map(hitsText);
  // Nothing beside the whole text is no answer to whether it is a part.
  const isWhole = found.some(({ reading, ids }) => WHOLE.includes(reading.kind) && ids.length > 0);
  const none = found
    .filter(({ ids, hasMore }) => ids.length === 0 && !hasMore)
    .filter(({ reading }) => reading.kind !== 'part' || !isWhole)
    .map(({ reading }) => howText(reading));
  const list = new Intl.ListFormat(locale(), { type: 'disjunction' });
  return [...hits, ...(none.length === 0 ? [] : [t('found_none', { how: list.format(none) })])].join(' · ');
}

/** @param {Found} found */
function hitsText({ reading, ids, hasMore }) {
  const how = howText(reading);
  if (hasMore) return t('found_more', { count: ids.length, how });
  return t('found', { count: ids.length, how });
}

/** @param {Reading} reading */
function howText(reading) {
  const how = t(`by_${reading.kind}`, { value: valueText(reading) });
  return reading.on === null || reading.kind === 'day' ? how : `${how}, ${dayText(reading.on)}`;
}

/** @param {Reading} reading */
function valueText({ kind, value, amount, on }) {
  if (kind === 'day') return dayText(on ?? value);
  if (kind === 'status') return t(`show_${/** @type {'succeeded'} */ (value)}`);
  if (amount === null) return value;
  const [currency = 'EUR', another] = amount.currencies;
  return another === undefined
    ? formatMoney(amount.minor, currency)
    : formatDecimal(amount.minor, exponentOf(currency));
}
