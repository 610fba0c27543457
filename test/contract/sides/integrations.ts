import type { Clock } from '../../../src/base/clock.ts';
import { silentLog } from '../../../src/base/log.ts';
import type { Sealer } from '../../../src/base/sealer.ts';
import type { Connector, ConnectorContext, ResourceManifest } from '../../../src/integration/connector.ts';
import { isScheduled, mayRun, PROVIDERS, type ProviderName } from '../../../src/integration/integration.ts';
import { IntegrationService } from '../../../src/integration/integration-service.ts';
import type { IntegrationsApi } from '../../../src/integration/integrations-api.ts';
import { ProviderWebhooks } from '../../../src/integration/provider-webhooks.ts';
import { SyncEngine } from '../../../src/integration/run/engine.ts';
import { refreshRecord } from '../../../src/integration/run/record-refresh.ts';
import { IntegrationRunner } from '../../../src/integration/runner/integration-runner.ts';
import { IntegrationSource } from '../../../src/integration/runner/integration-source.ts';
import { mirrorRoute, type RunningIntegration } from '../../../src/integration/running-integration.ts';
import { atInterval } from '../../../src/integration/schedule/timetable.ts';
import { IntegrationSettings } from '../../../src/integration/settings/integration-settings.ts';
import { digest } from '../../../src/runtime/digest.ts';
import type { Lifecycle } from '../../../src/runtime/lifecycle.ts';
import { systemIds as ids } from '../../../src/runtime/system-ids.ts';
import type { Database } from '../../../src/store/database.ts';
import { SqliteIntegrationStore } from '../../../src/store/integrations/sqlite-integration-store.ts';
import { openMirror } from '../../../src/store/mirror/mirror-database.ts';
import { SqliteMirrorReader } from '../../../src/store/mirror/sqlite-mirror-reader.ts';
import { SqliteSyncControl } from '../../../src/store/mirror/sqlite-sync-control.ts';
import { SqliteSyncStore } from '../../../src/store/mirror/sqlite-sync-store.ts';
import { CONFIGURED } from '../../support/integrations.ts';
import type { Setting } from './side.ts';

export interface IntegrationSideDeps {
  readonly database: Database;
  /** Path of `mirror.db`. */
  readonly mirror: string;
  readonly sealer: Sealer;
  readonly clock: Clock;
  readonly setting: Setting;
  readonly lifecycle: Lifecycle;
}

const CREDENTIAL = { apiKey: 'k', baseUrl: '', appName: '', appEmail: '' };
/** One provider lists its packages, too. */
function resourcesOf(provider: ProviderName): readonly ResourceManifest[] {
  const names = ['customers', 'invoices', ...(provider === 'terminal' ? ['products'] : [])];
  const way = { cursorField: null, pageStyle: 'whole', deletes: 'never' } as const;
  return names.map((name) => ({ name, ...way }));
}

/**
 * The service of the integrations as the daemon wires it: real slots in the real money database, the real runner, engine and mirror. Only the
 * provider is ours: it has one record of each kind, whatever it is asked for, and refuses a credential that begins with `bad`.
 */
export function integrationsOf(deps: IntegrationSideDeps): IntegrationsApi {
  const { database, sealer, clock, setting } = deps;
  const mirror = openMirror(deps.mirror, '0.1.0', 0).database;
  const store = new SqliteSyncStore(mirror);
  const integrationStore = new SqliteIntegrationStore(database, () => ids.uuid());
  const settings = new IntegrationSettings({
    store: integrationStore,
    sealer,
    clock,
    log: silentLog,
  });
  const payments = { isBusy: () => false };
  const engine = { store, clock, digest, payments, mayWrite: () => true, log: silentLog, owner: 'contract' };
  const served = setting.connectors === 'none' ? [] : PROVIDERS;
  const runner = new IntegrationRunner(
    {
      engine: new SyncEngine(engine),
      store,
      control: new SqliteSyncControl(mirror),
      settings,
      refresh: async (setup, id, signal) => {
        const { failure } = await refreshRecord(setup, engine, id, signal);
        if (failure) throw new Error(failure.message);
      },
      digest,
      clock,
      ids,
      log: silentLog,
    },
    served.map((name) => runningOf(name, settings, clock)),
  );
  runner.start();
  deps.lifecycle.started('syncs', async () => {
    await runner.close();
    mirror.close();
  });
  const configured = new Map(served.map((name) => [name, CONFIGURED]));
  const reader = new SqliteMirrorReader(mirror);
  const listed = (provider: ProviderName) =>
    reader
      .list({ integration: provider, resource: 'products' }, null, 100)
      .map(({ id }) => ({ externalId: id, name: null, codes: [] }));
  const stored = (name: ProviderName) => settings.credentialsOf(name, (text) => JSON.parse(text));
  const webhooks = new ProviderWebhooks({
    store: integrationStore,
    sealer,
    schemes: new Map(),
    wake: () => undefined,
    count: () => undefined,
    clock,
  });
  return new IntegrationService({
    settings,
    runner,
    webhooks,
    configured,
    stored,
    productName: () => null,
    hasProducts: () => false,
    listed,
    clock,
  });
}

function runningOf(name: ProviderName, settings: IntegrationSettings, clock: Clock): RunningIntegration {
  const resources = resourcesOf(name);
  const source = new IntegrationSource({
    configured: { resources, access: () => null, connect: (context) => provider(resources, context) },
    credentials: () => CREDENTIAL,
    noCredentials: CREDENTIAL,
    openLine: () => ({ request: () => Promise.reject(new Error('no line')), close: () => Promise.resolve() }),
    world: { files: async () => [], readFile: async () => new Uint8Array() },
    clock,
    log: silentLog,
  });
  return {
    name,
    config: CONFIGURED,
    sweepEveryMs: 86_400_000,
    timetableOf: () => atInterval(CONFIGURED.intervalS * 1_000),
    source,
    routeOf: () => mirrorRoute(),
    mayRun: () => mayRun(settings.get(name)),
    isScheduled: () => isScheduled(settings.get(name)),
    lookbackDays: () => settings.get(name).lookbackDays,
    activeSince: () => settings.get(name).updatedAt,
  };
}

function provider(resources: readonly ResourceManifest[], { credentials }: ConnectorContext): Connector {
  const record = (id: string) => ({ id, updatedAt: null, deleted: false, fields: { id } });
  return {
    resources,
    list: async () => ({ records: [record('1')], bad: [], next: null, sourceNow: null }),
    get: async (_resource, id) => record(id),
    test: async () =>
      credentials.apiKey.startsWith('bad')
        ? { valid: false, error: 'Unauthorized: no such key.' }
        : { valid: true, error: '' },
  };
}
