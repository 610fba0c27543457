import { h } from 'preact';
import { standWords } from '../../sentences/reasons.js';
import { useConsole } from '../app/console.js';
import { addressOf } from '../app/router.js';
import { EnglishText } from '../parts/english-text.js';
import { language } from '../words/language.js';
import { Link } from './link.js';
import { TerminalView } from './terminal.js';
import { Terminals } from './terminals.js';
import { t } from './words.js';

/** @import { Status } from '../app/contract.js' */

/** The overview: the three indicators, why one is off, the connection to the service, the terminals; or one of the terminals. */
export function Overview() {
  const { router, shop } = useConsole();
  const status = shop.status.value;
  if (!status) return h('p', { class: 'splash', role: 'status' }, t('reading'));
  const device = status.terminals.find(({ id }) => id === router.path.value[2]);
  if (device) return h(TerminalView, { key: device.id, device });
  return h(
    'div',
    { class: 'stack' },
    h('h1', { class: 'visually-hidden' }, t('view_overview')),
    h(
      'div',
      { class: 'three' },
      INDICATORS.map((light) => h(Light, { key: light, light, status })),
    ),
    status.reasons.length > 0 && h(Reasons, { status }),
    h(Terminals, { devices: status.terminals }),
    h(Link, { link: status.link }),
    status.upgrade !== null &&
      h(
        'p',
        { class: 'quiet', 'data-upgrade': '' },
        t('upgrade', { done: String(status.upgrade.done), total: String(status.upgrade.total) }),
      ),
    h('p', { class: 'quiet' }, t('version', { version: status.version, environment: status.environment })),
  );
}

const INDICATORS = /** @type {const} */ (['can_sell', 'can_report', 'is_fresh']);

/** @param {{ light: (typeof INDICATORS)[number], status: Status }} props */
function Light({ light, status }) {
  const isOn = status[light];
  const tone = isOn ? 'good' : light === 'can_sell' ? 'bad' : 'warn';
  return h(
    'section',
    { class: `lamp lamp-${tone}`, 'data-light': light },
    h('span', { class: 'lamp-sign', 'aria-hidden': 'true' }, isOn ? '✓' : '!'),
    h(
      'div',
      {},
      h('h2', {}, t(`${light}_${isOn ? 'yes' : 'no'}`)),
      h('p', {}, t(`${light}_${isOn ? 'yes' : 'no'}_now`)),
    ),
  );
}

/** The details are tilld's own text, in English. @param {{ status: Status }} props */
function Reasons({ status }) {
  return h(
    'section',
    { class: 'card', 'aria-label': t('reasons') },
    h('h2', {}, t('reasons')),
    h(
      'ul',
      { class: 'plain-list' },
      status.reasons.map(({ code, message }) =>
        h(
          'li',
          { key: `${code} ${message}` },
          h('strong', {}, standWords({ code }, language.value) ?? code),
          h(EnglishText, { text: message }),
        ),
      ),
    ),
    h('a', { class: 'button', href: addressOf(['repairs']) }, t('see_repairs')),
  );
}
