import { h } from 'preact';
import { useEffect } from 'preact/hooks';
import { useConsole } from '../app/console.js';
import { now } from '../app/now.js';
import { Key } from './key.js';
import { partOf } from './split.js';
import { useSplit, whyNoPart } from './split-note.js';
import { Starting } from './starting.js';
import { useTill } from './till.js';
import { whyNotTaken } from './why-not-taken.js';
import { t } from './words.js';

/** @import { CreatePayment, Device, Payment } from '../app/contract.js' */

/** Later the customer may have paid in another way, and a person starts a new sale. */
const OFFERED_FOR_MS = 600_000;
/** Keys that browsers leave to the page. The first one is that of the same terminal. */
const KEYS = ['F2', 'F4', 'F8', 'F9'];

/**
 * Whether the same sale may be tried again: it has ended, it is proved that the customer was not charged, and no other attempt followed it.
 * @param {Payment} payment
 * @param {readonly (Payment | undefined)[]} others that the page knows
 * @param {number} at epoch ms
 */
export function mayTryAgain(payment, others, at) {
  const { id, type, status, charged, in_doubt, needs_person, completed_at, corrects, corrected_by } = payment;
  const isOver = completed_at !== null && ['declined', 'cancelled', 'error'].includes(status);
  const isProved =
    charged === 'no' && !in_doubt && !needs_person && corrects === null && corrected_by === null;
  const isFresh = completed_at !== null && at - Date.parse(completed_at) < OFFERED_FOR_MS;
  return (
    type === 'sale' &&
    isOver &&
    isProved &&
    isFresh &&
    others.every((other) => other?.metadata['again'] !== id)
  );
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
        onClick: () => {
          const again = againOf(payment, device.id);
          taking.take({ ...again, ...part, metadata: { ...part.metadata, ...again.metadata } });
        },
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
    metadata: { again: id },
  };
}

/** Whether the buttons of {@link Again} are offered now. @param {Payment} payment */
export function useMayTryAgain(payment) {
  const { payments } = useConsole().shop;
  const isOver = payment.completed_at !== null && payment.charged === 'no';
  if (!isOver) return false;
  const others = payments.ids.value.slice(0, 200).map((id) => payments.get(id));
  return mayTryAgain(payment, others, now.value);
}
