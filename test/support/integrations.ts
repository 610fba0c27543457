import type { Clock } from '../../src/base/clock.ts';
import { AppError } from '../../src/base/errors.ts';
import { type Log, silentLog } from '../../src/base/log.ts';
import type { Sealer } from '../../src/base/sealer.ts';
import type { ProviderCredentials } from '../../src/integration/connector.ts';
import type { ProviderName } from '../../src/integration/integration.ts';
import { IntegrationService } from '../../src/integration/integration-service.ts';
import type { ListedPackage } from '../../src/integration/mapping/external-packages.ts';
import { ProviderWebhooks } from '../../src/integration/provider-webhooks.ts';
import { IntegrationSettings } from '../../src/integration/settings/integration-settings.ts';
import type {
  Completeness,
  ConfiguredIntegration,
  DryRun,
  QuarantineCause,
  QuarantinedView,
  RecordRefresh,
  ResourceTest,
  RunRequest,
  RunView,
  StreamView,
  SyncRunner,
  SyncStats,
} from '../../src/integration/sync-runner-port.ts';
import { NO_STATS } from '../../src/integration/views/integration-view.ts';
import type { Database } from '../../src/store/database.ts';
import { SqliteIntegrationStore } from '../../src/store/integrations/sqlite-integration-store.ts';
import { aSealer } from './webhooks.ts';

const INTERVAL_S = 900;
const RESOURCES = ['customers', 'invoices'];

/** An integration that some connector serves. */
export const CONFIGURED: ConfiguredIntegration = {
  connector: 'rest',
  needsCredentials: true,
  needs: ['apiKey'],
  intervalS: INTERVAL_S,
  maxErrors: 10,
};

/**
 * A runner whose runs are complete as soon as they are queued; no provider is behind it. A credential whose key begins with `bad` is
 * refused. What it was asked for is in `calls`, what it shows can be set.
 */
export class FakeRunner implements SyncRunner {
  readonly calls: string[] = [];
  streamViews: readonly StreamView[] = [];
  parkedViews: readonly QuarantinedView[] = [];
  resourceTests: readonly ResourceTest[] = [];
  causeViews: readonly QuarantineCause[] = [];
  runViews: readonly RunView[] = [];
  heldResource: string | null = null;
  /** What testing a credential says, or throws. */
  verdict: (credentials: ProviderCredentials) => { valid: boolean; error: string } = ({ apiKey }) =>
    apiKey.startsWith('bad')
      ? { valid: false, error: 'Unauthorized: no such key.' }
      : { valid: true, error: '' };
  dry: (signal: AbortSignal) => Promise<readonly DryRun[]> = async () => [];
  readonly #clock: Clock;
  readonly #completeAt = new Map<ProviderName, number>();
  readonly #refreshes = new Map<string, RecordRefresh>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  queue(provider: ProviderName, { full, resource }: RunRequest): void {
    this.#known(resource);
    this.calls.push(`queue ${provider} ${full ? 'full' : 'changes'} ${resource ?? 'all'}`);
    this.#completeAt.set(provider, this.#clock.now());
  }

  wake(provider: ProviderName, resources: readonly string[] | null): void {
    this.calls.push(`wake ${provider} ${resources?.join() ?? 'all'}`);
  }

  stop(provider: ProviderName): void {
    this.calls.push(`stop ${provider}`);
  }

  nextRunAt(provider: ProviderName): number {
    return (this.#completeAt.get(provider) ?? this.#clock.now()) + INTERVAL_S * 1000;
  }

  completeness(provider: ProviderName): Completeness {
    const at = this.#completeAt.get(provider) ?? null;
    return { newestAt: at, allAt: at };
  }

  async test(_provider: ProviderName, credentials: ProviderCredentials) {
    return this.verdict(credentials);
  }

  async testResources(): Promise<readonly ResourceTest[]> {
    return this.resourceTests;
  }

  credentialsChanged(provider: ProviderName): void {
    this.calls.push(`credentials ${provider}`);
  }

  mappingsChanged(provider: ProviderName, externalIds: readonly string[]): void {
    this.calls.push(`mappings ${provider} ${externalIds.join()}`);
  }

  refreshInvoice(provider: ProviderName, externalId: string): void {
    const at = this.#clock.now();
    const status = 'succeeded';
    this.#refreshes.set(`${provider}/${externalId}`, {
      externalId,
      status,
      requestedAt: at,
      finishedAt: at,
      error: null,
    });
  }

  invoiceRefresh(provider: ProviderName, externalId: string): RecordRefresh | null {
    return this.#refreshes.get(`${provider}/${externalId}`) ?? null;
  }

  stats(provider: ProviderName): SyncStats {
    const at = this.#completeAt.get(provider);
    if (at === undefined) return { ...NO_STATS, nextRunAt: this.nextRunAt(provider) };
    const once = { '1h': 1, '24h': 1, '7d': 1 };
    return { ...NO_STATS, runs: once, success: once, averageDurationMs: 250, lastRunAt: at, freshnessS: 0 };
  }

  statsByResource(provider: ProviderName): Readonly<Record<string, SyncStats>> {
    return Object.fromEntries(RESOURCES.map((resource) => [resource, this.stats(provider)]));
  }

  streams(_provider: ProviderName): readonly StreamView[] {
    return this.streamViews;
  }

  parked(_provider: ProviderName, after: string | null, limit: number): readonly QuarantinedView[] {
    const behind = this.parkedViews.filter(({ resource, key }) => `${resource}/${key}` > (after ?? ''));
    return behind.slice(0, limit);
  }

  async parkedOfCause(provider: ProviderName, cause: string, after: string | null, limit: number) {
    return this.parked(provider, after, Number.MAX_SAFE_INTEGER)
      .filter((one) => one.cause === cause)
      .slice(0, limit);
  }

  async causes(): Promise<readonly QuarantineCause[]> {
    return this.causeViews;
  }

  async retryParked(provider: ProviderName, cause: string | null): Promise<number> {
    this.calls.push(`retry ${provider} ${cause ?? 'all'}`);
    return this.parkedViews.filter((one) => cause === null || one.cause === cause).length;
  }

  runs(_provider: ProviderName, before: number | null, limit: number): readonly RunView[] {
    return this.runViews.filter(({ no }) => before === null || no < before).slice(0, limit);
  }

  approve(provider: ProviderName, resource: string): boolean {
    this.#known(resource);
    if (this.heldResource !== resource) return false;
    this.calls.push(`approve ${provider} ${resource}`);
    this.heldResource = null;
    return true;
  }

  dryRun(
    provider: ProviderName,
    { full, resource }: RunRequest,
    signal: AbortSignal,
  ): Promise<readonly DryRun[]> {
    this.#known(resource);
    this.calls.push(`dry run ${provider} ${full ? 'full' : 'changes'} ${resource ?? 'all'}`);
    return this.dry(signal);
  }

  #known(resource: string | null): void {
    if (resource === null || RESOURCES.includes(resource)) return;
    throw new AppError('RESOURCE_UNKNOWN', `There is no resource ${resource}: ${RESOURCES.join(', ')}`);
  }
}

