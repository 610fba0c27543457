import { ask } from './api.js';
import { badge, element, row, table } from './element.js';
import { addressOf } from './router.js';
import { moment, t, wordFor } from './words.js';

/**
 * What the journal of a shop says of one payment, row by row.
 * @param {string} shop
 * @param {string} id
 */
export async function payment(shop, id) {
  const path = `/v1/shops/${encodeURIComponent(shop)}/payments/${encodeURIComponent(id)}`;
  /** @type {import('./api.js').Payment} */
  const found = (await ask('GET', path)).data;
  const columns = [
    t('column_row'),
    t('column_at'),
    t('column_event'),
    t('column_payment_state'),
    t('column_details'),
  ];
  const rows = found.entries.map((entry) =>
    row(
      entry.branch === 0 ? String(entry.seq) : `${entry.seq} (${entry.branch})`,
      ...cellsOf(entry),
      entry.details === '{}' || entry.details === '' ? '' : folded(entry.details),
    ),
  );
  return element(
    'div',
    { class: 'stack' },
    element('a', { href: addressOf(['shops', shop]) }, `← ${shop}`),
    element('h1', { tabindex: -1 }, t('payment', { id: found.id })),
    element(
      'section',
      { class: 'card' },
      element('p', {}, badge('payment', found.state ?? 'damaged'), ' ', t('payment_at', { shop })),
      element('h2', {}, t('entries')),
      table(t('entries'), columns, element('tbody', {}, ...rows)),
    ),
  );
}

/**
 * When, what and the state after it. A damaged entry proves none of them: the shop's words say why.
 * @param {import('./api.js').Entry} entry
 */
function cellsOf({ at, event, to_state, damaged }) {
  if (damaged === null) return [moment(at), event, wordFor('payment', to_state)];
  return ['', damaged, badge('payment', 'damaged')];
}

/** The bytes that the hash is over. @param {string} details */
function folded(details) {
  return element('details', {}, element('summary', {}, t('column_details')), element('code', {}, details));
}
