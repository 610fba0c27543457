import Sqlite from 'better-sqlite3';
import type { Queue } from '../queue.ts';
import { tableQueue } from './better-sqlite3-full.ts';

/**
 * The trap: the file was made durable once (WAL and FULL), and the next start opens it without saying FULL again. WAL stays with the
 * file, FULL does not: the library's own setting for such a file is NORMAL.
 */
export function open(path: string): Queue {
  const first = new Sqlite(path);
  first.pragma('journal_mode = WAL');
  first.pragma('synchronous = FULL');
  first.exec('CREATE TABLE IF NOT EXISTS jobs (id INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT');
  first.close();
  return tableQueue(new Sqlite(path));
}
