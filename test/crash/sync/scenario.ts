import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../../simulation/random.ts';
import { ServiceSink } from '../../simulation/sync/service-sink.ts';
import { HostileProvider, PEACE } from '../../support/hostile/provider.ts';
import { HostileServer, HTTP_PEACE } from '../../support/hostile/server.ts';
import { type Shape, shapeOf } from '../../support/hostile/shape.ts';
import { Life } from './life.ts';
import type { Order } from './order.ts';
import { SinkServer } from './sink-server.ts';
import { type SentPage, SourceLog } from './source-log.ts';
import { Watcher } from './watcher.ts';

/** Size limit of the state of a stream as JSON; the store refuses more. */
const MOST_STATE_BYTES = 4096;

export interface ScenarioOptions {
  readonly seed: number;
  readonly folder: string;
  readonly kills: number;
  readonly splitsCommits: boolean;
}

/** What one stream came to, after so many deaths. */
export interface ScenarioResult {
  readonly seed: number;
  readonly kills: number;
  readonly fulls: number;
  readonly runs: number;
  readonly pages: number;
  readonly rows: number;
  readonly missed: number;
  readonly extra: number;
  readonly wronglyDeleted: number;
  readonly pagesRepeatedMost: number;
  readonly readerLost: number;
  readonly stateBytesMost: number;
  readonly failures: readonly string[];
}

/** What a transaction of the source may take to be seen, ms; and how long nothing more may come until all of it was. */
const LATE_MS = 1_200;
const CALM_MS = 2_500;
const MOST_CALM_MS = 30_000;
/** Whole runs in the calm: what they have not found is missed, where everything is read once. */
const ENOUGH_RUNS = 6;
const LOOK_MS = 100;
const MOST_PAUSE_MS = 15;
const LAST_ANSWER_MS = 10 * MOST_PAUSE_MS;
const MOST_LIFE_MS = 2_000;
const SWEEP_EVERY_MS = 1_500;
const NEVER_MS = 86_400_000;
/** Between two lives so many rows change at most; few are removed, or a person would have to look. */
const MOST_REMOVED = 4;

/** One stream: a hostile source and a service that live on, and a process between them that is killed again and again. */
export class Scenario {
  readonly #options: ScenarioOptions;
  readonly #random: Random;
  readonly #provider: HostileProvider;
  readonly #server: HostileServer;
  readonly #service: ServiceSink;
  readonly #sink: SinkServer;
  readonly #isRemote: boolean;
  /** Nothing is read twice but the overlap: what a death has lost stays lost, and is seen. */
  readonly #isOnce: boolean;
  readonly #log = new SourceLog();
  readonly #watcher: Watcher;
  /** Pages that the store had counted when the last process died. */
  #committed = 0;
  readonly #sums = { kills: 0, fulls: 0, runs: 0, pages: 0, repeatedMost: 0, stateMost: 0, removed: 0 };
  /** Rows that exist and were taken away at the service. */
  #removedWrongly = 0;
  readonly #failures: string[] = [];

