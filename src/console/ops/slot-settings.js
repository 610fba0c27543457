import { h } from 'preact';
import { now } from '../app/now.js';
import { numbers } from '../words/formatters.js';
import { formatAge, formatMoment } from '../words/time.js';
import { Fact } from './terminals.js';
import { t } from './words.js';

/** @import { Integration } from '../app/contract.js' */

/** What an integration is, and when and how far back it reads. @param {{ slot: Integration }} props */
export function SlotSettings({ slot }) {
  const days = numbers({ style: 'unit', unit: 'day', unitDisplay: 'long' });
  return h(
    'section',
    { class: 'card', 'aria-label': t('slot_settings') },
    h('h2', {}, t('slot_settings')),
    h(
      'dl',
      { class: 'fact-grid' },
      h(Fact, { name: t('slot_recipe'), value: slot.title ?? slot.connector }),
      h(Fact, { name: t('slot_interval'), value: formatAge(0, slot.sync_interval_s * 1_000) }),
      h(Fact, {
        name: t('slot_planned'),
        value: slot.next_sync_at === null ? t('slot_next_none') : formatMoment(slot.next_sync_at, now.value),
      }),
      h(Fact, { name: t('slot_lookback'), value: days.format(slot.invoice_lookback_days) }),
    ),
    h('p', { class: 'quiet' }, t('slot_interval_words')),
  );
}
