import { existsSync, statSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { messageOf } from '../../base/errors.ts';
import { isUnreadable } from '../storage-error.ts';

/** The worst few are enough for words; what can be saved is found out row by row. */
const MOST_FLAWS = 3;

/**
 * Reads every page of a database and says what is wrong with it; null when its structure is sound, or nothing is there yet. Nothing is
 * changed: neither the file nor its log. It takes about as long as to read the file once. A file that was only just being made when the
 * power went has a rollback journal, which who only reads cannot roll back: who opens it does.
 */
export function examine(path: string): string | null {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (existsSync(`${path}-journal`)) return null;
  if (size === 0) return isLogAlone(path) ? 'the file is gone or empty, and its log is still there' : null;
  try {
    const sqlite = new Sqlite(path, { readonly: true });
    try {
      const flaws = sqlite.prepare<[], string>(`PRAGMA quick_check(${MOST_FLAWS})`).pluck().all();
      return flaws.length === 1 && flaws[0] === 'ok' ? null : flaws.join('; ');
    } finally {
      sqlite.close();
    }
  } catch (error) {
    if (isUnreadable(error)) return messageOf(error);
    throw error;
  }
}

/** SQLite would begin an empty file and remove the log, with what was committed into it. */
function isLogAlone(path: string): boolean {
  return existsSync(`${path}-wal`) && statSync(`${path}-wal`).size > 0;
}
