import Sqlite from 'better-sqlite3';
import type { EmptyIndex, Migration } from './migrations.ts';

/** Migrates a database by one step; the transaction is the caller's. */
export function takeStep(sqlite: Sqlite.Database, step: Migration): void {
  for (const { table, column } of step.nullColumns ?? []) addNullColumn(sqlite, table, column);
  for (const index of step.emptyIndexes ?? []) makeEmptyIndex(sqlite, index);
  sqlite.exec(step.sql);
  for (const table of step.countThemselves ?? []) strikeCounter(sqlite, table);
}

const WORDS_OF = 'SELECT sql FROM sqlite_schema WHERE name = ?';

/** The table's SQL becomes the one that SQLite's own statement gives an empty table. A row without a value for the column holds NULL. */
function addNullColumn(sqlite: Sqlite.Database, table: string, column: string): void {
  const empty = new Sqlite(':memory:');
  try {
    empty.exec(String(sqlite.prepare(WORDS_OF).pluck().get(table)));
    empty.exec(`ALTER TABLE ${table} ADD COLUMN ${column}`);
    changeWords(sqlite, table, 'sql = ?', empty.prepare(WORDS_OF).pluck().get(table));
  } finally {
    empty.close();
  }
}

/** The index is created on an empty table with the same columns, and then assigned to its table. */
function makeEmptyIndex(sqlite: Sqlite.Database, { name, table, on }: EmptyIndex): void {
  const empty = `empty_${table}`;
  sqlite.exec(`DROP INDEX IF EXISTS ${name};
    CREATE TABLE ${empty} AS SELECT * FROM ${table} WHERE FALSE;
    CREATE INDEX ${name} ON ${empty} ${on};`);
  changeWords(sqlite, name, 'tbl_name = ?, sql = ?', table, `CREATE INDEX ${name} ON ${table} ${on}`);
  sqlite.exec(`DROP TABLE ${empty}`);
}

/** A table without AUTOINCREMENT has the same file format as one with it, so a database of any age is not copied for it. */
function strikeCounter(sqlite: Sqlite.Database, table: string): void {
  changeWords(sqlite, table, "sql = replace(sql, ' AUTOINCREMENT', '')");
  sqlite.prepare('DELETE FROM sqlite_sequence WHERE name = ?').run(table);
}

/** Changes the SQL of a table or an index in the schema, and none of its pages. */
function changeWords(
  sqlite: Sqlite.Database,
  name: string,
  set: string,
  ...values: readonly unknown[]
): void {
  sqlite.unsafeMode(true);
  try {
    sqlite.pragma('writable_schema = ON');
    sqlite.prepare(`UPDATE sqlite_schema SET ${set} WHERE name = ?`).run(...values, name);
  } finally {
    sqlite.pragma('writable_schema = RESET');
    sqlite.unsafeMode(false);
  }
}
