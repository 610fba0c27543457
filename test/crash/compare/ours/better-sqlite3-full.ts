import Sqlite from 'better-sqlite3';
import type { Queue } from '../queue.ts';

/** A table and an INSERT, with FULL set at the open that writes. */
export function open(path: string): Queue {
  const database = new Sqlite(path);
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  database.exec('CREATE TABLE IF NOT EXISTS jobs (id INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT');
  return tableQueue(database);
}

/** One INSERT per job, in a transaction of its own. */
export function tableQueue(database: Sqlite.Database): Queue {
  const insert = database.prepare('INSERT INTO jobs (body) VALUES (?)');
  return {
    enqueue: (job) => Number(insert.run(JSON.stringify(job)).lastInsertRowid),
    pragma: (name) => database.pragma(name, { simple: true }),
  };
}
