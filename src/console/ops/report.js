import { h } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useConsole } from '../app/console.js';
import { now } from '../app/now.js';
import { addressOf } from '../app/router.js';
import { useAction } from '../parts/action.js';
import { Confirm } from '../parts/confirm.js';
import { waitingBehind, waitsFor } from '../repairs/refused-reports.js';
import { sentencesOf } from '../till/words.js';
import { formatMoney } from '../words/money.js';
import { formatAge, formatMoment } from '../words/time.js';
import { withoutIds } from '../words/without-ids.js';
import { t } from './words.js';

/** @import { OutboxReport } from '../app/contract.js' */

const TONES = { pending: 'calm', held: 'plain', parked: 'bad', dropped: 'plain' };

/**
 * One report that the service does not have: of which payment, what it waits for, what waits behind it, and a person's decision.
 * @param {{ report: OutboxReport, reports: readonly OutboxReport[], again: () => void }} props `reports`: the open ones, oldest first
 */
export function Report({ report, reports, again }) {
  const { shop } = useConsole();
  const terminals = shop.status.value?.terminals ?? [];
  const { status, kind, type, last_error: error } = report;
  const behind = waitingBehind(report, reports).length;
  return h(
    'article',
    { class: 'card', 'data-report': report.id },
    h(
      'div',
      { class: 'head' },
      h(
        'h3',
        {},
        formatMoney(report.amount_minor, report.currency),
        ` · ${t(`report_kind_${kind}`, { type: t(`type_${type}`) })}`,
      ),
      h('span', { class: `badge badge-${TONES[status]}` }, t(`report_${status}`)),
    ),
    h(
      'p',
      {},
      terminals.find(({ id }) => id === report.device_id)?.name ?? t('report_other_terminal'),
      ` · ${t('report_time', { moment: formatMoment(report.created_at, now.value) })} · `,
      t('report_facts', { age: formatAge(report.created_at, now.value), count: report.attempts }),
      ' · ',
      h('a', { href: addressOf(['till', 'payment', report.payment_id]) }, t('report_payment')),
    ),
    h('p', {}, useReason(report, reports)),
    behind > 0 && status !== 'dropped' && h('p', {}, t('report_behind', { count: behind })),
    error !== null &&
      h(
        'details',
        { class: 'help' },
        h('summary', {}, t('report_detail')),
        h('p', { class: 'mono', lang: 'en' }, withoutIds(error, terminals)),
      ),
    h(Decision, { report }),
    status === 'parked' && h(Decide, { report, behind, again }),
  );
}

/** Why it is still here. @param {OutboxReport} report @param {readonly OutboxReport[]} reports */
function useReason(report, reports) {
  const { shop } = useConsole();
  const blocker = report.status === 'pending' ? waitsFor(report, reports) : null;
  if (blocker) {
    const { amount_minor: minor, currency, created_at: at } = blocker.first;
    const moment = formatMoment(at, now.value);
    return t(`report_waits_${blocker.why}`, { amount: formatMoney(minor, currency), moment });
  }
  if (report.status === 'pending' && shop.status.value?.link.state === 'offline')
    return t('report_waits_service');
  return t(`report_${report.status}_words`);
}

/** @param {{ report: OutboxReport }} props */
function Decision({ report: { decision } }) {
  if (decision === null) return null;
  const { decision: what, at, by, caller, reason } = decision;
  const said = t('report_decision', {
    what: t(`decision_${what}`),
    age: formatAge(at, now.value),
    by: withoutIds(by ?? caller, []),
  });
  return h('p', { class: 'quiet' }, said, reason === null ? '' : `: ${reason}`);
}

/** @param {{ report: OutboxReport, behind: number, again: () => void }} props */
function Decide({ report, behind, again }) {
  const { api, session } = useConsole();
  const retry = useAction();
  const [isDropping, setDropping] = useState(false);
  if (!session.isAtLeast('ops')) return h('p', { class: 'quiet' }, t('needs_ops'));
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
          'aria-disabled': retry.busy,
          onClick: () => void retry.run(() => api.post(`/v2/outbox/${report.id}/retry`, {})).then(again),
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
    isDropping && h(Drop, { report, behind, again, close: () => setDropping(false) }),
  );
}

/** The consequence first: what the service never hears, and where the money stays. @param {{ report: OutboxReport, behind: number, again: () => void, close: () => void }} props */
function Drop({ report, behind, again, close }) {
  const { api, shop } = useConsole();
  const { id, payment_id: paymentId } = report;
  const payment = shop.payments.get(paymentId);
  useEffect(() => {
    if (!payment) shop.payments.read(paymentId).catch(() => undefined);
  }, [paymentId]);
  return h(
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
        await api.post(`/v2/outbox/${id}/drop`, { reason, by });
        again();
      },
      close,
    },
    h('p', {}, t('drop_words')),
    payment && h('p', {}, h('strong', {}, sentencesOf(payment).charged)),
    behind > 0 && h('p', {}, t('drop_behind', { count: behind })),
  );
}
