import { h } from 'preact';
import { useState } from 'preact/hooks';
import { useConsole } from '../app/console.js';
import { now } from '../app/now.js';
import { useAction } from '../parts/action.js';
import { useReading } from '../parts/reading.js';
import { MoreReports } from '../repairs/more-reports.js';
import { useOpenReports } from '../repairs/open-reports.js';
import { refusedByCause, retryAll } from '../repairs/refused-reports.js';
import { t as repairs } from '../repairs/words.js';
import { numbers } from '../words/formatters.js';
import { formatMoney } from '../words/money.js';
import { formatAge } from '../words/time.js';
import { Problem } from './problem.js';
import { Report } from './report.js';
import { t } from './words.js';

/** @import { OutboxReport } from '../app/contract.js' */
/** @import { RefusedReports } from '../repairs/refused-reports.js' */

const FILTERS = /** @type {const} */ (['open', 'pending', 'parked', 'held', 'dropped']);
const LOOK_MS = 2_000;
/** Cards of one section. */
const MOST_SHOWN = 100;

/** Reports that the service has not received, their age, and a person's decisions about rejected ones. */
export function Outbox() {
  const { shop } = useConsole();
  const [filter, setFilter] = useState(/** @type {(typeof FILTERS)[number]} */ ('open'));
  const open = useOpenReports(LOOK_MS);
  const dropped = useReading(filter === 'dropped' ? '/v2/outbox?limit=100&status=dropped' : null, LOOK_MS);
  const summary = shop.status.value?.outbox;
  const reports = open.reports ?? [];
  /** @type {readonly OutboxReport[] | null} */
  const listed = filter === 'dropped' ? (dropped.document?.data ?? null) : open.reports;
  const shown = (listed ?? []).filter(({ status }) => filter === 'open' || status === filter);
  const again = () => {
    open.again();
    dropped.again();
  };
  return h(
    'div',
    { class: 'stack' },
    h('h1', {}, t('view_outbox')),
    summary &&
      h(
        'div',
        { class: 'figures' },
        h(Figure, { name: t('outbox_pending'), value: numbers({}).format(summary.pending) }),
        h(Figure, {
          name: t('outbox_oldest'),
          value: summary.oldest_at === null ? '–' : formatAge(summary.oldest_at, now.value),
        }),
        h(Figure, {
          name: t('outbox_parked'),
          value: numbers({}).format(summary.parked),
          isBad: summary.parked > 0,
        }),
      ),
    h('p', { class: 'quiet' }, t('outbox_words')),
    h(
      'label',
      { class: 'field field-narrow' },
      h('span', {}, t('outbox_filter')),
      h(
        'select',
        {
          value: filter,
          onChange: (/** @type {Event & { currentTarget: HTMLSelectElement }} */ { currentTarget }) =>
            setFilter(FILTERS.find((one) => one === currentTarget.value) ?? 'open'),
        },
        FILTERS.map((one) => h('option', { key: one, value: one }, t(`report_${one}`))),
      ),
    ),
    h(Problem, { problem: open.problem || dropped.problem }),
    listed !== null && shown.length === 0 && h('p', { class: 'card' }, t('outbox_empty')),
    refusedByCause(shown).map((refused) => h(Refused, { key: refused.cause, refused, reports, again })),
    h(Others, { shown, filter, reports, again }),
    filter !== 'dropped' && h(MoreReports, { more: open.more, causes: open.causes }),
    dropped.document?.has_more && h('p', { class: 'quiet' }, t('outbox_more')),
  );
}

/** @param {{ name: string, value: string, isBad?: boolean }} props */
function Figure({ name, value, isBad = false }) {
  return h(
    'div',
    { class: isBad ? 'figure figure-bad' : 'figure' },
    h('strong', {}, value),
    h('span', {}, name),
  );
}

/** Refused reports with one cause: their number, their total, and one button for all. @param {{ refused: RefusedReports, reports: readonly OutboxReport[], again: () => void }} props */
function Refused({ refused, reports, again }) {
  const { api, session } = useConsole();
  const retry = useAction();
  const { kind, totals, reports: same } = refused;
  const total = totals.map(({ minor, currency }) => formatMoney(minor, currency)).join(' + ');
  return h(
    'section',
    { class: 'stack-small', 'data-refused': kind },
    h('h2', { class: 'section-title' }, `${repairs('refused', { count: same.length })} · ${total}`),
    h('p', {}, repairs(`cause_${kind}`), ' ', t('retry_words')),
    session.isAtLeast('ops') &&
      same.length > 1 &&
      h(
        'div',
        { class: 'buttons' },
        h(
          'button',
          {
            type: 'button',
            class: 'button button-main',
            'aria-disabled': retry.busy,
            onClick: () => void retry.run(() => retryAll(api, same)).then(again),
          },
          t('retry_all', { count: same.length }),
        ),
      ),
    h('p', { class: 'problem', role: 'alert' }, retry.problem),
    h(Reports, { listed: same, reports, again }),
  );
}

/** What no person has to decide. @param {{ shown: readonly OutboxReport[], filter: (typeof FILTERS)[number], reports: readonly OutboxReport[], again: () => void }} props */
function Others({ shown, filter, reports, again }) {
  const listed = shown.filter(({ status }) => status !== 'parked');
  if (listed.length === 0) return null;
  return h(
    'section',
    { class: 'stack-small' },
    h('h2', { class: 'section-title' }, t(filter === 'open' ? 'report_pending' : `report_${filter}`)),
    h(Reports, { listed, reports, again }),
  );
}

/** @param {{ listed: readonly OutboxReport[], reports: readonly OutboxReport[], again: () => void }} props */
function Reports({ listed, reports, again }) {
  return h(
    'ul',
    { class: 'rows-of-cards' },
    listed
      .slice(0, MOST_SHOWN)
      .map((report) => h('li', { key: report.id }, h(Report, { report, reports, again }))),
    listed.length > MOST_SHOWN &&
      h('li', { class: 'quiet' }, repairs('reports_more', { count: listed.length - MOST_SHOWN })),
  );
}
