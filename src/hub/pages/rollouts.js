import { badge, element, row } from './element.js';
import { pagedTable } from './paged-table.js';
import { failuresOf, sumOf } from './rollout-shops.js';
import { addressOf } from './router.js';
import { actor, moment, t } from './words.js';

/**
 * Every rollout, the newest first.
 * @param {(error: unknown) => void} failed
 */
export async function rollouts(failed) {
  const list = pagedTable('rollouts', COLUMNS(), rolloutRow, failed);
  const read = () => list.read(new URLSearchParams());
  await read();
  return element(
    'div',
    { class: 'stack' },
    element('h1', { tabindex: -1 }, t('rollouts')),
    element('p', {}, t('rollouts_intro')),
    element(
      'section',
      { class: 'card' },
      element(
        'button',
        { type: 'button', class: 'button', onclick: () => read().catch(failed) },
        t('refresh'),
      ),
      list.element,
    ),
  );
}

const COLUMNS = () => [
  ...[t('column_rollout'), t('filter_state'), t('column_ring'), t('column_have')],
  ...[t('column_failures'), t('column_next_ring'), t('column_made_by')],
];

/** @param {import('./api.js').Rollout} rollout */
function rolloutRow({ name, state, ring, rings, shops, next_ring_at, created_by }) {
  const failures = failuresOf(shops);
  return row(
    element('a', { href: addressOf(['rollouts', name]) }, name),
    badge('rollout', state),
    t('of_all', { some: ring, all: rings.length }),
    t('of_all', { some: shops['succeeded'] ?? 0, all: sumOf(shops) }),
    failures === 0 ? '0' : element('span', { class: 'badge badge-bad' }, String(failures)),
    next_ring_at === null ? '' : moment(next_ring_at),
    actor(created_by),
  );
}
