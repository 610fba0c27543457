import { h } from 'preact';
import { useConsole } from '../app/console.js';
import { t } from './words.js';

/** @import { Device } from '../app/contract.js' */

/** Every terminal with its state. */
export function TerminalTiles() {
  const devices = useConsole().shop.status.value?.terminals ?? [];
  return h(
    'section',
    { class: 'tiles', 'aria-label': t('terminals') },
    devices.length === 0 && h('p', {}, t('no_terminals')),
    devices.map((device) => h(Tile, { key: device.id, device })),
  );
}

/** @param {{ device: Device }} props */
function Tile({ device }) {
  const { name, status, status_reason, waiting } = device;
  return h(
    'article',
    { class: `tile tile-${status}`, 'data-device': device.id },
    h('h2', {}, name),
    h('p', { class: 'tile-state' }, h('span', { class: 'dot' }), t(`device_${status}`)),
    status_reason !== null && h('p', { class: 'tile-reason' }, status_reason),
    waiting > 0 && h('p', { class: 'tile-reason' }, t('waiting', { count: waiting })),
  );
}
