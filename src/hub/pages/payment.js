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
  const rows = found.entries.map(({ branch, seq, at, event, to_state, details }) =>
    row(
      branch === 0 ? String(seq) : `${seq} (${branch})`,
      ...[moment(at), event, wordFor('payment', to_state)],
      details === '{}' ? '' : folded(details),
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
      element('p', {}, badge('payment', found.state), ' ', t('payment_at', { shop })),
      element('h2', {}, t('entries')),
      table(t('entries'), columns, element('tbody', {}, ...rows)),
    ),
  );
}

/** The bytes that the hash is over. @param {string} details */
function folded(details) {
  return element('details', {}, element('summary', {}, t('column_details')), element('code', {}, details));
}
