import { h } from 'preact';
import { TerminalTiles } from './terminal-tiles.js';

/** What staff have before them all day. */
export function Page() {
  return h('div', { class: 'till' }, h(TerminalTiles, {}));
}
