import { Fragment, h } from 'preact';
import { useState } from 'preact/hooks';
import { useConsole } from '../app/console.js';
import { now } from '../app/now.js';
import { Confirm } from '../parts/confirm.js';
import { EnglishText } from '../parts/english-text.js';
import { useReading } from '../parts/reading.js';
import { formatAge, formatMoment } from '../words/time.js';
import { Problem } from './problem.js';
import { t } from './words.js';

/** @import { SyncStream } from '../app/contract.js' */

const LOOK_MS = 1_000;
const COUNTS = /** @type {const} */ ([
  'read',
  'created',
  'updated',
  'unchanged',
  'deleted',
  'parked',
  'stale',
  'ignored',
]);

/** Each resource of an integration: its freshness, its run and progress, what waits for a person. @param {{ path: string }} props */
export function Streams({ path }) {
  const { document, problem, again } = useReading(`${path}/streams`, LOOK_MS);
  /** @type {readonly SyncStream[]} */
  const streams = document?.data ?? [];
  return h(
    'section',
    { 'aria-label': t('streams') },
    h('h2', { class: 'section-title' }, t('streams')),
    h(Problem, { problem }),
    h(
      'div',
      { class: 'cards' },
      streams.map((stream) => h(Stream, { key: stream.resource, stream, path, again })),
    ),
  );
}

/** Good is what was read as a whole and is fresh. @param {{ fresh_at: string | null, is_stale: boolean }} stream */
export function toneOf({ fresh_at, is_stale }) {
  if (is_stale) return 'bad';
  return fresh_at === null ? 'plain' : 'good';
}

/** @param {{ stream: SyncStream, path: string, again: () => void }} props */
function Stream({ stream, path, again }) {
  const { resource, state, rows, fresh_at: fresh, is_stale: isStale, parked, last_error: error } = stream;
  return h(
    'article',
    { class: 'card', 'data-resource': resource },
    h(
      'div',
      { class: 'head' },
      h('h3', {}, resource),
      h(
        'span',
        { class: `badge badge-${toneOf(stream)}` },
        fresh === null
          ? t('never_complete')
          : t(isStale ? 'stale_since' : 'fresh_since', { age: formatAge(fresh, now.value) }),
      ),
    ),
    h(
      'p',
      {},
      t('stream_rows', { count: rows }),
      parked > 0 ? ` · ${t('stream_parked', { count: parked })}` : '',
    ),
    stream.next_runs_at.length > 0 &&
      h(
        'p',
        { class: 'quiet' },
        `${t('stream_next')}: ${stream.next_runs_at.map((at) => formatMoment(at, now.value)).join(' · ')}`,
      ),
    state === 'queued' && h('p', { class: 'quiet' }, t('stream_queued')),
    state === 'running' && h(Progress, { stream }),
    stream.run !== null && h(Run, { run: stream.run }),
    error !== null && h(EnglishText, { text: error }),
    stream.first_failure !== null && h(FirstFailure, { failure: stream.first_failure }),
    stream.held !== null && h(Held, { stream, held: stream.held, path, again }),
  );
}

/** What the provider said first tells more than what it says after ten tries. @param {{ failure: NonNullable<SyncStream['first_failure']> }} props */
function FirstFailure({ failure: { at, message } }) {
  return h(
    'div',
    {},
    h('p', { class: 'quiet' }, `${t('first_failure', { moment: formatMoment(at, now.value) })}:`),
    h('p', { lang: 'en', 'data-said-by': 'provider' }, message),
  );
}

/** @param {{ stream: SyncStream }} props */
function Progress({ stream: { run, expected } }) {
  const read = run?.read ?? 0;
  const isKnown = expected !== null && expected > 0;
  return h(
    'div',
    { class: 'stack-small' },
    h('progress', {
      'aria-label': t('stream_running'),
      max: isKnown ? Math.max(expected, read) : undefined,
      value: isKnown ? read : undefined,
    }),
    h(
      'p',
      { class: 'quiet' },
      isKnown ? t('stream_progress', { read, expected }) : t('stream_progress_open', { read }),
    ),
  );
}

/** @param {{ run: NonNullable<SyncStream['run']> }} props */
function Run({ run }) {
  const outcome = OUTCOMES.find((one) => one === run.outcome) ?? 'other';
  const counts = COUNTS.filter((count) => run[count] > 0).map((count) =>
    t(`count_${count}`, { count: run[count] }),
  );
  return h(
    'div',
    { class: 'stack-small' },
    h(
      'p',
      {},
      h('strong', {}, t(`run_${outcome}`)),
      ' · ',
      t(`kind_${run.kind}`),
      ' · ',
      t('ago', { age: formatAge(run.ended_at ?? run.started_at, now.value) }),
    ),
    counts.length > 0 && h('p', { class: 'quiet' }, counts.join(' · ')),
    // What a held run says stands below in the page's language.
    run.message !== null && outcome !== 'held' && h(EnglishText, { text: run.message }),
  );
}

const OUTCOMES = /** @type {const} */ ([
  'running',
  'complete',
  'waiting',
  'failed',
  'held',
  'stopped',
  'killed',
]);

/**
 * @param {{ stream: SyncStream, held: NonNullable<SyncStream['held']>, path: string, again: () => void }} props
 */
function Held({ stream, held, path, again }) {
  const { api } = useConsole();
  const [asking, setAsking] = useState(false);
  const figures = { count: held.missing, rows: held.rows };
  return h(
    'div',
    { class: 'notice notice-bad stack-small' },
    h('p', {}, h('strong', {}, t('held_title', figures))),
    h(HeldRows, { held }),
    h('p', {}, t('held_words')),
    h(
      'div',
      { class: 'buttons' },
      h(
        'button',
        { type: 'button', class: 'button button-bad', onClick: () => setAsking(true) },
        t('approve', figures),
      ),
    ),
    asking &&
      h(
        Confirm,
        {
          title: t('approve_title', { resource: stream.resource }),
          label: t('approve', figures),
          isBad: true,
          work: async () => {
            await api.post(`${path}/resources/${encodeURIComponent(stream.resource)}/approve`);
            again();
          },
          close: () => setAsking(false),
        },
        h('p', {}, t('approve_words', figures)),
        h(HeldRows, { held }),
      ),
  );
}

/** Why rows would go, and which: the ids of the first of them, as a person finds them at the source. @param {{ held: NonNullable<SyncStream['held']> }} props */
function HeldRows({ held: { kind, missing, examples } }) {
  const count = missing - examples.length;
  const ids = examples.join(', ');
  return h(
    Fragment,
    {},
    h('p', {}, t(`held_why_${kind}`)),
    ids !== '' && h('p', {}, count > 0 ? t('held_ids_more', { ids, count }) : t('held_ids', { ids })),
  );
}
