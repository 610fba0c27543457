import { h } from 'preact';
import { useState } from 'preact/hooks';
import { useReading } from '../parts/reading.js';
import { Chart } from './chart.js';
import { Problem } from './problem.js';
import { t } from './words.js';

/** @import { SyncRunEntry } from '../app/contract.js' */

const LOOK_MS = 10_000;
const DAY_MS = 86_400_000;

/** The newest runs of one resource, as charts: what each read and wrote, and how long it took. @param {{ path: string }} props */
export function SyncHistory({ path }) {
  const { document, problem } = useReading(`${path}/runs?limit=100`, LOOK_MS);
  const [chosen, setChosen] = useState(/** @type {string | null} */ (null));
  /** @type {readonly SyncRunEntry[]} */
  const runs = document?.data ?? [];
  const resources = [...new Set(runs.map(({ resource }) => resource))].sort();
  const resource = resources.find((one) => one === chosen) ?? resources[0];
  if (resource === undefined) return h(Problem, { problem });
  return h(
    'section',
    { class: 'stack', 'aria-label': t('history') },
    h('h2', { class: 'section-title' }, t('history')),
    h(Problem, { problem }),
    h(
      'div',
      { class: 'buttons', role: 'group', 'aria-label': t('history_resource') },
      resources.map((one) =>
        h(
          'button',
          {
            key: one,
            type: 'button',
            class: 'button',
            'aria-pressed': one === resource,
            onClick: () => setChosen(one),
          },
          one,
        ),
      ),
    ),
    h(Drawn, { key: resource, runs: runs.filter((run) => run.resource === resource) }),
  );
}

/** @param {{ runs: readonly SyncRunEntry[] }} props newest first */
function Drawn({ runs }) {
  const ended = runs.filter(({ duration_ms: ms }) => ms !== null).toReversed();
  const times = ended.map(({ started_at: at }) => Date.parse(at));
  const isWeek = (times.at(-1) ?? 0) - (times[0] ?? 0) > DAY_MS;
  const same = { times, isWeek, kind: /** @type {const} */ ('lines') };
  return h(
    'div',
    { class: 'charts' },
    h(Chart, {
      ...same,
      title: t('history_records'),
      unit: '',
      lines: [
        { name: t('chart_read'), tone: 'calm', values: ended.map(({ read }) => read) },
        {
          name: t('chart_written'),
          tone: 'main',
          values: ended.map(({ created, updated, deleted }) => created + updated + deleted),
        },
      ],
    }),
    h(Chart, {
      ...same,
      title: t('history_duration'),
      unit: 's',
      lines: [
        {
          name: t('history_duration_line'),
          tone: 'main',
          values: ended.map(({ duration_ms: ms }) => (ms === null ? null : ms / 1_000)),
        },
      ],
    }),
  );
}
