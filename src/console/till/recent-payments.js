import { h } from 'preact';
import { useConsole } from '../app/console.js';
import { PaymentRow } from './payment-row.js';
import { OpenBills } from './split-note.js';
import { t } from './words.js';

const SHOWN = 8;

/** Running and unclear payments, and the newest finished ones. */
export function RecentPayments() {
  const { payments } = useConsole().shop;
  const running = payments.unsettled;
  const recent = payments.ids.value
    .filter((id) => running.every((payment) => payment.id !== id))
    .slice(0, SHOWN);
  return h(
    'section',
    { class: 'card recent' },
    h(OpenBills, {}),
    running.length > 0 && h('h2', {}, t('running')),
    running.length > 0 && h(List, { ids: running.map(({ id }) => id) }),
    h('h2', {}, t('recent')),
    recent.length === 0 && h('p', { class: 'quiet' }, t('history_empty')),
    h(List, { ids: recent }),
  );
}

/** @param {{ ids: readonly string[] }} props */
function List({ ids }) {
  return h(
    'ul',
    { class: 'rows' },
    ids.map((id) => h('li', { key: id }, h(PaymentRow, { id }))),
  );
}
