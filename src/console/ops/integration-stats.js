import { h } from 'preact';
import { useReading } from '../parts/reading.js';
import { formatSeconds } from '../words/time.js';
import { t } from './words.js';

/** @import { Integration, SyncCounters } from '../app/contract.js' */

const LOOK_MS = 10_000;
const WINDOWS = /** @type {const} */ (['1h', '24h', '7d']);
const COUNTERS = /** @type {const} */ (['runs', 'success', 'failure', 'conflict']);

/** Results of the runs of the last hour, day and week. @param {{ integration: Integration, path: string }} props */
export function IntegrationStats({ integration, path }) {
  const { document } = useReading(`${path}/sync-stats/${integration.id}`, LOOK_MS);
  /** @type {SyncCounters | undefined} */
  const stats = document?.data;
  if (!stats) return null;
  return h(
    'section',
    { class: 'card', 'aria-label': t('stats') },
    h('h2', {}, t('stats')),
    h(
      'div',
      { class: 'wide', tabIndex: 0, role: 'group', 'aria-label': t('stats') },
      h(
        'table',
        { class: 'table table-of-numbers' },
        h(
          'thead',
          {},
          h(
            'tr',
            {},
            h('th', {}, h('span', { class: 'visually-hidden' }, t('stats_what'))),
            WINDOWS.map((window) => h('th', { key: window, scope: 'col' }, t(`window_${window}`))),
          ),
        ),
        h(
          'tbody',
          {},
          COUNTERS.map((counter) =>
            h(
              'tr',
              { key: counter },
              h('th', { scope: 'row' }, t(`stats_${counter}`)),
              WINDOWS.map((window) => h('td', { key: window }, stats[counter][window])),
            ),
          ),
        ),
      ),
    ),
    stats.average_duration_ms !== null &&
      h('p', { class: 'quiet' }, t('stats_average', { seconds: formatSeconds(stats.average_duration_ms) })),
  );
}
