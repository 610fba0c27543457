import { h } from 'preact';
import { useState } from 'preact/hooks';
import { useConsole } from '../app/console.js';
import { useAction } from '../parts/action.js';
import { useReading } from '../parts/reading.js';
import { inputOf } from './mapping-diff.js';
import { Done, Problem } from './problem.js';
import { ProductChoice } from './product-choice.js';
import { t } from './words.js';

/** @import { MappingSuggestion, ProductMapping } from '../app/contract.js' */
/** @import { MappingInput } from './mapping-diff.js' */

/** Maximum of rendered rows; the search finds the others. */
const MOST_ROWS = 100;

/** The product of each package; a product is chosen among those that exist, never typed. @param {{ path: string, mappings: readonly ProductMapping[], again: () => void }} props */
export function MappingTable({ path, mappings, again }) {
  const { api } = useConsole();
  const { document } = useReading(`${path}/product-mappings/suggestions?limit=100`, 0);
  /** @type {readonly MappingSuggestion[]} */
  const suggestions = document?.data ?? [];
  const [wanted, setWanted] = useState('');
  const [choosing, setChoosing] = useState(/** @type {ProductMapping | null} */ (null));
  const saving = useAction();
  const waitingFor = (/** @type {string} */ id) =>
    suggestions.find((one) => one.externalId === id)?.waiting ?? 0;
  const found = mappings
    .filter((one) => labelOf(one).toLowerCase().includes(wanted.trim().toLowerCase()))
    .sort((one, other) => waitingFor(other.externalId) - waitingFor(one.externalId));

  /** @param {ProductMapping} mapping @param {{ internalId: string | null, ignored: boolean }} to */
  const save = async (mapping, to) => {
    setChoosing(null);
    await saving.run(
      async () => {
        await replaceMapping(api, path, { ...inputOf(mapping), ...to });
        again();
      },
      t('mapping_saved', { name: labelOf(mapping) }),
    );
  };
  return h(
    'div',
    { class: 'stack-small' },
    h(
      'label',
      { class: 'field' },
      h('span', {}, t('mapping_find')),
      h('input', {
        type: 'search',
        value: wanted,
        onInput: (/** @type {Event & { currentTarget: HTMLInputElement }} */ { currentTarget }) =>
          setWanted(currentTarget.value),
      }),
    ),
    h(
      'div',
      { class: 'wide', tabIndex: 0, role: 'group', 'aria-label': t('mappings') },
      h(Table, { found: found.slice(0, MOST_ROWS), waitingFor, choose: setChoosing }),
    ),
    found.length > MOST_ROWS &&
      h('p', { class: 'quiet' }, t('mappings_rest', { count: found.length - MOST_ROWS })),
    h(Problem, { problem: saving.problem }),
    h(Done, { done: saving.done }),
    choosing &&
      h(ProductChoice, {
        name: labelOf(choosing),
        suggested: suggestions.find((one) => one.externalId === choosing.externalId)?.suggestions ?? [],
        choose: (/** @type {string | null} */ id) =>
          void save(choosing, { internalId: id, ignored: id === null }),
        close: () => setChoosing(null),
      }),
  );
}

/**
 * Only whole sets can be written: the others are read and written as they are.
 * @param {import('../app/api.js').Api} api
 * @param {string} path
 * @param {MappingInput} changed
 */
async function replaceMapping(api, path, changed) {
  const before = (await api.get(`${path}/product-mappings`)).data.map(inputOf);
  const others = before.filter((/** @type {MappingInput} */ one) => one.externalId !== changed.externalId);
  await api.change('PUT', `${path}/product-mappings`, { mappings: [...others, changed] });
}

/** @param {{ found: readonly ProductMapping[], waitingFor: (id: string) => number, choose: (mapping: ProductMapping) => void }} props */
function Table({ found, waitingFor, choose }) {
  return h(
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
      found.map((mapping) => {
        const waiting = waitingFor(mapping.externalId);
        return h(
          'tr',
          { key: mapping.externalId, 'data-package': mapping.externalId },
          h(
            'td',
            {},
            labelOf(mapping),
            waiting > 0 && h('div', { class: 'quiet' }, t('mapping_waiting', { count: waiting })),
          ),
          h(
            'td',
            {},
            h('span', {}, productOf(mapping)),
            ' ',
            h(
              'button',
              { type: 'button', class: 'button button-small', onClick: () => choose(mapping) },
              t('mapping_choose'),
            ),
          ),
        );
      }),
    ),
  );
}

/** @param {ProductMapping} mapping */
function labelOf({ externalId, metadata }) {
  return metadata.name === undefined ? externalId : `${metadata.name} (${externalId})`;
}

/** @param {ProductMapping} mapping */
function productOf({ ignored, internalId, product }) {
  if (ignored) return t('mapping_ignored');
  if (internalId === null) return t('mapping_open');
  return product?.name ?? t('mapping_unnamed', { end: `…${internalId.slice(-4)}` });
}
