import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { recover } from '../../../src/store/damage/recover.ts';
import { salvage } from '../../../src/store/damage/salvage.ts';
import { MONEY_MIGRATIONS } from '../../../src/store/schema/migrations.ts';
import { Random } from '../../simulation/random.ts';
import { type SampleDatabases, writeSampleDatabases } from './books.ts';
import { DAMAGES, type Damage, layoutOf } from './damages.ts';
import {
  added,
  countsOf,
  nothingOf,
  readRows,
  TABLES,
  type TableCounts,
  type WrittenRows,
} from './row-counts.ts';

export interface SalvageOptions {
  /** How often each damage is done, at another place each time. */
  readonly seeds?: number;
  readonly payments?: number;
  readonly only?: string;
}

const IN_MEMORY = '/dev/shm';
const SALVAGE_OPTIONS = { migrations: MONEY_MIGRATIONS, appVersion: '0.1.0', describe: () => 'words' };

/** A way to save rows; where the result is. */
type Way = (from: string, to: string) => string;
const WAYS: Readonly<Record<string, Way>> = {
  'through the trees': (from, to) => withoutProgram(() => salvaged(from, to)),
  '.recover': (from, to) => {
    recover(from, to).database?.close();
    return to;
  },
  both: salvaged,
};

/**
 * `npm run crash -- --salvage`: damages the same database in every way that `damages.ts` knows, and counts what is missing of it after each way to
 * save its rows. A table on stderr, one line of JSON on stdout.
 * @returns 1 when tilld's own way (`both`) saves a row that is none, or fewer payments than another way; else 0
 */
export function runSalvage({ seeds = 10, payments = 1500, only = '' }: SalvageOptions = {}): number {
  const root = mkdtempSync(join(existsSync(IN_MEMORY) ? IN_MEMORY : tmpdir(), 'tilld-salvage-'));
  try {
    const books = writeSampleDatabases(root, payments);
    const ever = readRows(books.ever);
    const results = DAMAGES.filter(({ name }) => name.includes(only)).map((damage) => ({
      damage: damage.name,
      ways: resultsOf(damage, books, ever, root, seeds),
    }));
    say(['damage', 'saved by', 'ms', ...TABLES.map((table) => `${table} lost`), 'wrong'].join(' | '));
    for (const { damage, ways } of results)
      for (const [way, { ms, counts }] of Object.entries(ways))
        say([damage, way, ms, ...TABLES.map((table) => counts[table].lost), wrongOf(counts)].join(' | '));
    const failed = results.filter(({ ways }) => isWorse(ways)).map(({ damage }) => damage);
    process.stdout.write(`${JSON.stringify({ mode: 'salvage', seeds, payments, results, failed })}\n`);
    return failed.length === 0 ? 0 : 1;
  } finally {
    rmSync(root, { recursive: true });
  }
}

interface Result {
  /** On average. */
  readonly ms: number;
  readonly counts: TableCounts;
}

function resultsOf(damage: Damage, books: SampleDatabases, ever: WrittenRows, root: string, seeds: number) {
  const original = damage.isOfLog ? books.withLog : books.atRest;
  const written = readRows(original);
  const layout = layoutOf(books.atRest, readFileSync(books.atRest));
  const of = (way: Way): Result => {
    let [ms, counts] = [0, nothingOf()];
    for (let seed = 1; seed <= seeds; seed += 1) {
      const folder = mkdtempSync(join(root, 'run-'));
      const path = join(folder, 'money.db');
      copyFileSync(original, path);
      if (damage.isOfLog) copyFileSync(`${original}-wal`, `${path}-wal`);
      damage.do(path, layout, new Random(seed, damage.name));
      const began = performance.now();
      const saved = way(path, join(folder, 'saved.db'));
      ms += performance.now() - began;
      counts = added(counts, countsOf(saved, written, ever));
      rmSync(folder, { recursive: true });
    }
    return { ms: Math.round(ms / seeds), counts };
  };
  return Object.fromEntries(Object.entries(WAYS).map(([name, way]) => [name, of(way)]));
}

function salvaged(from: string, to: string): string {
  salvage(from, to, SALVAGE_OPTIONS);
  return to;
}

/** As on a machine that has no sqlite3. */
function withoutProgram<T>(work: () => T): T {
  const { PATH } = process.env;
  process.env['PATH'] = '';
  try {
    return work();
  } finally {
    process.env['PATH'] = PATH;
  }
}

function isWorse(ways: Readonly<Record<string, Result>>): boolean {
  const lost = (way: string) => ways[way]?.counts.attempts.lost ?? 0;
  const { deleted = 0, invented = 0, doubled = 0 } = ways['both']?.counts.attempts ?? {};
  return deleted + invented + doubled > 0 || Object.keys(ways).some((way) => lost(way) < lost('both'));
}

function wrongOf(counts: TableCounts): string {
  const words = TABLES.flatMap((table) =>
    (['altered', 'deleted', 'invented', 'doubled'] as const)
      .filter((kind) => counts[table][kind] > 0)
      .map((kind) => `${counts[table][kind]} ${table} ${kind}`),
  );
  return words.join(', ');
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
