import { hash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { rest } from '../../drivers/providers/rest/manifest.ts';
import type { Clock } from '../../src/base/clock.ts';
import { type Log, silentLog } from '../../src/base/log.ts';
import { isScheduled, mayRun } from '../../src/integration/integration.ts';
import type { SinkWrite } from '../../src/integration/ports.ts';
import { SyncEngine } from '../../src/integration/run/engine.ts';
import {
  IntegrationRunner,
  type IntegrationRunnerDeps,
} from '../../src/integration/runner/integration-runner.ts';
import { IntegrationSource } from '../../src/integration/runner/integration-source.ts';
import {
  mirrorRoute,
  type Route,
  type RunningIntegration,
} from '../../src/integration/running-integration.ts';
import { atInterval, type Timetable } from '../../src/integration/schedule/timetable.ts';
import { IntegrationSettings } from '../../src/integration/settings/integration-settings.ts';
import type { StreamView } from '../../src/integration/sync-runner-port.ts';
import { nameOf } from '../../src/integration/window/stream.ts';
import { createSourceHttp, type SourceHttpOptions } from '../../src/net/source-http.ts';
import { systemClock } from '../../src/runtime/system-clock.ts';
import { SqliteIntegrationStore } from '../../src/store/integrations/sqlite-integration-store.ts';
import { SqliteMirrorReader } from '../../src/store/mirror/sqlite-mirror-reader.ts';
import { SqliteSyncControl } from '../../src/store/mirror/sqlite-sync-control.ts';
import { SqliteSyncStore } from '../../src/store/mirror/sqlite-sync-store.ts';
import { aFolder, aMoneyDatabase } from './money-database.ts';
import { CREDENTIALS } from './source-context.ts';
import { aMirror } from './sync.ts';
import { aSealer } from './webhooks.ts';

export type SourceFields = Readonly<Record<string, unknown>>;
export const DAY_MS = 86_400_000;
export const INTEGRATION = 'provider_a';

/** An answer in the place of the list. */
export interface Answer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Asked {
  readonly resource: string;
  readonly query: URLSearchParams;
}

/** A provider over real HTTP: `GET /RESOURCE?since=&until=&offset=&limit=` gives `{"data": […]}`. */
export class ProviderServer {
  readonly rows = new Map<string, SourceFields[]>();
  readonly asked: Asked[] = [];
  /** Rows that were sent. */
  sent = 0;
  /** Answers in the place of the list; undefined: the list. */
  instead: (asked: Asked) => Answer | undefined = () => undefined;
  now: () => number = () => Date.now();
  url = '';
  readonly #server = createServer((request, response) => this.#serve(request, response));

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? '/', this.url);
    const asked = { resource: url.pathname.slice(1), query: url.searchParams };
    this.asked.push(asked);
    const { status, body, headers = {} } = this.instead(asked) ?? this.#list(asked);
    response.sendDate = false;
    response.writeHead(status, {
      'content-type': 'application/json',
      date: new Date(this.now()).toUTCString(),
      ...headers,
    });
    response.end(JSON.stringify(body ?? {}));
  }

  #list({ resource, query }: Asked): Answer {
    const bound = (name: string, absent: number) => Number(query.get(name) ?? absent);
    const [since, until] = [bound('since', 0), bound('until', Number.MAX_SAFE_INTEGER)];
    const offset = bound('offset', 0);
    const hasBounds = query.has('since') || query.has('until');
    // As in SQL: a time that is null is neither before nor after another one.
    const isAsked = ({ updated_at: at }: SourceFields) =>
      !hasBounds || (typeof at === 'number' && at >= since && at <= until);
    const all = (this.rows.get(resource) ?? []).filter(isAsked);
    const data = all.slice(offset, offset + bound('limit', 100));
    this.sent += data.length;
    return { status: 200, body: { data } };
  }
}

/** A resource of a recipe over {@link ProviderServer}. */
export function aResource(path: string, fields: Readonly<Record<string, string>> = {}, more: object = {}) {
  return {
    path: `/${path}`,
    items: 'data',
    page: { style: 'offset', size: 100, sizeParameter: 'limit' },
    changes: {
      from: { parameter: 'since', format: 'unix_ms' },
      until: { parameter: 'until', format: 'unix_ms' },
    },
    id: 'id',
    updatedAt: { value: 'updated_at', format: 'unix_ms' },
    fields,
    ...more,
  };
}

export interface ProviderShopOptions {
  readonly resources: Readonly<Record<string, object>>;
  readonly recipe?: object;
  readonly routes?: Readonly<Record<string, Route>>;
  readonly intervalS?: number;
  /** Absent: at the interval. */
  readonly timetable?: Timetable;
  readonly sweepEveryMs?: number;
  readonly lookbackDays?: number;
  readonly http?: Partial<SourceHttpOptions>;
  readonly log?: Log;
  readonly ended?: IntegrationRunnerDeps['ended'];
}

/** A route whose sink notes what the service is sent. */
export function notingRoute(map: Route['map']): Route & { readonly written: SinkWrite[] } {
  const written: SinkWrite[] = [];
  return {
    written,
    map,
    sink: {
      kind: 'remote',
      write: async (batch) => {
        written.push(...batch);
        return batch.map(({ id }) => ({ id, outcome: 'updated' as const }));
      },
    },
  };
}