  constructor(options: ScenarioOptions) {
    const { seed, folder } = options;
    mkdirSync(folder, { recursive: true });
    this.#options = options;
    const random = new Random(seed, 'kills');
    this.#random = random;
    this.#isOnce = random.chance(0.6);
    this.#provider = new HostileProvider(aShape(random, this.#isOnce), new Random(seed, 'source'), () =>
      Date.now(),
    );
    this.#server = new HostileServer(this.#provider, new Random(seed, 'http'));
    this.#server.pause = () => random.int(1, MOST_PAUSE_MS);
    this.#server.onAnswered = (page) => this.#answered(page);
    this.#isRemote = random.chance(0.5);
    this.#service = new ServiceSink(new Random(seed, 'service'), (id) => {
      if (this.#provider.table.exists(id)) this.#removedWrongly += 1;
    });
    this.#sink = new SinkServer(this.#service);
    this.#watcher = new Watcher(join(folder, 'mirror.db'), this.#provider.table);
  }

  async play(): Promise<ScenarioResult> {
    const sourceUrl = `http://127.0.0.1:${await this.#server.start()}`;
    const sinkUrl = await this.#sink.start();
    const order = this.#order(sourceUrl, this.#isRemote ? sinkUrl : '');
    try {
      while (this.#sums.kills < this.#options.kills) await this.#lifeAndDeath(order);
      await this.#calmDown(order);
      return this.#result();
    } finally {
      this.#watcher.close();
      await Promise.all([this.#server.stop(), this.#sink.stop()]);
    }
  }

  #order(sourceUrl: string, sinkUrl: string): Order {
    const { folder, splitsCommits } = this.#options;
    const manifest = this.#provider.resources[0];
    if (!manifest) throw new Error('a source has a resource');
    return {
      folder,
      sourceUrl,
      sinkUrl,
      manifest,
      sweepEveryMs: this.#isOnce ? NEVER_MS : SWEEP_EVERY_MS,
      wantsFull: false,
      splitsCommits,
    };
  }

  /** From the first look at the source to a death at a random moment. */
  async #lifeAndDeath(order: Order): Promise<void> {
    const random = this.#random;
    this.#misbehave();
    this.#writes(random.int(0, 6));
    const wantsFull = !this.#isOnce && this.#sums.kills > 0 && random.chance(0.6);
    if (wantsFull) this.#sums.fulls += 1;
    const life = new Life({ ...order, wantsFull });
    try {
      await life.ready();
      this.#watcher.start();
      await this.#pages(random.int(0, 4));
      this.#writes(random.int(0, 3));
      await this.#pages(random.int(0, 6));
      await sleep(random.int(0, 150));
    } finally {
      await life.kill();
    }
    // What it had asked for may still be answered: it belongs to the life that asked.
    await sleep(LAST_ANSWER_MS);
    this.#died(life);
  }

  /** Until the source has answered so often; counted, not timed, so that a slow machine dies where a fast one does. */
  async #pages(count: number): Promise<void> {
    const enough = this.#sums.pages + count;
    for (let waited = 0; waited < MOST_LIFE_MS && this.#sums.pages < enough; waited += 2) await sleep(2);
  }

  #died(life: Life): void {
    this.#sums.kills += 1;
    this.#sums.runs += life.ends.length;
    this.#measure();
    const committed = this.#watcher.pages();
    const isComplete = life.ends.every(({ outcome }) => outcome === 'complete');
    this.#log.killed(isComplete ? committed - this.#committed : null);
    this.#committed = committed;
    const broken = life.ends.find(({ code }) => code === 'CONNECTOR_BROKEN' || code === 'LEASE_LOST');
    if (broken) this.#failures.push(`seed ${this.#options.seed}: a run ended with ${broken.code}`);
  }

  #measure(): void {
    this.#watcher.look();
    this.#sums.stateMost = Math.max(this.#sums.stateMost, this.#watcher.stateBytes());
  }

  #answered(page: SentPage): void {
    this.#log.answered(page);
    this.#sums.pages += 1;
    this.#sums.repeatedMost = Math.max(this.#sums.repeatedMost, this.#log.repeated() ?? 0);
  }

  /** Nothing changes and nothing fails any more: all that was missed must be found, by a process that lives. */
  async #calmDown(order: Order): Promise<void> {
    this.#provider.mischief = PEACE;
    this.#server.mischief = HTTP_PEACE;
    await sleep(CALM_MS);
    const life = new Life({ ...order, wantsFull: false });
    try {
      await life.ready();
      for (let waited = 0; waited < MOST_CALM_MS && !this.#isSettled(life); waited += LOOK_MS)
        await sleep(LOOK_MS);
    } finally {
      await life.kill();
    }
    this.#sums.runs += life.ends.length;
    this.#measure();
  }

  /** Some whole runs must have seen the calm, so that what is wrong is not taken for right before they have ended. */
  #isSettled({ ends }: Life): boolean {
    const { missed, extra } = this.#compared();
    const runs = ends.filter(({ outcome }) => outcome === 'complete').length;
    if (this.#isOnce && runs >= ENOUGH_RUNS) return true;
    return runs >= 3 && missed + extra.length === 0;
  }

  #misbehave(): void {
    const random = this.#random;
    const some = random.pick([0, 0, 0.01]);
    this.#server.mischief = { ...HTTP_PEACE, cut: some, truncated: some, serverError: some };
    const often = random.pick([0, 0.03]);
    this.#provider.mischief = { ...PEACE, repeat: often, emptyPage: often };
  }

  #writes(count: number): void {
    const { table } = this.#provider;
    const random = this.#random;
    for (let index = 0; index < count; index += 1) {
      const lateMs = random.chance(0.3) ? random.int(0, LATE_MS) : 0;
      const what = random.next();
      if (what < 0.3) table.create(lateMs);
      else if (what < 0.9 || this.#sums.removed >= MOST_REMOVED) table.change(lateMs);
      else {
        this.#sums.removed += 1;
        table.remove(lateMs);
      }
    }
  }

  #compared(): { readonly missed: number; readonly extra: readonly string[] } {
    const shown = this.#isRemote ? bodiesOf(this.#service) : this.#watcher.shown();
    const { table } = this.#provider;
    const wanted = [...table.rows().values()].filter(({ deleted }) => !deleted);
    const missed = wanted.filter(
      ({ id, version }) => Reflect.get(Object(shown.get(id)), 'version') !== version,
    );
    return { missed: missed.length, extra: [...shown.keys()].filter((id) => !table.exists(id)) };
  }

  #result(): ScenarioResult {
    const { seed } = this.#options;
    const { missed, extra } = this.#compared();
    const { kills, fulls, runs, pages, repeatedMost, stateMost } = this.#sums;
    const wronglyDeleted = this.#removedWrongly + this.#watcher.wronglyDeleted();
    const judged = {
      missed,
      extra: extra.length,
      wrongly_deleted: wronglyDeleted,
      reader_lost: this.#watcher.lost,
      pages_repeated: Math.max(0, repeatedMost - 1),
      state_too_large: stateMost > MOST_STATE_BYTES ? 1 : 0,
    };
    const crimes = Object.entries(judged).filter(([, count]) => count > 0);
    const accused = crimes.map(([crime, count]) => `seed ${seed}: ${crime} ${count}`);
    return {
      seed,
      kills,
      fulls,
      runs,
      pages,
      rows: this.#provider.table.rows().size,
      missed,
      extra: extra.length,
      wronglyDeleted,
      pagesRepeatedMost: repeatedMost,
      readerLost: this.#watcher.lost,
      stateBytesMost: stateMost,
      failures: [...this.#failures, ...accused],
    };
  }
}

/** A source of the simulation, with one clock for all it says and commits that are late by a second: here time is real. */
function aShape(random: Random, isOnce: boolean): Shape {
  const drawn = shapeOf(random, 0);
  const shape = isOnce ? ({ ...drawn, hasCursor: true, deletes: 'tombstones' } as const) : drawn;
  const skew = shape.headerSkewMs === null ? 0 : shape.rowSkewMs;
  const headerSkewMs = shape.headerSkewMs === null ? null : skew;
  const rows = random.int(120, 320);
  return {
    ...shape,
    rows,
    pageSize: random.pick([5, 10, 25]),
    rowSkewMs: skew,
    headerSkewMs,
    lateMs: LATE_MS,
  };
}

function bodiesOf({ rows }: ServiceSink): ReadonlyMap<string, unknown> {
  return new Map([...rows].map(([id, { body }]) => [id, body]));
}
