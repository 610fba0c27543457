import { hash } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { rest } from '../../../../drivers/providers/rest/manifest.ts';
import { type Log, silentLog } from '../../../../src/base/log.ts';
import type { JsonObject } from '../../../../src/integration/connector.ts';
import { isScheduled, mayRun } from '../../../../src/integration/integration.ts';
import { SyncEngine } from '../../../../src/integration/run/engine.ts';
import { IntegrationRunner } from '../../../../src/integration/runner/integration-runner.ts';
import { IntegrationSource } from '../../../../src/integration/runner/integration-source.ts';
import { mirrorRoute, type RunningIntegration } from '../../../../src/integration/running-integration.ts';
import type { Timetable } from '../../../../src/integration/schedule/timetable.ts';
import { IntegrationSettings } from '../../../../src/integration/settings/integration-settings.ts';
import { createSealer } from '../../../../src/runtime/sealer.ts';
import { timetableOf } from '../../../../src/runtime/timetable.ts';
import { Database } from '../../../../src/store/database.ts';
import { SqliteIntegrationStore } from '../../../../src/store/integrations/sqlite-integration-store.ts';
import { openMirror } from '../../../../src/store/mirror/mirror-database.ts';
import { SqliteMirrorReader } from '../../../../src/store/mirror/sqlite-mirror-reader.ts';
import { SqliteSyncControl } from '../../../../src/store/mirror/sqlite-sync-control.ts';
import { SqliteSyncStore } from '../../../../src/store/mirror/sqlite-sync-store.ts';
import { MONEY_MIGRATIONS } from '../../../../src/store/schema/migrations.ts';
import { Random, seededIds } from '../../random.ts';
import { PartClock, SimClock, Wall } from '../../sim-clock.ts';
import type { HistoryOptions } from '../history.ts';
import { ProviderVerdicts, type Rules } from './provider-verdicts.ts';
import { RECIPE, RESOURCES, type Resource, ShopProvider } from './shop-provider.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const INTEGRATION = 'provider_a';
const MAX_ERRORS = 4;
const STEPS = 40;
/** A probe comes after six hours at the latest, and quiet hours may hold it; then each resource has its turn. */
const CALM_MS = 30 * HOUR;
/** Berlin's wall clock in January. */
const ZONE = 'Europe/Berlin';
const AHEAD_MS = HOUR;
const QUIET = { from: '22:00', to: '06:30' };
const CRON = '15 7,13 * * *';
const CRON_WALLS = [7 * HOUR + 15 * MINUTE, 13 * HOUR + 15 * MINUTE] as const;

/** What one history of a provider came to. */
export type ProviderResult = Pick<ProviderVerdicts, 'sums' | 'accusations'>;

/** One seeded week of an integration: its schedule, its settings, its pauses, its provider, and a process that dies. */
export async function runProviderHistory(options: HistoryOptions): Promise<ProviderResult> {
  mkdirSync(options.folder, { recursive: true });
  const history = new ProviderHistory(options, await rest.configure({ recipe: RECIPE }));
  try {
    return await history.run();
  } finally {
    history.close();
    rmSync(options.folder, { recursive: true, force: true });
  }
}

/** One process run: everything that a kill drops. */
interface Life {
  readonly clock: PartClock;
  readonly mirror: Database;
  readonly money: Database;
  readonly settings: IntegrationSettings;
  readonly store: SqliteSyncStore;
  readonly control: SqliteSyncControl;
  readonly source: IntegrationSource;
  readonly runner: IntegrationRunner;
  isDead: boolean;
}

class ProviderHistory {
  readonly #random: Random;
  readonly #folder: string;
  readonly #print: (line: string) => void;
  readonly #configured: Awaited<ReturnType<typeof rest.configure>>;
  readonly #time = new SimClock();
  readonly #provider: ShopProvider;
  readonly #verdicts: ProviderVerdicts;
  readonly #rules: Rules;
  readonly #timetables: Readonly<Record<Resource, Timetable>>;
  #key = 'key 1';
  /** How often a key is exchanged while a request is on its way. */
  #rotations = 0;
  #rotatedAt = 0;
  #life: Life;
  #kills = 0;

