import Sqlite from 'better-sqlite3';
import { Pool } from 'undici';
import { providerDrivers } from '../../drivers/index.ts';
import { silentLog } from '../../src/base/log.ts';
import type { Connector, JsonObject, SyncWindow } from '../../src/integration/connector.ts';
import { digested, judged } from '../../src/integration/page/page-work.ts';
import { LOCAL_MIRROR, type Sink } from '../../src/integration/ports.ts';
import { SyncRun } from '../../src/integration/run/sync-run.ts';
import { createHttpClient } from '../../src/net/http-client.ts';
import { Budget } from '../../src/outbox/budget.ts';
import { digest } from '../../src/runtime/digest.ts';
import { systemClock as clock } from '../../src/runtime/system-clock.ts';
import { SyncLine } from '../../src/service/sync-line.ts';
import { CustomerSink } from '../../src/service/sync-sink/customer-sink.ts';
import { sourceOverLine } from '../../src/service/sync-source.ts';
import type { Database } from '../../src/store/database.ts';
import { SqliteSyncStore } from '../../src/store/mirror/sqlite-sync-store.ts';
import { PUT } from '../../src/store/mirror/sync-statements.ts';

const RESOURCE = 'customers';
const PAGE = 100;
const HASH = '0'.repeat(32);
const DAY_MS = 86_400_000;
const LEASE_MS = 3_600_000;
/** A rate that no stage reaches: the budget is not what is measured. */
const FREELY = { perMinute: 100_000_000, burst: 1_000_000 };
const EVER: SyncWindow = { from: null, to: Number.MAX_SAFE_INTEGER };

/** The stages of a sync, each with all that come before it; every one reads the whole list. */
export class SyncParts {
  readonly #url: string;
  readonly #pool: Pool;
  readonly #line: SyncLine;
  readonly #connector: Connector;
  readonly #stop = new AbortController();

  private constructor(url: string, line: SyncLine, connector: Connector) {
    this.#url = url;
    this.#pool = new Pool(url, { connections: 2 });
    this.#line = line;
    this.#connector = connector;
  }

  /** `style`: how the list is read; one with offsets moves under its reader, and is read until two readings agree. */
  static async open(url: string, style: 'cursor' | 'offset'): Promise<SyncParts> {
    const line = new SyncLine({
      connect: () => createHttpClient({ baseUrl: `${url}/v2`, log: silentLog, connections: 2 }),
      credential: () => 'rk_sandbox_bench',
      budget: new Budget(clock, FREELY),
      clock,
      listener: { answered: () => undefined, failed: () => undefined },
    });
    const driver = providerDrivers.find(({ id }) => id === 'service');
    if (!driver) throw new Error('there is no driver of the service');
    const configured = await driver.configure({ lists: [RESOURCE], overrides: { customers: { style } } });
    const connector = configured.connect({
      credentials: { apiKey: 'key', baseUrl: `${url}/v2`, appName: '', appEmail: '' },
      http: sourceOverLine(line),
      files: async () => [],
      readFile: async () => new Uint8Array(),
      clock,
      log: silentLog,
    });
    return new SyncParts(url, line, connector);
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await Promise.all([this.#pool.close(), this.#line.close()]);
  }

  /** The bytes alone, as any client gets them. */
  get(rows: number): Promise<void> {
    return this.#read(rows, () => undefined);
  }

  /** What a script would do that wants the records. */
  parsed(rows: number): Promise<void> {
    return this.#read(rows, (text) => void JSON.parse(text));
  }

  /** Records in our shape, with deadlines, retries, the breaker and the budget around each request. */
  async listed(): Promise<void> {
    await this.#pages(() => undefined);
  }

  /** What each record means, with its fingerprints. */
  async judged(): Promise<void> {
    await this.#pages((page) => {
      judged(digested(page.records, digest), new Map(), ({ fields }) => ({ kind: 'write', body: fields }));
    });
  }

  /** A run into the mirror, as the daemon makes it. */
  mirrored(database: Database): Promise<void> {
    return this.#run(database, LOCAL_MIRROR, (fields) => fields);
  }

  /** A run into the service, a hundred at a time. */
  imported(database: Database): Promise<void> {
    const customers = new CustomerSink({ line: this.#line, prefix: '' }, () => clock.now());
    const sink: Sink = { kind: 'remote', write: (batch, signal) => customers.write(batch, signal) };
    return this.#run(database, sink, ({ email, name }) => ({ email: email ?? null, name: name ?? null }));
  }

  /** What the disk and SQLite need at least: the records are parsed, and put by the statement alone. */
  async stored(rows: number, mirror: string): Promise<void> {
    const sqlite = new Sqlite(mirror);
    const put = sqlite.prepare(PUT);
    const all = sqlite.transaction((records: readonly Record<string, unknown>[]) => {
      for (const { id, ...rest } of records)
        put.run(1, 1, id, HASH, clock.now(), 0, 1, 1, JSON.stringify({ id, ...rest }));
    });
    await this.#read(rows, (text) => all((JSON.parse(text) as { data: Record<string, unknown>[] }).data));
    sqlite.close();
  }

  async #read(rows: number, take: (text: string) => void): Promise<void> {
    for (let offset = 0; offset < rows; offset += PAGE) {
      const path = `/v2/customers?limit=${PAGE}&offset=${offset}`;
      const { body } = await this.#pool.request({ origin: this.#url, path, method: 'GET' });
      take(await body.text());
    }
  }

  async #pages(take: (page: Awaited<ReturnType<Connector['list']>>) => void): Promise<void> {
    let token: string | null = null;
    do {
      const page = await this.#connector.list(RESOURCE, EVER, token, this.#stop.signal);
      take(page);
      token = page.next;
    } while (token !== null);
  }

  async #run(database: Database, sink: Sink, body: (fields: JsonObject) => JsonObject): Promise<void> {
    const store = new SqliteSyncStore(database);
    const stream = { integration: 'bench', resource: RESOURCE };
    const [manifest] = this.#connector.resources;
    const lease = store.takeLease(stream, 'bench', 'changes', clock.now(), clock.now() + LEASE_MS);
    if (!manifest || !lease) throw new Error('the stream is not free');
    const setup = {
      ...{ stream, manifest, sink, connector: this.#connector, lookbackDays: null, sweepEveryMs: DAY_MS },
      map: ({ fields }: { readonly fields: JsonObject }) => ({ kind: 'write' as const, body: body(fields) }),
    };
    const ports = { store, clock, digest, payments: { isBusy: () => false }, mayWrite: () => true };
    const { freshAt } = await new SyncRun(setup, ports, lease).run(this.#stop.signal);
    store.end(lease, { at: clock.now(), outcome: 'complete', code: null, message: null, freshAt });
  }
}
