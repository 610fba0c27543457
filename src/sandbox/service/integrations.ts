import {
  type Answer,
  failedIssues,
  flatError,
  notFound,
  parseBody,
  parseWithIssues,
  refuse,
} from './errors.ts';
import { type IntegrationBodies, integrationBodies } from './integration-bodies.ts';
import {
  type IntegrationRecord,
  type MappingRecord,
  PROVIDERS,
  type Provider,
} from './integration-records.ts';
import { resourceStats, statsOf } from './integration-stats.ts';
import type { Ledger } from './ledger.ts';
import { offsetPage, type Page, type Query } from './pagination.ts';
import { iso, type ServiceClock } from './service-clock.ts';

const INTERVAL_S = 900;
const MAX_ERRORS = 10;
const MOST_RUNS = 200;
const MOST_REFRESHES = 200;
/** The integrations that are active from the first start on. */
const ACTIVE: readonly Provider[] = ['provider_a', 'terminal'];

/**
 * The merchant's integrations at the service: settings, mappings, and syncs. A sync completes at once, because there is no provider.
 * A credential whose `apiKey` begins with `bad` is refused as by a provider.
 */
export class Integrations {
  readonly #ledger: Ledger;
  readonly #clock: ServiceClock;
  readonly #bodies: IntegrationBodies;

  constructor(ledger: Ledger, clock: ServiceClock, strict: boolean) {
    this.#ledger = ledger;
    this.#clock = clock;
    this.#bodies = integrationBodies(strict);
    for (const [index, provider] of PROVIDERS.entries()) {
      if (!ledger.integrations.has(provider))
        ledger.integrations.set(provider, anIntegration(provider, index + 1));
    }
  }

