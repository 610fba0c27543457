import { h } from 'preact';
import { now } from '../app/now.js';
import { addressOf } from '../app/router.js';
import { EnglishText } from '../parts/english-text.js';
import { useReading } from '../parts/reading.js';
import { numbers } from '../words/formatters.js';
import { formatAge, formatMoment, formatSeconds } from '../words/time.js';
import { Problem } from './problem.js';
import { Fact, Terminal } from './terminals.js';
import { t } from './words.js';

/** @import { Device, TerminalActivity } from '../app/contract.js' */

const LOOK_MS = 10_000;
/** Of a week a few seconds less are the whole. */
const WHOLE = 0.999;
const TONES = { connected: 'good', not_connected: 'bad', wrong_terminal: 'bad' };

/** One terminal: what it is, its last seven days, and when it was connected. @param {{ device: Device }} props */
export function TerminalView({ device }) {
  const { document, problem } = useReading(`/v2/terminal-devices/${device.id}/activity`, LOOK_MS);
  /** @type {TerminalActivity | undefined} */
  const activity = document?.data;
  return h(
    'div',
    { class: 'stack' },
    h('a', { class: 'back', href: addressOf(['ops', 'overview']) }, `‹ ${t('view_overview')}`),
    h(Terminal, { device, isAlone: true }),
    h(Problem, { problem }),
    activity && h(Week, { activity }),
    activity && h(Connections, { activity }),
  );
}

/** @param {{ activity: TerminalActivity }} props */
function Week({ activity }) {
  const { succeeded, declined, decline_rate: rate, mean_ms: meanMs } = activity.payments;
  return h(
    'section',
    { class: 'card', 'aria-label': t('terminal_week') },
    h('h2', {}, t('terminal_week')),
    h(
      'dl',
      { class: 'fact-grid' },
      h(Fact, { name: t('terminal_uptime'), value: uptimeWords(activity) }),
      h(Fact, { name: t('terminal_payments'), value: numbers({}).format(succeeded + declined) }),
      h(Fact, {
        name: t('terminal_declined'),
        value: rate === null ? null : `${numbers({}).format(declined)} (${percent(rate)})`,
      }),
      h(Fact, { name: t('terminal_mean'), value: meanMs === null ? null : formatSeconds(meanMs) }),
    ),
  );
}

/** The uptime, and of how much of the week it is known where that is not the whole. @param {TerminalActivity} activity */
function uptimeWords({ uptime, known_s: knownS, from, to }) {
  if (uptime === null) return t('terminal_unknown');
  const isWhole = knownS * 1_000 >= (Date.parse(to) - Date.parse(from)) * WHOLE;
  if (isWhole) return percent(uptime);
  return t('terminal_known', { share: percent(uptime), age: formatAge(0, knownS * 1_000) });
}

/** @param {number} share */
function percent(share) {
  return numbers({ style: 'percent', maximumFractionDigits: 1 }).format(share);
}

/** @param {{ activity: TerminalActivity }} props */
function Connections({ activity: { connections, to } }) {
  return h(
    'section',
    { class: 'card', 'aria-label': t('connections') },
    h('h2', {}, t('connections')),
    connections.length === 0 && h('p', { class: 'quiet' }, t('connections_none')),
    h(
      'ul',
      { class: 'plain-list' },
      connections.map(({ state, since, until, reason }) =>
        h(
          'li',
          { key: since, 'data-connection': state },
          h(
            'span',
            { class: `badge badge-${TONES[state]}` },
            h('span', { class: 'dot' }),
            t(`connection_${state}`),
          ),
          ' ',
          until === null
            ? t('connection_lasts', { since: formatMoment(since, now.value) })
            : t('connection_was', {
                since: formatMoment(since, now.value),
                until: formatMoment(until, now.value),
              }),
          ` · ${formatAge(since, Date.parse(until ?? to))}`,
          reason !== null && h(EnglishText, { text: reason }),
        ),
      ),
    ),
    connections.length > 0 && h('p', { class: 'quiet' }, t('connections_gaps')),
  );
}
