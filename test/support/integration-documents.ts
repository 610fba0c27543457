import { Integration } from '../../src/api/contract/integration.ts';
import { StoredCredentials } from '../../src/api/contract/sync.ts';

const AT = '2026-05-01T10:00:00.000Z';

/** The document of an active integration with a key, as the interface shows it. */
export function integrationDocument(more: Partial<Integration> = {}): Integration {
  return Integration.parse({
    id: '0199c0de-00f2-7000-8000-000000000001',
    object: 'integration',
    provider: 'provider_a',
    connector: 'rest',
    title: 'Shop',
    configured: true,
    refused_reason: null,
    missing_credentials: [],
    authorised_by: 'key',
    webhook: null,
    active: true,
    sync_enabled: true,
    last_sync_at: AT,
    complete_until: AT,
    next_sync_at: AT,
    sync_interval_s: 900,
    auto_send: false,
    invoice_lookback_days: 90,
    error_count: 0,
    max_errors: 10,
    paused_reason: null,
    managed_by: 'local',
    changed_recipe: null,
    product_mapping_mode: 'import_only',
    require_product_mappings: false,
    ...more,
  } satisfies Integration);
}

/** The document of its stored credentials: a key, and no address. */
export function credentialsDocument(more: Partial<StoredCredentials> = {}): StoredCredentials {
  return StoredCredentials.parse({
    object: 'integration_credentials',
    provider: 'provider_a',
    key_stored: true,
    readable: true,
    base_url: null,
    app_name: null,
    app_email: null,
    missing: [],
    ...more,
  } satisfies StoredCredentials);
}
