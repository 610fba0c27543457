import type { IntegrationRecord } from './integration-records.ts';
import { iso } from './service-clock.ts';

const HOUR_MS = 3_600_000;
const WINDOWS = { '1h': HOUR_MS, '24h': 24 * HOUR_MS, '7d': 168 * HOUR_MS } as const;
/** Resource types in the counters of a sync. */
const RESOURCES = ['customers', 'invoices', 'products'];

/** Made-up counters of an integration's syncs; no failures and no conflicts. */
export function statsOf(
  integration: IntegrationRecord,
  now: number,
  intervalS: number,
): Record<string, unknown> {
  const { id, provider, runs, lastSyncAt } = integration;
  const counts = countsIn(runs, now);
  return {
    id,
    provider,
    runs: counts,
    success: counts,
    failure: countsIn([], now),
    conflict: countsIn([], now),
    average_duration_ms: averageOf(runs),
    next_run_at:
      integration.active && integration.syncEnabled ? iso((lastSyncAt ?? now) + intervalS * 1000) : null,
    last_run_at: lastSyncAt === null ? null : iso(lastSyncAt),
    freshness_s: lastSyncAt === null ? null : Math.floor((now - lastSyncAt) / 1000),
    lateness_s: 0,
  };
}

/** The same, grouped by resource type. */
export function resourceStats(
  integration: IntegrationRecord,
  now: number,
  intervalS: number,
): Record<string, unknown> {
  const { id: _, provider: __, ...counters } = statsOf(integration, now, intervalS);
  return Object.fromEntries(RESOURCES.map((resource) => [resource, counters]));
}

function countsIn(runs: IntegrationRecord['runs'], now: number): Record<string, number> {
  return Object.fromEntries(
    Object.entries(WINDOWS).map(([name, ms]) => [name, runs.filter(({ at }) => now - at < ms).length]),
  );
}

function averageOf(runs: IntegrationRecord['runs']): number | null {
  if (runs.length === 0) return null;
  return Math.round(runs.reduce((sum, { durationMs }) => sum + durationMs, 0) / runs.length);
}
