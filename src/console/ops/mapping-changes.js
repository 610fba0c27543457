import { h } from 'preact';
import { useState } from 'preact/hooks';
import { t } from './words.js';

/** @import { MappingDiff, MappingInput } from './mapping-diff.js' */

/** Maximum of rendered rows; the rest is counted. */
const MOST_ROWS = 200;

/**
 * The added, changed and removed mappings; the user applies them, and confirms removals first.
 * @param {{ diff: MappingDiff, isBusy: boolean, apply: () => void }} props
 */
export function MappingChanges({ diff, isBusy, apply }) {
  const [isAgreed, setAgreed] = useState(false);
  const { added, changed, removed } = diff;
  const isSame = added.length + changed.length + removed.length === 0;
  if (isSame) return h('p', { class: 'notice', role: 'status' }, t('mappings_same'));
  const takesAway = removed.length > 0;
  return h(
    'div',
    { class: 'stack-small', 'data-diff': '' },
    h(
      'p',
      { role: 'status' },
      h(
        'strong',
        {},
        t('mappings_diff', { added: added.length, changed: changed.length, removed: removed.length }),
      ),
    ),
    h(
      'div',
      { class: 'wide', tabIndex: 0, role: 'group', 'aria-label': t('mappings_changes') },
      h(Rows, { diff }),
    ),
    takesAway &&
      h(
        'label',
        { class: 'check' },
        h('input', {
          type: 'checkbox',
          checked: isAgreed,
          onChange: (/** @type {Event & { currentTarget: HTMLInputElement }} */ { currentTarget }) =>
            setAgreed(currentTarget.checked),
        }),
        h('span', {}, t('mappings_agree', { count: removed.length })),
      ),
    h(
      'div',
      { class: 'buttons' },
      h(
        'button',
        {
          type: 'button',
          class: takesAway ? 'button button-bad' : 'button button-main',
          disabled: takesAway && !isAgreed,
          'aria-disabled': isBusy,
          onClick: apply,
        },
        t('mappings_apply'),
      ),
    ),
  );
}

/** @param {{ diff: MappingDiff }} props */
function Rows({ diff: { added, changed, removed } }) {
  const rows = [
    ...removed.map((mapping) =>
      h(Row, { key: `-${mapping.externalId}`, sign: '−', tone: 'bad', mapping, before: null }),
    ),
    ...changed.map(({ before, after }) =>
      h(Row, { key: `~${after.externalId}`, sign: '≠', tone: 'warn', mapping: after, before }),
    ),
    ...added.map((mapping) =>
      h(Row, { key: `+${mapping.externalId}`, sign: '+', tone: 'good', mapping, before: null }),
    ),
  ];
  return h(
    'table',
    { class: 'table' },
    h(
      'thead',
      {},
      h(
        'tr',
        {},
        h('th', { scope: 'col' }, t('mapping_change')),
        h('th', { scope: 'col' }, t('mapping_package')),
        h('th', { scope: 'col' }, t('mapping_product')),
      ),
    ),
    h('tbody', {}, rows.slice(0, MOST_ROWS)),
    rows.length > MOST_ROWS && h('caption', {}, t('mappings_rest', { count: rows.length - MOST_ROWS })),
  );
}

const NAMES = /** @type {const} */ ({ '+': 'mapping_added', '−': 'mapping_removed', '≠': 'mapping_changed' });

/** @param {{ sign: keyof typeof NAMES, tone: string, mapping: MappingInput, before: MappingInput | null }} props */
function Row({ sign, tone, mapping, before }) {
  return h(
    'tr',
    {},
    h(
      'td',
      {},
      h('span', { class: `badge badge-${tone}` }, h('span', { 'aria-hidden': 'true' }, sign), t(NAMES[sign])),
    ),
    h('td', {}, mapping.externalId, mapping.metadata.name === undefined ? '' : ` (${mapping.metadata.name})`),
    h(
      'td',
      {},
      before && h('del', {}, targetOf(before)),
      before && ' ',
      h(before ? 'ins' : 'span', {}, targetOf(mapping)),
    ),
  );
}

/** @param {MappingInput} mapping */
function targetOf({ internalId, ignored, priceOverride }) {
  const target = ignored ? t('mapping_ignored') : (internalId ?? t('mapping_open'));
  return priceOverride === null ? target : `${target} · ${t('mapping_price', { price: priceOverride })}`;
}
