import { existsSync, statSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { messageOf } from '../../base/errors.ts';
import { isUnreadable } from '../storage-error.ts';

/** The first few are enough for a message; the salvage finds out row by row what can be saved. */
const MOST_FLAWS = 3;

/**
 * Scans every page of a database and says what is wrong; null when its structure is sound, or there is no file yet. It changes nothing: neither the
 * file nor its log. It takes about as long as reading the file once. A file that was being created when the power failed has a rollback journal,
 * which a read-only connection cannot roll back: the next writer does.
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

/** SQLite would create an empty file and remove the log, with the commits in it. */
function isLogAlone(path: string): boolean {
  return existsSync(`${path}-wal`) && statSync(`${path}-wal`).size > 0;
}
