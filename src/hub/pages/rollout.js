import { ask } from './api.js';
import { badge, element } from './element.js';
import { decisions } from './rollout-decisions.js';
import { failedShops, failuresOf, progress, rolloutShops, sumOf } from './rollout-shops.js';
import { addressOf } from './router.js';
import { actor, duration, moment, percent, t } from './words.js';

/**
 * One rollout: its state and what to do, the shops to look at, its rings, and all of its shops.
 * @param {string} name
 * @param {URLSearchParams} wanted `state` of the shops that are listed
 * @param {boolean} mayDecide whether the operator may pause, resume and stop it
 * @param {(error: unknown) => void} failed
 */
export async function rollout(name, wanted, mayDecide, failed) {
  const path = `/v1/rollouts/${encodeURIComponent(name)}`;
  const heading = element('h1', { tabindex: -1 }, t('rollout', { name }));
  const result = element('p', { role: 'status' });
  const words = element('div', { class: 'stack' });
  const parts = element('div', { class: 'stack' });
  const shops = rolloutShops(name, path, wanted, failed);
  const read = async () => {
    /** @type {import('./api.js').Rollout} */
    const found = (await ask('GET', path)).data;
    const toLookAt = await failedShops(path, found.shops);
    await shops.read();
    buttons.show(found.state);
    words.replaceChildren(...state(found));
    parts.replaceChildren(...toLookAt, progress(found.shops), rings(found));
  };
  /** @param {string | null} decided */
  const changed = async (decided) => {
    result.textContent = '';
    await read();
    result.textContent = decided;
    if (decided !== null) heading.focus();
  };
  const buttons = decisions(name, path, mayDecide, changed, failed);
  await read();
  return element(
    'div',
    { class: 'stack' },
    element('a', { href: addressOf(['rollouts']) }, `← ${t('rollouts')}`),
    element('div', {}, heading, result),
    element('section', { class: 'card' }, words, buttons.element),
    parts,
    shops.element,
  );
}

/** What happened, whether customers are affected, what to do now. @param {import('./api.js').Rollout} rollout */
function state(rollout) {
  const { state: code, paused_by, created_by, created_at, next_ring_at } = rollout;
  const sentence = t(`rollout_${situation(rollout)}_words`, { by: actor(paused_by ?? '') });
  const next = next_ring_at === null ? [] : [t('rollout_next', { moment: moment(next_ring_at) })];
  return [
    element('p', {}, badge('rollout', code), ' ', sentence),
    ...next.map((line) => element('p', {}, line)),
    element(
      'p',
      { class: 'quiet' },
      t('rollout_made', { by: actor(created_by), moment: moment(created_at) }),
    ),
  ];
}

/** @param {import('./api.js').Rollout} rollout */
function situation({ state: code, paused_by, shops }) {
  if (code === 'paused' && paused_by === 'failures') return 'paused_failures';
  if (code === 'done' && failuresOf(shops) > 0) return 'done_failures';
  return code;
}

/** @param {import('./api.js').Rollout} rollout */
function rings({ state: code, rings: list, ring, shops }) {
  const isUnderWay = code === 'running' || code === 'paused';
  const total = sumOf(shops);
  const items = list.map(({ percent: part, minutes }, index) => {
    const reached = { count: Math.ceil((part * total) / 100), percent: percent(part) };
    const isNow = isUnderWay && index + 1 === ring;
    return element(
      'li',
      { 'aria-current': isNow ? 'step' : null },
      t('ring_reaches', { ring: index + 1, ...reached }),
      minutes === 0 ? null : ` ${t('ring_pause', { pause: duration(minutes) })}`,
      ...(isNow ? [' ', element('span', { class: 'badge' }, t('ring_now'))] : []),
    );
  });
  return element(
    'section',
    { class: 'card' },
    element('h2', {}, t('rings')),
    element('ul', { class: 'plain stack' }, ...items),
  );
}
