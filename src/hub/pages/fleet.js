import { ask } from './api.js';
import { ago, badge, element, field, row, yesNo } from './element.js';
import { pagedTable } from './paged-table.js';
import { addressOf } from './router.js';
import { t } from './words.js';

const STATES = /** @type {const} */ (['ready', 'cannot_sell', 'silent', 'revoked', 'not_joined']);
const TYPED_MS = 250;

/**
 * Every shop, those that words and a state leave.
 * @param {URLSearchParams} wanted `q` and `state`, which stay in the address
 * @param {(error: unknown) => void} failed
 */
export async function fleet(wanted, failed) {
  const list = pagedTable('shops', COLUMNS(), shopRow, failed);
  const words = element('input', { type: 'search', maxlength: 100, value: wanted.get('q') ?? '' });
  const options = STATES.map((state) =>
    element('option', { value: state, selected: wanted.get('state') === state }, t(`state_${state}`)),
  );
  const state = element('select', {}, element('option', { value: '' }, t('every_state')), ...options);
  const read = () => {
    const chosen = { q: words.value.trim(), state: state.value };
    const query = new URLSearchParams(Object.entries(chosen).filter(([, value]) => value !== ''));
    history.replaceState(null, '', addressOf([], query));
    return list.read(query);
  };
  let timer = 0;
  words.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(() => read().catch(failed), TYPED_MS);
  });
  state.addEventListener('change', () => read().catch(failed));
  const again = () => read().catch(failed);
  await read();
  return element(
    'div',
    { class: 'stack' },
    element('h1', { tabindex: -1 }, t('shops')),
    ...(await pausedRollouts()),
    element(
      'form',
      {
        class: 'card filters',
        role: 'search',
        onsubmit: (/** @type {Event} */ event) => event.preventDefault(),
      },
      field(t('filter'), words),
      field(t('filter_state'), state),
      element('button', { type: 'button', class: 'button', onclick: again }, t('refresh')),
    ),
    element('section', { class: 'card' }, list.element),
  );
}

/** Those that a person has to look at: the hub paused them, and they wait. */
async function pausedRollouts() {
  /** @type {import('./api.js').Page<import('./api.js').Rollout>} */
  const { data } = await ask('GET', '/v1/rollouts');
  return data
    .filter(({ paused_by }) => paused_by === 'failures')
    .map(({ name }) =>
      element(
        'p',
        { class: 'card problem' },
        t('rollout_waits'),
        ' ',
        element('a', { href: addressOf(['rollouts', name]) }, t('rollout', { name })),
      ),
    );
}

const COLUMNS = () => [
  ...[t('column_shop'), t('column_state'), t('column_reports'), t('column_fresh')],
  ...[t('column_version'), t('column_seen'), t('column_doubt'), t('column_alerts')],
];

/** What a shop that is silent reported last is not known to hold now. @param {import('./api.js').ShopSummary} shop */
function shopRow(shop) {
  const isHeard = shop.state === 'ready' || shop.state === 'cannot_sell';
  return row(
    element('a', { href: addressOf(['shops', shop.name]) }, shop.name),
    badge('state', shop.state),
    yesNo(isHeard ? shop.can_report : null),
    yesNo(isHeard ? shop.is_fresh : null),
    shop.version ?? '',
    ago(shop.seen_at),
    marked(shop.in_doubt),
    marked(shop.alerts),
  );
}

/** @param {number} count */
function marked(count) {
  return count === 0 ? '0' : element('span', { class: 'badge badge-bad' }, String(count));
}
