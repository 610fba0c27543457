import { basename, dirname } from 'node:path';
import Sqlite from 'better-sqlite3';
import { AppError } from '../base/errors.ts';
import { probeDisk } from './disk/disk-error.ts';

/** What a failed statement means for later statements. */
export type StorageFault =
  /** Nothing of it was written; the disk has no space for more. */
  | 'full'
  /** Nothing of it was written; the disk is read-only. */
  | 'read_only'
  /** The disk failed: after that the page cache may show what is on no disk, and only a new start reads what is really there. */
  | 'failing'
  /** Pages of the file are not what SQLite wrote. */
  | 'damaged'
  /** A statement that SQLite refuses, or a file that is busy. */
  | 'refused';

/** The index of the log cannot grow: it is a file of its own. */
const SHARED_INDEX_FULL = 'SQLITE_IOERR_SHMSIZE';
/** SQLite's only code for a failed `write`, except for a full disk; the system's error would say why. */
const WRITE_FAILED = 'SQLITE_IOERR_WRITE';

/**
 * The meaning of an SQLite error.
 * @param path of the database: its disk is probed for what SQLite does not report
 * @see https://sqlite.org/rescode.html
 */
export function faultOf({ code }: { readonly code: string }, path: string): StorageFault {
  if (code === 'SQLITE_FULL' || code === SHARED_INDEX_FULL) return 'full';
  if (/^SQLITE_(CORRUPT|NOTADB)/.test(code)) return 'damaged';
  if (/^SQLITE_(READONLY|PERM)/.test(code)) return 'read_only';
  if (code === WRITE_FAILED) return probeDisk(dirname(path)) ?? 'failing';
  return code.startsWith('SQLITE_IOERR') ? 'failing' : 'refused';
}

const WORDS: Readonly<Record<StorageFault, string>> = {
  full: 'the disk is full',
  read_only: 'the disk cannot be written',
  failing: 'the disk failed',
  damaged: 'the database is damaged',
  refused: 'the database refused',
};

/**
 * An SQLite error as tilld's own error, with its meaning; any other error unchanged. Codes: STORAGE_FULL; STORAGE_DAMAGED; STORAGE_FAILED for
 * everything else.
 */
export function storageError(
  error: unknown,
  path: string,
): { readonly error: unknown; readonly fault: StorageFault | null } {
  if (!(error instanceof Sqlite.SqliteError)) return { error, fault: null };
  const fault = faultOf(error, path);
  const code = { full: 'STORAGE_FULL', damaged: 'STORAGE_DAMAGED' }[fault as string] ?? 'STORAGE_FAILED';
  const words = fault === 'full' ? WORDS.full : `${basename(path)}: ${WORDS[fault]}: ${error.code}`;
  return {
    fault,
    error: new AppError(code, words, {
      retry: fault === 'full' ? 'safe' : 'never',
      moneyMoved: 'unknown',
      context: { sqlite: error.code },
      cause: error,
    }),
  };
}

/** Whether an SQLite error means that pages cannot be read, or are not what was written. */
export function isUnreadable(error: unknown): boolean {
  return error instanceof Sqlite.SqliteError && UNREADABLE.test(error.code);
}

const UNREADABLE = /^SQLITE_(CORRUPT|NOTADB|IOERR_READ|IOERR_SHORT_READ|IOERR_CORRUPTFS|IOERR_DATA)/;
