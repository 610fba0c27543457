import { h } from 'preact';
import { useState } from 'preact/hooks';
import { reconciliationMessage } from '../../sentences/reconciliation.js';
import { useConsole } from '../app/console.js';
import { addressOf } from '../app/router.js';
import { useAction } from '../parts/action.js';
import { moments } from '../words/formatters.js';
import { formatMoney } from '../words/money.js';
import { tongue } from '../words/tongue.js';
import { t } from './words.js';

/** @import { Device, Reconciliation } from '../app/contract.js' */
/** @typedef {Reconciliation['lines'][number]} Line */

/** A terminal that reports line by line over a slow serial port takes long. */
const JOURNAL_WITHIN_MS = 300_000;
/** @type {Intl.DateTimeFormatOptions} */
const WITH_DATE = { dateStyle: 'medium', timeStyle: 'short' };
const TONES = { same: 'good', unknown: 'warn', missing: 'bad', contradicts: 'bad' };

/** The journal of a terminal beside the payments here, line by line, as `tillctl reconcile` shows it; a press asks the terminal. @param {{ device: Device }} props */
export function Comparing({ device }) {
  const { api } = useConsole();
  const action = useAction();
  const [found, setFound] = useState(/** @type {Reconciliation | null} */ (null));
  const compare = () =>
    action.run(async () => {
      const path = `/v2/terminal-devices/${device.id}/reconcile`;
      setFound((await api.post(path, undefined, { withinMs: JOURNAL_WITHIN_MS })).data);
    });
  return h(
    'div',
    { class: 'stack-small' },
    h(
      'div',
      { class: 'buttons' },
      h(
        'button',
        { type: 'button', class: 'button', 'aria-disabled': action.busy, onClick: () => void compare() },
        t(action.busy ? 'compare_busy' : 'compare'),
      ),
    ),
    h('p', { class: 'quiet' }, t('compare_words')),
    h('p', { class: 'problem', role: 'alert' }, action.problem),
    h('div', { role: 'status' }, found && h(Found, { found })),
  );
}

/** @param {{ found: Reconciliation }} props */
function Found({ found }) {
  return h(
    'div',
    { class: 'stack-small', 'data-reconciliation': found.totals_agree },
    h('p', { class: 'quiet' }, t('compared_at', { at: moments(WITH_DATE).format(Date.parse(found.at)) })),
    h('p', {}, reconciliationMessage(found, tongue())),
    found.lines.length === 0 ? h('p', { class: 'quiet' }, t('journal_none')) : h(Lines, { found }),
  );
}

/** @param {{ found: Reconciliation }} props */
function Lines({ found: { lines, currency } }) {
  const columns = /** @type {const} */ ([
    ...['journal_number', 'journal_type', 'journal_amount', 'journal_verdict', 'journal_payment'],
  ]);
  return h(
    'div',
    { class: 'wide', tabIndex: 0, role: 'group', 'aria-label': t('journal') },
    h(
      'table',
      { class: 'table' },
      h(
        'thead',
        {},
        h(
          'tr',
          {},
          columns.map((name) => h('th', { key: name, scope: 'col' }, t(name))),
        ),
      ),
      h(
        'tbody',
        {},
        lines.map((line, no) => h(Row, { key: no, line, currency })),
      ),
    ),
  );
}

/** @param {{ line: Line, currency: string | null }} props */
function Row({ line: { terminal, payment_id: payment, verdict }, currency }) {
  return h(
    'tr',
    { 'data-verdict': verdict },
    h('td', {}, terminal?.receipt_number ?? terminal?.trace ?? '–'),
    h('td', {}, terminal === null ? '–' : `${t(`type_${terminal.type}`)}, ${t(`result_${terminal.result}`)}`),
    h('td', {}, amountOf(terminal, currency)),
    h('td', {}, h('span', { class: `badge badge-${TONES[verdict]}` }, t(`journal_${verdict}`))),
    h(
      'td',
      {},
      payment === null ? '–' : h('a', { href: addressOf(['till', 'payment', payment]) }, t('journal_open')),
    ),
  );
}

/** @param {Line['terminal']} terminal @param {string | null} currency of the device, where the line names none */
function amountOf(terminal, currency) {
  const own = terminal?.currency ?? currency;
  const minor = terminal?.amount_minor ?? null;
  return minor === null || own === null ? '–' : formatMoney(minor, own);
}
