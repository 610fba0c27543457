import { h } from 'preact';
import { useState } from 'preact/hooks';
import { useConsole } from '../app/console.js';
import { now } from '../app/now.js';
import { addressOf } from '../app/router.js';
import { useAction } from '../parts/action.js';
import { Confirm } from '../parts/confirm.js';
import { useReading } from '../parts/reading.js';
import { formatMoney } from '../words/money.js';
import { formatAge } from '../words/time.js';
import { Problem } from './problem.js';
import { t } from './words.js';

/** @import { OutboxReport } from '../app/contract.js' */

const FILTERS = /** @type {const} */ (['open', 'pending', 'parked', 'held', 'dropped']);
const TONES = { pending: 'calm', held: 'plain', parked: 'bad', dropped: 'plain' };
const LOOK_MS = 2_000;

/** Reports that the service has not received, their age, and a person's decisions about rejected ones. */
export function Outbox() {
  const { shop } = useConsole();
  const [filter, setFilter] = useState(/** @type {(typeof FILTERS)[number]} */ ('open'));
  const query = filter === 'open' ? '' : `&status=${filter}`;
  const { document, problem, again } = useReading(`/v2/outbox?limit=100${query}`, LOOK_MS);
  const summary = shop.status.value?.outbox;
  /** @type {readonly OutboxReport[]} */
  const reports = document?.data ?? [];
  return h(
    'div',
    { class: 'stack' },
    h('h1', {}, t('view_outbox')),
    summary &&
      h(
        'div',
        { class: 'figures' },
        h(Figure, { name: t('outbox_pending'), value: String(summary.pending) }),
        h(Figure, {
          name: t('outbox_oldest'),
          value: summary.oldest_at === null ? '–' : formatAge(summary.oldest_at, now.value),
        }),
        h(Figure, { name: t('outbox_parked'), value: String(summary.parked), isBad: summary.parked > 0 }),
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
    h(Problem, { problem }),
    document !== null && reports.length === 0 && h('p', { class: 'card' }, t('outbox_empty')),
    h(
      'ul',
      { class: 'rows-of-cards' },
      reports.map((report) => h('li', { key: report.id }, h(Report, { report, again }))),
    ),
    document?.has_more && h('p', { class: 'quiet' }, t('outbox_more')),
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

/** @param {{ report: OutboxReport, again: () => void }} props */
function Report({ report, again }) {
  const { shop } = useConsole();
  const nameOf = (/** @type {string} */ id) =>
    shop.status.value?.terminals.find((terminal) => terminal.id === id)?.name ?? id;
  const { status, kind, type, attempts, last_error: error, decision } = report;
  return h(
    'article',
    { class: 'card', 'data-report': report.id },
    h(
      'div',
      { class: 'head' },
      h(
        'h2',
        {},
        t(`report_kind_${kind}`, { type: t(`type_${type}`) }),
        ` · ${formatMoney(report.amount_minor, report.currency)}`,
      ),
      h('span', { class: `badge badge-${TONES[status]}` }, t(`report_${status}`)),
    ),
    h('p', {}, t(`report_${status}_words`)),
    h(
      'p',
      { class: 'quiet' },
      t('report_facts', { age: formatAge(report.created_at, now.value), count: attempts }),
      ' · ',
      nameOf(report.device_id),
      ' · ',
      h('a', { href: addressOf(['till', 'payment', report.payment_id]) }, t('report_payment')),
    ),
    error !== null && h('p', { class: 'mono', lang: 'en' }, error),
    decision !== null &&
      h(
        'p',
        { class: 'quiet' },
        t('report_decision', {
          what: t(`decision_${decision.decision}`),
          age: formatAge(decision.at, now.value),
          by: decision.by ?? decision.caller,
        }),
        decision.reason === null ? '' : `: ${decision.reason}`,
      ),
    status === 'parked' && h(Decide, { report, again }),
  );
}

/** @param {{ report: OutboxReport, again: () => void }} props */
function Decide({ report, again }) {
  const { api, session } = useConsole();
  const retry = useAction();
  const [dropping, setDropping] = useState(false);
  if (!session.isAtLeast('ops')) return h('p', { class: 'quiet' }, t('needs_ops'));
  const path = `/v2/outbox/${report.id}`;
  return h(
    'div',
    { class: 'stack-small' },
    h(
      'div',
      { class: 'buttons' },
      h(
        'button',
        {
          type: 'button',
          class: 'button button-main',
          disabled: retry.busy,
          onClick: () => void retry.run(() => api.post(`${path}/retry`, {})).then(again),
        },
        t('retry'),
      ),
      h(
        'button',
        { type: 'button', class: 'button button-bad', onClick: () => setDropping(true) },
        t('drop'),
      ),
    ),
    h('p', { class: 'problem', role: 'alert' }, retry.problem),
    dropping &&
      h(
        Confirm,
        {
          title: t('drop_title'),
          label: t('drop'),
          isBad: true,
          fields: [
            { name: 'reason', label: t('drop_reason') },
            { name: 'by', label: t('your_name') },
          ],
          work: async ({ reason, by }) => {
            await api.post(`${path}/drop`, { reason, by });
            again();
          },
          close: () => setDropping(false),
        },
        h('p', {}, t('drop_words')),
      ),
  );
}
