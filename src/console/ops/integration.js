import { h } from 'preact';
import { useState } from 'preact/hooks';
import { useConsole } from '../app/console.js';
import { now } from '../app/now.js';
import { addressOf } from '../app/router.js';
import { useAction } from '../parts/action.js';
import { Confirm } from '../parts/confirm.js';
import { useReading } from '../parts/reading.js';
import { formatMoment } from '../words/time.js';
import { Credential } from './credential.js';
import { IntegrationBadge } from './integration-badge.js';
import { IntegrationStats } from './integration-stats.js';
import { Mappings } from './mappings.js';
import { ParkedRecords } from './parked-records.js';
import { Done, Problem } from './problem.js';
import { RecipeTrialCard } from './recipe-trial.js';
import { Refused } from './refused.js';
import { Replace } from './replace-credential.js';
import { SourceAndSchedule } from './source-and-schedule.js';
import { Streams } from './streams.js';
import { SwitchOn } from './switch-on.js';
import { SyncHistory } from './sync-history.js';
import { t } from './words.js';

/** @import { Integration } from '../app/contract.js' */

const LOOK_MS = 2_000;

/** One integration: its actions, resources, quarantined records and mappings. @param {{ provider: string }} props */
export function IntegrationView({ provider }) {
  const path = `/v2/integrations/${encodeURIComponent(provider)}`;
  const { document, problem, again } = useReading(path, LOOK_MS);
  /** @type {Integration | undefined} */
  const integration = document?.data;
  return h(
    'div',
    { class: 'stack' },
    h('a', { class: 'back', href: addressOf(['ops', 'integrations']) }, `‹ ${t('view_integrations')}`),
    h('div', { class: 'head' }, h('h1', {}, provider), integration && h(IntegrationBadge, { integration })),
    h(Problem, { problem }),
    integration &&
      h(
        'div',
        { class: 'stack' },
        integration.refused_reason !== null && h(Refused, { reason: integration.refused_reason }),
        integration.paused_reason !== null && h('p', { class: 'notice notice-bad' }, pauseWords(integration)),
        integration.changed_recipe !== null && h('p', { class: 'notice' }, t('integration_recipe_changed')),
        integration.managed_by === 'service' && h('p', { class: 'notice' }, t('managed_by_service')),
        integration.refused_reason === null &&
          h(integration.active ? Actions : Inactive, { integration, path, again }),
        integration.configured && h(SourceAndSchedule, { integration, path, again }),
        integration.configured && h(Credential, { integration, path, again }),
        canTry(integration) && h(RecipeTrialCard, { integration, path }),
        h(Streams, { path }),
        h(IntegrationStats, { integration, path }),
        h(SyncHistory, { path }),
        h(ParkedRecords, { path }),
        h(Mappings, { provider, path }),
      ),
  );
}

/** Whether its records come by a recipe, or may: nothing is configured, or that is refused. @param {Integration} integration */
export function canTry({ connector }) {
  return connector === 'rest' || connector === null;
}

/** @param {Integration} integration */
function pauseWords({ paused_reason: reason, next_sync_at: next }) {
  if (reason === 'credentials') return t('paused_credentials');
  return next === null ? t('paused_errors') : t('paused_outage', { time: formatMoment(next, now.value) });
}

/** What can be done with an integration that is not activated. @param {{ integration: Integration, path: string, again: () => void }} props */
function Inactive({ integration, path, again }) {
  const [isAsking, setAsking] = useState(false);
  return h(
    'section',
    { class: 'card', 'aria-label': t('actions') },
    h('p', {}, t(integration.configured ? 'integration_inactive_words' : 'integration_not_configured_words')),
    integration.configured &&
      h(
        'div',
        { class: 'buttons' },
        h(
          'button',
          { type: 'button', class: 'button button-main', onClick: () => setAsking(true) },
          t('activate'),
        ),
      ),
    isAsking && h(SwitchOn, { path, again, close: () => setAsking(false) }),
  );
}

/** @param {{ integration: Integration, path: string, again: () => void }} props */
function Actions({ integration, path, again }) {
  const { api } = useConsole();
  const action = useAction();
  const [asking, setAsking] = useState(/** @type {'full' | 'replace' | 'deactivate' | null} */ (null));
  const close = () => setAsking(null);
  /** @param {() => Promise<unknown>} work @param {string} done */
  const act = (work, done) => void action.run(work, done).then(again);
  const sync = () => act(() => api.post(`${path}/sync`, {}), t('sync_queued'));
  const resume = () => act(() => api.post(`${path}/resume-sync`), t('resumed'));
  const toggle = () =>
    act(() => api.change('PUT', `${path}/sync-toggle`, { enabled: !integration.sync_enabled }), t('toggled'));
  const isRefused = integration.paused_reason === 'credentials';
  const isStopped = integration.paused_reason !== null || integration.error_count > 0;
  return h(
    'section',
    { class: 'card', 'aria-label': t('actions') },
    h(
      'div',
      { class: 'buttons' },
      isRefused && h(Act, { label: t('rotate'), isMain: true, action, work: () => setAsking('replace') }),
      isStopped && h(Act, { label: t('resume'), isMain: !isRefused, action, work: resume }),
      h(Act, { label: t('sync_now'), isMain: !isStopped, action, work: sync }),
      h(Act, { label: t('full_resync'), action, work: () => setAsking('full') }),
      h(Act, { label: t(integration.sync_enabled ? 'toggle_off' : 'toggle_on'), action, work: toggle }),
      h(Act, { label: t('deactivate'), action, work: () => setAsking('deactivate') }),
    ),
    h(Problem, { problem: action.problem }),
    h(Done, { done: action.done }),
    asking === 'replace' && h(Replace, { path, again, close }),
    asking === 'full' &&
      h(
        Confirm,
        {
          title: t('full_title'),
          label: t('full_resync'),
          work: async () => {
            await api.post(`${path}/sync`, { fullResync: true });
            again();
          },
          close,
        },
        h('p', {}, t('full_words')),
      ),
    asking === 'deactivate' &&
      h(
        Confirm,
        {
          title: t('deactivate_title'),
          label: t('deactivate'),
          isBad: true,
          work: async () => {
            await api.post(`${path}/deactivate`);
            again();
          },
          close,
        },
        h('p', {}, t('deactivate_words')),
      ),
  );
}

/** @param {{ label: string, isMain?: boolean, action: { busy: boolean }, work: () => void }} props */
function Act({ label, isMain = false, action, work }) {
  return h(
    'button',
    {
      type: 'button',
      class: isMain ? 'button button-main' : 'button',
      'aria-disabled': action.busy,
      onClick: work,
    },
    label,
  );
}
