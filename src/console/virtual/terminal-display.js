import { h } from 'preact';
import { t } from './words.js';

/** @import { VirtualTerminal } from '../app/contract.js' */

/** The terminal as the customer sees it: its screen, its name, its cables. @param {{ terminal: VirtualTerminal }} props */
export function TerminalDisplay({
  terminal: { name, protocol, address, serial, screen, is_on: isOn, is_plugged: isPlugged, is_busy: isBusy },
}) {
  return h(
    'section',
    { class: 'display', 'aria-label': name },
    h(
      'p',
      { class: isOn ? 'lcd' : 'lcd lcd-off', role: 'status', 'aria-label': t('screen') },
      isOn ? (screen === 'ready' ? t('screen_ready') : screen) : '',
    ),
    h(
      'div',
      { class: 'display-feet' },
      h('strong', {}, name),
      h('span', {}, `${protocol} · ${serial} · ${address}`),
      !isOn && h('span', { class: 'badge badge-bad' }, t('is_off')),
      !isPlugged && h('span', { class: 'badge badge-bad' }, t('is_unplugged')),
      isBusy && h('span', { class: 'badge badge-calm' }, t('is_busy')),
    ),
  );
}
