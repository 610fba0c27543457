import { h } from 'preact';
import { useConsole } from '../app/console.js';
import { now } from '../app/now.js';
import { formatMoment } from '../words/time.js';
import { useTill } from './till.js';
import { needWords, standOfTerminal } from './why-not-taken.js';
import { t } from './words.js';

/** @import { Device } from '../app/contract.js' */

/** Every terminal with its state; one of them is this till's. A terminal that is not connected stays selected, and cannot be selected. */
export function TerminalTiles() {
  const devices = useConsole().shop.status.value?.terminals ?? [];
  return h(
    'fieldset',
    { class: 'tiles' },
    h('legend', { class: 'visually-hidden' }, t('choose_terminal')),
    devices.length === 0 && h('p', { class: 'quiet' }, t('no_terminals')),
    devices.map((device) => h(Tile, { key: device.id, device })),
  );
}

/** @param {{ device: Device }} props */
function Tile({ device }) {
  const till = useTill();
  const { id, name, waiting } = device;
  const isKnown = useConsole().live.state.value !== 'lost';
  const status = isKnown ? standOfTerminal(device) : 'unknown';
  const isChosen = till.device?.id === id;
  return h(
    'label',
    { class: `tile tile-${status}`, 'data-device': id },
    h('input', {
      type: 'radio',
      name: 'terminal',
      value: id,
      checked: isChosen,
      disabled: status === 'offline' && !isChosen,
      onChange: () => till.choose(id),
    }),
    h(
      'span',
      { class: 'tile-body' },
      h('span', { class: 'tile-name' }, name),
      h('span', { class: 'tile-state' }, h('span', { class: 'dot' }), t(`device_${status}`)),
      h('span', { class: 'tile-reason' }, isKnown ? reasonOf(device) : ''),
      isKnown && waiting > 0 && h('span', { class: 'tile-reason' }, t('waiting', { count: waiting })),
    ),
  );
}

/** @param {Device} device */
function reasonOf(device) {
  const { name, status_reason, last_seen_at } = device;
  const status = standOfTerminal(device);
  if (status === 'offline') {
    const seen =
      last_seen_at === null ? '' : ` ${t('last_seen', { moment: formatMoment(last_seen_at, now.value) })}`;
    return `${t('device_offline_now', { name })}${seen}`;
  }
  if (status === 'needs_person') return needWords(device);
  if (status === 'wrong_terminal') return t('device_wrong_now');
  if (status === 'recovering') return t('device_recovering_now');
  return status_reason ?? '';
}
