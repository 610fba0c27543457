import { h } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { useConsole } from '../app/console.js';
import { now } from '../app/now.js';
import { addressOf } from '../app/router.js';
import { useAction } from '../parts/action.js';
import { Confirm } from '../parts/confirm.js';
import { useReading } from '../parts/reading.js';
import { formatMoney } from '../words/money.js';
import { formatMoment } from '../words/time.js';
import { Comparing } from './comparing.js';
import { Settlement, stateOf } from './settlement.js';
import { t } from './words.js';

/** @import { Device, Payment, Settlement as Close } from '../app/contract.js' */

const LOOK_MS = 2_000;
const PAGE = 10;
const OLDER_PAGE = 100;

/** The end of day of every terminal: closing it, what its sums say, and the closes before. */
export function Closing() {
  const { shop } = useConsole();
  const devices = shop.status.value?.terminals ?? [];
  return h(
    'div',
    { class: 'stack' },
    h(
      'div',
      { class: 'head' },
      h('h1', {}, t('view_close')),
      h(
        'div',
        { class: 'buttons' },
        h(
          'button',
          { type: 'button', class: 'button button-small', onClick: () => window.print() },
          t('print'),
        ),
      ),
    ),
    devices.length === 0 && h('p', { class: 'quiet' }, t('no_terminals')),
    devices.map((device) => h(Terminal, { key: device.id, device })),
  );
}

/** @param {{ device: Device }} props */
function Terminal({ device }) {
  const [asking, setAsking] = useState(false);
  const path = `/v2/terminal-devices/${device.id}/settlements`;
  const { document, problem, again } = useReading(`${path}?limit=${PAGE}`, LOOK_MS);
  /** @type {readonly Close[] | undefined} */
  const closes = document?.data;
  const [newest, ...earlier] = closes ?? [];
  const isOpen = newest?.status === 'requested' || newest?.status === 'in_progress';
  const obstacle = obstacleOf(device);
  return h(
    'section',
    { class: 'card stack', 'data-device': device.id, 'aria-label': device.name },
    h('div', { class: 'head' }, h('h2', {}, device.name), newest && h(State, { close: newest })),
    problem !== '' && h('p', { class: 'problem', role: 'alert' }, problem),
    closes && !newest && h('p', { class: 'quiet' }, t('never_closed')),
    h('div', { role: 'status' }, newest && h(Settlement, { settlement: newest })),
    obstacle !== '' && h('p', { class: 'quiet' }, obstacle),
    obstacle === '' &&
      closes !== undefined &&
      !isOpen &&
      h(
        'div',
        { class: 'buttons' },
        h(
          'button',
          { type: 'button', class: 'button button-main', onClick: () => setAsking(true) },
          t('close_day'),
        ),
      ),
    canBeAsked(device) && !isOpen && h(Comparing, { device }),
    earlier.length > 0 && h(Earlier, { path, newest: earlier, hasMore: document.has_more }),
    asking && h(Ask, { device, closed: again, close: () => setAsking(false) }),
  );
}

/** Why the day of a terminal cannot be closed here and now; empty: it can. @param {Device} device */
function obstacleOf({ status, capabilities, needs }) {
  if (capabilities['end_of_day'] === false) return t('close_not_here');
  if (status === 'recovering') return t('close_recovering');
  if (status === 'wrong_terminal') return t('close_wrong_terminal');
  // One that answers may need the close itself: its journal is full.
  return status === 'offline' && needs === null ? t('close_away') : '';
}

/** Whether the terminal is there to be compared with. @param {Device} device */
function canBeAsked({ status, capabilities }) {
  return capabilities['end_of_day'] !== false && (status === 'ready' || status === 'busy');
}

/** @param {{ close: Close }} props */
function State({ close }) {
  const { tone, label } = stateOf(close);
  return h('span', { class: `badge badge-${tone}` }, h('span', { class: 'dot' }), label);
}

/**
 * The closes before the newest one, back to the first one of this terminal: a page more with each press.
 * @param {{ path: string, newest: readonly Close[], hasMore: boolean }} props `newest` is read again and again, and moves on with each close
 */
function Earlier({ path, newest, hasMore }) {
  const { api } = useConsole();
  const [kept, setKept] = useState(
    /** @type {{ closes: readonly Close[], hasMore: boolean }} */ ({ closes: [], hasMore: true }),
  );
  const reading = useAction();
  const ids = new Set(newest.map(({ id }) => id));
  const closes = [...newest, ...kept.closes.filter(({ id }) => !ids.has(id))];
  const more = () =>
    reading.run(async () => {
      const after = encodeURIComponent(closes.at(-1)?.id ?? '');
      const page = await api.get(`${path}?limit=${OLDER_PAGE}&starting_after=${after}`);
      setKept({ closes: [...closes, ...page.data], hasMore: page.has_more });
    });
  return h(
    'details',
    { class: 'help' },
    h('summary', {}, t('earlier_closes', { count: closes.length })),
    closes.map((close) =>
      h(
        'details',
        { key: close.id, class: 'help' },
        h('summary', {}, `${formatMoment(close.created_at, now.value)} · ${stateOf(close).label}`),
        h(Settlement, { settlement: close }),
      ),
    ),
    hasMore &&
      kept.hasMore &&
      h(
        'button',
        {
          type: 'button',
          class: 'button button-small',
          'aria-disabled': reading.busy,
          onClick: () => void more(),
        },
        t('closes_more'),
      ),
    reading.problem !== '' && h('p', { class: 'problem', role: 'alert' }, reading.problem),
  );
}

/**
 * One close for each dialog, however often its button is pressed: the key is the same. While a payment of the terminal waits for a person's answer, the
 * close needs a reason.
 * @param {{ device: Device, closed: () => void, close: () => void }} props
 */
function Ask({ device, closed, close }) {
  const { api, shop } = useConsole();
  const doubt = shop.payments.unsettled.find(
    (payment) => payment.device_id === device.id && payment.in_doubt && payment.needs_person,
  );
  const key = useMemo(() => crypto.randomUUID(), [doubt?.id]);
  return h(
    Confirm,
    {
      title: t('close_title', { device: device.name }),
      label: doubt ? t('close_forced') : t('close_day'),
      isBad: doubt !== undefined,
      fields: doubt
        ? [
            { name: 'reason', label: t('close_reason') },
            { name: 'by', label: t('close_by') },
          ]
        : [],
      work: async ({ reason, by }) => {
        const body = doubt ? { force: { reason, by } } : {};
        await api.post(`/v2/terminal-devices/${device.id}/end-of-day`, body, { key });
        closed();
      },
      close,
    },
    h('p', {}, t('close_words')),
    doubt && h(Doubt, { doubt }),
    device.status === 'busy' && h('p', {}, h('strong', {}, t('close_waits'))),
  );
}

/** What a close may take away, and the better way. @param {{ doubt: Payment }} props */
function Doubt({ doubt }) {
  const amount = formatMoney(doubt.amount_minor, doubt.currency);
  return h(
    'div',
    { class: 'notice notice-bad stack' },
    h('p', {}, t(doubt.type === 'sale' ? 'close_doubt' : 'close_doubt_back', { amount })),
    h('p', {}, h('a', { href: addressOf(['till', 'payment', doubt.id]) }, t('close_answer'))),
  );
}
