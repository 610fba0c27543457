import { h } from 'preact';
import { useState } from 'preact/hooks';
import { useConsole } from '../app/console.js';
import { now } from '../app/now.js';
import { useAction } from '../parts/action.js';
import { useReading } from '../parts/reading.js';
import { formatAge } from '../words/time.js';
import { Done, Problem } from './problem.js';
import { t } from './words.js';

/** @import { ParkedCause, ParkedRecord } from '../app/contract.js' */

const LOOK_MS = 5_000;
const PAGE = 20;

/** Records on hold while the sync continues, by what they wait for. @param {{ path: string }} props */
export function ParkedRecords({ path }) {
  const { api } = useConsole();
  const { document, again } = useReading(`${path}/parked/causes`, LOOK_MS);
  const retrying = useAction();
  /** @param {object} body */
  const retry = (body) =>
    void retrying.run(() => api.post(`${path}/parked/retry`, body), t('parked_retried')).then(again);
  /** @type {readonly ParkedCause[]} */
  const causes = document?.data ?? [];
  if (causes.length === 0) return h(Done, { done: retrying.done });
  return h(
    'section',
    { class: 'stack-small', 'aria-label': t('parked') },
    h('h2', { class: 'section-title' }, t('parked')),
    h('p', { class: 'quiet' }, t('parked_words')),
    h(
      'ul',
      { class: 'rows-of-cards' },
      causes.map((cause) =>
        h(
          'li',
          { key: cause.id },
          h(Cause, { cause, path, isBusy: retrying.busy, retry: () => retry({ cause: cause.id }) }),
        ),
      ),
    ),
    causes.length > 1 &&
      h(
        'div',
        { class: 'buttons' },
        h(
          'button',
          { type: 'button', class: 'button', 'aria-disabled': retrying.busy, onClick: () => retry({}) },
          t('parked_retry'),
        ),
      ),
    h(Problem, { problem: retrying.problem }),
    h(Done, { done: retrying.done }),
  );
}

/** @param {{ cause: ParkedCause, path: string, isBusy: boolean, retry: () => void }} props */
function Cause({ cause, path, isBusy, retry }) {
  const [isOpen, setOpen] = useState(false);
  const { id, why, reason, needs, resources, records, since, next_try_at: next } = cause;
  const facts = [
    resources.join(', '),
    t('parked_since', { age: formatAge(since, now.value) }),
    next === null ? t('parked_never') : t('parked_next', { age: formatAge(now.value, Date.parse(next)) }),
  ];
  return h(
    'article',
    { class: 'card', 'data-cause': id },
    h(
      'div',
      { class: 'head' },
      h('h3', {}, t('parked_count', { count: records })),
      h('span', { class: 'badge badge-warn' }, t(`parked_${why}`)),
    ),
    needs === null
      ? h('p', { lang: 'en', 'data-said-by': 'provider' }, reason)
      : h('p', {}, t('parked_needs', { needs })),
    h('p', { class: 'quiet' }, facts.join(' · ')),
    h(
      'div',
      { class: 'buttons' },
      h(
        'button',
        { type: 'button', class: 'button button-main', 'aria-disabled': isBusy, onClick: retry },
        t('parked_retry_cause', { count: records }),
      ),
      h(
        'button',
        { type: 'button', class: 'button', 'aria-expanded': isOpen, onClick: () => setOpen(!isOpen) },
        t('parked_show'),
      ),
    ),
    isOpen && h(Records, { path, cause: id }),
  );
}

/** The records of a cause, a page at a time. @param {{ path: string, cause: string }} props */
function Records({ path, cause }) {
  const { api } = useConsole();
  const list = `${path}/parked?limit=${PAGE}&cause=${encodeURIComponent(cause)}`;
  const { document, problem } = useReading(list, LOOK_MS);
  const [older, setOlder] = useState(
    /** @type {{ data: readonly ParkedRecord[], more: boolean } | null} */ (null),
  );
  const reading = useAction();
  /** @type {readonly ParkedRecord[]} */
  const newest = document?.data ?? [];
  const ids = new Set(newest.map((/** @type {ParkedRecord} */ { id }) => id));
  // The first page moves down where records of it were retried.
  const all = [...newest, ...(older?.data ?? []).filter(({ id }) => !ids.has(id))];
  const more = older === null ? document?.has_more === true : older.more;
  const readMore = () =>
    reading.run(async () => {
      const page = await api.get(`${list}&starting_after=${encodeURIComponent(all.at(-1)?.id ?? '')}`);
      setOlder({ data: [...(older?.data ?? []), ...page.data], more: page.has_more });
    });
  return h(
    'div',
    { class: 'stack-small' },
    h(
      'ul',
      { class: 'rows-of-cards' },
      all.map((record) => h('li', { key: record.id }, h(Parked, { record }))),
    ),
    more &&
      h(
        'button',
        { type: 'button', class: 'button', 'aria-disabled': reading.busy, onClick: () => void readMore() },
        t('more'),
      ),
    h(Problem, { problem: problem || reading.problem }),
  );
}

/** @param {{ record: ParkedRecord }} props */
function Parked({ record: { resource, record_id: id, reason, excerpt, tries, parked_at: at } }) {
  return h(
    'article',
    { class: 'card' },
    h('h4', {}, `${resource} ${id ?? ''}`),
    h('p', { lang: 'en', 'data-said-by': 'provider' }, reason),
    h('p', { class: 'quiet' }, t('parked_facts', { age: formatAge(at, now.value), count: tries })),
    h(
      'details',
      { class: 'help' },
      h('summary', {}, t('parked_excerpt')),
      h('pre', { class: 'mono', tabIndex: 0 }, excerpt),
    ),
  );
}
