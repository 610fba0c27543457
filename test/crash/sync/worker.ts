import { hash } from 'node:crypto';
import { join } from 'node:path';
import { rest } from '../../../drivers/providers/rest/manifest.ts';
import { AppError } from '../../../src/base/errors.ts';
import { silentLog } from '../../../src/base/log.ts';
import type { SourceRecord } from '../../../src/integration/connector.ts';
import {
  LOCAL_MIRROR,
  type Sink,
  type SinkResult,
  type SinkWrite,
  type SyncStore,
} from '../../../src/integration/ports.ts';
import { SyncEngine } from '../../../src/integration/run/engine.ts';
import { systemClock } from '../../../src/runtime/system-clock.ts';
import { openMirror } from '../../../src/store/mirror/mirror-database.ts';
import { SqliteSyncControl } from '../../../src/store/mirror/sqlite-sync-control.ts';
import { SqliteSyncStore } from '../../../src/store/mirror/sqlite-sync-store.ts';
import { openOverHttp } from '../../support/source-context.ts';
import { type Order, type RunEnd, STREAM } from './order.ts';

// The process that is killed: the engine, its real file, the `rest` connector over HTTP. It runs one sync after the other until it dies.

const RECIPE = {
  recipe: 1,
  id: 'hostile',
  title: 'The hostile source',
  documentation: 'https://source.example/docs',
  auth: { type: 'none' },
  resources: {
    invoices: {
      path: '/invoices',
      items: 'data',
      page: { style: 'cursor', cursor: 'page', next: 'next_page', hasMore: 'has_more', size: 100 },
      changes: {
        from: { parameter: 'from', format: 'unix_ms' },
        until: { parameter: 'to', format: 'unix_ms' },
      },
      deletes: 'tombstones',
      id: 'id',
      updatedAt: { value: 'updated_at', format: 'unix_ms' },
      deleted: 'deleted = true',
      fields: { number: 'number', version: 'version', status: 'status' },
    },
  },
} as const;

/** How long the planted bug leaves a page without its rows. */
const SPLIT_MS = 300;
const BETWEEN_RUNS_MS = 5;

async function main(order: Order): Promise<void> {
  const { database } = openMirror(join(order.folder, 'mirror.db'), '0.1.0', 0);
  const { connector } = await openOverHttp(rest, { recipe: RECIPE }, { baseUrl: order.sourceUrl });
  const real = new SqliteSyncStore(database);
  const engine = new SyncEngine({
    store: order.splitsCommits ? splitting(real) : real,
    clock: systemClock,
    digest: (text) => hash('sha256', text, 'hex').slice(0, 32),
    payments: { isBusy: () => false },
    mayWrite: () => true,
    log: silentLog,
    owner: `process ${process.pid}`,
  });
  engine.start();
  if (order.wantsFull) new SqliteSyncControl(database).requestFull(STREAM);
  const setup = {
    stream: STREAM,
    connector,
    manifest: order.manifest,
    map: ({ fields }: SourceRecord) => ({ kind: 'write' as const, body: fields }),
    sink: order.sinkUrl === '' ? LOCAL_MIRROR : sinkAt(order.sinkUrl),
    lookbackDays: null,
    sweepEveryMs: order.sweepEveryMs,
  };
  send({ outcome: 'ready', code: null });
  for (;;) {
    const report = await engine.run(setup, new AbortController().signal);
    const code = report.outcome === 'busy' ? null : (report.failure?.code ?? null);
    send({ outcome: report.outcome, code });
    await new Promise((resolve) => setTimeout(resolve, BETWEEN_RUNS_MS));
  }
}

function send(end: RunEnd): void {
  process.send?.(end);
}

/** The service, far away. */
function sinkAt(url: string): Sink {
  const write = async (batch: readonly SinkWrite[], signal: AbortSignal): Promise<readonly SinkResult[]> => {
    const reply = await fetch(url, { method: 'PUT', body: JSON.stringify(batch), signal }).catch(() => null);
    if (!reply?.ok) throw new AppError('SINK_UNAVAILABLE', 'no answer', { retry: 'safe' });
    return (await reply.json()) as readonly SinkResult[];
  };
  return { kind: 'remote', write };
}

function splitting(store: SqliteSyncStore): SyncStore {
  return new Proxy<SyncStore>(store, {
    get: (target, name) => {
      if (name === 'commitPage') return commitSplit;
      const method: unknown = Reflect.get(target, name);
      return typeof method === 'function' ? method.bind(target) : method;
    },
  });
  function commitSplit(...[lease, page]: Parameters<SyncStore['commitPage']>): void {
    store.commitState(lease, page.state);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, SPLIT_MS);
    store.commitPage(lease, page);
  }
}

/** It ends with whoever started it, however that ended. */
process.on('disconnect', () => process.exit(0));
await main(JSON.parse(process.argv[2] ?? '') as Order);