/** One provider over real HTTP with the real connector, runner, engine and files; only the wall clock can be moved on. */
export async function aProviderShop(options: ProviderShopOptions) {
  const { resources, routes = {}, log = silentLog } = options;
  const server = new ProviderServer();
  await server.start();
  let ahead = 0;
  const waits: number[] = [];
  const clock: Clock = {
    now: () => Date.now() + ahead,
    monotonic: systemClock.monotonic,
    // The pauses between two tries of a run are the only ones that a test would wait for.
    timer: (name, ms, fn) => {
      if (name !== 'sync waits') return systemClock.timer(name, ms, fn);
      waits.push(ms);
      return systemClock.timer(name, ms / 100, fn);
    },
  };
  server.now = clock.now;
  const folder = aFolder();
  const [money, mirror] = [aMoneyDatabase(join(folder, 'money.db')), aMirror(join(folder, 'mirror.db'))];
  let made = 0;
  const uuid = () => `id ${++made}`;
  const integrations = new SqliteIntegrationStore(money, uuid);
  const settings = new IntegrationSettings({
    store: integrations,
    sealer: aSealer(),
    clock,
    log,
  });
  settings.change(INTEGRATION, { isActive: true, lookbackDays: options.lookbackDays ?? 30 });
  const [store, control] = [new SqliteSyncStore(mirror), new SqliteSyncControl(mirror)];
  const digest = (text: string) => hash('sha256', text, 'hex').slice(0, 32);
  const parts = { store, clock, digest, payments: { isBusy: () => false }, mayWrite: () => true, log };
  const recipe = {
    recipe: 1,
    id: 'things',
    title: 'Things',
    documentation: 'https://things.example/docs',
    auth: { type: 'bearer' },
    ...options.recipe,
    resources,
  };
  const none = () => Promise.reject(new Error('no folder'));
  const source = new IntegrationSource({
    configured: await rest.configure({ recipe }),
    credentials: () => ({ ...CREDENTIALS, baseUrl: server.url }),
    noCredentials: null,
    openLine: (access) =>
      createSourceHttp({ log, access, retry: { retries: 1, minDelayMs: 1, maxDelayMs: 2 }, ...options.http }),
    world: { files: none, readFile: none },
    clock,
    log,
  });
  const integration: RunningIntegration = {
    name: INTEGRATION,
    config: {
      connector: 'rest',
      needsCredentials: true,
      needs: [],
      intervalS: options.intervalS ?? 300,
      maxErrors: 10,
    },
    sweepEveryMs: options.sweepEveryMs ?? DAY_MS,
    timetableOf: () => options.timetable ?? atInterval((options.intervalS ?? 300) * 1_000),
    source,
    routeOf: (resource) => routes[resource] ?? mirrorRoute(),
    mayRun: () => mayRun(settings.get(INTEGRATION)),
    isScheduled: () => isScheduled(settings.get(INTEGRATION)),
    lookbackDays: () => settings.get(INTEGRATION).lookbackDays,
    activeSince: () => 1,
  };
  const engine = new SyncEngine({ ...parts, owner: 'a test' });
  const ids = { uuid, nameBased: uuid, random: () => 0 };
  const newRunner = () =>
    new IntegrationRunner(
      {
        engine,
        store,
        control,
        settings,
        digest,
        clock,
        ids,
        log,
        ...(options.ended ? { ended: options.ended } : {}),
      },
      [integration],
    );
  const runner = newRunner();
  onTestFinished(async () => {
    await runner.close();
    await server.stop();
  });
  const stream = (resource: string) => ({ integration: INTEGRATION, resource });
  const view = (resource: string): StreamView => {
    const found = runner.streams(INTEGRATION).find((one) => one.resource === resource);
    if (!found) throw new Error(`no stream ${resource}`);
    return found;
  };
  const ended = async (resource: string, behind: number) => {
    for (let looks = 0; looks < 3_000; looks += 1) {
      const { run, state } = view(resource);
      if (state === 'idle' && run && run.no > behind && run.endedAt !== null) return run;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    throw new Error(`${nameOf(stream(resource))} has not ended: ${JSON.stringify(view(resource))}`);
  };
  return {
    server,
    runner,
    settings,
    integrations: integrations,
    store,
    control,
    mirror,
    clock,
    /** The pauses between two tries of a run, as the product asked for them, ms. */
    waits,
    view,
    /** One run of a resource, to its end. */
    async run(resource: string, full = false) {
      const behind = view(resource).run?.no ?? 0;
      runner.queue(INTEGRATION, { full, resource });
      return ended(resource, behind);
    },
    /** Another runner over the same files, as after a restart. */
    restarted: newRunner,
    /** Waits until no run is under way. */
    async quiet() {
      for (let looks = 0; looks < 3_000; looks += 1) {
        if (runner.streams(INTEGRATION).every(({ state }) => state === 'idle')) return;
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    },
    /** Lets the wall clock jump, and what is due then start. */
    pass(ms: number) {
      ahead += ms;
      runner.tick();
    },
    /** Starts the schedule and waits for the first run of each resource. */
    async start() {
      runner.start();
      for (const resource of Object.keys(resources)) await ended(resource, 0);
    },
    /** The end of a run behind that one. */
    settled: ended,
    shown: (resource: string) =>
      new SqliteMirrorReader(mirror).list(stream(resource), null, 20_000).map(({ id }) => id),
    bodies: (resource: string) =>
      new SqliteMirrorReader(mirror).list(stream(resource), null, 20_000).map(({ body }) => body),
    parked: () => runner.parked(INTEGRATION, null, 1_000),
  };
}
