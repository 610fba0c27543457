import type { Metrics } from '../api/metrics/metrics.ts';
import type { SeriesSource } from '../api/ports.ts';
import type { Clock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import type { Ids } from '../base/ids.ts';
import type { Log } from '../base/log.ts';
import type { Sealer } from '../base/sealer.ts';
import { problemText } from '../config/problem.ts';
import type { CheckedIntegrations, ServedIntegration } from '../config/provider-settings.ts';
import type { Config } from '../config/schema.ts';
import type { ConfiguredProvider } from '../driver-kit/provider.ts';
import type { ProviderCredentials } from '../integration/connector.ts';
import { PROVIDERS, type ProviderName } from '../integration/integration.ts';
import { IntegrationService } from '../integration/integration-service.ts';
import type { KnownProduct } from '../integration/integrations-api.ts';
import type { ListedPackage } from '../integration/mapping/external-packages.ts';
import { labelOf, productLabelOf } from '../integration/page/package-label.ts';
import { PaymentWriteBack } from '../integration/payment-write-back.ts';
import { ProviderWebhooks } from '../integration/provider-webhooks.ts';
import { type EngineDeps, type RunReport, SyncEngine } from '../integration/run/engine.ts';
import { refreshRecord } from '../integration/run/record-refresh.ts';
import { IntegrationRunner, type RecordRefresher } from '../integration/runner/integration-runner.ts';
import type { RunningIntegration } from '../integration/running-integration.ts';
import { IntegrationSettings } from '../integration/settings/integration-settings.ts';
import { SnapshotFollower } from '../integration/settings/snapshot-follower.ts';
import type { ConfiguredIntegration } from '../integration/sync-runner-port.ts';
import type { MirrorRow } from '../integration/views/mirror.ts';
import type { WebhookScheme } from '../integration/webhook-scheme.ts';
import type { StreamKey } from '../integration/window/stream.ts';
import type { DiskSpace } from '../payment/guards/disk-space.ts';
import { digest } from '../runtime/digest.ts';
import type { Lifecycle } from '../runtime/lifecycle.ts';
import { snapshotsOver } from '../service/integration-snapshots.ts';
import { SqliteHorizonStore } from '../store/integrations/sqlite-horizon-store.ts';
import { SqliteIntegrationStore } from '../store/integrations/sqlite-integration-store.ts';
import { SqliteWriteBackStore } from '../store/integrations/sqlite-write-back-store.ts';
import type { MirrorPlace } from '../store/mirror/mirror-place.ts';
import { syncSeries } from '../store/statistics/sqlite-series.ts';
import {
  type IntegrationWorld,
  mirrorIntegration,
  providerIntegration,
  readCredentials,
} from './configured-integrations.ts';
import type { Agent } from './create-agent.ts';
import type { Money } from './money.ts';
import { OAuthClients } from './oauth-clients.ts';
import { RecipeTrials } from './recipe-trials.ts';
import { activateInSandbox } from './sandbox-integrations.ts';
import { shopTerminals } from './shop-terminals.ts';
import { type Refusal, type SyncIndicators, syncIndicators } from './sync-indicators.ts';

export interface IntegrationDeps {
  readonly config: Config;
  readonly configFile: string;
  /** The integrations of the configuration that can run, and those that cannot. */
  readonly checked: CheckedIntegrations<ConfiguredProvider>;
  readonly money: Pick<Money, 'database' | 'payments' | 'processRun'>;
  readonly mirror: MirrorPlace;
  readonly disk: DiskSpace;
  readonly agent: Pick<Agent, 'queues' | 'operations' | 'link'>;
  /** Address of the service without `/v2`; null: none is configured. */
  readonly serviceUrl: string | null;
  readonly serviceKey: () => string | null;
  /** How integrations reach the sandbox's provider; null: there is none. */
  readonly sandboxProvider: ProviderCredentials | null;
  readonly sealer: Sealer;
  readonly metrics: Pick<Metrics, 'syncRuns' | 'syncFailures' | 'providerWebhooks'>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly lifecycle: Lifecycle;
}

/** The provider integrations and the local mirror. */
export interface Integrations {
  /** What staff and till software read and change. */
  readonly integrations: IntegrationService;
  readonly webhooks: ProviderWebhooks;
  /** Runs over time. @throws STORAGE_FAILED */
  readonly series: SeriesSource['syncs'];
  readonly indicators: SyncIndicators;
  /** Starts the runs that are due, and writes the words of rows that no run has written. */
  tick(): void;
  /** Deletes old runs and moves the log into the file; call it while no payment runs. */
  tidy(): void;
  /** Runs what is due; it stops before the link does. */
  start(): void;
}

/** The integration and resource of the service's mirrored products. */
const PRODUCTS = { integration: 'service', resource: 'products' } as const;
/** The integration and resource of the service's mirrored invoices. */
const INVOICES = { integration: 'service', resource: 'invoices' } as const;
const MOST_PRODUCTS = 2_000;
const RUNS_KEPT_MS = 8 * 24 * 3_600_000;
const FORGOTTEN_AT_ONCE = 1_000;

/**
 * Wires the integrations of the configuration; no source is read before `start()`.
 * @throws CONFIG_INVALID, STORAGE_FULL, STORAGE_FAILED
 */
export async function makeIntegrations(deps: IntegrationDeps): Promise<Integrations> {
  const { checked, money, agent, sealer, metrics, clock, ids } = deps;
  const { store, control, reader: mirror } = deps.mirror;
  const log = deps.log.child({ part: 'sync' });
  const { served } = checked;
  const refusals = refusalsOf(deps, log);
  const refused = byProvider(refusals);
  const integrationStore = new SqliteIntegrationStore(money.database, () => ids.uuid());
  const settings = new IntegrationSettings({ store: integrationStore, sealer, clock, log });
  const enginePorts = enginePortsOf(deps, log);
  const { queues: devices, operations, link } = agent;
  const terminals = shopTerminals({ devices, operations, store: money.payments, clock, log });
  const oauth = new OAuthClients({ settings, clock, log });
  const world = { ...deps, log, settings, oauth, terminals, link };
  const running: readonly RunningIntegration[] = [
    ...served.map((one) => providerIntegration(one, world)),
    ...(await mirrorIntegration(world)),
  ];
  const refresh: RecordRefresher = async (setup, id, signal) => {
    const { failure } = await refreshRecord(setup, enginePorts, id, signal);
    if (failure) throw new AppError(failure.code, failure.message);
  };
  const engine = new SyncEngine(enginePorts);
  const runner = new IntegrationRunner(
    { engine, store, control, settings, refresh, ended: countedIn(metrics), digest, clock, ids, log },
    running,
  );
  deps.mirror.onReplaced(() => runner.startOver());
  const follower = followerOf(served, { ...world, runner });
  const writeBack = writeBackOf(deps, { running, refused, log });
  const webhooks = new ProviderWebhooks({
    store: integrationStore,
    sealer,
    schemes: schemesOf(served),
    wake: (name, resources) => runner.wake(name, resources),
    count: (provider, outcome) => metrics.providerWebhooks.inc({ provider, outcome }),
    clock,
  });
  const trials = new RecipeTrials(world, served);
  const integrations = new IntegrationService({
    settings,
    runner,
    webhooks,
    configured: configuredOf(running),
    refused,
    stored: (name) => settings.credentialsOf(name, readCredentials),
    productName: (id) => productOf(mirror.find(PRODUCTS, id))?.name ?? null,
    hasProducts: () => mirror.freshAt(PRODUCTS) !== null,
    listed: (integration) =>
      mirror.list({ integration, resource: 'products' }, null, MOST_PRODUCTS).map(packageOf),
    products: () => mirror.list(PRODUCTS, null, MOST_PRODUCTS).flatMap((row) => productOf(row) ?? []),
    tried: (name, asked, signal) => trials.run(name, asked, signal),
    resumed: (name) => writeBack.resume(name),
    clock,
  });
  const indicators = syncIndicators({ runner, settings, refusals, mirror: deps.mirror, clock });
  const parts = { settings, refused, integrations, runner, writeBack, follower };
  return { integrations, webhooks, indicators, ...workOf(deps, parts) };
}

function isBusy({ agent }: IntegrationDeps): boolean {
  return agent.queues.list().some(({ status }) => status === 'busy');
}

function enginePortsOf(deps: IntegrationDeps, log: Log): EngineDeps {
  const { mirror, money, disk, clock, ids } = deps;
  return {
    store: mirror.store,
    clock,
    digest,
    payments: { isBusy: () => isBusy(deps) },
    mayWrite: () => disk.trouble() === null,
    log,
    owner: ids.uuid(),
    processRun: money.processRun,
    horizons: new SqliteHorizonStore(money.database),
  };
}

/** Records payments at the providers whose recipe says how. @throws STORAGE_FULL, STORAGE_FAILED */
function writeBackOf(
  deps: IntegrationDeps,
  parts: {
    readonly running: readonly RunningIntegration[];
    readonly refused: ReadonlyMap<ProviderName, string>;
    readonly log: Log;
  },
): PaymentWriteBack {
  const { checked, money, mirror, disk, clock } = deps;
  // A refused integration may record payments, too: they wait until its configuration is right again.
  const recordsAt = new Set([
    ...checked.served.filter(({ configured }) => configured.takesPayments).map(({ name }) => name),
    ...parts.refused.keys(),
  ]);
  const store = new SqliteWriteBackStore(money.database, money.payments);
  // Before the first payment: it would count as one of the time before.
  store.note(recordsAt.size > 0);
  return new PaymentWriteBack({
    store,
    invoiceOf: (id) => mirror.reader.find(INVOICES, id)?.body ?? null,
    isReadAgain: () => mirror.loss !== null && mirror.reader.freshAt(INVOICES) === null,
    recordsAt,
    writerOf: (name) => {
      const one = parts.running.find((each) => each.name === name);
      return one?.mayRun() ? (one.source.connector().recordPayment ?? null) : null;
    },
    isBusy: () => isBusy(deps) || disk.trouble() !== null,
    clock,
    log: parts.log,
  });
}

interface IntegrationParts {
  readonly settings: IntegrationSettings;
  readonly refused: ReadonlyMap<ProviderName, string>;
  readonly integrations: IntegrationService;
  readonly runner: IntegrationRunner;
  readonly writeBack: PaymentWriteBack;
  readonly follower: SnapshotFollower | null;
}

/** What it does by the clock, and what it shows of the past. */
function workOf(
  deps: IntegrationDeps,
  { runner, writeBack, follower, ...rest }: IntegrationParts,
): Pick<Integrations, 'series' | 'tick' | 'tidy' | 'start'> {
  const { config, disk, clock, lifecycle, mirror: place, sandboxProvider: provider } = deps;
  return {
    series: (since, bucketMs) => place.use(({ database }) => syncSeries(database, since, bucketMs)),
    tick: () => {
      runner.tick();
      writeBack.tick();
      if (place.loss?.readAgainAt === null && runner.isComplete()) place.settle();
      if (!isBusy(deps) && disk.trouble() === null) place.store.indexWords();
    },
    tidy: () => {
      place.control.forgetRuns(clock.now() - RUNS_KEPT_MS, FORGOTTEN_AT_ONCE);
      place.use(({ database }) => database.checkpoint());
    },
    start: () => {
      runner.start();
      activateInSandbox({ config, provider, ...rest });
      lifecycle.started('syncs', () => runner.close());
      lifecycle.started('payments at providers', () => writeBack.stop());
      follower?.start();
      if (follower) lifecycle.started('settings of the service', () => follower.stop());
    },
  };
}

/** Integrations that do not run, and why; each is in the log, too. */
function refusalsOf(
  { checked: { refused }, configFile: file }: Pick<IntegrationDeps, 'checked' | 'configFile'>,
  log: Log,
): readonly Refusal[] {
  return refused.map(({ name, problems }) => {
    const why = problems.map((problem) => problemText({ file, ...problem })).join('; ');
    log.error({ slot: name, why }, 'integration is refused; everything else runs');
    return { name, why };
  });
}

/** By the name of each integration that a refusal is about. */
function byProvider(refusals: readonly Refusal[]): ReadonlyMap<ProviderName, string> {
  return new Map(
    PROVIDERS.flatMap((provider) => {
      const found = refusals.find(({ name }) => name === provider || name === 'integrations');
      return found ? [[provider, found.why] as const] : [];
    }),
  );
}

/** Counts the runs of each stream by outcome, and those that did not end well by their cause. */
function countedIn({ syncRuns, syncFailures }: IntegrationDeps['metrics']) {
  return ({ integration: provider, resource }: StreamKey, report: RunReport): void => {
    syncRuns.inc({ provider, resource, outcome: report.outcome });
    if (report.outcome === 'busy' || report.outcome === 'stopped' || report.failure === null) return;
    const { code, status } = report.failure;
    syncFailures.inc({ provider, resource, cause: code.toLowerCase(), status: String(status ?? '') });
  };
}

/** Applies the service's settings to the integrations that the config lets the service manage; null: there is no service. */
function followerOf(
  served: readonly ServedIntegration<ConfiguredProvider>[],
  parts: IntegrationWorld & { readonly runner: IntegrationRunner },
): SnapshotFollower | null {
  const { settings, runner, link, clock, log } = parts;
  if (!link) return null;
  const managed = served.filter(({ config }) => config.managed_by === 'service').map(({ name }) => name);
  const changed = (name: ProviderName, released: readonly string[]) => {
    if (!settings.get(name).isEnabled) runner.stop(name);
    runner.mappingsChanged(name, released);
  };
  const mappingsOf = (name: ProviderName) => settings.mappingsOf(name);
  return new SnapshotFollower(
    { source: snapshotsOver(link.sync), settings, mappingsOf, clock, log, changed },
    managed,
  );
}

/** A product of the mirror, as suggestions and mappings show it. */
function productOf(row: MirrorRow | null): KnownProduct | null {
  if (row === null) return null;
  return { id: row.id, ...productLabelOf(row.body) };
}

/** A row of an integration's product list. */
function packageOf({ id, body }: MirrorRow): ListedPackage {
  return { externalId: id, ...labelOf(body) };
}

/** Of the integrations whose recipe says how webhooks are signed. */
function schemesOf(
  served: readonly ServedIntegration<ConfiguredProvider>[],
): ReadonlyMap<ProviderName, WebhookScheme> {
  return new Map(
    served.flatMap(({ name, configured: { webhook } }) => (webhook ? [[name, webhook] as const] : [])),
  );
}

function configuredOf(
  running: readonly RunningIntegration[],
): ReadonlyMap<ProviderName, ConfiguredIntegration> {
  return new Map(
    PROVIDERS.flatMap((name) => {
      const integration = running.find((one) => one.name === name);
      return integration ? [[name, integration.config] as const] : [];
    }),
  );
}
