import type { AuthorisedBy, ProviderCredentials } from './connector.ts';
import type { PauseReason, ProviderName } from './integration.ts';
import type { WebhookView } from './provider-webhooks.ts';
import type { RecipeTrial, TrialRequest } from './runner/recipe-trial.ts';
import type {
  DryRun,
  QuarantineCause,
  QuarantinedView,
  RecordRefresh,
  ResourceTest,
  RunRequest,
  RunView,
  StreamView,
  SyncStats,
} from './sync-runner-port.ts';

/** An integration: its settings, and the state of its syncs. Instants in epoch ms. */
export interface IntegrationView {
  /** UUID; sync stats are requested by it, too. */
  readonly id: string;
  readonly provider: ProviderName;
  /** Null: the config names no connector, so no sync runs. */
  readonly connector: string | null;
  /** The title of its recipe; null: it has none. */
  readonly title: string | null;
  /** Why the config's integration does not run: file, line and column, what is wrong there; null: it is not refused. */
  readonly refusedReason: string | null;
  /** Parts of a credential that its provider needs and that are not stored. */
  readonly missingCredentials: readonly (keyof ProviderCredentials)[];
  readonly authorisedBy: AuthorisedBy;
  /** Null: its settings do not say how its webhooks are signed. */
  readonly webhook: WebhookView | null;
  readonly active: boolean;
  readonly syncEnabled: boolean;
  /** Up to when its freshest resource is complete. */
  readonly lastSyncAt: number | null;
  /** Up to when all its resources are complete; null: one never was. */
  readonly completeUntil: number | null;
  readonly nextSyncAt: number | null;
  readonly syncIntervalS: number;
  readonly autoSend: boolean;
  readonly invoiceLookbackDays: number;
  /** Failed runs in a row, of the resource that fails most. */
  readonly errorCount: number;
  readonly maxErrors: number;
  readonly pausedReason: PauseReason | null;
  readonly managedBy: 'local' | 'service';
  /** The file of its recipe, where it has changed since the start; null: it has not, or there is none. */
  readonly changedRecipe: string | null;
  readonly mappingMode: string;
  readonly requiresMappings: boolean;
}

/** What a provider's package says of itself, as far as tilld knows it. */
export interface PackageNotes {
  readonly name?: string;
  readonly type?: string;
  readonly charge_type?: string;
}

/** Which product an external package is; `internalId` null and not ignored: no mapping yet. */
export interface ProductMapping {
  readonly externalId: string;
  readonly internalId: string | null;
  readonly ignored: boolean;
  readonly metadata: PackageNotes;
  /** Minor units; null: the product's own price. */
  readonly priceOverride: number | null;
}

/** A mapping with its product; the product's name is null where the mirror does not know it. */
export interface MappedProduct extends ProductMapping {
  readonly product: { readonly id: string; readonly name: string | null } | null;
}

/** A product of the merchant, with the fields that identify a package. */
export interface KnownProduct {
  readonly id: string;
  readonly name: string | null;
  /** Article numbers, and the codes of other providers. */
  readonly codes: readonly string[];
}

/** A package without a product. */
export interface UnmappedPackage {
  readonly externalId: string;
  readonly name: string | null;
  /** Article numbers and the like, beside its id. */
  readonly codes: readonly string[];
  /** Records that wait for its mapping. */
  readonly waiting: number;
}

/** The stored credential of an integration, without its key. */
export interface CredentialView {
  readonly hasKey: boolean;
  /** False: what is stored cannot be opened with this machine's sealing key; a new one must be stored. */
  readonly isReadable: boolean;
  readonly baseUrl: string | null;
  readonly appName: string | null;
  readonly appEmail: string | null;
}

/** Settings, each of which may be changed alone. */
export interface IntegrationSettingsChange {
  readonly syncEnabled?: boolean;
  readonly invoiceLookbackDays?: number;
  readonly autoSend?: boolean;
  readonly productMappingMode?: string;
  readonly requireProductMappings?: boolean;
}

/**
 * What staff, ops and till software call for integrations. Synchronous, except for calls that ask a provider.
 * Errors of every method: PROVIDER_UNKNOWN where it names a provider; STORAGE_FULL, STORAGE_FAILED, then nothing is written.
 */
