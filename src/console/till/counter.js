import { h } from 'preact';
import { useConsole } from '../app/console.js';
import { AmountPad } from './amount-pad.js';
import { RecentPayments } from './recent-payments.js';
import { useOpenBills } from './split-note.js';
import { Starting } from './starting.js';
import { TerminalTiles } from './terminal-tiles.js';
import { t } from './words.js';

/** Terminal, amount, and running payments. */
export function Counter() {
  const bills = useOpenBills();
  const isQuiet = useConsole().shop.payments.unsettled.length + bills.length === 0;
  return h(
    'div',
    { class: isQuiet ? 'counter counter-quiet' : 'counter' },
    h('h1', { class: 'visually-hidden' }, t('view_take')),
    h(TerminalTiles, {}),
    h('div', { class: 'counter-left' }, h(Starting, {}), h(AmountPad, {})),
    h(RecentPayments, {}),
  );
}
