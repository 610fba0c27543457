import { h } from 'preact';
import { standWords } from '../../sentences/reasons.js';
import { isWordKey, wordsOf } from '../../sentences/tongue.js';
import { EnglishText } from '../parts/english-text.js';
import { language } from '../words/language.js';
import { formatAge } from '../words/time.js';
import { useConsole } from './console.js';
import { now } from './now.js';
import { stopsSales } from './stops-sales.js';
import { t } from './words.js';

/** @import { Status } from './contract.js' */

/** A label and a dot: whether this page receives tilld's events. */
export function ConnectionLight() {
  const { live } = useConsole();
  const state = live.state.value;
  return h(
    'span',
    { class: `line line-${state}`, role: 'status' },
    h('span', { class: 'dot' }),
    h('span', {}, t(`line_${state}`)),
  );
}

/** What staff must know about the connection, and what to do; empty while all is well. */
export function ConnectionBanner() {
  return h('div', { class: 'banners' }, h(Banners, {}));
}

function Banners() {
  const { live, shop, router } = useConsole();
  const lostAt = live.lostAt.value;
  if (live.state.value === 'lost' && lostAt !== null) {
    return h(
      'section',
      { class: 'banner banner-bad', role: 'alert' },
      h(
        'div',
        {},
        h('strong', {}, t('line_lost_title', { age: formatAge(lostAt, now.value) })),
        h('p', {}, t('line_lost_now')),
      ),
      h('button', { type: 'button', class: 'button', onClick: () => live.retry() }, t('line_retry')),
    );
  }
  const status = shop.status.value;
  if (!status) return null;
  return [
    ...(status.can_sell || isShownBesideKeys(status, router.path.value)
      ? []
      : [h(Trouble, { key: 'trouble', status })]),
    ...noticesOf(status),
    ...(status.can_sell && status.link.state === 'offline' ? [h(Offline, { link: status.link })] : []),
  ];
}

/** Whether the till shows it already, at its one terminal and beside the keys; a banner would push the keys down. @param {Status} status @param {readonly string[]} path */
function isShownBesideKeys({ reasons, terminals }, path) {
  const isAtKeys = path.length === 0 || (path.length === 1 && path[0] === 'till');
  const stops = reasons.filter(({ code }) => stopsSales(code));
  return isAtKeys && terminals.length === 1 && stops.every(({ code }) => code.startsWith('terminal_'));
}

/** Faults of this machine that do not stop sales. */
const NOTICES = ['memory_lost', 'database_copied', 'clock_wrong'];

/** @param {Status} status */
function noticesOf({ reasons }) {
  return reasons
    .filter(({ code }) => NOTICES.includes(code))
    .map(({ code }) =>
      h(
        'section',
        { class: 'banner banner-calm', role: 'status', key: code, 'data-notice': code },
        h('p', {}, standWords({ code }, language.value)),
      ),
    );
}

/** Why the service is unreachable, where staff can do something about it. @param {{ link: Status['link'] }} props */
function Offline({ link: { code } }) {
  const key = `service_${code}`;
  const why = isWordKey(key) ? wordsOf(language.value, key) : t('cannot_report_now');
  return h(
    'section',
    { class: 'banner banner-calm', role: 'status', 'data-notice': code ?? 'offline' },
    h('div', {}, h('strong', {}, t('cannot_report')), h('p', {}, why)),
  );
}

/** Why nothing can be sold; what is wrong beside that has its own page. @param {{ status: Status }} props */
function Trouble({ status }) {
  const reasons = status.reasons.filter(({ code }) => stopsSales(code));
  const words = new Set(reasons.map(({ code }) => standWords({ code }, language.value) ?? ''));
  return h(
    'section',
    { class: 'banner banner-bad', role: 'alert' },
    h(
      'div',
      {},
      h('strong', {}, t('cannot_sell')),
      [...words].map((text) => h('p', { key: text }, text)),
      reasons.length > 0 && h(EnglishText, { text: reasons.map(({ message }) => message).join(' · ') }),
    ),
  );
}