  constructor(
    { seed, folder, print = () => undefined }: HistoryOptions,
    configured: Awaited<ReturnType<typeof rest.configure>>,
  ) {
    const random = new Random(seed, 'provider');
    this.#random = random;
    this.#folder = folder;
    this.#print = print;
    this.#configured = configured;
    const intervalS = random.pick([900, 1_800, 3_600]);
    const hasQuiet = random.chance(0.4);
    const cronOf = (resource: Resource) => resource === 'products' && random.chance(0.6);
    const withCron = RESOURCES.filter(cronOf);
    this.#rules = {
      isQuiet: (at) => hasQuiet && isQuietAt(at),
      cronTimes: (resource) => (withCron.includes(resource) ? cronAfter : null),
      intervalMs: intervalS * 1_000,
    };
    const tableOf = (resource: Resource) =>
      timetableOf({
        intervalS,
        jitterS: undefined,
        cron: withCron.includes(resource) ? CRON : undefined,
        quietHours: hasQuiet ? QUIET : undefined,
        timeZone: ZONE,
      });
    this.#timetables = {
      customers: tableOf('customers'),
      invoices: tableOf('invoices'),
      products: tableOf('products'),
    };
    this.#verdicts = new ProviderVerdicts(
      this.#rules,
      () => this.#time.elapsed,
      () => ({
        pausedFor: this.#life.settings.get(INTEGRATION).pausedFor,
        hasGoodKey: this.#key === this.#provider.key,
      }),
    );
    this.#provider = new ShopProvider(new Random(seed, 'shop'), () => this.#time.now, this.#verdicts);
    print(JSON.stringify({ seed, intervalS, hasQuiet, withCron }));
    this.#life = this.#boot();
    this.#life.settings.change(INTEGRATION, { isActive: true, lookbackDays: 30 });
    this.#life.runner.start();
  }

  async run(): Promise<ProviderResult> {
    for (let step = 0; step < STEPS; step += 1) {
      this.#happen();
      await this.#time.advance(this.#random.time(4 * MINUTE, 4 * HOUR));
      this.#report();
      if (this.#random.chance(0.08)) this.#killed();
      this.#person(0.25);
    }
    await this.#calmDown();
    return this.#result();
  }

  close(): void {
    const { clock, mirror, money } = this.#life;
    this.#life.isDead = true;
    clock.die();
    mirror.close();
    money.close();
  }

  /** What the shop writes, and what goes wrong at the provider from now on. */
  #happen(): void {
    const [random, provider] = [this.#random, this.#provider];
    const now = this.#time.now;
    for (let writes = random.int(0, 4); writes > 0; writes -= 1) provider.write(random.pick(RESOURCES));
    provider.limits = random.pick([0, 0, 0.02, 0.1]);
    provider.tokenEnds = random.pick([0, 0.1, 0.3]);
    if (random.chance(0.04)) provider.downUntil = now + random.time(10 * MINUTE, 30 * HOUR);
    if (now > provider.errorsUntil && random.chance(0.05))
      this.#breakData(now, now + random.time(30 * MINUTE, 6 * HOUR));
    if (random.chance(0.05)) provider.authorisationDownUntil = now + random.time(10 * MINUTE, 5 * HOUR);
    if (random.chance(0.03)) provider.forbidden.add(random.pick(RESOURCES));
    if (random.chance(0.03)) provider.key = `key ${random.int(2, 1_000_000)}`;
    this.#rotations = random.pick([0, 0, 0.03]);
  }

  #breakData(from: number, to: number): void {
    this.#provider.errorsUntil = to;
    this.#verdicts.brokenData(from, to);
  }

  /** The old key is refused from then on; nobody exchanges keys twice in a minute. */
  #rotate(): void {
    const now = this.#time.now;
    if (this.#key !== this.#provider.key || now - this.#rotatedAt < MINUTE) return;
    this.#rotatedAt = now;
    this.#provider.key = this.#key = `key ${this.#random.int(2, 1_000_000)}`;
    this.#life.source.credentialsChanged();
    this.#verdicts.keyChanged();
  }

  /** Somebody looks at it now and then: a refused key is replaced, a permission given back, a run asked for, also at night. */
  #person(chance: number): void {
    const [random, provider] = [this.#random, this.#provider];
    const { settings, runner, store } = this.#life;
    const isForbidden = provider.forbidden.size > 0;
    // What an outage alone has paused goes on by itself.
    const isOutage = settings.errorsOf(INTEGRATION).every(({ cause }) => cause === 'SOURCE_UNAVAILABLE');
    const { pausedFor } = settings.get(INTEGRATION);
    const isPaused = pausedFor === 'credentials' || (pausedFor === 'errors' && !isOutage);
    if ((isForbidden || isPaused || this.#key !== provider.key) && random.chance(chance)) {
      provider.forbidden.clear();
      this.#key = provider.key;
      this.#life.source.credentialsChanged();
      settings.resume(INTEGRATION);
      this.#queue(RESOURCES, false);
      return;
    }
    const held = RESOURCES.find(
      (resource) => store.streamOf({ integration: INTEGRATION, resource }).held !== null,
    );
    if (held && random.chance(chance)) {
      this.#askFor([held]);
      runner.approve(INTEGRATION, held);
      return;
    }
    if (random.chance(chance / 5) && settings.get(INTEGRATION).pausedFor === null)
      this.#queue([random.pick(RESOURCES)], random.chance(0.3));
  }

  #queue(resources: readonly Resource[], full: boolean): void {
    this.#askFor(resources);
    for (const resource of resources) this.#life.runner.queue(INTEGRATION, { full, resource });
  }

  #askFor(resources: readonly Resource[]): void {
    this.#print(`${this.#at()} a person asks for ${resources.join(', ')}`);
    this.#verdicts.runsAsked(resources, this.#time.now);
  }

  /** Everything in memory is gone, in the middle of whatever runs. */
  #killed(): void {
    this.#kills += 1;
    this.#print(`${this.#at()} killed`);
    this.#verdicts.killed();
    this.close();
    this.#life = this.#boot();
    this.#life.runner.start();
  }

  async #calmDown(): Promise<void> {
    const provider = this.#provider;
    this.#rotations = 0;
    Object.assign(provider, { limits: 0, tokenEnds: 0, downUntil: 0, authorisationDownUntil: 0 });
    // The fault that was announced ends now; its time is over for the judge as well only then.
    await this.#time.advance(Math.max(0, provider.errorsUntil - this.#time.now));
    for (let passed = 0; passed < CALM_MS; passed += HOUR) {
      await this.#time.advance(HOUR);
      this.#person(0.8);
    }
    this.#report();
  }

  #result(): ProviderResult {
    const { control, mirror, settings } = this.#life;
    if (settings.get(INTEGRATION).pausedFor !== null)
      this.#verdicts.accuse('stuck', `still paused for ${settings.get(INTEGRATION).pausedFor}`);
    const reader = new SqliteMirrorReader(mirror);
    for (const resource of RESOURCES) {
      const stream = { integration: INTEGRATION, resource };
      const runs = control.runsSince(stream, 0, 100_000).toReversed();
      this.#verdicts.runs(resource, runs);
      const shown = reader.list(stream, null, 10_000).map(({ id, body }): [string, JsonObject] => [id, body]);
      this.#verdicts.shown(resource, this.#provider.rows[resource], new Map(shown));
    }
    return this.#verdicts;
  }

  #boot(): Life {
    const random = new Random(this.#random.int(1, 2 ** 31), 'life');
    const clock = new PartClock(this.#time, new Wall());
    const mirror = openMirror(join(this.#folder, 'mirror.db'), '0.1.0', 0).database;
    const money = Database.open(join(this.#folder, 'money.db'), MONEY_MIGRATIONS, '0.1.0');
    const ids = seededIds(random, clock);
    const log = this.#log(() => life);
    let sealKey: string | undefined;
    const settings = new IntegrationSettings({
      store: new SqliteIntegrationStore(money, ids.uuid),
      sealer: createSealer({
        read: () => sealKey,
        keep: (made) => {
          sealKey = made;
        },
      }),
      clock,
      log,
    });
    const [store, control] = [new SqliteSyncStore(mirror), new SqliteSyncControl(mirror)];
    const digest = (text: string) => hash('sha256', text, 'hex').slice(0, 32);
    const payments = { isBusy: () => false };
    const owner = `life ${this.#kills}`;
    const engine = new SyncEngine({ store, clock, digest, payments, mayWrite: () => true, log, owner });
    const source = this.#source(clock, () => life);
    const integration = this.#integration(source, settings);
    const runner = new IntegrationRunner(
      {
        ...{ engine, store, control, settings, digest, clock, ids, log },
        ended: ({ resource }, report) => {
          const isFailed = report.outcome === 'failed';
          this.#verdicts.ran(resource as Resource, isFailed, this.#time.now);
          this.#print(`${this.#at()} ${resource} ${JSON.stringify(report)}`);
        },
      },
      [integration],
    );
    const life: Life = {
      ...{ clock, mirror, money, settings, store, control, source, runner },
      isDead: false,
    };
    return life;
  }

  #source(clock: PartClock, life: () => Life): IntegrationSource {
    const none = () => Promise.reject(new Error('no folder'));
    return new IntegrationSource({
      configured: this.#configured,
      credentials: () => ({ apiKey: this.#key, baseUrl: '', appName: 'Shop', appEmail: 'a@shop.example' }),
      noCredentials: null,
      openLine: ({ headers }) => ({
        request: async (request, signal) => {
          await this.#time.wait(this.#random.int(50, 900));
          // Nobody hears an answer to a process that is dead.
          if (life().isDead) return new Promise(() => undefined);
          signal.throwIfAborted();
          if (this.#random.chance(this.#rotations)) this.#rotate();
          return this.#provider.answer(request, (headers['authorization'] ?? '').replace('Bearer ', ''));
        },
        close: async () => undefined,
      }),
      world: { files: none, readFile: none },
      clock,
      log: silentLog,
    });
  }

  #integration(source: IntegrationSource, settings: IntegrationSettings): RunningIntegration {
    const config = { connector: 'rest', needsCredentials: true, needs: [], intervalS: 0 };
    return {
      name: INTEGRATION,
      config: { ...config, maxErrors: MAX_ERRORS },
      sweepEveryMs: 6 * HOUR,
      timetableOf: (resource) => this.#timetables[resource as Resource],
      source,
      routeOf: () => mirrorRoute(),
      mayRun: () => mayRun(settings.get(INTEGRATION)),
      isScheduled: () => isScheduled(settings.get(INTEGRATION)),
      lookbackDays: () => settings.get(INTEGRATION).lookbackDays,
      activeSince: () => 1,
    };
  }

  /** The log says when an integration is paused, and when it goes on by itself. */
  #log(life: () => Life): Log {
    const note = (fields: unknown, message: string) => {
      if (life().isDead) return;
      if (message === 'integration resumed') this.#verdicts.resumed();
      if (message === 'integration paused') this.#verdicts.paused(Reflect.get(Object(fields), 'reason'));
    };
    const log: Log = { ...silentLog, info: note, error: note, child: () => log };
    return log;
  }

  #report(): void {
    const { settings } = this.#life;
    this.#print(`${this.#at()} paused for ${settings.get(INTEGRATION).pausedFor}`);
  }

  #at(): string {
    return `${(this.#time.elapsed / 1000).toFixed(1)} s`;
  }
}

/** Ms since midnight by the wall clock of the shop. */
function wallOf(at: number): number {
  return (at + AHEAD_MS) % DAY;
}

function isQuietAt(at: number): boolean {
  return wallOf(at) >= 22 * HOUR || wallOf(at) < 6.5 * HOUR;
}

/** The next time of {@link CRON}. */
function cronAfter(at: number): number {
  const midnight = at - wallOf(at);
  const times = [0, DAY].flatMap((day) => CRON_WALLS.map((wall) => midnight + day + wall));
  return times.find((time) => time > at) ?? Number.POSITIVE_INFINITY;
}
