import type { ProviderCredentials } from './connector.ts';
import type { PauseReason, SlotName } from './slot.ts';
import type { DryRun, ParkedView, RecordRefresh, RunRequest, StreamView, SyncStats } from './sync-runner.ts';

/** A slot as it stands: what it is set to, and how its syncs do. Instants in epoch ms. */
export interface SlotView {
  /** UUID; also what sync stats are asked for by. */
  readonly id: string;
  readonly provider: SlotName;
  /** Null: the config names none, and nothing can be synced. */
  readonly connector: string | null;
  readonly active: boolean;
  readonly syncEnabled: boolean;
  /** The end of the last complete run. */
  readonly lastSyncAt: number | null;
  readonly nextSyncAt: number | null;
  readonly syncIntervalS: number;
  readonly autoSend: boolean;
  readonly invoiceLookbackDays: number;
  /** Runs of the resource that fails most which failed in a row. */
  readonly errorCount: number;
  readonly maxErrors: number;
  readonly pausedReason: PauseReason | null;
  readonly managedBy: 'local' | 'service';
  readonly mappingMode: string;
  readonly requiresMappings: boolean;
}

/** What a package of a provider says of itself, as far as it is known. */
export interface PackageNotes {
  readonly name?: string;
  readonly type?: string;
  readonly charge_type?: string;
}

/** Which product an external package is; `internalId` null and not ignored: nobody has said so yet. */
export interface ProductMapping {
  readonly externalId: string;
  readonly internalId: string | null;
  readonly ignored: boolean;
  readonly metadata: PackageNotes;
  /** Minor units; null: the product's own price. */
  readonly priceOverride: number | null;
}

/** A mapping with the product that it leads to; its name is null where the mirror does not know it. */
export interface MappedProduct extends ProductMapping {
  readonly product: { readonly id: string; readonly name: string | null } | null;
}

/** A product of the merchant, by what a package may be recognised. */
export interface KnownProduct {
  readonly id: string;
  readonly name: string | null;
  /** Article numbers, and what other providers call it. */
  readonly codes: readonly string[];
}

/** A package that no product belongs to yet. */
export interface UnmappedPackage {
  readonly externalId: string;
  readonly name: string | null;
  /** Records that wait for its mapping. */
  readonly waiting: number;
}

/** Settings that may be changed one by one. */
export interface SlotSettings {
  readonly syncEnabled?: boolean;
  readonly invoiceLookbackDays?: number;
  readonly productMappingMode?: string;
  readonly requireProductMappings?: boolean;
}

/**
 * What staff, ops and till software may ask of the integrations. Synchronous but for what asks a provider.
 * Errors everywhere: PROVIDER_UNKNOWN; STORAGE_FULL, STORAGE_FAILED, then nothing is written.
 */
export interface IntegrationDesk {
  slots(): readonly SlotView[];
  slot(provider: string): SlotView;
  /** Null: with the credential that is kept. @throws SLOT_NOT_CONFIGURED, CREDENTIALS_MISSING, SEAL_KEY_UNUSABLE */
  activate(provider: string, credentials: ProviderCredentials | null): SlotView;
  /** Credentials, mappings and cursors stay. */
  deactivate(provider: string): SlotView;
  /** The new credential counts from the next request on; a pause for the old one ends. @throws SLOT_NOT_CONFIGURED, SEAL_KEY_UNUSABLE */
  rotate(provider: string, credentials: ProviderCredentials): SlotView;
  /** Asks the provider; keeps nothing. `error` is the provider's, empty where valid. @throws SLOT_NOT_CONFIGURED */
  test(
    provider: string,
    credentials: ProviderCredentials,
  ): Promise<{ readonly valid: boolean; readonly error: string }>;
  /** Queues a run of every stream, or of one resource. @throws SLOT_NOT_ACTIVE, SLOT_NOT_CONFIGURED, RESOURCE_UNKNOWN */
  sync(provider: string, asked: RunRequest): void;
  /** Resets the error counter and the pause, and queues a run. @throws SLOT_NOT_ACTIVE, SLOT_NOT_CONFIGURED */
  resume(provider: string): void;
  /** @throws MAPPING_POLICY_UNAVAILABLE without a connector; SETTINGS_INVALID where a provider has no such setting, `context.issues` */
  configure(provider: string, settings: SlotSettings): void;
  /** All of them, by external id. */
  mappings(provider: string): readonly MappedProduct[];
  /** The whole set at once: what is absent is deleted. @throws SETTINGS_INVALID with `context.issues` ({path, message} each) */
  replaceMappings(provider: string, mappings: readonly ProductMapping[]): number;
  /** @throws MAPPING_UNKNOWN */
  removeMapping(provider: string, externalId: string): void;
  /** Packages that wait for a mapping, those that hold up most of the first 2,000 parked records first; at most `limit`. */
  unmapped(provider: string, limit: number): readonly UnmappedPackage[];
  /** What a package may be: the products that are known here, at most 2,000. */
  products(): readonly KnownProduct[];
  /** @throws SLOT_NOT_ACTIVE, SLOT_NOT_CONFIGURED, OPERATION_NOT_SUPPORTED */
  refreshInvoice(provider: string, externalInvoiceId: string): void;
  /** Null: it was not asked for since the start. */
  invoiceRefresh(provider: string, externalInvoiceId: string): RecordRefresh | null;
  stats(provider: string): SyncStats;
  statsByResource(provider: string): Readonly<Record<string, SyncStats>>;
  streams(provider: string): readonly StreamView[];
  /** By (resource, key), behind `after`: `resource/key` of the last one. */
  parked(provider: string, after: string | null, limit: number): readonly ParkedView[];
  /** What is held for a person may go. @throws SLOT_NOT_CONFIGURED, RESOURCE_UNKNOWN, NOTHING_HELD */
  approve(provider: string, resource: string): void;
  /** Reads what a run would read, and writes nothing. @throws SLOT_NOT_CONFIGURED, RESOURCE_UNKNOWN, DRY_RUN_BUSY, DRY_RUN_TOO_LONG, PROVIDER_FAILED */
  dryRun(provider: string, asked: RunRequest): Promise<readonly DryRun[]>;
}
