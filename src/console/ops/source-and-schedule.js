import { h } from 'preact';
import { useState } from 'preact/hooks';
import { useConsole } from '../app/console.js';
import { now } from '../app/now.js';
import { Confirm } from '../parts/confirm.js';
import { numbers } from '../words/formatters.js';
import { formatAge, formatMoment } from '../words/time.js';
import { Fact } from './terminals.js';
import { t } from './words.js';

/** @import { Integration } from '../app/contract.js' */

/** What an integration is, and when and how far back it reads. @param {{ integration: Integration, path: string, again: () => void }} props */
export function SourceAndSchedule({ integration, path, again }) {
  const [isAsking, setAsking] = useState(false);
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
    integration.managed_by === 'local' &&
      h(
        'div',
        { class: 'buttons' },
        h(
          'button',
          { type: 'button', class: 'button', onClick: () => setAsking(true) },
          t('lookback_change'),
        ),
      ),
    isAsking && h(Lookback, { integration, path, again, close: () => setAsking(false) }),
  );
}

/** @param {{ integration: Integration, path: string, again: () => void, close: () => void }} props */
function Lookback({ integration: { invoice_lookback_days: before }, path, again, close }) {
  const { api } = useConsole();
  return h(
    Confirm,
    {
      title: t('lookback_title'),
      label: t('save'),
      fields: [
        { name: 'days', label: t('lookback_days'), type: 'number', value: String(before), min: 1, max: 3650 },
      ],
      work: async ({ days }) => {
        await api.change('PUT', `${path}/invoice-lookback`, { invoiceLookbackDays: Number(days) });
        again();
      },
      close,
    },
    h('p', {}, t('lookback_words')),
  );
}
