import { existsSync } from 'node:fs';
import Sqlite from 'better-sqlite3';

/** What became of the rows of one table. */
export interface RowCounts {
  /** Rows that are not there as they were. */
  readonly lost: number;
  /** Of these: a row of that identity is there, with other content. */
  readonly altered: number;
  /** A row is back that was deleted before the damage. */
  readonly deleted: number;
  /** A row that was never there. */
  readonly invented: number;
  /** A second row of an identity. */
  readonly doubled: number;
}

/** What identifies a row. The number of a payment is not compared: a rebuilt one gets another. */
const IDENTITIES = {
  attempts: 'id',
  journal: 'seq',
  idempotency_keys: "caller || ' ' || key",
  outbox: 'id',
  events: 'id',
} as const;

type TableName = keyof typeof IDENTITIES;
export const TABLES = Object.keys(IDENTITIES) as readonly TableName[];
export type TableCounts = Readonly<Record<TableName, RowCounts>>;
/** Content of each row, by identity. */
export type WrittenRows = Readonly<Record<TableName, ReadonlyMap<string, string>>>;

const NONE: RowCounts = { lost: 0, altered: 0, deleted: 0, invented: 0, doubled: 0 };

export function nothingOf(): TableCounts {
  return ofEach(() => NONE);
}

export function readRows(path: string): WrittenRows {
  return reading(path, (sqlite) =>
    ofEach((table) => new Map(rowsOf(sqlite, table).map(({ id, text }) => [id, text]))),
  );
}

/** @param ever rows that were in the database at any time */
export function countsOf(path: string, written: WrittenRows, ever: WrittenRows): TableCounts {
  return reading(path, (sqlite) =>
    ofEach((table) => {
      const [seen, count] = [new Set<string>(), { ...NONE, lost: written[table].size }];
      for (const { id, text } of rowsOf(sqlite, table)) {
        if (seen.has(id)) count.doubled += 1;
        else if (written[table].get(id) === text) count.lost -= 1;
        else if (written[table].has(id)) count.altered += 1;
        else if (ever[table].get(id) === text) count.deleted += 1;
        else count.invented += 1;
        seen.add(id);
      }
      return count;
    }),
  );
}

export function added(one: TableCounts, other: TableCounts): TableCounts {
  const sum = (table: TableName, kind: keyof RowCounts) => one[table][kind] + other[table][kind];
  return ofEach((table) => ({
    lost: sum(table, 'lost'),
    altered: sum(table, 'altered'),
    deleted: sum(table, 'deleted'),
    invented: sum(table, 'invented'),
    doubled: sum(table, 'doubled'),
  }));
}

function ofEach<T>(make: (table: TableName) => T): Readonly<Record<TableName, T>> {
  return Object.fromEntries(TABLES.map((table) => [table, make(table)])) as Record<TableName, T>;
}

/** A file that was not made holds nothing. */
function reading<T>(path: string, work: (sqlite: Sqlite.Database) => T): T {
  const sqlite = existsSync(path) ? new Sqlite(path, { readonly: true }) : new Sqlite(':memory:');
  try {
    return work(sqlite);
  } finally {
    sqlite.close();
  }
}

function rowsOf(sqlite: Sqlite.Database, table: TableName): { readonly id: string; readonly text: string }[] {
  const columns = sqlite
    .prepare<[], string>(`SELECT name FROM pragma_table_info('${table}') WHERE name <> 'seq'`)
    .pluck()
    .all();
  if (columns.length === 0) return [];
  const rows = sqlite.prepare<[], Record<string, unknown>>(
    `SELECT CAST(${IDENTITIES[table]} AS TEXT) AS identity, ${columns.join(', ')} FROM ${table} NOT INDEXED`,
  );
  return rows.all().map(({ identity, ...row }) => ({ id: String(identity), text: JSON.stringify(row) }));
}
