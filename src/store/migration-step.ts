import type Sqlite from 'better-sqlite3';
import type { Migration } from './migrations.ts';

/** Changes the shape of a database by one step; the transaction is the caller's. */
export function takeStep(sqlite: Sqlite.Database, { sql, countThemselves = [] }: Migration): void {
  sqlite.exec(sql);
  for (const table of countThemselves) strikeCounter(sqlite, table);
}

/** A table without AUTOINCREMENT lies in the file as one with it does, so a store of any age is not copied for it. */
function strikeCounter(sqlite: Sqlite.Database, table: string): void {
  sqlite.unsafeMode(true);
  try {
    sqlite.pragma('writable_schema = ON');
    sqlite.exec(`UPDATE sqlite_schema SET sql = replace(sql, ' AUTOINCREMENT', '') WHERE name = '${table}'`);
    sqlite.prepare('DELETE FROM sqlite_sequence WHERE name = ?').run(table);
  } finally {
    sqlite.pragma('writable_schema = RESET');
    sqlite.unsafeMode(false);
  }
}
