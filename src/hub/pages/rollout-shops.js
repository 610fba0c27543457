import { ask } from './api.js';
import { ago, badge, element, field, row } from './element.js';
import { pagedTable } from './paged-table.js';
import { addressOf } from './router.js';
import { t, wordFor } from './words.js';

/** How far a shop can be, those to look at first. */
const FAILURES = ['failed', 'refused', 'silent'];
const STATES = [
  ...[...FAILURES, 'succeeded', 'in_work', 'waiting', 'absent'],
  ...['superseded', 'left', 'expired', 'withdrawn'],
];
const MOST_SHOWN = 20;

/** @param {import('./api.js').Counts} counts */
export function failuresOf(counts) {
  return FAILURES.reduce((total, state) => total + (counts[state] ?? 0), 0);
}

/** @param {import('./api.js').Counts} counts */
export function sumOf(counts) {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}

/** How many shops are how far, and what that means. @param {import('./api.js').Counts} counts */
export function progress(counts) {
  const items = STATES.filter((state) => (counts[state] ?? 0) > 0).map((state) =>
    element(
      'li',
      {},
      element('strong', {}, t('shops_count', { count: counts[state] ?? 0 })),
      ...[' ', badge('target', state), ' '],
      element('span', { class: 'quiet' }, wordFor('target', `${state}_words`)),
    ),
  );
  return element(
    'section',
    { class: 'card' },
    element('h2', {}, t('rollout_progress')),
    items.length === 0
      ? element('p', { class: 'quiet' }, t('rollout_empty'))
      : element('ul', { class: 'plain stack' }, ...items),
  );
}

/**
 * The shops that did not keep the settings, and why in their own words; nothing where there are none.
 * @param {string} path of the rollout
 * @param {import('./api.js').Counts} counts
 */
export async function failedShops(path, counts) {
  const states = FAILURES.filter((state) => (counts[state] ?? 0) > 0);
  if (states.length === 0) return [];
  /** @type {readonly import('./api.js').Page<import('./api.js').RolloutShop>[]} */
  const pages = await Promise.all(
    states.map((state) => ask('GET', `${path}/shops?state=${state}&limit=${MOST_SHOWN}`)),
  );
  const items = pages.flatMap(({ data }) =>
    data.map(({ shop, state, details }) =>
      element(
        'li',
        { class: 'alert' },
        element('p', {}, linkTo(shop), ' ', badge('target', state)),
        element('p', {}, details ?? wordFor('target', `${state}_words`)),
      ),
    ),
  );
  const hasMore = pages.some(({ has_more }) => has_more);
  return [
    element(
      'section',
      { class: 'card' },
      element('h2', {}, t('rollout_failures')),
      element('ul', { class: 'plain' }, ...items),
      hasMore ? element('p', {}, t('rollout_failures_more')) : null,
    ),
  ];
}

/**
 * All shops of a rollout in their order, or those of one state.
 * @param {string} name
 * @param {string} path of the rollout
 * @param {URLSearchParams} wanted `state`, which stays in the address
 * @param {(error: unknown) => void} failed
 */
export function rolloutShops(name, path, wanted, failed) {
  const columns = [
    ...[t('column_shop'), t('filter_state'), t('column_ring')],
    ...[t('column_given'), t('column_ended'), t('column_reason')],
  ];
  const list = pagedTable('shops', columns, shopRow, failed, `${path}/shops`);
  const options = STATES.map((state) =>
    element('option', { value: state, selected: wanted.get('state') === state }, wordFor('target', state)),
  );
  const state = element('select', {}, element('option', { value: '' }, t('every_state')), ...options);
  const query = () => new URLSearchParams(state.value === '' ? {} : { state: state.value });
  const read = () => list.read(query());
  state.addEventListener('change', () => {
    history.replaceState(null, '', addressOf(['rollouts', name], query()));
    read().catch(failed);
  });
  return {
    read,
    element: element(
      'section',
      { class: 'card' },
      element('h2', {}, t('rollout_shops')),
      field(t('filter_state'), state),
      list.element,
    ),
  };
}

/** @param {import('./api.js').RolloutShop} target */
function shopRow({ shop, state, ring, handed_at, ended_at, details }) {
  return row(
    linkTo(shop),
    badge('target', state),
    String(ring),
    handed_at === null ? '' : ago(handed_at),
    ended_at === null ? '' : ago(ended_at),
    details ?? '',
  );
}

/** @param {string} shop */
function linkTo(shop) {
  return element('a', { href: addressOf(['shops', shop]) }, shop);
}
