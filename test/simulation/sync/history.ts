import { hash } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { silentLog } from '../../../src/base/log.ts';
import { LOCAL_MIRROR } from '../../../src/integration/ports.ts';
import { type RunReport, SyncEngine } from '../../../src/integration/run/engine.ts';
import type { StreamSetup } from '../../../src/integration/run/sync-run.ts';
import type { StreamState } from '../../../src/integration/window/stream.ts';
import type { Database } from '../../../src/store/database.ts';
import { openMirror } from '../../../src/store/mirror/mirror-database.ts';
import { SqliteMirrorReader } from '../../../src/store/mirror/sqlite-mirror-reader.ts';
import { SqliteSyncControl } from '../../../src/store/mirror/sqlite-sync-control.ts';
import { SqliteSyncStore } from '../../../src/store/mirror/sqlite-sync-store.ts';
import { HostileProvider, PEACE } from '../../support/hostile/provider.ts';
import { shapeOf } from '../../support/hostile/shape.ts';
import { Random } from '../random.ts';
import { PartClock, SimClock, Wall } from '../sim-clock.ts';
import { type SyncResult, Verdicts } from './judge.ts';
import { ServiceSink } from './service-sink.ts';
import { Killed, watchedStore } from './watched-sync-store.ts';

/** Size limit of the state of a stream as JSON; the store refuses more. */
const MOST_STATE_BYTES = 4096;

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const STREAM = { integration: 'provider_a', resource: 'invoices' } as const;
const TIES = 10_000;
const EVERY_TIES = 50;
const SWEEP_EVERY_MS = 2 * HOUR;
const PASSES = 22;
const CALM_PASSES = 24;
const STEP_MS = 10_000;
/** A run that takes days is stuck. */
const MOST_STEPS = 40_000;

export interface HistoryOptions {
  readonly seed: number;
  readonly folder: string;
  readonly print?: (line: string) => void;
}

