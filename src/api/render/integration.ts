import type { IntegrationView, MappedProduct } from '../../integration/integrations-api.ts';
import type { RecordRefresh, SyncStats } from '../../integration/sync-runner-port.ts';
import type { Integration, InvoiceRefresh, ProductMapping, SyncCounters } from '../contract/integration.ts';
import { instant, instantOrNull } from './instant.ts';

/** An integration as the API's status snapshot. */
export function renderIntegration(slot: IntegrationView): Integration {
  return {
    id: slot.id,
    object: 'integration',
    provider: slot.provider,
    connector: slot.connector,
    configured: slot.connector !== null,
    active: slot.active,
    sync_enabled: slot.syncEnabled,
    last_sync_at: instantOrNull(slot.lastSyncAt),
    next_sync_at: instantOrNull(slot.nextSyncAt),
    sync_interval_s: slot.syncIntervalS,
    auto_send: slot.autoSend,
    invoice_lookback_days: slot.invoiceLookbackDays,
    error_count: slot.errorCount,
    max_errors: slot.maxErrors,
    paused_reason: slot.pausedReason,
    managed_by: slot.managedBy,
    product_mapping_mode: slot.mappingMode,
    require_product_mappings: slot.requiresMappings,
  };
}

export function renderMapping(mapping: MappedProduct): ProductMapping {
  const { externalId, internalId, ignored, metadata, product, priceOverride } = mapping;
  return { externalId, internalId, ignored, metadata, product, priceOverride };
}

export function renderInvoiceRefresh(refresh: RecordRefresh): InvoiceRefresh {
  return {
    object: 'invoice_refresh',
    external_invoice_id: refresh.externalId,
    status: refresh.status,
    requested_at: instant(refresh.requestedAt),
    finished_at: instantOrNull(refresh.finishedAt),
    error: refresh.error,
  };
}

export function renderSyncCounters(stats: SyncStats): SyncCounters {
  return {
    runs: stats.runs,
    success: stats.success,
    failure: stats.failure,
    conflict: stats.conflict,
    average_duration_ms: whole(stats.averageDurationMs),
    next_run_at: instantOrNull(stats.nextRunAt),
    last_run_at: instantOrNull(stats.lastRunAt),
    freshness_s: whole(stats.freshnessS),
    lateness_s: whole(stats.latenessS),
  };
}

function whole(value: number | null): number | null {
  return value === null ? null : Math.round(value);
}
