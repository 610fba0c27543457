import { h } from 'preact';
import { t } from './words.js';

/** @import { Integration } from '../app/contract.js' */

/** @param {{ integration: Integration }} props */
export function IntegrationBadge({ integration }) {
  const state = stateOf(integration);
  return h(
    'span',
    { class: `badge badge-${STATE_TONES[state]}` },
    h('span', { class: 'dot' }),
    t(`integration_${state}`),
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

/** @param {Integration} integration @returns {keyof typeof STATE_TONES} */
function stateOf(integration) {
  if (integration.refused_reason !== null) return 'refused';
  if (!integration.configured) return 'absent';
  if (!integration.active) return 'inactive';
  if (integration.paused_reason !== null) return 'paused';
  if (!integration.sync_enabled) return 'off';
  return integration.error_count > 0 ? 'failing' : 'on';
}
