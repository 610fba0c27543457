import { type Errors, errorCount, type Integration, mayRun } from './integration.ts';
import type { IntegrationView } from './integrations-api.ts';
import type { ConfiguredIntegration, SyncRunner, SyncStats } from './sync-runner-port.ts';

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
  slot: Integration,
  errors: readonly Errors[],
  configured: ConfiguredIntegration | undefined,
  runner: Pick<SyncRunner, 'lastCompleteAt' | 'nextRunAt'>,
): IntegrationView {
  const { connector, intervalS, maxErrors } = configured ?? NO_CONNECTOR;
  return {
    id: slot.id,
    provider: slot.name,
    connector,
    active: slot.isActive,
    syncEnabled: slot.isEnabled,
    lastSyncAt: configured ? runner.lastCompleteAt(slot.name) : null,
    nextSyncAt: configured && mayRun(slot) ? runner.nextRunAt(slot.name) : null,
    syncIntervalS: intervalS,
    mappingMode: slot.mappingMode,
    requiresMappings: slot.requiresMappings,
    autoSend: slot.autoSend,
    invoiceLookbackDays: slot.lookbackDays,
    errorCount: errorCount(errors),
    maxErrors,
    pausedReason: slot.pausedFor,
    managedBy: slot.managedBy,
  };
}