/** One seeded history of one stream: a hostile source, a process that dies at commits, and a judge who knows the truth. */
export async function runSyncHistory({ seed, folder, print }: HistoryOptions): Promise<SyncResult> {
  mkdirSync(folder, { recursive: true });
  const history = new SyncHistory(seed, folder, print);
  try {
    return await history.run();
  } finally {
    history.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

class SyncHistory {
  readonly #seed: number;
  readonly #path: string;
  /** Hears what happens; undefined: nobody listens. */
  readonly #print: ((line: string) => void) | undefined;
  readonly #random: Random;
  readonly #time = new SimClock();
  readonly #provider: HostileProvider;
  readonly #service: ServiceSink | null;
  readonly #verdicts: Verdicts;
  readonly #setup: StreamSetup;
  #database: Database;
  #engine: SyncEngine;
  #killChance = 0;
  /** Readers must see what has changed since; null: everything. */
  #since: number | null = null;
  #isBusy = false;
  #wasKilled = false;
  /** How often somebody writes while a page is read. */
  #bustle = 0.01;

  constructor(seed: number, folder: string, print: ((line: string) => void) | undefined) {
    this.#seed = seed;
    this.#print = print;
    this.#path = join(folder, 'mirror.db');
    const random = new Random(seed, 'sync');
    this.#random = random;
    const shape = shapeOf(random, seed % EVERY_TIES === 0 ? TIES : 0);
    this.#provider = new HostileProvider(shape, new Random(seed, 'source'), () => this.#time.now);
    const isRemote = random.chance(0.3);
    this.#verdicts = new Verdicts(this.#provider.table, () => this.#time.elapsed);
    this.#service = isRemote
      ? new ServiceSink(new Random(seed, 'service'), (id) => this.#verdicts.removed([id]))
      : null;
    this.#setup = {
      stream: STREAM,
      connector: this.#slow(),
      manifest: this.#provider.resources[0] as StreamSetup['manifest'],
      map: ({ fields }) => ({ kind: 'write', body: fields }),
      sink: this.#service?.sink ?? LOCAL_MIRROR,
      lookbackDays: shape.isTied || random.chance(0.6) ? null : 30,
      sweepEveryMs: SWEEP_EVERY_MS,
    };
    this.#print?.(JSON.stringify({ seed, isRemote, ...shape }));
    this.#database = openMirror(this.#path, '0.1.0', 0).database;
    this.#engine = this.#boot();
  }

  async run(): Promise<SyncResult> {
    try {
      await this.#play();
    } catch (error) {
      if (!(error instanceof EndlessRun)) throw error;
      this.#verdicts.accuse('stuck', error.message);
    }
    return this.#result();
  }

  async #play(): Promise<void> {
    await this.#firstSync();
    for (let pass = 0; pass < PASSES; pass += 1) {
      this.#misbehave();
      await this.#live(this.#random.time(MINUTE, 40 * MINUTE));
      if (this.#random.chance(0.12)) this.#payments().requestFull(STREAM);
      await this.#sync();
      this.#person();
    }
    await this.#calmDown();
  }

  close(): void {
    this.#database.close();
  }

  /** Calm enough to come to its end; only the process dies. */
  async #firstSync(): Promise<void> {
    this.#killChance = 0.03;
    for (let tries = 0; tries < 200; tries += 1) {
      this.#writes(1);
      const report = await this.#sync();
      if (report.outcome === 'complete') {
        this.#since = this.#store().streamOf(STREAM).state.horizon ?? null;
        return;
      }
      await this.#time.advance(MINUTE);
    }
    this.#verdicts.accuse('stuck', 'the first sync never ended');
  }

  /** What may happen until the next run, and while it runs. */
  #misbehave(): void {
    const random = this.#random;
    const now = this.#time.now;
    this.#killChance = random.pick([0, 0.02, 0.1]);
    const often = random.pick([0, 0.02, 0.08]);
    this.#bustle = random.pick([0, 0.05, 0.2]);
    this.#provider.mischief = {
      rateLimit: often,
      longRateLimit: random.pick([0, 0, 0.05, 0.3]),
      cut: often,
      noJson: often,
      lineDown: random.pick([0, 0.02]),
      forbidden: random.pick([0, 0, 0.02]),
      repeat: often,
      emptyPage: often,
      wrongType: random.pick([0, 0, 0.01]),
    };
    if (random.chance(0.03)) this.#provider.brokenUntil = now + random.int(1, 40) * MINUTE;
    if (random.chance(0.06))
      this.#provider.hide(now + random.int(20, 150) * MINUTE, random.pick([0, 0.4, 0.8]));
    if (!this.#service) return;
    this.#service.unreliable = often;
    this.#service.picky = random.pick([0, 0, 0.02]);
  }

  /** A shop goes on while nobody syncs. */
  async #live(ms: number): Promise<void> {
    const steps = this.#random.int(1, 4);
    for (let step = 0; step < steps; step += 1) {
      await this.#time.advance(Math.round(ms / steps));
      this.#writes(this.#random.int(0, 4));
    }
  }

  #writes(count: number): void {
    const { table, shape } = this.#provider;
    const random = this.#random;
    for (let index = 0; index < count; index += 1) {
      const lateMs = random.chance(0.3) ? random.int(0, shape.lateMs) : 0;
      const what = random.next();
      if (what < 0.3) table.create(lateMs);
      else if (what < 0.88) table.change(lateMs, random.chance(0.03));
      else table.remove(lateMs);
    }
  }

  /** One run of the engine; a process that died is started again. */
  async #sync(): Promise<RunReport> {
    const stop = new AbortController();
    if (this.#random.chance(0.05))
      this.#time.at(this.#random.int(1, 60_000), () => stop.abort(new Error('somebody stopped it')));
    this.#verdicts.beginRun(this.#wasKilled ? this.#store().streamOf(STREAM) : null);
    this.#wasKilled = false;
    const work = this.#engine.run(this.#setup, stop.signal).catch((error: unknown): RunReport => {
      if (!(error instanceof Killed)) throw error;
      return { outcome: 'busy' };
    });
    const report = await this.#until(work);
    this.#print?.(`${this.#at()} run ${JSON.stringify(report)} ${this.#stateText()}`);
    this.#note(report);
    this.#verdicts.note(report);
    if (report.outcome === 'busy') this.#restart();
    return report;
  }

  /** A full resync reads everything, whatever the first sync looked back to. */
  #note(report: RunReport): void {
    if (report.outcome === 'complete' && report.kind === 'full') this.#since = null;
  }

  #restart(): void {
    this.#database.close();
    this.#database = openMirror(this.#path, '0.1.0', 0).database;
    this.#engine = this.#boot();
    this.#wasKilled = true;
  }

  #boot(): SyncEngine {
    const random = this.#random;
    const verdicts = this.#verdicts;
    let shown = new Set<string>();
    const store = watchedStore(this.#store(), {
      diesNow: () => {
        const dies = random.chance(this.#killChance);
        if (dies) verdicts.killed();
        return dies;
      },
      onState: (state) => verdicts.state(bytesOf(state), MOST_STATE_BYTES),
      onPage: () => verdicts.committed(),
      beforeSwap: () => {
        shown = new Set(this.#shown().keys());
      },
      afterSwap: () => verdicts.swapped(shown, new Set(this.#shown().keys())),
      onBuried: (ids) => verdicts.removed(ids),
    });
    const clock = new PartClock(this.#time, new Wall());
    const digest = (text: string) => hash('sha256', text, 'hex').slice(0, 32);
    const payments = { isBusy: () => this.#isBusy };
    const engine = new SyncEngine({
      store,
      clock,
      digest,
      payments,
      mayWrite: () => true,
      log: silentLog,
      owner: `life ${this.#time.elapsed} ${random.next()}`,
    });
    engine.start();
    return engine;
  }

  /** The source answers after a while, and the world goes on meanwhile. */
  #slow(): StreamSetup['connector'] {
    const provider = this.#provider;
    const wait = async () => {
      const random = this.#random;
      await this.#time.wait(random.chance(0.1) ? random.int(1_000, 100_000) : random.int(20, 900));
      if (random.chance(this.#bustle)) this.#writes(random.int(1, 2));
      this.#isBusy = random.chance(0.05);
      if (this.#isBusy)
        this.#time.at(random.int(500, 40_000), () => {
          this.#isBusy = false;
        });
    };
    return {
      resources: provider.resources,
      test: () => provider.test(),
      list: async (resource, window, token) => {
        const run = this.#verdicts.asked(token);
        await wait();
        const page = await provider.list(resource, window, token);
        this.#verdicts.delivered(run);
        return page;
      },
      ...(provider.get && {
        get: async (resource: string, id: string) => (await provider.get?.(resource, id)) ?? null,
      }),
    };
  }

  /** A person looks at what is held, and lets go what is really gone. */
  #person(): void {
    const { held, generation } = this.#store().streamOf(STREAM);
    if (held?.kind !== 'deletes' || this.#random.chance(this.#killChance === 0 ? 0 : 0.5)) return;
    const waiting = this.#database
      .all('SELECT id FROM rows WHERE generation = ? AND fate IN (1, 4)', generation)
      .map((row) => String(Reflect.get(Object(row), 'id')));
    if (waiting.every((id) => !this.#provider.table.exists(id))) this.#payments().approve(STREAM);
  }

  /** Nothing happens any more, and all that is missing must be found. */
  async #calmDown(): Promise<void> {
    this.#provider.mischief = PEACE;
    this.#provider.brokenUntil = 0;
    this.#provider.hide(0, 1);
    this.#killChance = 0;
    if (this.#service) Object.assign(this.#service, { unreliable: 0, picky: 0 });
    for (let pass = 0; pass < CALM_PASSES; pass += 1) {
      // What was written late and broken may only now be seen.
      if (pass < 2) this.#provider.table.repair();
      await this.#time.advance(31 * MINUTE);
      await this.#syncQuietly();
      this.#person();
    }
  }

  /** The connector's world writes on while it answers; here it does not. */
  async #syncQuietly(): Promise<void> {
    const connector = this.#provider;
    this.#note(
      await this.#until(this.#engine.run({ ...this.#setup, connector }, new AbortController().signal)),
    );
    this.#print?.(`${this.#at()} calm ${this.#stateText()}`);
  }

  #result(): SyncResult {
    const shown = this.#service ? bodiesOf(this.#service) : this.#shown();
    return this.#verdicts.result(this.#seed, shown, this.#since, this.#print);
  }

  #shown(): ReadonlyMap<string, unknown> {
    const reader = new SqliteMirrorReader(this.#database);
    const shown = new Map<string, unknown>();
    for (let after: string | null = null; ; ) {
      const page = reader.list(STREAM, after, 5_000);
      for (const { id, body } of page) shown.set(id, body);
      after = page.at(-1)?.id ?? null;
      if (page.length < 5_000) return shown;
    }
  }

  #store(): SqliteSyncStore {
    return new SqliteSyncStore(this.#database);
  }

  #payments(): SqliteSyncControl {
    return new SqliteSyncControl(this.#database);
  }

  async #until<T>(work: Promise<T>): Promise<T> {
    let isOver = false;
    const watched = work.finally(() => {
      isOver = true;
    });
    watched.catch(() => undefined);
    for (let steps = 0; !isOver && steps < MOST_STEPS; steps += 1) await this.#time.advance(STEP_MS);
    if (!isOver)
      throw new EndlessRun(`${(MOST_STEPS * STEP_MS) / 3_600_000} hours later a run has not ended`);
    return watched;
  }

  #at(): string {
    return `${(this.#time.elapsed / 1000).toFixed(1)} s`;
  }

  #stateText(): string {
    return JSON.stringify(this.#store().streamOf(STREAM));
  }
}

function bytesOf(state: StreamState): number {
  return Buffer.byteLength(JSON.stringify(state));
}

function bodiesOf({ rows }: ServiceSink): ReadonlyMap<string, unknown> {
  return new Map([...rows].map(([id, { body }]) => [id, body]));
}

/** A run that goes on and on is no fault of the simulation: it is what the seed has found. */
class EndlessRun extends Error {}
