import { h } from 'preact';
import { useState } from 'preact/hooks';
import { Dialog } from '../parts/dialog.js';
import { useReading } from '../parts/reading.js';
import { Problem } from './problem.js';
import { t } from './words.js';

/** @import { MappingSuggestion } from '../app/contract.js' */

/**
 * Which product a package is: suggestions by code and name first, then a search of all products.
 * @param {object} props
 * @param {string} props.name of the package
 * @param {MappingSuggestion['suggestions']} props.suggested
 * @param {(id: string | null) => void} props.choose null: the package is ignored
 * @param {() => void} props.remove its mapping
 * @param {() => void} props.close
 */
export function ProductChoice({ name, suggested, choose, remove, close }) {
  const [wanted, setWanted] = useState('');
  const search = wanted.trim();
  const path = search === '' ? null : `/v2/products?limit=10&search=${encodeURIComponent(search)}`;
  const { document, problem } = useReading(path, 0);
  /** @type {readonly { id: string, name?: string | null }[] | null} */
  const found = document?.data ?? null;
  return h(
    Dialog,
    { title: t('mapping_choose_title', { name }), close },
    h(
      'div',
      { class: 'stack' },
      suggested.length > 0 &&
        h(
          'section',
          { class: 'stack-small', 'aria-label': t('mapping_suggested') },
          h('h3', {}, t('mapping_suggested')),
          suggested.map(({ internalId, name: product, by }) =>
            h(Product, {
              key: internalId,
              id: internalId,
              name: product,
              more: t(`mapping_by_${by}`),
              choose,
            }),
          ),
        ),
      h(
        'label',
        { class: 'field' },
        h('span', {}, t('mapping_search')),
        h('input', {
          type: 'search',
          value: wanted,
          autoComplete: 'off',
          onInput: (/** @type {Event & { currentTarget: HTMLInputElement }} */ { currentTarget }) =>
            setWanted(currentTarget.value),
        }),
      ),
      h(Problem, { problem: path === null ? '' : problem }),
      found !== null && found.length === 0 && h('p', { class: 'quiet' }, t('mapping_nothing')),
      (found ?? []).map((one) =>
        h(Product, { key: one.id, id: one.id, name: one.name ?? null, more: '', choose }),
      ),
      h(
        'div',
        { class: 'buttons' },
        h('button', { type: 'button', class: 'button', onClick: () => choose(null) }, t('mapping_ignore')),
        h('button', { type: 'button', class: 'button button-bad', onClick: remove }, t('mapping_remove')),
      ),
    ),
  );
}

/** @param {{ id: string, name: string | null, more: string, choose: (id: string) => void }} props */
function Product({ id, name, more, choose }) {
  const label = name ?? t('mapping_unnamed', { end: `…${id.slice(-4)}` });
  return h(
    'button',
    { type: 'button', class: 'button', onClick: () => choose(id) },
    more === '' ? label : `${label} · ${more}`,
  );
}
