import type { IntegrationView, MappedProduct } from '../../integration/integrations-api.ts';
import type { WebhookView } from '../../integration/provider-webhooks.ts';
import type { RecordRefresh, SyncStats } from '../../integration/sync-runner-port.ts';
import type { Integration, InvoiceRefresh, ProductMapping, SyncCounters } from '../contract/integration.ts';
import { instant, instantOrNull } from './instant.ts';

/** An integration as the API's status snapshot. */
export function renderIntegration(integration: IntegrationView): Integration {
  return {
    id: integration.id,
    object: 'integration',
    provider: integration.provider,
    connector: integration.connector,
    title: integration.title,
    configured: integration.connector !== null,
    refused_reason: integration.refusedReason,
    missing_credentials: [...integration.missingCredentials],
    authorised_by: integration.authorisedBy,
    webhook: integration.webhook && renderWebhook(integration.webhook),
    active: integration.active,
    sync_enabled: integration.syncEnabled,
    last_sync_at: instantOrNull(integration.lastSyncAt),
    complete_until: instantOrNull(integration.completeUntil),
    next_sync_at: instantOrNull(integration.nextSyncAt),
    sync_interval_s: integration.syncIntervalS,
    auto_send: integration.autoSend,
    invoice_lookback_days: integration.invoiceLookbackDays,
    error_count: integration.errorCount,
    max_errors: integration.maxErrors,
    paused_reason: integration.pausedReason,
    managed_by: integration.managedBy,
    changed_recipe: integration.changedRecipe,
    product_mapping_mode: integration.mappingMode,
    require_product_mappings: integration.requiresMappings,
  };
}

function renderWebhook(webhook: WebhookView): NonNullable<Integration['webhook']> {
  return {
    url: webhook.url,
    secret_stored: webhook.isSecretStored,
    previous_secret_until: instantOrNull(webhook.previousSecretUntil),
    accepted: webhook.accepted,
    refused: webhook.refused,
    last_accepted_at: instantOrNull(webhook.lastAcceptedAt),
    last_refused_at: instantOrNull(webhook.lastRefusedAt),
    last_refusal: webhook.lastRefusal,
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