export interface IntegrationsApi {
  list(): readonly IntegrationView[];
  get(provider: string): IntegrationView;
  /** Null: with the stored credential. Empty parts stay as they are stored. @throws SLOT_NOT_CONFIGURED, CREDENTIALS_MISSING, SEAL_KEY_UNUSABLE */
  activate(provider: string, credentials: ProviderCredentials | null): IntegrationView;
  /** Credentials, mappings and cursors stay. */
  deactivate(provider: string): IntegrationView;
  /** The next request uses the new credential; a pause for the old one ends. Empty parts stay as they are stored. @throws SLOT_NOT_CONFIGURED, SEAL_KEY_UNUSABLE */
  rotate(provider: string, credentials: ProviderCredentials): IntegrationView;
  /** Asks the provider; stores nothing. Empty parts are those that are stored. `error` is the provider's, empty where valid. @throws SLOT_NOT_CONFIGURED */
  test(
    provider: string,
    credentials: ProviderCredentials,
  ): Promise<{ readonly valid: boolean; readonly error: string }>;
  /** Reads one page of every resource, and stores nothing. Null: with the stored credential. @throws SLOT_NOT_CONFIGURED, CREDENTIALS_MISSING */
  testResources(provider: string, credentials: ProviderCredentials | null): Promise<readonly ResourceTest[]>;
  /** What is stored, without the key. */
  credentials(provider: string): CredentialView;
  /**
   * Stores the secret that signs the provider's webhooks; the one before it stays valid for `overlapMs`. @throws SLOT_NOT_CONFIGURED,
   * OPERATION_NOT_SUPPORTED, SETTINGS_INVALID, SEAL_KEY_UNUSABLE
   */
  setWebhookSecret(provider: string, secret: string, overlapMs: number): IntegrationView;
  /** Its webhooks are refused from now on. @throws SLOT_NOT_CONFIGURED, OPERATION_NOT_SUPPORTED */
  removeWebhookSecret(provider: string): IntegrationView;
  /** Queues a run of every stream, or of one resource. @throws SLOT_NOT_ACTIVE, SLOT_NOT_CONFIGURED, RESOURCE_UNKNOWN */
  sync(provider: string, asked: RunRequest): void;
  /** Resets the error counter and the pause, and queues a run where the syncs are on. @throws SLOT_NOT_ACTIVE, SLOT_NOT_CONFIGURED */
  resume(provider: string): void;
  /**
   * @throws MAPPING_POLICY_UNAVAILABLE without a connector; SETTINGS_INVALID where a provider has no such setting, `context.issues`; SLOT_MANAGED
   */
  configure(provider: string, settings: IntegrationSettingsChange): void;
  /** All packages that are known, mapped or not, by external id. */
  mappings(provider: string): readonly MappedProduct[];
  /** Replaces the whole set: an absent mapping is deleted. @throws SETTINGS_INVALID with `context.issues` ({path, message} each), SLOT_MANAGED */
  replaceMappings(provider: string, mappings: readonly ProductMapping[]): number;
  /** @throws MAPPING_UNKNOWN, SLOT_MANAGED */
  removeMapping(provider: string, externalId: string): void;
  /** Packages without a mapping, at most `limit`; first those that most of the first 2,000 quarantined records wait for. */
  unmapped(provider: string, limit: number): readonly UnmappedPackage[];
  /** Candidates for a package: the products that tilld knows, at most 2,000. */
  products(): readonly KnownProduct[];
  /** @throws SLOT_NOT_ACTIVE, SLOT_NOT_CONFIGURED, OPERATION_NOT_SUPPORTED */
  refreshInvoice(provider: string, externalInvoiceId: string): void;
  /** Null: no request for it since the start. */
  invoiceRefresh(provider: string, externalInvoiceId: string): RecordRefresh | null;
  stats(provider: string): SyncStats;
  statsByResource(provider: string): Readonly<Record<string, SyncStats>>;
  streams(provider: string): readonly StreamView[];
  /** By (resource, key), behind `after`: `resource/key` of the last one; of one cause, null: of all. */
  parked(
    provider: string,
    after: string | null,
    limit: number,
    cause: string | null,
  ): Promise<readonly QuarantinedView[]>;
  /** What all quarantined records wait for, those of the most records first. */
  causes(provider: string): Promise<readonly QuarantineCause[]>;
  /**
   * Retries quarantined records at once. `cause`: an id of {@link causes}, or `bad`, `mapping` or `rejected`; null: all.
   * @returns how many. @throws SLOT_NOT_ACTIVE, SLOT_NOT_CONFIGURED
   */
  retryParked(provider: string, cause: string | null): Promise<number>;
  /** Of all its resources, newest first, behind the run `before`; of the last eight days. */
  runs(provider: string, before: number | null, limit: number): readonly RunView[];
  /** Approves the held deletes. @throws SLOT_NOT_CONFIGURED, RESOURCE_UNKNOWN, NOTHING_HELD */
  approve(provider: string, resource: string): void;
  /**
   * Reads the window of the next run, and writes nothing. @throws SLOT_NOT_CONFIGURED, CREDENTIALS_MISSING, RESOURCE_UNKNOWN, DRY_RUN_BUSY,
   * DRY_RUN_TOO_LONG, PROVIDER_FAILED
   */
  dryRun(provider: string, asked: RunRequest): Promise<readonly DryRun[]>;
  /**
   * Reads one page of a recipe's source as a first sync does, and stores nothing. @throws SETTINGS_INVALID with `context.issues`, CREDENTIALS_MISSING,
   * RESOURCE_UNKNOWN, PROVIDER_FAILED, OPERATION_NOT_SUPPORTED
   */
  tryRecipe(provider: string, asked: TrialRequest): Promise<RecipeTrial>;
}
