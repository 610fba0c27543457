import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { silentLog } from '../../src/base/log.ts';
import type { Connector } from '../../src/integration/connector.ts';
import { errorCount, type Integration, isScheduled, mayRun } from '../../src/integration/integration.ts';
import type { Parked } from '../../src/integration/ports.ts';
import { type RunReport, stopOf } from '../../src/integration/run/engine.ts';
import type { StreamSetup } from '../../src/integration/run/sync-run.ts';
import { Schedule } from '../../src/integration/schedule/schedule.ts';
import { atInterval, isStale } from '../../src/integration/schedule/timetable.ts';
import { IntegrationSettings } from '../../src/integration/settings/integration-settings.ts';
import { SqliteIntegrationStore } from '../../src/store/integrations/sqlite-integration-store.ts';
import { SqliteMirrorReader } from '../../src/store/mirror/sqlite-mirror-reader.ts';
import { SqliteSyncStore } from '../../src/store/mirror/sqlite-sync-store.ts';
import { aFolder, aMoneyDatabase } from './money-database.ts';
import { aMirror, anEngine, aPage, aRecord, aSource, aStream } from './sync.ts';
import { VirtualClock } from './virtual-clock.ts';
import { aSealer } from './webhooks.ts';

export const MINUTE = 60_000;
const INTERVAL_MS = 5 * MINUTE;
const MOST_ERRORS = 10;
export type Provider = 'provider_a' | 'provider_b';
const PROVIDERS: readonly Provider[] = ['provider_a', 'provider_b'];

/** How a provider is served, and whether the disk has room. */
export interface Served {
  readonly list?: Connector['list'];
  readonly setup?: Partial<StreamSetup>;
  readonly mayWrite?: () => boolean;
}

export interface BreakerShop {
  readonly clock: VirtualClock;
  readonly schedule: Schedule;
  readonly settings: IntegrationSettings;
  /** Requests for pages that provider_a was asked. */
  readonly asked: () => number;
  readonly reports: readonly RunReport[];
  rowsOf(provider: Provider): readonly string[];
  countOf(provider: Provider): number;
  isStale(provider: Provider): boolean;
  parked(provider: Provider, key: string): Parked | undefined;
  stop(): Promise<void>;
  /** The folder as a SIGKILL leaves it now: files of a process that never closed them. */
  killed(): string;
}

/** Two providers on the real engine, slots, files and schedule: the first one is served as it is told, the second one always works. */
export function aBreakerShop(
  { list, setup = {}, mayWrite = () => true }: Served,
  folder = aFolder(),
  clock = new VirtualClock(),
): BreakerShop {
  const [money, mirror] = [aMoneyDatabase(join(folder, 'money.db')), aMirror(join(folder, 'mirror.db'))];
  let made = 0;
  const newId = () => {
    made += 1;
    return `id ${made}`;
  };
  const integrationStore = new SqliteIntegrationStore(money, newId);
  const settings = new IntegrationSettings({
    store: integrationStore,
    sealer: aSealer(),
    clock,
    log: silentLog,
  });
  const store = new SqliteSyncStore(mirror);
  const reader = new SqliteMirrorReader(mirror);
  const startedAt = clock.now();
  const reports: RunReport[] = [];
  let asked = 0;
  const works = (): Connector['list'] => async () => aPage([aRecord('row', startedAt - MINUTE)]);
  const servedBy = list ?? works();
  const counted: Connector['list'] = (...request) => {
    asked += 1;
    return servedBy(...request);
  };
  const streamOf = (integration: Provider) => ({ integration, resource: 'invoices' });
  const setups = {
    provider_a: aStream(aSource(counted), { stream: streamOf('provider_a'), ...setup }),
    provider_b: aStream(aSource(works()), { stream: streamOf('provider_b') }),
  };
  const engines = {
    provider_a: anEngine(mirror, clock, { mayWrite, owner: 'a' }),
    provider_b: anEngine(mirror, clock, { owner: 'b' }),
  };
  engines.provider_a.start();
  for (const name of PROVIDERS) if (!settings.get(name).isActive) settings.change(name, { isActive: true });
  const streams = PROVIDERS.map((name) => ({
    name,
    group: name,
    timetable: atInterval(INTERVAL_MS),
    isRequested: () => false,
    lastEndedAt: null,
    waitLeft: 0,
    mayRun: () => mayRun(settings.get(name)),
    isScheduled: () => isScheduled(settings.get(name)),
    probeAt: () => null,
    run: async (signal: AbortSignal) => {
      const report = await engines[name].run(setups[name], signal);
      settings.afterRun(name, 'invoices', report, MOST_ERRORS);
      if (name === 'provider_a') reports.push(report);
      return report.outcome === 'waiting' ? Math.max(MINUTE, report.failure?.retryAfterMs ?? 0) : 0;
    },
  }));
  const ids = { uuid: () => '', nameBased: () => '', random: () => 0.5 };
  const schedule = new Schedule({ clock, ids, log: silentLog }, streams);
  return {
    clock,
    schedule,
    settings,
    asked: () => asked,
    reports,
    rowsOf: (provider) => reader.list(streamOf(provider), null, 100).map(({ id }) => id),
    countOf: (provider) => errorCount(integrationStore.errorsOf(provider)),
    isStale: (provider) =>
      isStale(atInterval(INTERVAL_MS), store.streamOf(streamOf(provider)).freshAt, startedAt, clock.now()),
    parked: (provider, key) => store.parkedOf(streamOf(provider), [key]).get(key),
    stop: () => schedule.stop(stopOf()),
    killed: () => {
      const copy = aFolder();
      cpSync(folder, copy, { recursive: true, filter: (path) => !path.endsWith('-shm') });
      return copy;
    },
  };
}

export function pauseOf({ pausedFor }: Integration): string {
  return pausedFor ?? 'no';
}
