import { closeSync, existsSync, openSync, readSync, rmSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { AppError } from '../base/errors.ts';
import { canWrite } from './release.ts';
import { isUnreadable } from './storage-error.ts';

/** Where a header keeps `user_version`, big-endian; see "The Database Header" at https://sqlite.org/fileformat2.html. */
const VERSION_AT = 60;
const HEADER_BYTES = 100;
const SIDE_FILES = ['-wal', '-shm'] as const;
const MIN_WRITER = "SELECT value FROM facts WHERE name = 'min_writer'";

/**
 * Refuses a database that a later release wrote and this one cannot write, before anything opens it for writing: not a byte of it
 * changes, nor of its log. One that cannot be read is not refused here: who opens it finds that.
 * @param newest the newest shape that this release knows
 * @returns whether a later release wrote it, in a shape that this one can write although it does not know all of it
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

/** Without a log the header says all. */
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

/** The newest header may stand in the log. A connection that cannot write neither folds it in nor removes it. */
function versionWithLog(path: string): number {
  try {
    return reading(path, (sqlite) => Number(sqlite.pragma('user_version', { simple: true })));
  } catch (error) {
    if (isUnreadable(error) || isUnfinished(error)) return 0;
    throw error;
  }
}

/** A rollback journal waits for somebody who may write: the file was only just being made. */
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

/** Side files that reading has made are gone afterwards: whose log and index they would be is not for us to say. */
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
