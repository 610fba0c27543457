import { hash } from 'node:crypto';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { silentLog } from '../../src/base/log.ts';
import type {
  Connector,
  ResourceManifest,
  SourcePage,
  SourceRecord,
} from '../../src/integration/connector.ts';
import { LOCAL_MIRROR } from '../../src/integration/ports.ts';
import { type EngineDeps, SyncEngine } from '../../src/integration/run/engine.ts';
import type { StreamSetup } from '../../src/integration/run/sync-run.ts';
import type { Database } from '../../src/store/database.ts';
import { openMirror } from '../../src/store/mirror/mirror-database.ts';
import { SqliteSyncStore } from '../../src/store/mirror/sqlite-sync-store.ts';
import { aFolder } from './money-database.ts';
import type { VirtualClock } from './virtual-clock.ts';

export const INVOICES = { integration: 'provider_a', resource: 'invoices' } as const;

/** A real, empty mirror in a folder of its own. */
export function aMirror(path = join(aFolder(), 'mirror.db')): Database {
  const { database } = openMirror(path, '0.1.0', 0);
  onTestFinished(() => database.close());
  return database;
}

export const BY_TIME: ResourceManifest = {
  name: 'invoices',
  cursorField: 'updated_at',
  pageStyle: 'cursor',
  deletes: 'tombstones',
};

export function aRecord(id: string, updatedAt: number | null, version = 1): SourceRecord {
  return { id, updatedAt, deleted: false, fields: { number: id, version } };
}

export function aPage(records: readonly SourceRecord[], more: Partial<SourcePage> = {}): SourcePage {
  return { records, bad: [], next: null, sourceNow: null, ...more };
}

/** A source that answers as it is told. */
export function aSource(list: Connector['list'], more: Partial<Connector> = {}): Connector {
  return { resources: [BY_TIME], test: async () => ({ valid: true, error: '' }), list, ...more };
}

export function aStream(connector: Connector, more: Partial<StreamSetup> = {}): StreamSetup {
  return {
    stream: INVOICES,
    connector,
    manifest: BY_TIME,
    map: ({ fields }) => ({ kind: 'write', body: fields }),
    sink: LOCAL_MIRROR,
    lookbackDays: null,
    sweepEveryMs: 86_400_000,
    ...more,
  };
}

export function anEngine(
  database: Database,
  clock: VirtualClock,
  more: Partial<EngineDeps> = {},
): SyncEngine {
  const engine = new SyncEngine({
    store: new SqliteSyncStore(database),
    clock,
    digest: (text) => hash('sha256', text, 'hex').slice(0, 32),
    payments: { isBusy: () => false },
    mayWrite: () => true,
    log: silentLog,
    owner: 'this life',
    ...more,
  });
  return engine;
}
