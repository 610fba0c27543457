import type { Clock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import type { ProviderCredentials } from './connector.ts';
import { testedWith } from './failure/source-refusal.ts';
import { type Integration, isScheduled, type ProviderName } from './integration.ts';
import type {
  CredentialView,
  IntegrationSettingsChange,
  IntegrationsApi,
  IntegrationView,
  KnownProduct,
  MappedProduct,
  ProductMapping,
  UnmappedPackage,
} from './integrations-api.ts';
import { waitingForMappings } from './mapping/external-packages.ts';
import { ProductMappings, type ProductMappingsDeps } from './mapping/product-mappings.ts';
import type { ProviderWebhooks } from './provider-webhooks.ts';
import { DryRuns, ofProvider } from './runner/dry-runs.ts';
import type { RecipeTrial, TrialRequest } from './runner/recipe-trial.ts';
import {
  checkSettings,
  providerNamed,
  requireActive,
  requireRunnable,
} from './settings/integration-rules.ts';
import { mustBeOurs } from './settings/managed-integration.ts';
import { StoredCredentials } from './settings/stored-credentials.ts';
import type {
  ConfiguredIntegration,
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
import { NO_STATS, viewOf } from './views/integration-view.ts';

export interface IntegrationServiceDeps extends ProductMappingsDeps {
  readonly webhooks: ProviderWebhooks;
  /** Why the config's integration does not run: file, line and column, what is wrong there; absent: none is refused. */
  readonly refused?: ReadonlyMap<ProviderName, string>;
  /** The stored credential; null: there is none. @throws SEAL_BROKEN, SEAL_KEY_UNUSABLE */
  readonly stored: (provider: ProviderName) => ProviderCredentials | null;
  /** Tries a recipe at its source; absent: none can be tried. @throws as {@link IntegrationsApi.tryRecipe}, SOURCE_* */
  readonly tried?: (provider: ProviderName, asked: TrialRequest, signal: AbortSignal) => Promise<RecipeTrial>;
  /** Called after a person has resumed an integration. */
  readonly resumed?: (provider: ProviderName) => void;
  readonly clock: Clock;
}

const CHANGES: RunRequest = { full: false, resource: null };
const MOST_TRIAL_MS = 60_000;

/**
 * The service of the integrations: settings, over the store that keeps them and the runner that applies them.
 *
 * INVARIANTS:
 * - a credential is stored sealed, and is never part of an answer; a new key keeps the stored address and name unless new ones come with it;
 * - switching off, a pause and deactivation keep credentials, mappings and cursors.
 */
export class IntegrationService implements IntegrationsApi {
  readonly #deps: IntegrationServiceDeps;
  readonly #dryRuns: DryRuns;
  readonly #credentials: StoredCredentials;
  readonly #mappings: ProductMappings;

  constructor(deps: IntegrationServiceDeps) {
    this.#deps = deps;
    this.#dryRuns = new DryRuns(deps.runner, deps.clock);
    this.#credentials = new StoredCredentials(deps.settings, deps.stored);
    this.#mappings = new ProductMappings(deps);
  }

  list(): readonly IntegrationView[] {
    return this.#deps.settings.all().map((integration) => this.#view(integration));
  }

  get(provider: string): IntegrationView {
    return this.#view(this.#deps.settings.get(providerNamed(provider)));
  }

  activate(provider: string, credentials: ProviderCredentials | null): IntegrationView {
    const { settings } = this.#deps;
    const name = providerNamed(provider);
    const { needsCredentials } = this.#configured(name);
    const before = settings.get(name);
    settings.transaction(() => {
      if (credentials) this.#credentials.keep(name, credentials);
      if (needsCredentials && settings.get(name).sealedCredentials === null) throw noCredentials(name);
      if (!before.isActive) settings.change(name, { isActive: true });
    });
    return this.#heeded(before, credentials !== null);
  }

  deactivate(provider: string): IntegrationView {
    const name = providerNamed(provider);
    this.#deps.settings.change(name, { isActive: false });
    this.#deps.runner.stop(name);
    return this.get(name);
  }

  rotate(provider: string, credentials: ProviderCredentials): IntegrationView {
    const { settings } = this.#deps;
    const name = providerNamed(provider);
    this.#configured(name);
    const before = settings.get(name);
    settings.transaction(() => this.#credentials.keep(name, credentials));
    return this.#heeded(before, true);
  }

  async test(provider: string, credentials: ProviderCredentials) {
    const name = providerNamed(provider);
    this.#configured(name);
    const whole = this.#credentials.whole(name, credentials);
    return testedWith(whole, () => this.#deps.runner.test(name, whole));
  }

  async testResources(
    provider: string,
    credentials: ProviderCredentials | null,
  ): Promise<readonly ResourceTest[]> {
    const name = providerNamed(provider);
    const { needsCredentials } = this.#configured(name);
    if (needsCredentials && !credentials && this.#deps.settings.get(name).sealedCredentials === null)
      throw noCredentials(name);
    const whole = credentials && this.#credentials.whole(name, credentials);
    return this.#deps.runner.testResources(name, whole);
  }

  credentials(provider: string): CredentialView {
    return this.#credentials.view(providerNamed(provider));
  }

  setWebhookSecret(provider: string, secret: string, overlapMs: number): IntegrationView {
    const name = providerNamed(provider);
    this.#configured(name);
    this.#deps.webhooks.setSecret(name, secret, overlapMs);
    return this.get(name);
  }

  removeWebhookSecret(provider: string): IntegrationView {
    const name = providerNamed(provider);
    this.#configured(name);
    this.#deps.webhooks.removeSecret(name);
    return this.get(name);
  }

  sync(provider: string, asked: RunRequest): void {
    const name = providerNamed(provider);
    this.#configured(name);
    requireRunnable(this.#deps.settings.get(name));
    this.#deps.runner.queue(name, asked);
  }

  resume(provider: string): void {
    const name = providerNamed(provider);
    this.#configured(name);
    requireActive(this.#deps.settings.get(name));
    this.#deps.settings.resume(name);
    this.#deps.resumed?.(name);
    this.#deps.runner.queue(name, CHANGES);
  }

  configure(provider: string, change: IntegrationSettingsChange): void {
    const { settings, runner, configured } = this.#deps;
    const name = providerNamed(provider);
    checkSettings(name);
    const isPolicy = change.productMappingMode !== undefined || change.requireProductMappings !== undefined;
    if (isPolicy && !configured.has(name))
      throw new AppError('MAPPING_POLICY_UNAVAILABLE', `No connector is configured for ${name}`);
    const before = settings.get(name);
    mustBeOurs(before);
    const after = settings.change(name, changesOf(change));
    if (!after.isEnabled) runner.stop(name);
    if (before.requiresMappings && !after.requiresMappings)
      runner.mappingsChanged(
        name,
        waitingForMappings(runner, name).map(({ externalId }) => externalId),
      );
  }

  mappings(provider: string): readonly MappedProduct[] {
    return this.#mappings.all(providerNamed(provider));
  }

  replaceMappings(provider: string, mappings: readonly ProductMapping[]): number {
    return this.#mappings.replace(providerNamed(provider), mappings);
  }

  removeMapping(provider: string, externalId: string): void {
    this.#mappings.remove(providerNamed(provider), externalId);
  }

  unmapped(provider: string, limit: number): readonly UnmappedPackage[] {
    return this.#mappings.unmapped(providerNamed(provider), limit);
  }

  products(): readonly KnownProduct[] {
    return this.#mappings.products();
  }

  refreshInvoice(provider: string, externalInvoiceId: string): void {
    const name = providerNamed(provider);
    this.#configured(name);
    requireRunnable(this.#deps.settings.get(name));
    this.#deps.runner.refreshInvoice(name, externalInvoiceId);
  }

  invoiceRefresh(provider: string, externalInvoiceId: string): RecordRefresh | null {
    return this.#whenServed(provider, null, (name) =>
      this.#deps.runner.invoiceRefresh(name, externalInvoiceId),
    );
  }

  stats(provider: string): SyncStats {
    return this.#whenServed(provider, NO_STATS, (name) => this.#deps.runner.stats(name));
  }

  statsByResource(provider: string): Readonly<Record<string, SyncStats>> {
    return this.#whenServed(provider, {}, (name) => this.#deps.runner.statsByResource(name));
  }

  streams(provider: string): readonly StreamView[] {
    return this.#whenServed(provider, [], (name) => this.#deps.runner.streams(name));
  }

  async parked(
    provider: string,
    after: string | null,
    limit: number,
    cause: string | null,
  ): Promise<readonly QuarantinedView[]> {
    const { runner } = this.#deps;
    return this.#whenServed<readonly QuarantinedView[] | Promise<readonly QuarantinedView[]>>(
      provider,
      [],
      (name) =>
        cause === null ? runner.parked(name, after, limit) : runner.parkedOfCause(name, cause, after, limit),
    );
  }

  async causes(provider: string): Promise<readonly QuarantineCause[]> {
    return this.#whenServed<Promise<readonly QuarantineCause[]>>(provider, Promise.resolve([]), (name) =>
      this.#deps.runner.causes(name),
    );
  }

  async retryParked(provider: string, cause: string | null): Promise<number> {
    const name = providerNamed(provider);
    this.#configured(name);
    requireRunnable(this.#deps.settings.get(name));
    return this.#deps.runner.retryParked(name, cause);
  }

  runs(provider: string, before: number | null, limit: number): readonly RunView[] {
    return this.#whenServed(provider, [], (name) => this.#deps.runner.runs(name, before, limit));
  }

  approve(provider: string, resource: string): void {
    const name = providerNamed(provider);
    this.#configured(name);
    if (this.#deps.runner.approve(name, resource)) return;
    throw new AppError('NOTHING_HELD', `Nothing of ${name}/${resource} waits for an approval`);
  }

  async dryRun(provider: string, asked: RunRequest): Promise<readonly DryRun[]> {
    const name = providerNamed(provider);
    const { needsCredentials } = this.#configured(name);
    if (needsCredentials && this.#deps.settings.get(name).sealedCredentials === null)
      throw noCredentials(name);
    return this.#dryRuns.run(name, asked);
  }

  async tryRecipe(provider: string, asked: TrialRequest): Promise<RecipeTrial> {
    const name = providerNamed(provider);
    const { tried } = this.#deps;
    if (!tried) throw new AppError('OPERATION_NOT_SUPPORTED', 'Recipes cannot be tried here');
    const credentials = asked.credentials && this.#credentials.named(name, asked.credentials);
    try {
      return await tried(name, { ...asked, credentials }, AbortSignal.timeout(MOST_TRIAL_MS));
    } catch (error) {
      throw ofProvider(error);
    }
  }

  #view(integration: Integration): IntegrationView {
    const { settings, runner, configured, refused, webhooks } = this.#deps;
    const { name } = integration;
    const view = viewOf(integration, settings.errorsOf(name), configured.get(name), runner);
    const stored = this.#credentials.stored(name);
    const needs = configured.get(name)?.needs ?? [];
    const missingCredentials = needs.filter((part) => !stored?.[part]);
    const webhook = webhooks.view(name);
    return { ...view, missingCredentials, webhook, refusedReason: refused?.get(name) ?? null };
  }

  /** What the runner reports of an integration; `nothing` for one without a connector. */
  #whenServed<T>(provider: string, nothing: T, ask: (name: ProviderName) => T): T {
    const name = providerNamed(provider);
    return this.#deps.configured.has(name) ? ask(name) : nothing;
  }

  /** Informs the runner; an integration whose schedule runs now, and did not before, runs at once. */
  #heeded(before: Integration, hasNewCredentials: boolean): IntegrationView {
    const { name } = before;
    if (hasNewCredentials) this.#deps.runner.credentialsChanged(name);
    if (!isScheduled(before) && isScheduled(this.#deps.settings.get(name)))
      this.#deps.runner.queue(name, CHANGES);
    return this.get(name);
  }

  /** @throws SLOT_NOT_CONFIGURED */
  #configured(name: ProviderName): ConfiguredIntegration {
    const integration = this.#deps.configured.get(name);
    if (integration) return integration;
    const why = this.#deps.refused?.get(name);
    throw new AppError(
      'SLOT_NOT_CONFIGURED',
      why === undefined
        ? `No connector serves ${name}: name one under integrations.${name} in the config, and restart`
        : `${name} is refused: ${why}. Correct it, and restart`,
      { context: { details: { provider: name, configured: false } } },
    );
  }
}

function changesOf(settings: IntegrationSettingsChange): Partial<Integration> {
  const { syncEnabled, invoiceLookbackDays, autoSend, productMappingMode, requireProductMappings } = settings;
  return {
    ...(syncEnabled === undefined ? {} : { isEnabled: syncEnabled }),
    ...(invoiceLookbackDays === undefined ? {} : { lookbackDays: invoiceLookbackDays }),
    ...(autoSend === undefined ? {} : { autoSend }),
    ...(productMappingMode === undefined ? {} : { mappingMode: productMappingMode }),
    ...(requireProductMappings === undefined ? {} : { requiresMappings: requireProductMappings }),
  };
}

function noCredentials(provider: ProviderName): AppError {
  return new AppError('CREDENTIALS_MISSING', `There is no credential for ${provider} yet: send one`, {
    context: { details: { provider } },
  });
}
