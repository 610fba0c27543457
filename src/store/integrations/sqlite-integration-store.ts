import { z } from 'zod';
import {
  type Errors,
  type Integration,
  type IntegrationStore,
  type Mapping,
  PROVIDERS,
  type ProviderName,
} from '../../integration/integration.ts';
import type { Database } from '../database.ts';
import { remembered } from '../query-cache.ts';

const SELECT = 'SELECT * FROM provider_slots';
const INSERT = `INSERT OR IGNORE INTO provider_slots (slot, id, is_active, is_enabled, auto_send, lookback_days, product_mode,
  requires_mapped, managed_by, paused_for, paused_at, sealed_credentials, updated_at)
  VALUES (?, ?, 0, 1, 0, 90, 'import_only', 0, 'local', NULL, NULL, NULL, 0)`;
const UPDATE = `UPDATE provider_slots SET is_active = ?, is_enabled = ?, auto_send = ?, lookback_days = ?, product_mode = ?,
  requires_mapped = ?, managed_by = ?, paused_for = ?, paused_at = ?, sealed_credentials = ?, sealed_webhook_secrets = ?, updated_at = ? WHERE slot = ?`;
const ERRORS =
  'SELECT resource, failures AS count, cause, message, at FROM slot_errors WHERE slot = ? ORDER BY resource';
const COUNT =
  'INSERT OR REPLACE INTO slot_errors (slot, resource, failures, cause, message, at) VALUES (?, ?, ?, ?, ?, ?)';
const FORGET = 'DELETE FROM slot_errors WHERE slot = ? AND resource = ?';
const FORGET_ALL = 'DELETE FROM slot_errors WHERE slot = ?';
const MAPPINGS = 'SELECT * FROM product_mappings WHERE slot = ? ORDER BY external_id';
const MAP = `INSERT OR REPLACE INTO product_mappings (slot, external_id, internal_id, is_ignored, metadata, updated_at)
  VALUES (?, ?, ?, ?, ?, ?)`;
const UNMAP_ALL = 'DELETE FROM product_mappings WHERE slot = ?';
const UNMAP = 'DELETE FROM product_mappings WHERE slot = ? AND external_id = ?';

const Flag = z.union([z.literal(0), z.literal(1)]).transform((flag) => flag === 1);
const IntegrationRow = z.object({
  slot: z.enum(PROVIDERS),
  id: z.string(),
  is_active: Flag,
  is_enabled: Flag,
  auto_send: Flag,
  lookback_days: z.int(),
  product_mode: z.string(),
  requires_mapped: Flag,
  managed_by: z.enum(['local', 'service']),
  paused_for: z.enum(['credentials', 'errors']).nullable(),
  paused_at: z.int().nullable(),
  sealed_credentials: z.string().nullable(),
  sealed_webhook_secrets: z.string().nullable(),
  updated_at: z.int(),
});
const ErrorsRow = z.object({
  resource: z.string(),
  count: z.int(),
  cause: z.string(),
  message: z.string(),
  at: z.int(),
});
const MappingRow = z.object({
  external_id: z.string(),
  internal_id: z.string().nullable(),
  is_ignored: Flag,
  metadata: z.string(),
});

/** Integrations, their errors and their mappings, in `money.db`: data that must not be lost. */
export class SqliteIntegrationStore implements IntegrationStore {
  readonly #database: Database;
  readonly #newId: () => string;
  readonly #integrations: (key: string) => readonly Integration[];

  constructor(database: Database, newId: () => string) {
    this.#database = database;
    this.#newId = newId;
    this.#integrations = remembered(database, () =>
      database.all(SELECT).map(integrationOf).toSorted(inOrder),
    );
  }

  transaction<T>(work: () => T): T {
    return this.#database.transaction(work);
  }

  all(): readonly Integration[] {
    if (this.#integrations('').length < PROVIDERS.length)
      this.#database.transaction(() => {
        for (const name of PROVIDERS) this.#database.run(INSERT, name, this.#newId());
      });
    return this.#integrations('');
  }

  update(integration: Integration): void {
    const { name, isActive, isEnabled, autoSend, lookbackDays, mappingMode, requiresMappings } = integration;
    const flags = [Number(isActive), Number(isEnabled), Number(autoSend)];
    const policy = [lookbackDays, mappingMode, Number(requiresMappings), integration.managedBy];
    const rest = [
      integration.pausedFor,
      integration.pausedAt,
      integration.sealedCredentials,
      integration.sealedWebhookSecrets,
      integration.updatedAt,
    ];
    this.#database.run(UPDATE, ...flags, ...policy, ...rest, name);
  }

  errorsOf(provider: ProviderName): readonly Errors[] {
    return this.#database.all(ERRORS, provider).map((row) => ErrorsRow.parse(row));
  }

  countError(provider: ProviderName, { resource, count, cause, message, at }: Errors): void {
    this.#database.run(COUNT, provider, resource, count, cause, message, at);
  }

  forgetErrors(provider: ProviderName, resource?: string): void {
    if (resource === undefined) this.#database.run(FORGET_ALL, provider);
    else this.#database.run(FORGET, provider, resource);
  }

  mappingsOf(provider: ProviderName): readonly Mapping[] {
    return this.#database.all(MAPPINGS, provider).map(mappingOf);
  }

  replaceMappings(provider: ProviderName, mappings: readonly Mapping[], now: number): void {
    this.#database.transaction(() => {
      this.#database.run(UNMAP_ALL, provider);
      for (const { externalId, internalId, isIgnored, metadata } of mappings)
        this.#database.run(MAP, provider, externalId, internalId, Number(isIgnored), metadata, now);
    });
  }

  removeMapping(provider: ProviderName, externalId: string): boolean {
    return this.#database.run(UNMAP, provider, externalId) > 0;
  }
}

function integrationOf(raw: unknown): Integration {
  const row = IntegrationRow.parse(raw);
  return {
    id: row.id,
    name: row.slot,
    isActive: row.is_active,
    isEnabled: row.is_enabled,
    autoSend: row.auto_send,
    lookbackDays: row.lookback_days,
    mappingMode: row.product_mode,
    requiresMappings: row.requires_mapped,
    managedBy: row.managed_by,
    pausedFor: row.paused_for,
    pausedAt: row.paused_at,
    sealedCredentials: row.sealed_credentials,
    sealedWebhookSecrets: row.sealed_webhook_secrets,
    updatedAt: row.updated_at,
  };
}

function inOrder(one: Integration, other: Integration): number {
  return PROVIDERS.indexOf(one.name) - PROVIDERS.indexOf(other.name);
}

function mappingOf(raw: unknown): Mapping {
  const { external_id, internal_id, is_ignored, metadata } = MappingRow.parse(raw);
  return { externalId: external_id, internalId: internal_id, isIgnored: is_ignored, metadata };
}
