import { closeSync, existsSync, openSync, readSync, rmSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { AppError } from '../../base/errors.ts';
import { isUnreadable } from '../storage-error.ts';
import { canWrite } from './release.ts';

/** The offset of `user_version` in a header, big-endian; see "The Database Header" at https://sqlite.org/fileformat2.html. */
const VERSION_AT = 60;
const HEADER_BYTES = 100;
const SIDE_FILES = ['-wal', '-shm'] as const;
const MIN_WRITER = "SELECT value FROM facts WHERE name = 'min_writer'";

/**
 * Rejects a database that a later release wrote and this one cannot write, before any connection opens it for writing: not a byte of it changes, nor
 * of its log. An unreadable one is not rejected here: opening it finds that.
 * @param newest the newest schema version that this release knows
 * @returns whether a later release wrote it, in a schema that this one can write although it does not know all of it
 * @throws STORAGE_TOO_NEW
 */
export function refuseNewer(path: string, newest: number, appVersion: string): boolean {
  if (!existsSync(path)) return false;
  const version = existsSync(`${path}-wal`) ? versionWithLog(path) : versionAtRest(path);
  if (version <= newest) return false;
  const minWriter = minWriterOf(path);
  if (canWrite(appVersion, minWriter)) return true;
  throw new AppError(
    'STORAGE_TOO_NEW',
    `the database was written by a later release than ${appVersion}: install ${minWriter ?? UNKNOWN} or later. Nothing in it was changed.`,
  );
}

/** Without a log the header is enough. */
function versionAtRest(path: string): number {
  const header = Buffer.alloc(HEADER_BYTES);
  const file = openSync(path, 'r');
  try {
    if (readSync(file, header, 0, HEADER_BYTES, 0) < HEADER_BYTES) return 0;
  } finally {
    closeSync(file);
  }
  return header.toString('latin1', 0, 6) === 'SQLite' ? header.readUInt32BE(VERSION_AT) : 0;
}

/** The newest header may be in the log. A read-only connection neither checkpoints nor removes the log. */
function versionWithLog(path: string): number {
  try {
    return reading(path, (sqlite) => Number(sqlite.pragma('user_version', { simple: true })));
  } catch (error) {
    if (isUnreadable(error) || isUnfinished(error)) return 0;
    throw error;
  }
}

/** A rollback journal needs a connection that may write: the file was being created. */
function isUnfinished(error: unknown): boolean {
  return error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_READONLY');
}

function minWriterOf(path: string): string | null {
  try {
    const value = reading(path, (sqlite) => sqlite.prepare(MIN_WRITER).pluck().get());
    return typeof value === 'string' ? value : null;
  } catch {
    return null;
  }
}

const UNKNOWN = 'the newest release';

/** Side files that this read creates are removed afterwards: they could have the wrong owner. */
function reading<T>(path: string, look: (sqlite: Sqlite.Database) => T): T {
  const made = SIDE_FILES.map((end) => path + end).filter((side) => !existsSync(side));
  const sqlite = new Sqlite(path, { readonly: true });
  try {
    return look(sqlite);
  } finally {
    sqlite.close();
    for (const side of made) rmSync(side, { force: true });
  }
}
