import { h } from 'preact';

/** The key that presses a button (`data-key`), shown on it. @param {{ name: string }} props as `KeyboardEvent.key` has it */
export function Key({ name }) {
  return h('kbd', { 'aria-hidden': 'true' }, name);
}
