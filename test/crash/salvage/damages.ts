import { truncateSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import type { Random } from '../../simulation/random.ts';
import { framesOf, overwrite } from '../../support/damage.ts';

export const PAGE_BYTES = 4096;
const HEADER_BYTES = 100;

/** What a database consists of, by page number. */
export interface Layout {
  readonly pages: number;
  readonly leavesOf: (name: string) => readonly number[];
  readonly interiorOf: (name: string) => readonly number[];
  readonly freeTrunk: number;
  readonly pageOf: (number: number) => Uint8Array;
}

export function layoutOf(path: string, bytes: Uint8Array): Layout {
  const sqlite = new Sqlite(path, { readonly: true });
  const rows = sqlite.prepare<[], { name: string; page: number; type: string }>(
    'SELECT name, pageno AS page, pagetype AS type FROM dbstat',
  );
  const all = rows.all();
  sqlite.close();
  const of = (wanted: string) => (name: string) =>
    all.filter((row) => row.name === name && row.type === wanted).map(({ page }) => page);
  return {
    pages: bytes.length / PAGE_BYTES,
    leavesOf: of('leaf'),
    interiorOf: of('internal'),
    freeTrunk: Buffer.from(bytes).readUInt32BE(32),
    pageOf: (number) => bytes.subarray((number - 1) * PAGE_BYTES, number * PAGE_BYTES),
  };
}

/** A way in which a disk damages a file; `isOfLog`: the database has a log beside it. */
export interface Damage {
  readonly name: string;
  readonly isOfLog?: boolean;
  readonly do: (path: string, layout: Layout, random: Random) => void;
}

const ZEROS = Buffer.alloc(PAGE_BYTES);
const TABLES = ['attempts', 'journal', 'events', 'outbox', 'idempotency_keys'] as const;
const INDEXES = [
  'sqlite_autoindex_attempts_1',
  'attempts_by_amount',
  'journal_by_attempt',
  'outbox_by_attempt',
] as const;

function put(path: string, page: number, bytes: Uint8Array, from = 0): void {
  overwrite(path, (page - 1) * PAGE_BYTES + from, bytes);
}

function noise(random: Random, length: number): Uint8Array {
  return Uint8Array.from({ length }, () => random.int(0, 255));
}

/** Any page but the first. */
function anyPage({ pages }: Layout, random: Random): number {
  return random.int(2, pages);
}

function leafOf(layout: Layout, random: Random, names: readonly string[] = TABLES): number {
  return random.pick(layout.leavesOf(random.pick(names)));
}

function interior(name: string): Damage['do'] {
  return (path, layout, random) => put(path, random.pick(layout.interiorOf(name)), noise(random, PAGE_BYTES));
}

export const DAMAGES: readonly Damage[] = [
  { name: 'nothing', do: () => undefined },
  {
    name: 'a leaf of a table zeroed',
    do: (path, layout, random) => put(path, leafOf(layout, random), ZEROS),
  },
  {
    name: 'a leaf of payments zeroed',
    do: (path, layout, random) => put(path, leafOf(layout, random, ['attempts']), ZEROS),
  },
  {
    name: 'a torn page: half of it noise',
    do: (path, layout, random) =>
      put(path, leafOf(layout, random), noise(random, 2048), random.pick([0, 2048])),
  },
  {
    name: 'a sector of a page is noise',
    do: (path, layout, random) =>
      put(path, leafOf(layout, random), noise(random, 512), 512 * random.int(0, 7)),
  },
  {
    name: 'a flipped bit',
    do: (path, layout, random) => {
      const [page, at] = [leafOf(layout, random), random.int(0, PAGE_BYTES - 1)];
      put(path, page, Uint8Array.of((layout.pageOf(page)[at] ?? 0) ^ (1 << random.int(0, 7))), at);
    },
  },
  {
    name: 'eight pages of noise',
    do: (path, layout, random) => {
      for (let no = 0; no < 8; no += 1) put(path, anyPage(layout, random), noise(random, PAGE_BYTES));
    },
  },
  {
    name: '64 pages in a row zeroed',
    do: (path, layout, random) => put(path, random.int(2, layout.pages - 64), Buffer.alloc(64 * PAGE_BYTES)),
  },
  {
    name: 'the content of another table',
    do: (path, layout, random) => put(path, leafOf(layout, random), layout.pageOf(leafOf(layout, random))),
  },
  {
    name: 'the content of a page of the same table',
    do: (path, layout, random) => {
      const table = [random.pick(TABLES)];
      put(path, leafOf(layout, random, table), layout.pageOf(leafOf(layout, random, table)));
    },
  },
  {
    name: 'cut off behind 50 to 95 %',
    do: (path, layout, random) =>
      truncateSync(
        path,
        PAGE_BYTES * random.int(Math.ceil(layout.pages * 0.5), Math.floor(layout.pages * 0.95)),
      ),
  },
  { name: 'the header is noise', do: (path, _, random) => put(path, 1, noise(random, HEADER_BYTES)) },
  { name: 'the first page is zeroed', do: (path) => put(path, 1, ZEROS) },
  { name: 'the root of payments', do: interiorRoot('attempts') },
  { name: 'an interior page of payments', do: interior('attempts') },
  { name: 'an interior page of events', do: interior('events') },
  { name: 'an interior page of the journal', do: interior('journal') },
  {
    name: 'a leaf of an index',
    do: (path, layout, random) => put(path, leafOf(layout, random, INDEXES), noise(random, PAGE_BYTES)),
  },
  {
    name: 'the list of free pages',
    do: (path, { freeTrunk }, random) => put(path, freeTrunk, noise(random, PAGE_BYTES)),
  },
  {
    name: 'the list of free pages and a leaf of a table',
    do: (path, layout, random) => {
      put(path, layout.freeTrunk, noise(random, PAGE_BYTES));
      put(path, leafOf(layout, random), ZEROS);
    },
  },
  {
    name: 'a frame of the log, and a leaf of a table',
    isOfLog: true,
    do: (path, layout, random) => {
      const log = `${path}-wal`;
      overwrite(log, random.pick(framesOf(log)) + 24, noise(random, PAGE_BYTES));
      put(path, leafOf(layout, random), ZEROS);
    },
  },
];

/** dbstat lists the root of a table first. */
function interiorRoot(name: string): Damage['do'] {
  return (path, layout, random) => put(path, layout.interiorOf(name)[0] ?? 0, noise(random, PAGE_BYTES));
}
