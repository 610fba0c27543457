import { h } from 'preact';
import { useState } from 'preact/hooks';
import { useReading } from '../parts/reading.js';
import { Chart } from './chart.js';
import { Problem } from './problem.js';
import { t } from './words.js';

/** @import { Series } from '../app/contract.js' */

const LOOK_MS = 15_000;
const WINDOWS = /** @type {const} */ (['24h', '7d']);

/** Payments, their durations, and syncs over the last day or week. */
export function Charts() {
  const [window, setWindow] = useState(/** @type {(typeof WINDOWS)[number]} */ ('24h'));
  const { document, problem } = useReading(`/v2/metrics/series?window=${window}`, LOOK_MS);
  /** @type {Series | undefined} */
  const series = document?.data;
  return h(
    'div',
    { class: 'stack' },
    h('h1', {}, t('view_charts')),
    h(
      'div',
      { class: 'buttons', role: 'group', 'aria-label': t('chart_window') },
      WINDOWS.map((one) =>
        h(
          'button',
          {
            key: one,
            type: 'button',
            class: 'button',
            'aria-pressed': one === window,
            onClick: () => setWindow(one),
          },
          t(`window_${one}`),
        ),
      ),
    ),
    h(Problem, { problem }),
    series && h(Drawn, { series, window }),
  );
}

/** @param {{ series: Series, window: string }} props */
function Drawn({ series, window }) {
  const times = timesOf(series);
  const of =
    /** @type {<T extends { at: string }>(points: readonly T[], value: (point: T) => number | null) => (number | null)[]} */ (
      (points, value) => {
        const byTime = new Map(points.map((point) => [Date.parse(point.at), value(point)]));
        return times.map((at) => byTime.get(at) ?? null);
      }
    );
  const { payments, syncs } = series;
  const seconds = (/** @type {number | null} */ ms) => (ms === null ? null : ms / 1_000);
  const same = { times, isWeek: window === '7d' };
  return h(
    'div',
    { class: 'charts' },
    h(Chart, {
      ...same,
      title: t('chart_payments'),
      kind: 'bars',
      unit: '',
      lines: [
        { name: t('chart_succeeded'), tone: 'good', values: of(payments, ({ succeeded }) => succeeded) },
        { name: t('chart_declined'), tone: 'bad', values: of(payments, ({ declined }) => declined) },
        { name: t('chart_cancelled'), tone: 'quiet', values: of(payments, ({ cancelled }) => cancelled) },
        { name: t('chart_other'), tone: 'warn', values: of(payments, ({ other }) => other) },
      ],
    }),
    h(Chart, {
      ...same,
      title: t('chart_latency'),
      kind: 'lines',
      unit: 's',
      lines: [
        { name: t('chart_median'), tone: 'main', values: of(payments, ({ median_ms: ms }) => seconds(ms)) },
        { name: t('chart_slow'), tone: 'warn', values: of(payments, ({ slow_ms: ms }) => seconds(ms)) },
      ],
    }),
    h(Chart, {
      ...same,
      title: t('chart_syncs'),
      kind: 'bars',
      unit: '',
      lines: [
        { name: t('chart_runs'), tone: 'calm', values: of(syncs, ({ runs, failed }) => runs - failed) },
        { name: t('chart_failed'), tone: 'bad', values: of(syncs, ({ failed }) => failed) },
      ],
    }),
    h(Chart, {
      ...same,
      title: t('chart_records'),
      kind: 'lines',
      unit: '',
      lines: [
        { name: t('chart_read'), tone: 'calm', values: of(syncs, ({ read }) => read) },
        { name: t('chart_written'), tone: 'main', values: of(syncs, ({ written }) => written) },
      ],
    }),
  );
}

/** The start of each bucket, epoch ms. @param {Series} series */
function timesOf({ from, to, bucket_s: bucketS }) {
  const [first, last, step] = [Date.parse(from), Date.parse(to), bucketS * 1_000];
  return Array.from({ length: Math.floor((last - first) / step) + 1 }, (_, index) => first + index * step);
}