export interface IntegrationServiceDeps {
  readonly clock: Clock;
  readonly runner?: FakeRunner;
  /** Absent: no connector serves any slot. */
  readonly configured?: ReadonlyMap<ProviderName, ConfiguredIntegration>;
  readonly sealer?: Sealer;
  readonly log?: Log;
  readonly productName?: (id: string) => string | null;
  /** Absent: the service's products were never read. */
  readonly hasProducts?: () => boolean;
  readonly listed?: (provider: ProviderName) => readonly ListedPackage[];
}

/** The slots of a real database behind their service, for whoever needs an interface and no syncs. */
export function anIntegrationService(
  database: Database,
  deps: IntegrationServiceDeps,
): {
  readonly integrations: IntegrationService;
  readonly settings: IntegrationSettings;
  readonly runner: FakeRunner;
  readonly webhooks: ProviderWebhooks;
} {
  const { clock, runner = new FakeRunner(clock), configured = new Map() } = deps;
  let made = 0;
  const store = new SqliteIntegrationStore(database, () => {
    made += 1;
    return `0199c0de-00f2-7000-8000-00000000000${made}`;
  });
  const settings = new IntegrationSettings({
    store,
    sealer: deps.sealer ?? aSealer(),
    clock,
    log: deps.log ?? silentLog,
  });
  const { productName = () => null, hasProducts = () => false, listed = () => [] } = deps;
  const webhooks = new ProviderWebhooks({
    store,
    sealer: deps.sealer ?? aSealer(),
    schemes: new Map([...configured].flatMap(([name, { webhook }]) => (webhook ? [[name, webhook]] : []))),
    wake: (name, resources) => runner.wake(name, resources),
    count: () => undefined,
    clock,
  });
  const stored = (name: ProviderName) => settings.credentialsOf(name, (text) => JSON.parse(text));
  return {
    integrations: new IntegrationService({
      settings,
      runner,
      webhooks,
      configured,
      stored,
      productName,
      hasProducts,
      clock,
      listed,
    }),
    settings,
    runner,
    webhooks,
  };
}
