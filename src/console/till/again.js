import { h } from 'preact';
import { useEffect } from 'preact/hooks';
import { useConsole } from '../app/console.js';
import { now } from '../app/now.js';
import { addressOf } from '../app/router.js';
import { formatMoment } from '../words/time.js';
import { Key } from './key.js';
import { partOf } from './split.js';
import { useSplit, whyNoPart } from './split-note.js';
import { Starting } from './starting.js';
import { useTill } from './till.js';
import { whyNotTaken } from './why-not-taken.js';
import { labelOf, t } from './words.js';

/** @import { CreatePayment, Device, Payment } from '../app/contract.js' */
/** @import { Payments } from '../app/payments.js' */

/** Later the customer may have paid in another way, and a person starts a new sale. */
const OFFERED_FOR_MS = 600_000;
/** Keys that browsers leave to the page. The first one is that of the same terminal. */
const KEYS = ['F2', 'F4', 'F8', 'F9'];

/**
 * Whether the same sale may be tried again: it has ended, it is proved that the customer was not charged, and no other attempt followed it.
 * @param {Payment} payment
 * @param {readonly Payment[]} others that the page knows
 * @param {number} at epoch ms
 */
export function mayTryAgain(payment, others, at) {
  const { id, type, status, charged, in_doubt, needs_person, completed_at, corrects, corrected_by } = payment;
  const isOver = completed_at !== null && ['declined', 'cancelled', 'error'].includes(status);
  const isProved =
    charged === 'no' && !in_doubt && !needs_person && corrects === null && corrected_by === null;
  const isFresh = completed_at !== null && at - Date.parse(completed_at) < OFFERED_FOR_MS;
  return type === 'sale' && isOver && isProved && isFresh && others.every((other) => other.retry_of !== id);
}

/** The same sale once more, at the same terminal or at another one; each attempt is a request of its own. @param {{ payment: Payment }} props */
export function Again({ payment }) {
  const till = useTill();
  const { shop, live } = useConsole();
  useEffect(() => {
    till.taking.failed.value = null;
  }, [payment.id]);
  const devices = (shop.status.value?.terminals ?? []).filter(
    ({ currency }) => currency === payment.currency,
  );
  const same = devices.filter(({ id }) => id === payment.device_id);
  const others = devices.filter(({ id }) => id !== payment.device_id).slice(0, KEYS.length - 1);
  const isLost = live.state.value === 'lost';
  return h(
    'div',
    { class: 'again' },
    h(Starting, {}),
    h(
      'div',
      { class: 'buttons' },
      same.map((device) => h(Attempt, { key: device.id, device, payment, isLost, name: 'F2' })),
      others.map((device, index) =>
        h(Attempt, { key: device.id, device, payment, isLost, name: KEYS[index + 1] ?? '' }),
      ),
    ),
  );
}

/** @param {{ device: Device, payment: Payment, isLost: boolean, name: string }} props `name` of its key */
function Attempt({ device, payment, isLost, name }) {
  const { taking } = useTill();
  const isSame = device.id === payment.device_id;
  const stand = useSplit();
  const isPart = stand !== null && payment.metadata['split'] === stand.split.id;
  const why =
    whyNotTaken(device, payment.amount_minor, isLost) ||
    (isPart ? whyNoPart(stand, payment.amount_minor, device.currency) : '');
  const part = isPart ? partOf(stand.split, payment.amount_minor, stand.parts) : {};
  return h(
    'div',
    { class: 'again-way' },
    h(
      'button',
      {
        type: 'button',
        class: isSame ? 'button button-main button-big' : 'button button-big',
        'data-takes': '',
        'data-key': name,
        'aria-keyshortcuts': name,
        'aria-describedby': `why-${device.id}`,
        disabled: why !== '' || taking.pending.value !== null,
        onClick: () => taking.take({ ...againOf(payment, device.id), ...part }),
      },
      isSame ? t('try_again') : t('try_on_other', { name: device.name }),
      h(Key, { name }),
    ),
    h('p', { id: `why-${device.id}`, class: 'quiet' }, why),
  );
}

/** @param {Payment} payment @param {string} deviceId @returns {CreatePayment} */
function againOf({ id, amount_minor, currency, reference, invoice_id }, deviceId) {
  return {
    device_id: deviceId,
    amount_minor,
    currency: /** @type {CreatePayment['currency']} */ (currency),
    ...(reference === null ? {} : { reference }),
    ...(invoice_id === null ? {} : { invoice_id }),
    retry_of: id,
  };
}

/** The payment that this one was tried again as, whichever till did it. @param {{ payment: Payment }} props */
export function Retried({ payment }) {
  const { payments } = useConsole().shop;
  const next = newestOf(payments).find((other) => other.retry_of === payment.id);
  if (!next) return null;
  const values = { at: formatMoment(next.created_at, now.value), what: labelOf(next).label };
  return h(
    'p',
    { class: 'note', role: 'status' },
    t('retried', values),
    ' ',
    h('a', { href: addressOf(['till', 'payment', next.id]) }, t('see_other')),
  );
}

/** Whether the buttons of {@link Again} are offered now. @param {Payment} payment */
export function useMayTryAgain(payment) {
  const { payments } = useConsole().shop;
  const isOver = payment.completed_at !== null && payment.charged === 'no';
  if (!isOver) return false;
  return mayTryAgain(payment, newestOf(payments), now.value);
}

/** @param {Payments} payments */
function newestOf(payments) {
  return payments.ids.value.slice(0, 200).flatMap((id) => payments.get(id) ?? []);
}
