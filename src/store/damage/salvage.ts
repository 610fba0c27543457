import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import Sqlite from 'better-sqlite3';
import { z } from 'zod';
import { AppError, messageOf } from '../../base/errors.ts';
import { BEGIN_ID_BACKFILL } from '../backfill/id-columns.ts';
import { Database } from '../database.ts';
import { syncFolder } from '../disk/sync-folder.ts';
import { cutOf } from '../journal/journal-cut.ts';
import type { Readable } from '../read-only-database.ts';
import type { Migration } from '../schema/migrations.ts';
import { storageError } from '../storage-error.ts';
import { type Recovered, recover, straysLike } from './recover.ts';
import { rebuildAttempts } from './salvage-attempts.ts';
import { isSound } from './salvage-rows.ts';
import { readByKey, readFromBothEnds, type Table } from './salvage-tables.ts';

/** What could be read of one table; `lost`: null when the count is unknown. */
export interface SavedRows {
  readonly saved: number;
  readonly lost: number | null;
}

export interface SalvageOptions {
  readonly migrations: readonly Migration[];
  readonly appVersion: string;
  readonly describe: (salvaged: Salvage) => string;
}

/** What was saved of a damaged database. */
export interface Salvage {
  readonly tables: Readonly<Record<string, SavedRows>>;
  /** Payments whose row was lost and that were rebuilt from the newest of their events. */
  readonly rebuilt: number;
  /** Why SQLite's own recovery was not used; null: it was. */
  readonly unrecovered: string | null;
}

type Row = Readonly<Record<string, unknown>>;

const NOTE = "INSERT OR REPLACE INTO facts (name, value) VALUES ('damage', ?)";
/** A terminal whose row was lost: none of its payments is in its open batch, and what its voids did is not known any more. */
const FORGOTTEN_TERMINALS = `INSERT INTO terminals (device_id, identity, since, batch, day, void_withdrawn)
  SELECT device_id, '', 0, max(batch) + 1, COALESCE(max(day), 0) + 1, 1 FROM attempts WHERE batch IS NOT NULL GROUP BY device_id
  ON CONFLICT DO NOTHING`;
const TABLES =
  "SELECT name, wr AS withoutRowid FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name";
const COLUMNS = 'SELECT name, pk FROM pragma_table_info(?) ORDER BY cid';
/** Tables of payments, whose rows `isSound` or the rules of the table recognise. */
const RECOGNISED = new Set([
  'archived_chunks',
  'attempts',
  'events',
  'idempotency_keys',
  'journal',
  'outbox',
]);
const TableRow = z.object({ name: z.string(), withoutRowid: z.int() });
const ColumnRow = z.object({ name: z.string(), pk: z.int() });

/**
 * Copies every readable row into a fresh database, which is complete once it has the name `to`. Rows that refer to a lost row are copied, too: a
 * stored answer still keeps its request from being run again. The epoch is not copied: the result is not the database of the last run.
 * @param describe the message for staff; it is stored in the fresh database
 * @throws STORAGE_FULL, STORAGE_FAILED; the damaged file is unchanged then
 */
export function salvage(
  from: string,
  to: string,
  { migrations, appVersion, describe }: SalvageOptions,
): Salvage {
  const draft = `${to}.part`;
  for (const left of [draft, recoveredFile(draft)]) remove(left);
  const source = openDamaged(from);
  const recovered = recover(from, recoveredFile(draft));
  try {
    const version = versionOf(source, migrations.length);
    Database.open(draft, migrations.slice(0, version), appVersion).close();
    const target = new Sqlite(draft);
    try {
      const salvaged = copy({ source, recovered, target }, version === migrations.length, describe);
      target.close();
      syncFile(draft);
      renameSync(draft, to);
      syncFolder(dirname(to));
      return salvaged;
    } finally {
      if (target.open) target.close();
    }
  } catch (error) {
    remove(draft);
    throw storageError(error, to).error;
  } finally {
    source?.close();
    recovered.database?.close();
    remove(recoveredFile(draft));
  }
}

interface Files {
  /** null: SQLite cannot open it. */
  readonly source: Sqlite.Database | null;
  readonly recovered: Recovered;
  readonly target: Sqlite.Database;
}

function copy(files: Files, isNewest: boolean, describe: SalvageOptions['describe']): Salvage {
  const { target, recovered } = files;
  target.pragma('foreign_keys = OFF');
  target.pragma('synchronous = OFF');
  const tables: Record<string, SavedRows> = {};
  const salvaged = target
    .transaction((): Salvage => {
      for (const table of tablesOf(target)) tables[table.name] = copyTable(files, table);
      const rebuilt = isNewest ? rebuildAttempts(target) : 0;
      if (isNewest) target.exec(FORGOTTEN_TERMINALS);
      const saved = { tables, rebuilt, unrecovered: recovered.failure };
      target.prepare(NOTE).run(describe(saved));
      // The note of a backfill may be lost, and events that rebuild a payment hold its ids unconverted.
      if (isNewest) target.exec(BEGIN_ID_BACKFILL);
      return saved;
    })
    .immediate();
  target.pragma('wal_checkpoint(TRUNCATE)');
  return salvaged;
}

