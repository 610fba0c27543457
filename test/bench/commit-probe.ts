import { appendFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import Sqlite from 'better-sqlite3';

/*
 * Loaded into the daemon before its own code (`node --import`): notes how long each commit of the money database took, and at SIGUSR2
 * collects garbage and appends what it knows as a line of JSON to the file that TILLD_PROBE names.
 */

/** Times in steps of 2 %, from 10 µs on, outside of the heap that is looked at. */
const STEP = Math.log(1.02);
const LEAST_MS = 0.01;
const counts = new Uint32Array(1_200);
let most = 0;

/** A line that the probe writes; times in ms, memory in bytes. */
export interface ProbeLine {
  readonly commits: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
  readonly heap: number;
  readonly external: number;
  readonly rss: number;
}

function took(ms: number): void {
  const place = Math.max(0, Math.min(counts.length - 1, Math.floor(Math.log(ms / LEAST_MS) / STEP)));
  counts[place] = (counts[place] ?? 0) + 1;
  most = Math.max(most, ms);
}

function quantileOf(share: number): number {
  const all = counts.reduce((sum, count) => sum + count, 0);
  let passed = 0;
  const place = counts.findIndex((count) => {
    passed += count;
    return passed > all * share;
  });
  return LEAST_MS * Math.exp((place + 0.5) * STEP);
}

function timed<A extends unknown[], R>(work: (...values: A) => R): (...values: A) => R {
  return (...values) => {
    const from = performance.now();
    try {
      return work(...values);
    } finally {
      took(performance.now() - from);
    }
  };
}

/** A transaction of the money database, from its first statement until it is on disk; it is asked for with `immediate` alone. */
function watchTransactions(): void {
  const { transaction } = Sqlite.prototype;
  Sqlite.prototype.transaction = function (this: Sqlite.Database, work) {
    const made = transaction.call(this, work) as Sqlite.Transaction;
    if (!this.name.endsWith('money.db')) return made as never;
    const immediate = made.immediate.bind(made);
    const measured = timed(immediate);
    return {
      immediate: (...values: unknown[]) => (this.inTransaction ? immediate(...values) : measured(...values)),
    } as never;
  };
}

/** A statement outside of a transaction is one of its own. */
function watchStatements(): void {
  const { prepare } = Sqlite.prototype;
  Sqlite.prototype.prepare = function (this: Sqlite.Database, sql: string) {
    const statement = prepare.call(this, sql) as Sqlite.Statement<unknown[]>;
    if (!this.name.endsWith('money.db') || statement.reader) return statement as never;
    const run = statement.run.bind(statement);
    const measured = timed(run);
    statement.run = (...values: unknown[]) => (this.inTransaction ? run(...values) : measured(...values));
    return statement as never;
  };
}

function report(path: string): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  collect();
  const { heapUsed, external, rss } = process.memoryUsage();
  const commits = counts.reduce((sum, count) => sum + count, 0);
  const [p50, p99] = [quantileOf(0.5), quantileOf(0.99)];
  const line: ProbeLine = { commits, p50, p99, max: most, heap: heapUsed, external, rss };
  appendFileSync(path, `${JSON.stringify(line)}\n`);
}

const path = process.env['TILLD_PROBE'];
if (path !== undefined) {
  watchTransactions();
  watchStatements();
  process.on('SIGUSR2', () => report(path));
}
