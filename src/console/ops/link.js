import { h } from 'preact';
import { EnglishText } from '../parts/english-text.js';
import { formatSeconds } from '../words/time.js';
import { t } from './words.js';

/** @import { Status } from '../app/contract.js' */

/** With a larger skew, times in reports and receipts do not match. */
const TOLERATED_SKEW_MS = 30_000;
const TONES = { online: 'good', offline: 'warn', off: 'plain' };

/** The connection to the service: whether it is up, why not, and what to do. @param {{ link: Status['link'] }} props */
export function Link({ link }) {
  const { state, code, reason, environment, clock_skew_ms: skew } = link;
  const isSkewed = skew !== null && Math.abs(skew) > TOLERATED_SKEW_MS;
  return h(
    'section',
    { class: 'card', 'aria-label': t('link') },
    h(
      'div',
      { class: 'head' },
      h('h2', {}, t('link')),
      h('span', { class: `badge badge-${TONES[state]}` }, h('span', { class: 'dot' }), t(`link_${state}`)),
    ),
    h('p', {}, h('strong', {}, code === null ? t(`link_${state}_words`) : t(`link_why_${code}`))),
    code !== null && h('p', {}, t(`link_now_${code}`)),
    reason !== null && h(EnglishText, { text: reason }),
    h(
      'dl',
      { class: 'fact-grid' },
      environment !== null && h('div', {}, h('dt', {}, t('link_environment')), h('dd', {}, environment)),
      skew !== null &&
        h(
          'div',
          {},
          h('dt', {}, t('link_clock')),
          h(
            'dd',
            { class: isSkewed ? 'problem' : '' },
            t(isSkewed ? 'link_clock_bad' : 'link_clock_good', { seconds: formatSeconds(Math.abs(skew)) }),
          ),
        ),
    ),
  );
}
