import { h } from 'preact';
import { t } from './words.js';

/** @import { Integration } from '../app/contract.js' */

/** @param {{ slot: Integration }} props */
export function SlotBadge({ slot }) {
  const state = stateOf(slot);
  return h(
    'span',
    { class: `badge badge-${STATE_TONES[state]}` },
    h('span', { class: 'dot' }),
    t(`slot_${state}`),
  );
}

const STATE_TONES = {
  refused: 'bad',
  absent: 'plain',
  inactive: 'plain',
  off: 'warn',
  paused: 'bad',
  failing: 'warn',
  on: 'good',
};

/** @param {Integration} slot @returns {keyof typeof STATE_TONES} */
function stateOf(slot) {
  if (slot.refused_reason !== null) return 'refused';
  if (!slot.configured) return 'absent';
  if (!slot.active) return 'inactive';
  if (slot.paused_reason !== null) return 'paused';
  if (!slot.sync_enabled) return 'off';
  return slot.error_count > 0 ? 'failing' : 'on';
}
