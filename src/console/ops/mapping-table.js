import { Fragment, h } from 'preact';
import { useConsole } from '../app/console.js';
import { formatMoney } from '../words/money.js';
import { t } from './words.js';

/** @import { MappingSuggestion, ProductMapping } from '../app/contract.js' */

/** Maximum of rendered rows; the search finds the others. */
const MOST_ROWS = 100;

/**
 * Those that fit what is `wanted`; the packages that most records wait for come first.
 * @param {object} props
 * @param {readonly ProductMapping[]} props.mappings
 * @param {readonly MappingSuggestion[]} props.suggestions
 * @param {string} props.wanted
 * @param {(asked: { what: 'product' | 'price', mapping: ProductMapping }) => void} props.ask
 */
export function MappingTable({ mappings, suggestions, wanted, ask }) {
  const waitingFor = (/** @type {ProductMapping} */ { externalId }) =>
    suggestions.find((one) => one.externalId === externalId)?.waiting ?? 0;
  const found = mappings
    .filter((one) => labelOf(one).toLowerCase().includes(wanted.trim().toLowerCase()))
    .sort((one, other) => waitingFor(other) - waitingFor(one));
  return h(
    Fragment,
    {},
    h(
      'div',
      { class: 'wide', tabIndex: 0, role: 'group', 'aria-label': t('mappings') },
      h(
        'table',
        { class: 'table' },
        h(
          'thead',
          {},
          h(
            'tr',
            {},
            h('th', { scope: 'col' }, t('mapping_package')),
            h('th', { scope: 'col' }, t('mapping_product')),
          ),
        ),
        h(
          'tbody',
          {},
          found
            .slice(0, MOST_ROWS)
            .map((mapping) =>
              h(Row, { key: mapping.externalId, mapping, waiting: waitingFor(mapping), ask }),
            ),
        ),
      ),
    ),
    found.length > MOST_ROWS &&
      h('p', { class: 'quiet' }, t('mappings_rest', { count: found.length - MOST_ROWS })),
  );
}

const WHAT = /** @type {const} */ (['product', 'price']);

/** @param {{ mapping: ProductMapping, waiting: number, ask: (asked: { what: 'product' | 'price', mapping: ProductMapping }) => void }} props */
function Row({ mapping, waiting, ask }) {
  const { priceOverride: price } = mapping;
  const currency = useShopCurrency();
  return h(
    'tr',
    { 'data-package': mapping.externalId },
    h(
      'td',
      {},
      labelOf(mapping),
      waiting > 0 && h('div', { class: 'quiet' }, t('mapping_waiting', { count: waiting })),
    ),
    h(
      'td',
      {},
      h(
        'div',
        {},
        productOf(mapping),
        price !== null && ` · ${t('mapping_price', { price: formatMoney(price, currency) })}`,
      ),
      h(
        'div',
        { class: 'buttons' },
        WHAT.map((what) =>
          h(
            'button',
            {
              key: what,
              type: 'button',
              class: 'button button-small',
              onClick: () => ask({ what, mapping }),
            },
            t(what === 'product' ? 'mapping_choose' : 'mapping_price_set'),
          ),
        ),
      ),
    ),
  );
}

/** A mapping has no currency: its price is one of the currency that the shop takes. */
export function useShopCurrency() {
  return useConsole().shop.status.value?.terminals[0]?.currency ?? 'EUR';
}

/** @param {ProductMapping} mapping */
export function labelOf({ externalId, metadata }) {
  return metadata.name === undefined ? externalId : `${metadata.name} (${externalId})`;
}

/** @param {ProductMapping} mapping */
function productOf({ ignored, internalId, product }) {
  if (ignored) return t('mapping_ignored');
  if (internalId === null) return t('mapping_open');
  return product?.name ?? t('mapping_unnamed', { end: `…${internalId.slice(-4)}` });
}
