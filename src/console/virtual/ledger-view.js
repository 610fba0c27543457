import { h } from 'preact';
import { useConsole } from '../app/console.js';
import { now } from '../app/now.js';
import { addressOf } from '../app/router.js';
import { useAction } from '../parts/action.js';
import { EnglishText } from '../parts/english-text.js';
import { Indicators } from '../till/indicators.js';
import { formatMoney } from '../words/money.js';
import { formatAge } from '../words/time.js';
import { t } from './words.js';

/** @import { Device, Payment, VirtualTerminal } from '../app/contract.js' */

const AMOUNT_MINOR = 1_250;
/** Number of the newest payments that the page searches for its terminal's newest. */
const LOOKED_AT = 100;

/** tilld's result beside the terminal's ledger: they must never contradict each other. @param {{ terminal: VirtualTerminal }} props */
export function LedgerView({ terminal }) {
  const { shop } = useConsole();
  const device = shop.status.value?.terminals.find(({ id }) => terminal.device_ids.includes(id));
  return h(
    'div',
    { class: 'bench-ledger' },
    h(
      'section',
      { class: 'card', 'aria-label': t('says') },
      h('h2', {}, t('says')),
      device ? h(Said, { device }) : h('p', { class: 'quiet' }, t('not_served')),
    ),
    h(
      'section',
      { class: 'card', 'aria-label': t('ledger') },
      h('h2', {}, t('ledger')),
      h(Ledger, { ledger: terminal.ledger }),
      terminal.earlier.map(({ serial, ledger }, index) =>
        h(
          'div',
          { key: terminal.earlier.length - index, 'data-earlier': serial },
          h('h3', {}, t('ledger_earlier', { serial })),
          h(Ledger, { ledger }),
        ),
      ),
    ),
  );
}

/** @param {{ ledger: VirtualTerminal['ledger'] }} props */
function Ledger({ ledger }) {
  if (ledger.length === 0) return h('p', { class: 'quiet' }, t('ledger_none'));
  return h(
    'ul',
    { class: 'ledger' },
    ledger.map((line, index) => h(Line, { key: ledger.length - index, line })),
  );
}

/** @param {{ device: Device }} props */
function Said({ device }) {
  const { api, shop } = useConsole();
  const start = useAction();
  const newest = newestOf(shop.payments, device.id);
  const begin = () =>
    start.run(async () => {
      // Each sale gets its own reference: tilld would reject a repeated one, because it was paid.
      const reference = `bench ${crypto.randomUUID().slice(0, 8)}`;
      const body = { device_id: device.id, amount_minor: AMOUNT_MINOR, currency: device.currency, reference };
      const { data } = await api.post('/v2/terminal-payments', body, { key: crypto.randomUUID() });
      shop.payments.heard(data);
    });
  return h(
    'div',
    { class: 'stack-small' },
    h(
      'p',
      { class: `tile-${device.status}` },
      h(
        'span',
        { class: 'tile-state' },
        h('span', { class: 'dot' }),
        `${device.name}: ${t(`device_${device.status}`)}`,
      ),
    ),
    device.status_reason !== null && h(EnglishText, { text: device.status_reason }),
    newest ? h(Newest, { payment: newest }) : h('p', { class: 'quiet' }, t('says_none')),
    h(
      'div',
      { class: 'buttons' },
      h(
        'button',
        {
          type: 'button',
          class: 'button button-main',
          'aria-disabled': start.busy,
          onClick: () => void begin(),
        },
        t('start_amount', { amount: formatMoney(AMOUNT_MINOR, device.currency) }),
      ),
      h('a', { class: 'button', href: addressOf(['till']) }, t('start_till')),
    ),
    h('p', { class: 'problem', role: 'alert' }, start.problem),
  );
}

/** @param {import('../app/payments.js').Payments} payments @param {string} deviceId */
function newestOf(payments, deviceId) {
  for (const id of payments.ids.value.slice(0, LOOKED_AT)) {
    const payment = payments.get(id);
    if (payment?.device_id === deviceId) return payment;
  }
  return null;
}

const STATUSES = /** @type {const} */ ([
  'requested',
  'in_progress',
  'succeeded',
  'declined',
  'cancelled',
  'error',
]);

/** @param {{ payment: Payment }} props */
function Newest({ payment }) {
  const status = STATUSES.find((one) => one === payment.status) ?? 'other';
  return h(
    'div',
    { class: 'stack-small', 'data-payment': payment.id, 'data-charged': payment.charged },
    h(
      'p',
      {},
      h('strong', {}, formatMoney(payment.amount_minor, payment.currency)),
      ` · ${t(`status_${status}`)} · ${formatAge(payment.created_at, now.value)}`,
    ),
    h(Indicators, { payment }),
    h('p', { lang: 'en', 'data-said-by': 'interface', role: 'status' }, payment.message),
    h('a', { href: addressOf(['till', 'payment', payment.id]) }, t('says_open')),
  );
}

/** @param {{ line: VirtualTerminal['ledger'][number] }} props */
function Line({
  line: { kind, amount_minor: minor, currency, result, is_reversed: isReversed, receipt_number: number, at },
}) {
  const tone = result === 'approved' && !isReversed ? 'good' : 'plain';
  return h(
    'li',
    {},
    h('strong', {}, formatMoney(minor, currency)),
    h('span', {}, `${t(`kind_${kind}`)} · ${t('receipt', { number })} · ${formatAge(at, now.value)}`),
    h('span', { class: `badge badge-${tone}` }, t(isReversed ? 'ledger_reversed' : `ledger_${result}`)),
  );
}