  /** `GET /integrations`. */
  list(query: Query): Page<Record<string, unknown>> {
    return offsetPage(
      PROVIDERS.map((provider) => this.#snapshot(this.#get(provider))),
      query,
    );
  }

  /** `GET /integrations/{provider}`. @throws Refusal 404. */
  view(provider: string): Record<string, unknown> {
    return this.#snapshot(this.#get(provider));
  }

  /** `POST …/activate`: with a credential, or the stored one. @throws Refusal 400, 404, 409. */
  activate(provider: string, body: unknown): Record<string, unknown> {
    const integration = this.#get(provider);
    const { credentials } = parseBody(this.#bodies.activate, body ?? {});
    return this.#snapshot(
      this.#change(integration, {
        active: true,
        hasCredentials: integration.hasCredentials || credentials !== undefined,
      }),
    );
  }

  /** `POST …/deactivate`: credentials, mappings and cursors stay. @throws Refusal 400, 404. */
  deactivate(provider: string, body: unknown): Record<string, unknown> {
    const integration = this.#get(provider);
    parseBody(this.#bodies.none, body ?? {});
    return this.#snapshot(this.#change(integration, { active: false }));
  }

  /** `POST …/rotate`: the new credential applies from the next sync on. @throws Refusal 400, 404. */
  rotate(provider: string, body: unknown): Record<string, unknown> {
    const integration = this.#get(provider);
    parseBody(this.#bodies.credentials, body);
    return this.#snapshot(this.#change(integration, { hasCredentials: true }));
  }

  /** `POST …/test`: nothing is stored. @throws Refusal 400, 404. */
  test(provider: string, body: unknown): Answer {
    this.#get(provider);
    const { credentials } = parseBody(this.#bodies.credentials, body);
    const valid = !credentials.apiKey.startsWith('bad');
    const error = valid ? '' : 'Unauthorized: the provider does not know this API key.';
    return { status: 200, body: { valid, error } };
  }

  /** `POST …/sync`: flag `fullResync` in query or body. @throws Refusal 400, 404. */
  sync(provider: string, query: Query, body: unknown): Answer {
    const integration = this.#get(provider);
    const asked = parseBody(this.#bodies.sync, body ?? {}).fullResync;
    const flag = flagIn(query);
    if (asked !== undefined && flag !== undefined && asked !== flag) {
      throw refuse(400, 'parameter_invalid', 'fullResync is said twice, and differently.', {
        param: 'fullResync',
      });
    }
    this.#requireActive(integration);
    const fullResync = asked ?? flag ?? false;
    this.#run(integration, fullResync);
    return { status: 202, body: { success: true, fullResync } };
  }

  /** `POST …/resume-sync`: the error counter restarts. @throws Refusal 400, 404. */
  resume(provider: string, body: unknown): Answer {
    const integration = this.#get(provider);
    parseBody(this.#bodies.none, body ?? {});
    if (!integration.active) throw notActive();
    this.#run(this.#change(integration, { errorCount: 0, pausedReason: null }), false);
    return { status: 202, body: { success: true } };
  }

  /** `PUT …/sync-toggle`. @throws Refusal 400 with issues, 404. */
  toggle(provider: string, body: unknown): Answer {
    const integration = this.#settable(provider);
    this.#change(integration, { syncEnabled: parseWithIssues(this.#bodies.toggle, body).enabled });
    return SUCCESS;
  }

  /** `PUT …/invoice-lookback`. @throws Refusal 400 with issues, 404. */
  lookback(provider: string, body: unknown): Answer {
    const integration = this.#settable(provider);
    this.#change(integration, {
      lookbackDays: parseWithIssues(this.#bodies.lookback, body).invoiceLookbackDays,
    });
    return SUCCESS;
  }

  /** `PUT …/product-mapping-policy`. @throws Refusal 400 with issues, 404. */
  policy(provider: string, body: unknown): Answer {
    const integration = this.#settable(provider);
    const { productMappingMode, requireProductMappings } = parseWithIssues(this.#bodies.policy, body);
    this.#change(integration, {
      mappingMode: productMappingMode ?? integration.mappingMode,
      requireMappings: requireProductMappings ?? integration.requireMappings,
    });
    return SUCCESS;
  }

  /** `GET …/product-mappings`: all, by external package id. @throws Refusal 404. */
  mappings(provider: string): Page<unknown> {
    const data = this.#get(provider).mappings.map((mapping) => ({ ...mapping, product: productOf(mapping) }));
    return { data, hasMore: false, limit: Math.max(1, data.length), offset: 0, total: data.length };
  }

  /** `PUT …/product-mappings`: replaces the whole set. @throws Refusal 400 with issues, 404. */
  replaceMappings(provider: string, body: unknown): Answer {
    const integration = this.#get(provider);
    const asked = parseWithIssues(this.#bodies.mappings, body).mappings;
    const mappings = asked.map((one) => ({
      externalId: one.externalId,
      internalId: one.internalId?.toLowerCase() ?? null,
      ignored: one.ignored ?? false,
      metadata: withoutUndefined(one.metadata ?? {}),
      priceOverride: one.priceOverride ?? null,
    }));
    requireDistinct(mappings);
    if (integration.provider === 'provider_d') requireZeroMoney(mappings);
    this.#change(integration, { mappings: [...mappings].sort(byExternalId) });
    return { status: 200, body: { success: true, count: mappings.length } };
  }

  /** `DELETE …/product-mappings/{externalId}`. @throws Refusal 404. */
  removeMapping(provider: string, externalId: string): Answer {
    const integration = this.#get(provider);
    const mappings = integration.mappings.filter((one) => one.externalId !== externalId);
    if (mappings.length === integration.mappings.length) throw flatError(404, 'Product mapping not found');
    this.#change(integration, { mappings });
    return SUCCESS;
  }

  /** `POST …/invoices/{externalInvoiceId}/refresh`. @throws Refusal 400, 404. */
  refresh(provider: string, invoiceId: string, body: unknown): Answer {
    const integration = this.#get(provider);
    parseBody(this.#bodies.none, body ?? {});
    this.#requireActive(integration);
    const kept = Object.entries({ ...integration.refreshes, [invoiceId]: this.#clock.now() }).slice(
      -MOST_REFRESHES,
    );
    this.#change(integration, { refreshes: Object.fromEntries(kept) });
    return { status: 202, body: SUCCESS.body };
  }

  /** `GET …/invoices/{externalInvoiceId}/refresh-status`. @throws Refusal 404. */
  refreshStatus(provider: string, invoiceId: string): Record<string, unknown> {
    const at = this.#get(provider).refreshes[invoiceId];
    if (at === undefined) throw notFound('refresh of this invoice');
    return {
      object: 'invoice_refresh',
      external_invoice_id: invoiceId,
      status: 'succeeded',
      requested_at: iso(at),
      finished_at: iso(at),
      error: null,
    };
  }

  /** `GET …/sync-stats/{id}`: `id` is the snapshot's. @throws Refusal 404. */
  stats(provider: string, id: string): Answer {
    return succeeded(statsOf(this.#ofId(provider, id), this.#clock.now(), INTERVAL_S));
  }

  /** `GET …/sync-stats/{id}/resources`. @throws Refusal 404. */
  statsByResource(provider: string, id: string): Answer {
    return succeeded(resourceStats(this.#ofId(provider, id), this.#clock.now(), INTERVAL_S));
  }

  #get(provider: string): IntegrationRecord {
    const integration = this.#ledger.integrations.get(provider);
    if (!integration) throw notFound('integration', 'provider');
    return integration;
  }

  #ofId(provider: string, id: string): IntegrationRecord {
    const integration = this.#get(provider);
    if (integration.id !== id.toLowerCase()) throw notFound('sync stats', 'id');
    return integration;
  }

  /** Only the service can configure `provider_d`. */
  #settable(provider: string): IntegrationRecord {
    const integration = this.#get(provider);
    if (integration.provider !== 'provider_d') return integration;
    throw failedIssues([{ path: ['provider'], message: 'provider_d does not have this setting' }]);
  }

  #requireActive({ active, pausedReason }: IntegrationRecord): void {
    if (!active || pausedReason !== null) throw notActive();
  }

  #run(integration: IntegrationRecord, full: boolean): void {
    const at = this.#clock.now();
    const runs = [...integration.runs, { at, full, durationMs: 250 }].slice(-MOST_RUNS);
    this.#change(integration, { lastSyncAt: at, runs });
  }

  #change(integration: IntegrationRecord, change: Partial<IntegrationRecord>): IntegrationRecord {
    const changed = { ...integration, ...change };
    this.#ledger.integrations.set(integration.provider, changed);
    return changed;
  }

  #snapshot(integration: IntegrationRecord): Record<string, unknown> {
    const { id, provider, active, syncEnabled, lastSyncAt } = integration;
    const isScheduled = active && syncEnabled && integration.pausedReason === null;
    return {
      id,
      object: 'integration',
      provider,
      connector: 'sandbox',
      configured: true,
      active,
      sync_enabled: syncEnabled,
      last_sync_at: lastSyncAt === null ? null : iso(lastSyncAt),
      next_sync_at: isScheduled ? iso((lastSyncAt ?? this.#clock.now()) + INTERVAL_S * 1000) : null,
      sync_interval_s: INTERVAL_S,
      auto_send: false,
      invoice_lookback_days: integration.lookbackDays,
      error_count: integration.errorCount,
      max_errors: MAX_ERRORS,
      paused_reason: integration.pausedReason,
      managed_by: 'service',
      product_mapping_mode: integration.mappingMode,
      require_product_mappings: integration.requireMappings,
    };
  }
}

const SUCCESS: Answer = { status: 200, body: { success: true } };

function succeeded(data: unknown): Answer {
  return { status: 200, body: { success: true, data } };
}

function notActive() {
  return refuse(400, 'integration_not_active', 'This integration is not active, or paused.');
}

/** The id is the same at every start, so that clients can keep it. */
function anIntegration(provider: Provider, place: number): IntegrationRecord {
  return {
    id: `0199c0de-00f1-7000-8000-00000000000${place}`,
    provider,
    active: ACTIVE.includes(provider),
    syncEnabled: true,
    lastSyncAt: null,
    lookbackDays: 90,
    errorCount: 0,
    pausedReason: null,
    hasCredentials: false,
    mappingMode: 'import_only',
    requireMappings: false,
    mappings: [],
    runs: [],
    refreshes: {},
  };
}

function flagIn(query: Query): boolean | undefined {
  const text = query['fullResync'];
  if (text === undefined) return undefined;
  if (text === 'true' || text === 'false') return text === 'true';
  throw refuse(400, 'validation_error', 'fullResync must be true or false, once.', { param: 'fullResync' });
}

/** The product of a mapping; only its id and the mapping's name are known. */
function productOf({ internalId, metadata }: MappingRecord): unknown {
  return internalId === null ? null : { id: internalId, name: metadata['name'] ?? null };
}

function requireDistinct(mappings: readonly MappingRecord[]): void {
  const seen = new Set<string>();
  for (const [index, { externalId }] of mappings.entries()) {
    if (seen.has(externalId)) {
      throw failedIssues([{ path: ['mappings', index, 'externalId'], message: 'is mapped twice' }]);
    }
    seen.add(externalId);
  }
}

/** `provider_d` maps memberships without a price. */
function requireZeroMoney(mappings: readonly MappingRecord[]): void {
  const index = mappings.findIndex(
    ({ priceOverride, metadata }) =>
      (priceOverride ?? 0) > 0 || !['membership', 'free', undefined].includes(metadata['charge_type']),
  );
  if (index >= 0) {
    throw failedIssues([{ path: ['mappings', index], message: 'must be a membership without money' }]);
  }
}

function byExternalId(a: MappingRecord, b: MappingRecord): number {
  if (a.externalId === b.externalId) return 0;
  return a.externalId < b.externalId ? -1 : 1;
}

function withoutUndefined(fields: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
