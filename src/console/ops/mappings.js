import { h } from 'preact';
import { useState } from 'preact/hooks';
import { useConsole } from '../app/console.js';
import { t as app } from '../app/words.js';
import { useAction } from '../parts/action.js';
import { Confirm } from '../parts/confirm.js';
import { useReading } from '../parts/reading.js';
import { amountOf, exampleAmount, NO_AMOUNT, shownAmount, writtenAmount } from '../words/typed-money.js';
import { labelOf, MappingTable, useShopCurrency } from './mapping-table.js';
import { Done, Problem } from './problem.js';
import { ProductChoice } from './product-choice.js';
import { t } from './words.js';

/** @import { MappingSuggestion, ProductMapping } from '../app/contract.js' */
/** @typedef {Pick<ProductMapping, 'externalId' | 'internalId' | 'ignored' | 'metadata' | 'priceOverride'>} MappingInput as it is sent */
/** @typedef {{ what: 'product' | 'price', mapping: ProductMapping }} Asked */

/** The product and the price of each package; a product is chosen among those that exist, never typed. @param {{ provider: string, path: string }} props */
export function Mappings({ provider, path }) {
  const { document, again } = useReading(`${path}/product-mappings`, 0);
  const { document: unmapped } = useReading(`${path}/product-mappings/suggestions?limit=100`, 0);
  const [wanted, setWanted] = useState('');
  const [asked, setAsked] = useState(/** @type {Asked | 'package' | null} */ (null));
  const saving = useSaving(path, again);
  /** @type {readonly ProductMapping[]} */
  const mappings = document?.data ?? [];
  /** @type {readonly MappingSuggestion[]} */
  const suggestions = unmapped?.data ?? [];
  const close = () => setAsked(null);
  return h(
    'section',
    { class: 'card', 'aria-label': t('mappings') },
    h('h2', {}, t('mappings')),
    document !== null && mappings.length === 0 && h('p', { class: 'quiet' }, t('mappings_none')),
    mappings.length > 0 && [
      h('p', { key: 'words', class: 'quiet' }, t('mappings_words', { count: mappings.length })),
      h(Search, { key: 'search', wanted, setWanted }),
      h(MappingTable, { key: 'table', mappings, suggestions, wanted, ask: setAsked }),
    ],
    h(Problem, { problem: saving.problem }),
    h(Done, { done: saving.done }),
    h(
      'div',
      { class: 'buttons' },
      h('button', { type: 'button', class: 'button', onClick: () => setAsked('package') }, t('mapping_add')),
    ),
    h('p', { class: 'quiet' }, t('mappings_whole'), ' ', h('code', {}, `tillctl mappings ${provider} edit`)),
    asked === 'package' && h(NewPackage, { save: saving.save, added: setWanted, close }),
    asked !== null && asked !== 'package' && h(Change, { asked, suggestions, saving, close }),
  );
}

/**
 * Only whole sets can be written: the others are read and written as they are.
 * @param {string} path
 * @param {() => void} again
 */
function useSaving(path, again) {
  const { api } = useConsole();
  const action = useAction();
  /** @param {string} externalId @param {MappingInput | null} changed null: it is removed */
  const save = async (externalId, changed) => {
    const before = (await api.get(`${path}/product-mappings`)).data.map(inputOf);
    const others = before.filter((/** @type {MappingInput} */ one) => one.externalId !== externalId);
    const mappings = changed === null ? others : [...others, changed];
    await api.change('PUT', `${path}/product-mappings`, { mappings });
    again();
  };
  return { ...action, save };
}

/** The writable part of a mapping. @param {MappingInput} mapping @returns {MappingInput} */
function inputOf({ externalId, internalId, ignored, metadata, priceOverride }) {
  return { externalId, internalId, ignored, metadata, priceOverride };
}

/** @param {{ wanted: string, setWanted: (wanted: string) => void }} props */
function Search({ wanted, setWanted }) {
  return h(
    'label',
    { class: 'field' },
    h('span', {}, t('mapping_find')),
    h('input', {
      type: 'search',
      value: wanted,
      onInput: (/** @type {Event & { currentTarget: HTMLInputElement }} */ { currentTarget }) =>
        setWanted(currentTarget.value),
    }),
  );
}

/** @param {{ asked: Asked, suggestions: readonly MappingSuggestion[], saving: ReturnType<typeof useSaving>, close: () => void }} props */
function Change({ asked: { what, mapping }, suggestions, saving, close }) {
  const { externalId } = mapping;
  const name = labelOf(mapping);
  if (what === 'price') return h(Price, { mapping, save: saving.save, close });
  /** @param {MappingInput | null} to */
  const choose = (to) => {
    close();
    const done = t(to === null ? 'mapping_removed' : 'mapping_saved', { name });
    void saving.run(() => saving.save(externalId, to), done);
  };
  return h(ProductChoice, {
    name,
    suggested: suggestions.find((one) => one.externalId === externalId)?.suggestions ?? [],
    choose: (/** @type {string | null} */ id) =>
      choose({ ...inputOf(mapping), internalId: id, ignored: id === null }),
    remove: () => choose(null),
    close,
  });
}

/** @param {{ mapping: ProductMapping, save: (id: string, to: MappingInput) => Promise<void>, close: () => void }} props */
function Price({ mapping, save, close }) {
  const currency = useShopCurrency();
  const { priceOverride: before } = mapping;
  const label = t('mapping_price_label', { currency, example: exampleAmount(currency) });
  const field = {
    name: 'price',
    label,
    optional: true,
    check: (/** @type {string} */ text) => priceProblem(text, currency),
  };
  return h(
    Confirm,
    {
      title: t('mapping_price_title', { name: labelOf(mapping) }),
      label: t('save'),
      fields: [{ ...field, value: before === null ? '' : shownAmount(amountOf(before), currency) }],
      work: ({ price = '' }) =>
        save(mapping.externalId, {
          ...inputOf(mapping),
          priceOverride: price === '' ? null : writtenAmount(price, currency).minor,
        }),
      close,
    },
    h('p', {}, t('mapping_price_words')),
  );
}

/** Why a typed price is none; empty: it is one. @param {string} text @param {string} currency */
function priceProblem(text, currency) {
  const { problem } = text === '' ? NO_AMOUNT : writtenAmount(text, currency);
  return problem === null ? '' : app(`amount_${problem}`, { example: exampleAmount(currency) });
}

/** A package that no record has named yet. @param {{ save: (id: string, to: MappingInput) => Promise<void>, added: (id: string) => void, close: () => void }} props */
function NewPackage({ save, added, close }) {
  return h(
    Confirm,
    {
      title: t('mapping_add'),
      label: t('save'),
      fields: [{ name: 'id', label: t('mapping_add_id') }],
      work: async ({ id: externalId = '' }) => {
        await save(externalId, {
          ...{ externalId, internalId: null, ignored: false },
          metadata: {},
          priceOverride: null,
        });
        added(externalId);
      },
      close,
    },
    h('p', {}, t('mapping_add_words')),
  );
}
