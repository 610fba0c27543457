import { h } from 'preact';
import { now } from '../app/now.js';
import { numbers } from '../words/formatters.js';
import { formatAge, formatMoment } from '../words/time.js';
import { Fact } from './terminals.js';
import { t } from './words.js';

/** @import { Integration } from '../app/contract.js' */

/** What an integration is, and when and how far back it reads. @param {{ integration: Integration }} props */
export function SourceAndSchedule({ integration }) {
  const days = numbers({ style: 'unit', unit: 'day', unitDisplay: 'long' });
  return h(
    'section',
    { class: 'card', 'aria-label': t('integration_settings') },
    h('h2', {}, t('integration_settings')),
    h(
      'dl',
      { class: 'fact-grid' },
      h(Fact, { name: t('integration_recipe'), value: integration.title ?? integration.connector }),
      h(Fact, { name: t('integration_interval'), value: formatAge(0, integration.sync_interval_s * 1_000) }),
      h(Fact, {
        name: t('integration_planned'),
        value:
          integration.next_sync_at === null
            ? t('integration_next_none')
            : formatMoment(integration.next_sync_at, now.value),
      }),
      h(Fact, { name: t('integration_lookback'), value: days.format(integration.invoice_lookback_days) }),
    ),
    h('p', { class: 'quiet' }, t('integration_interval_words')),
  );
}
