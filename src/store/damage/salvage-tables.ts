import type Sqlite from 'better-sqlite3';
import { isUnreadable } from '../storage-error.ts';

/** A table as it is copied. */
export interface Table {
  readonly name: string;
  readonly columns: readonly string[];
  /** Its primary key. */
  readonly order: readonly string[];
  /** The integer key of its rows; null for a table WITHOUT ROWID. */
  readonly key: string | null;
}

type Row = Readonly<Record<string, unknown>>;

/** Rows per read; a range with an unreadable page is narrowed from there. */
const STEP = 512;

/**
 * Returns every readable row, by its number: a range that fails is halved until only unreadable rows are left.
 * @returns how many numbers could not be read; null when the count is unknown
 */
export function readByKey(source: Sqlite.Database, table: Table, take: (row: Row) => void): number | null {
  const last = lastKey(source, table);
  if (last === null) return null;
  let unreadable = 0;
  const read = (low: number, high: number): void => {
    const rows = range(source, table, low, high);
    if (rows) {
      for (const row of rows) take(row);
      return;
    }
    if (low === high) {
      unreadable += 1;
      return;
    }
    const middle = Math.floor((low + high) / 2);
    read(low, middle);
    read(middle + 1, high);
  };
  for (let low = 1; low <= last; low += STEP) read(low, Math.min(low + STEP - 1, last));
  return unreadable;
}

/**
 * Returns every readable row of a table without row numbers: from its first row as far as possible, then from its last.
 * @returns 0 when all could be read, else null: the count is unknown
 */
export function readFromBothEnds(
  source: Sqlite.Database,
  { name, columns, order }: Table,
  take: (row: Row) => void,
): number | null {
  const seen = new Set<string>();
  const keyOf = (row: Row) => JSON.stringify(order.map((column) => row[column]));
  for (const direction of ['ASC', 'DESC']) {
    const by = order.map((column) => `${column} ${direction}`).join(', ');
    try {
      const rows = source.prepare<[], Row>(
        `SELECT ${columnsIn(source, name, columns)} FROM ${name} ORDER BY ${by}`,
      );
      for (const row of rows.iterate()) {
        if (seen.has(keyOf(row))) continue;
        seen.add(keyOf(row));
        take(row);
      }
      return direction === 'ASC' ? 0 : null;
    } catch (error) {
      if (!isMissing(error) && !isUnreadable(error)) throw error;
    }
  }
  return null;
}

function range(
  source: Sqlite.Database,
  { name, columns, key }: Table,
  low: number,
  high: number,
): Row[] | null {
  try {
    const rows = `SELECT ${columnsIn(source, name, columns)} FROM ${name} NOT INDEXED WHERE ${key}`;
    // A single row is read without a look at its successor, which may be on an unreadable page.
    return low === high
      ? source.prepare<[number], Row>(`${rows} = ?`).all(low)
      : source.prepare<[number, number], Row>(`${rows} BETWEEN ? AND ? ORDER BY ${key}`).all(low, high);
  } catch (error) {
    if (isMissing(error) || isUnreadable(error)) return null;
    throw error;
  }
}

/** The highest number in the table, in one of its indexes, or in its AUTOINCREMENT counter. */
function lastKey(source: Sqlite.Database, { name, key }: Table): number | null {
  const asked = [
    ...['NOT INDEXED', ...indexesOf(source, name)].map((by) => `SELECT max(${key}) FROM ${name} ${by}`),
    `SELECT seq FROM sqlite_sequence WHERE name = '${name}'`,
  ];
  let last: number | null = null;
  for (const sql of asked) {
    const found = read(() => source.prepare(sql).pluck().get());
    if (found !== null) last = Math.max(last ?? 0, Number(found));
  }
  return (
    last ??
    (read(() => source.prepare(`SELECT count(*) FROM ${name} NOT INDEXED`).pluck().get()) === 0 ? 0 : null)
  );
}

/** The indexes that hold the number of each row: they answer also when the page of the newest rows cannot be read. */
function indexesOf(source: Sqlite.Database, table: string): readonly string[] {
  const sql = "SELECT name FROM pragma_index_list(?) WHERE partial = 0 AND origin <> 'pk'";
  const names = read(() => source.prepare<[string], string>(sql).pluck().all(table)) ?? [];
  return names.map((name) => `INDEXED BY ${name}`);
}

/** null: it is unreadable. */
function read<T>(ask: () => T): T | null {
  try {
    return ask() ?? null;
  } catch (error) {
    if (!isMissing(error) && !isUnreadable(error)) throw error;
    return null;
  }
}

/** Columns of the damaged file; an older one has fewer. */
function columnsIn(source: Sqlite.Database, table: string, wanted: readonly string[]): string {
  const there = new Set(
    source.prepare<[string], string>('SELECT name FROM pragma_table_info(?)').pluck().all(table),
  );
  const columns = wanted.filter((name) => there.has(name));
  return columns.length === 0 ? '*' : columns.join(', ');
}

/** The damaged file lacks the table: its schema is gone. */
function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'SQLITE_ERROR';
}
