import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  readFileSync,
  readSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';
import Sqlite from 'better-sqlite3';
import { AppError, messageOf } from '../base/errors.ts';
import type { Database } from './database.ts';

/** The read methods of a database; the open {@link Database} has them, too. */
export type Readable = Pick<Database, 'get' | 'all'>;

/** The pages of a database as they are, damaged ones too; numbered from 1. */
export interface Pages {
  readonly count: number;
  /** @throws RangeError when there is no such page */
  page(number: number): Buffer;
}

/** A database that is read and never changed. */
export interface Reading extends Readable {
  /** The rows of a statement without parameters, one by one, all from one snapshot. */
  each(sql: string): IterableIterator<unknown>;
  /** null when they do not fit into memory, and a daemon may be writing them. */
  pages(): Pages | null;
  /** Writes a compact copy of one snapshot into an empty file. @throws STORAGE_FULL, STORAGE_FAILED */
  copyInto(path: string): void;
  close(): void;
}

const BUSY_TIMEOUT_MS = 5000;
/** A database at rest up to this size is read into memory, without any file beside it. */
const SMALL_BYTES = 67_108_864;
/** The largest file that is held in memory for its pages. */
const LARGEST_IMAGE_BYTES = 268_435_456;
/** The header bytes for the journal mode: 2 is WAL, 1 is none (file format, 1.3). */
const FORMAT_BYTES = [18, 19] as const;
const WAL = 2;
const HEADER_BYTES = 100;
const DAMAGED = /^SQLITE_(CORRUPT|NOTADB)/;
const CODES = [
  [/^SQLITE_FULL/, 'STORAGE_FULL'],
  [DAMAGED, 'STORAGE_DAMAGED'],
] as const;

/**
 * Opens a database for reading, also while a daemon writes it. When it is at rest, no `-shm` and no `-wal` stay behind: SQLite creates them for
 * every reader, and with the reader's owner they could lock the daemon out.
 * @throws STORAGE_DAMAGED when it is no database (any more), STORAGE_FAILED when there is no such file or it cannot be opened
 */
export function openForReading(path: string): Reading {
  try {
    return proved(opened(path));
  } catch (error) {
    throw readingError(error, `${path} cannot be opened`);
  }
}

function opened(path: string): Reading {
  if (existsSync(`${path}-wal`)) return whileWritten(path);
  const size = statSync(path).size;
  if (size > SMALL_BYTES && (size > LARGEST_IMAGE_BYTES || mayWrite(path))) return large(path);
  const image = readFileSync(path);
  return existsSync(`${path}-wal`) ? whileWritten(path) : readingOfImage(image);
}

/** SQLite opens nothing before the first statement: missing access shows here, damage to the reader later. */
function proved(reading: Reading): Reading {
  try {
    reading.get('SELECT 1 FROM sqlite_schema LIMIT 1');
    return reading;
  } catch (error) {
    if (error instanceof Sqlite.SqliteError && DAMAGED.test(error.code)) return reading;
    reading.close();
    throw error;
  }
}

/** A database as bytes, which no process writes; its header is changed so that SQLite expects no log. */
export function readingOfImage(image: Buffer): Reading {
  if (image.length >= HEADER_BYTES) {
    for (const at of FORMAT_BYTES) if (image[at] === WAL) image[at] = 1;
  }
  return readingOf(new Sqlite(image, { readonly: true }), () => pagesOfImage(image));
}

function whileWritten(path: string): Reading {
  const sqlite = new Sqlite(path, { readonly: true, timeout: BUSY_TIMEOUT_MS });
  return readingOf(sqlite, () =>
    statSync(path).size > LARGEST_IMAGE_BYTES ? null : pagesOfImage(sqlite.serialize()),
  );
}

function mayWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    accessSync(dirname(path), constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** A connection with write permission removes SQLite's side files when it closes; it writes nothing all the same. */
function large(path: string): Reading {
  const file = openSync(path, 'r');
  const header = Buffer.alloc(HEADER_BYTES);
  readSync(file, header, 0, HEADER_BYTES, 0);
  const sqlite = new Sqlite(path, { readonly: header[FORMAT_BYTES[0]] !== WAL, timeout: BUSY_TIMEOUT_MS });
  sqlite.pragma('query_only = ON');
  const reading = readingOf(sqlite, () => pagesOfFile(file, header, statSync(path).size));
  return {
    ...reading,
    copyInto: (copy) => {
      // A copy is written by the same connection, and its source is not.
      sqlite.pragma('query_only = OFF');
      reading.copyInto(copy);
      sqlite.pragma('query_only = ON');
    },
    close: () => {
      reading.close();
      closeSync(file);
    },
  };
}

function readingOf(sqlite: Sqlite.Database, pages: () => Pages | null): Reading {
  return {
    get: (sql, ...values) => sqlite.prepare(sql).get(...values),
    all: (sql, ...values) => sqlite.prepare(sql).all(...values),
    each: (sql) => sqlite.prepare(sql).iterate(),
    pages,
    copyInto: (path) => {
      try {
        sqlite.prepare('VACUUM INTO ?').run(path);
      } catch (error) {
        throw readingError(error, 'the database cannot be copied');
      }
    },
    close: () => {
      if (sqlite.open) sqlite.close();
    },
  };
}

/** The pages of a database that is in memory as a whole. */
export function pagesOfImage(image: Buffer): Pages {
  const bytes = pageBytesOf(image);
  return { count: Math.ceil(image.length / bytes), page: (number) => sliceOf(image, number, bytes) };
}

function sliceOf(image: Buffer, number: number, bytes: number): Buffer {
  const page = image.subarray((number - 1) * bytes, number * bytes);
  if (number < 1 || page.length < bytes) throw new RangeError(`there is no page ${number}`);
  return page;
}

function pagesOfFile(file: number, header: Buffer, size: number): Pages {
  const bytes = pageBytesOf(header);
  return {
    count: Math.ceil(size / bytes),
    page: (number) => {
      const page = Buffer.alloc(bytes);
      const read = number < 1 ? 0 : readSync(file, page, 0, bytes, (number - 1) * bytes);
      if (read < bytes) throw new RangeError(`there is no page ${number}`);
      return page;
    },
  };
}

/** Bytes 16 and 17 of the header; 1 stands for 65536. @throws RangeError for an invalid header */
function pageBytesOf(header: Buffer): number {
  const stated = header.readUInt16BE(16);
  const bytes = stated === 1 ? 65_536 : stated;
  if (bytes < 512) throw new RangeError('the pages have no possible size');
  return bytes;
}

function readingError(error: unknown, what: string): AppError {
  const stated = error instanceof Sqlite.SqliteError ? error.code : '';
  const code = CODES.find(([pattern]) => pattern.test(stated))?.[1] ?? 'STORAGE_FAILED';
  return new AppError(code, `${what}: ${messageOf(error)}`, { cause: error });
}
