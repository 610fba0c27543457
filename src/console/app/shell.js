import { h } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ConnectionBanner, ConnectionLight } from './connection.js';
import { useConsole } from './console.js';
import { keepFocus } from './keep-focus.js';
import { PAGES } from './pages.js';
import { Pair } from './pair.js';
import { addressOf } from './router.js';
import { ScreenMenu } from './screen-menu.js';
import { SignIn } from './sign-in.js';
import { t } from './words.js';

/** @import { ComponentType } from 'preact' */
/** @import { Page } from './pages.js' */

/** Header, navigation, the state of the connection, and the page itself; or the sign-in. */
export function Shell() {
  const { router, session } = useConsole();
  const who = session.current.value;
  if (router.path.value[0] === 'pair') return h(Pair, {});
  if (who === undefined) return h('main', { class: 'splash' }, h('p', { role: 'status' }, t('loading')));
  if (who === null) return h(SignIn, {});
  return h(Frame, {});
}

function Frame() {
  const { router, session, shop } = useConsole();
  const pages = PAGES.filter(({ role, isThere }) => session.isAtLeast(role) && (isThere?.(shop) ?? true));
  const current = pages.find(({ id }) => id === router.path.value[0]) ?? pages[0];
  useEffect(() => {
    if (current) document.title = `${current.title()} · tilld`;
  });
  const content = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => (content.current ? keepFocus(content.current) : undefined), []);
  return h(
    'div',
    { class: 'frame' },
    h('a', { class: 'skip', href: '#content', onClick: toContent }, t('skip')),
    h(
      'header',
      { class: 'top' },
      h(
        'span',
        { class: 'brand' },
        h('img', { src: '/console/icon.svg', alt: '', width: 28, height: 28 }),
        'tilld',
      ),
      h(
        'nav',
        { class: 'pages', 'aria-label': t('pages') },
        pages.map((page) =>
          h(
            'a',
            {
              key: page.id,
              href: addressOf([page.id]),
              'aria-current': page === current ? 'page' : undefined,
            },
            page.title(),
          ),
        ),
      ),
      h(ConnectionLight, {}),
      h(ScreenMenu, {}),
    ),
    h(ConnectionBanner, {}),
    h(
      'main',
      { ref: content, id: 'content', tabIndex: -1 },
      current && h(Loaded, { key: current.id, page: current }),
    ),
  );
}

/** A link with a hash would be a route of the pages. @param {Event} event */
function toContent(event) {
  event.preventDefault();
  document.getElementById('content')?.focus();
}

/** @param {{ page: Page }} props */
function Loaded({ page }) {
  const [loaded, setLoaded] = useState(/** @type {{ Page: ComponentType } | 'failed' | null} */ (null));
  const { live } = useConsole();
  const isLive = live.state.value === 'live';
  useEffect(() => {
    if (loaded === null || (loaded === 'failed' && isLive))
      page.load().then(setLoaded, () => setLoaded('failed'));
  }, [page, isLive]);
  if (loaded === null) return h('p', { class: 'splash', role: 'status' }, t('loading'));
  if (loaded === 'failed')
    return h('p', { class: 'splash', role: 'alert' }, t('page_failed'), ' ', t('page_failed_now'));
  return h(loaded.Page, {});
}
