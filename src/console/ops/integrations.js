import { h } from 'preact';
import { useConsole } from '../app/console.js';
import { now } from '../app/now.js';
import { addressOf } from '../app/router.js';
import { useReading } from '../parts/reading.js';
import { formatAge } from '../words/time.js';
import { canTry, IntegrationView } from './integration.js';
import { IntegrationBadge } from './integration-badge.js';
import { Problem } from './problem.js';
import { Refused } from './refused.js';
import { t } from './words.js';

/** @import { Integration } from '../app/contract.js' */

const LOOK_MS = 3_000;

/** The four integrations, or one of them. */
export function Integrations() {
  const { router } = useConsole();
  const [, , provider] = router.path.value;
  return provider === undefined
    ? h(IntegrationSettings, {})
    : h(IntegrationView, { key: provider, provider });
}

function IntegrationSettings() {
  const { document, problem } = useReading('/v2/integrations', LOOK_MS);
  /** @type {readonly Integration[]} */
  const integrations = document?.data ?? [];
  return h(
    'div',
    { class: 'stack' },
    h('h1', {}, t('view_integrations')),
    h('p', { class: 'quiet' }, t('integrations_words')),
    h(Problem, { problem }),
    h(
      'div',
      { class: 'cards' },
      integrations.map((integration) => h(IntegrationRow, { key: integration.id, integration })),
    ),
  );
}

/** @param {{ integration: Integration }} props */
function IntegrationRow({ integration }) {
  const { provider, connector, title, last_sync_at: last, next_sync_at: next } = integration;
  return h(
    'article',
    { class: 'card', 'data-provider': provider },
    h('div', { class: 'head' }, h('h2', {}, provider), h(IntegrationBadge, { integration })),
    integration.refused_reason === null
      ? h(
          'p',
          { class: 'quiet' },
          connector === null
            ? t('integration_not_configured_words')
            : (title ?? t('integration_connector', { connector })),
        )
      : h(Refused, { reason: integration.refused_reason }),
    integration.active &&
      h(
        'p',
        {},
        t('integration_last', {
          age: last === null ? t('never') : t('ago', { age: formatAge(last, now.value) }),
        }),
        next === null ? '' : ` · ${t('integration_next', { age: untilOf(next) })}`,
      ),
    integration.error_count > 0 &&
      h(
        'p',
        { class: 'problem' },
        t('integration_errors', { count: integration.error_count, most: integration.max_errors }),
      ),
    (integration.configured || canTry(integration)) &&
      h(
        'a',
        { class: 'button', href: addressOf(['ops', 'integrations', provider]) },
        t('integration_open', { provider }),
      ),
  );
}

/** @param {string} instant */
function untilOf(instant) {
  const at = Date.parse(instant);
  return at <= now.value ? t('soon') : t('within', { age: formatAge(now.value, at) });
}
