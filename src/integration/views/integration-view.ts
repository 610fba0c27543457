import { type Errors, errorCount, type Integration, isScheduled } from '../integration.ts';
import type { IntegrationView } from '../integrations-api.ts';
import { isOutage } from '../schedule/auto-probe.ts';
import type { ConfiguredIntegration, SyncRunner, SyncStats } from '../sync-runner-port.ts';

/** The values of an integration without a connector. */
const NO_CONNECTOR = { connector: null, intervalS: 900, maxErrors: 10 };
const NOTHING = { '1h': 0, '24h': 0, '7d': 0 };

/** The counters of an integration that has never run. */
export const NO_STATS: SyncStats = {
  runs: NOTHING,
  success: NOTHING,
  failure: NOTHING,
  conflict: NOTHING,
  averageDurationMs: null,
  nextRunAt: null,
  lastRunAt: null,
  freshnessS: null,
  latenessS: null,
};

/** An integration with its config and the state of its runs; without its credential. */
export function viewOf(
  integration: Integration,
  errors: readonly Errors[],
  configured: ConfiguredIntegration | undefined,
  runner: Pick<SyncRunner, 'completeness' | 'nextRunAt'>,
): Omit<IntegrationView, 'refusedReason' | 'missingCredentials' | 'webhook'> {
  const { connector, intervalS, maxErrors } = configured ?? NO_CONNECTOR;
  const complete = configured && runner.completeness(integration.name);
  return {
    id: integration.id,
    provider: integration.name,
    connector,
    title: configured?.title ?? null,
    active: integration.isActive,
    syncEnabled: integration.isEnabled,
    lastSyncAt: complete?.newestAt ?? null,
    completeUntil: complete?.allAt ?? null,
    nextSyncAt:
      configured && mayRunByItself(integration, errors, maxErrors)
        ? runner.nextRunAt(integration.name)
        : null,
    authorisedBy: configured?.authorisedBy ?? 'key',
    syncIntervalS: intervalS,
    mappingMode: integration.mappingMode,
    requiresMappings: integration.requiresMappings,
    autoSend: integration.autoSend,
    invoiceLookbackDays: integration.lookbackDays,
    errorCount: errorCount(errors),
    maxErrors,
    pausedReason: integration.pausedFor,
    managedBy: integration.managedBy,
    changedRecipe: configured?.changedRecipe?.() ?? null,
  };
}

/** One that an outage has paused probes itself. */
function mayRunByItself(integration: Integration, errors: readonly Errors[], maxErrors: number): boolean {
  const { isActive, isEnabled, pausedFor } = integration;
  return (
    isScheduled(integration) ||
    (isActive && isEnabled && pausedFor === 'errors' && isOutage(errors, maxErrors))
  );
}