/** First what can be read through the tree of the table, then what only SQLite's own recovery found. A row that is there already stays. */
function copyTable({ source, recovered, target }: Files, table: Table): SavedRows {
  const marks = table.columns.map(() => '?').join(', ');
  const insert = target.prepare(`INSERT INTO ${table.name} (${table.columns.join(', ')}) VALUES (${marks})`);
  const taken = { saved: 0, refused: 0, found: 0 };
  const take = (row: Row, kind: 'saved' | 'found') => {
    if (isOfTheReplacedDatabase(table.name, row)) return;
    if (isSound(table.name, row) && inserted(insert, table.columns, row)) taken[kind] += 1;
    else if (kind === 'saved') taken.refused += 1;
  };
  const unreadable = source === null ? null : readRows(source, table, (row) => take(row, 'saved'));
  if (recovered.database) {
    readRows(recovered.database, table, (row) => take(row, 'found'));
    for (const row of straysOf(recovered.database, target, table)) take(row, 'found');
  }
  const lost = unreadable === null ? null : Math.max(0, unreadable + taken.refused - taken.found);
  return { saved: taken.saved + taken.found, lost };
}

/** @returns how many rows could not be read; null when the count is unknown */
function readRows(from: Sqlite.Database, table: Table, take: (row: Row) => void): number | null {
  return table.key === null ? readFromBothEnds(from, table, take) : readByKey(from, table, take);
}

/**
 * Rows without a tree, of the tables whose rows can be told from those of others. An event that was archived was deleted, not lost; archived rows of
 * the journal are refused by a trigger.
 */
function* straysOf(from: Sqlite.Database, target: Sqlite.Database, table: Table): Iterable<Row> {
  if (!RECOGNISED.has(table.name)) return;
  const archived = table.name === 'events' ? (cutOf(readable(target))?.event ?? 0) : 0;
  for (const row of straysLike(from, table)) if (archived === 0 || Number(row['seq']) > archived) yield row;
}

function readable(target: Sqlite.Database): Readable {
  return {
    get: (sql, ...values) => target.prepare(sql).get(...values),
    all: (sql, ...values) => target.prepare(sql).all(...values),
  };
}

/** A page with bytes that tilld did not write may break a rule of its table. */
function inserted(insert: Sqlite.Statement<unknown[]>, columns: readonly string[], row: Row): boolean {
  try {
    insert.run(...columns.map((name) => row[name] ?? null));
    return true;
  } catch (error) {
    if (error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_CONSTRAINT')) return false;
    throw error;
  }
}

function isOfTheReplacedDatabase(table: string, { name }: Row): boolean {
  return table === 'facts' && (name === 'min_writer' || String(name).startsWith('epoch'));
}

function tablesOf(target: Sqlite.Database): readonly Table[] {
  const tables = target
    .prepare(TABLES)
    .all()
    .map((row) => TableRow.parse(row));
  return tables.map(({ name, withoutRowid }) => {
    const columns = target
      .prepare(COLUMNS)
      .all(name)
      .map((row) => ColumnRow.parse(row));
    const primary = columns.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
    const order = primary.map((column) => column.name);
    return {
      name,
      columns: columns.map((column) => column.name),
      order,
      key: withoutRowid === 1 ? null : (order[0] ?? 'rowid'),
    };
  });
}

/** null when it is no database at all: nothing can be salvaged then. */
function openDamaged(path: string): Sqlite.Database | null {
  try {
    const sqlite = new Sqlite(path, { readonly: true, fileMustExist: true });
    try {
      // Else SQLite reads nothing of a file that is shorter than its header says.
      sqlite.unsafeMode(true);
      sqlite.pragma('writable_schema = ON');
      sqlite.prepare('SELECT count(*) FROM sqlite_schema').get();
      return sqlite;
    } catch {
      sqlite.close();
      return null;
    }
  } catch {
    return null;
  }
}

/** Its schema version; the newest when it is unreadable or impossible. */
function versionOf(source: Sqlite.Database | null, newest: number): number {
  if (!source) return newest;
  const version = Number(source.pragma('user_version', { simple: true }));
  return version >= 1 && version <= newest ? version : newest;
}

function syncFile(path: string): void {
  const file = openSync(path, 'r+');
  try {
    fsyncSync(file);
  } catch (error) {
    throw new AppError('STORAGE_FAILED', `what was saved is not on disk: ${messageOf(error)}`, {
      cause: error,
    });
  } finally {
    closeSync(file);
  }
}

function recoveredFile(draft: string): string {
  return `${draft}-recovered`;
}

function remove(draft: string): void {
  for (const end of ['', '-wal', '-shm']) rmSync(draft + end, { force: true });
}
