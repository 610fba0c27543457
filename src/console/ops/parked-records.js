import { h } from 'preact';
import { useState } from 'preact/hooks';
import { useConsole } from '../app/console.js';
import { now } from '../app/now.js';
import { useAction } from '../parts/action.js';
import { useReading } from '../parts/reading.js';
import { formatAge } from '../words/time.js';
import { Done, Problem } from './problem.js';
import { t } from './words.js';

/** @import { ParkedRecord } from '../app/contract.js' */

const LOOK_MS = 5_000;
const PAGE = 20;

/** Quarantined records while the sync continues: the reason, what they need, when they are retried. @param {{ path: string }} props */
export function ParkedRecords({ path }) {
  const { api } = useConsole();
  const { document } = useReading(`${path}/parked?limit=${PAGE}`, LOOK_MS);
  const [older, setOlder] = useState(
    /** @type {{ data: readonly ParkedRecord[], more: boolean } | null} */ (null),
  );
  const reading = useAction();
  /** @type {readonly ParkedRecord[]} */
  const first = document?.data ?? [];
  const all = [...first, ...(older?.data ?? [])];
  const more = older === null ? document?.has_more === true : older.more;
  const readMore = () =>
    reading.run(async () => {
      const after = encodeURIComponent(all.at(-1)?.id ?? '');
      const page = await api.get(`${path}/parked?limit=${PAGE}&starting_after=${after}`);
      setOlder({ data: [...(older?.data ?? []), ...page.data], more: page.has_more });
    });
  const retrying = useAction();
  const retry = () => void retrying.run(() => api.post(`${path}/parked/retry`, {}), t('parked_retried'));
  if (document !== null && all.length === 0) return null;
  return h(
    'section',
    { class: 'stack-small', 'aria-label': t('parked') },
    h('h2', { class: 'section-title' }, t('parked')),
    h('p', { class: 'quiet' }, t('parked_words')),
    h(
      'ul',
      { class: 'rows-of-cards' },
      all.map((record) => h('li', { key: record.id }, h(Parked, { record }))),
    ),
    more &&
      h(
        'button',
        { type: 'button', class: 'button', disabled: reading.busy, onClick: () => void readMore() },
        t('more'),
      ),
    h(
      'div',
      { class: 'buttons' },
      h(
        'button',
        { type: 'button', class: 'button', disabled: retrying.busy, onClick: retry },
        t('parked_retry'),
      ),
    ),
    h(Problem, { problem: retrying.problem || reading.problem }),
    h(Done, { done: retrying.done }),
  );
}

/** @param {{ record: ParkedRecord }} props */
function Parked({ record }) {
  const { resource, record_id: id, why, reason, needs, excerpt, tries, next_try_at: next } = record;
  return h(
    'article',
    { class: 'card' },
    h(
      'div',
      { class: 'head' },
      h('h3', {}, `${resource} ${id ?? ''}`),
      h('span', { class: 'badge badge-warn' }, t(`parked_${why}`)),
    ),
    h('p', { lang: 'en' }, reason),
    needs !== null && h('p', {}, t('parked_needs', { needs })),
    h(
      'p',
      { class: 'quiet' },
      t('parked_facts', { age: formatAge(record.parked_at, now.value), count: tries }),
      next === null ? ` · ${t('parked_never')}` : '',
    ),
    h(
      'details',
      { class: 'help' },
      h('summary', {}, t('parked_excerpt')),
      h('pre', { class: 'mono', tabIndex: 0 }, excerpt),
    ),
  );
}
