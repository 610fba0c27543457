import { ask, Refused } from './api.js';
import { element } from './element.js';
import { fleet } from './fleet.js';
import { payment } from './payment.js';
import { rollout } from './rollout.js';
import { rollouts } from './rollouts.js';
import { addressOf, viewAt } from './router.js';
import { shop } from './shop.js';
import { signIn } from './sign-in.js';
import { language, t, wordFor } from './words.js';

/** Who is signed in. @type {import('./api.js').Operator | null} */
let operator = null;
let turn = 0;

const content = element('main', { id: 'content', tabindex: -1 });
const who = element('span', { class: 'quiet' });
const leave = element(
  'button',
  { type: 'button', class: 'button', onclick: () => signOut().catch(failed) },
  t('sign_out'),
);
/** @type {readonly (readonly ['shops' | 'rollouts', HTMLElement])[]} */
const areas = [
  ['shops', element('a', { href: addressOf([]) }, t('shops'))],
  ['rollouts', element('a', { href: addressOf(['rollouts']) }, t('rollouts'))],
];
const nav = element('nav', { class: 'nav' }, ...areas.map(([, link]) => link));
const top = element(
  'header',
  { class: 'top' },
  element(
    'a',
    { class: 'brand', href: addressOf([]) },
    element('img', { src: '/pages/icon.svg', alt: '', width: 28, height: 28 }),
    'tillhub',
  ),
  nav,
  element('span', { class: 'space' }),
  who,
  leave,
);

document.documentElement.lang = language;
const skip = element('button', { type: 'button', class: 'skip', onclick: () => content.focus() }, t('skip'));
document.body.replaceChildren(skip, top, content);
addEventListener('hashchange', () => void open());
void open();

/** Shows what the address names; a later call replaces an earlier one. */
async function open() {
  turn += 1;
  const own = turn;
  content.setAttribute('aria-busy', 'true');
  try {
    operator ??= (await ask('GET', '/v1/session')).data;
    const view = await viewFor(viewAt(location.hash));
    if (own === turn) show(view);
  } catch (error) {
    if (own === turn) failed(error);
  }
}

/** @param {ReturnType<typeof viewAt>} address */
async function viewFor({ parts, query }) {
  const [area, name, list, id] = parts;
  const mayDecide = operator !== null && operator.role !== 'viewer';
  if (area === 'rollouts')
    return name === undefined ? await rollouts(failed) : await rollout(name, query, mayDecide, failed);
  if (area !== 'shops' || name === undefined) return await fleet(query, failed);
  if (list === 'payments' && id !== undefined) return await payment(name, id);
  return await shop(name, mayDecide, failed);
}

/** @param {HTMLElement} view */
function show(view) {
  who.textContent = operator === null ? '' : `${operator.name}, ${wordFor('role', operator.role)}`;
  leave.hidden = operator === null;
  nav.hidden = operator === null;
  for (const [area, link] of areas)
    if (area === areaNow()) link.setAttribute('aria-current', 'true');
    else link.removeAttribute('aria-current');
  content.replaceChildren(view);
  content.removeAttribute('aria-busy');
  const heading = view.querySelector('h1');
  document.title = heading === null ? 'tillhub' : `${heading.textContent} · tillhub`;
  const first = view.querySelector('input[name="token"]') ?? heading;
  if (first instanceof HTMLElement) first.focus();
}

function areaNow() {
  return viewAt(location.hash).parts[0] === 'rollouts' ? 'rollouts' : 'shops';
}

/** The form of the token where the session has ended, else the problem in words. @param {unknown} error */
function failed(error) {
  if (error instanceof Refused && error.status === 401) {
    const hint = operator === null ? '' : t('signed_out');
    operator = null;
    return show(signIn(hint, signedIn));
  }
  const message = error instanceof Error ? error.message : String(error);
  const again = element('button', { type: 'button', class: 'button', onclick: () => open() }, t('again'));
  const heading = element('h1', { tabindex: -1 }, t(areaNow()));
  show(
    element(
      'div',
      { class: 'card' },
      heading,
      element('p', { role: 'alert', class: 'problem' }, message),
      again,
    ),
  );
}

/** @param {import('./api.js').Operator} found */
function signedIn(found) {
  operator = found;
  void open();
}

async function signOut() {
  await ask('DELETE', '/v1/session');
  operator = null;
  history.replaceState(null, '', addressOf([]));
  await open();
}
