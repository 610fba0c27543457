import { existsSync, statfsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { AppError, messageOf } from '../../base/errors.ts';
import { holdStateFolder } from '../../runtime/state-folder.ts';
import { fitArchive } from '../../store/archive/archive-backup.ts';
import { draftCopy, removeDraft, roomFor, seal } from '../../store/backup.ts';
import { replaceDatabase } from '../../store/damage/replace-database.ts';
import { UnscannedPages } from '../../store/damage/unscanned-pages.ts';
import { type DatabaseSummary, summarizeDatabase } from '../../store/database-summary.ts';
import { chainEnd } from '../../store/journal/journal-chain.ts';
import { NOTHING_BESIDE } from '../../store/journal/journal-check.ts';
import { keepKeyStatus, keyStatusIn } from '../../store/key-status.ts';
import { openForReading } from '../../store/read-only-database.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { type GlobalOptions, type Io, printDocument } from '../io.ts';
import { plain } from '../show/plain.ts';
import { facts } from '../show/table.ts';
import { booksView, requireWhole } from './books-view.ts';
import { nextStartWords, type Restored } from './next-start.ts';
import { requireStateFiles, type StateFiles, type StateOptions } from './state-files.ts';

export interface RestoreOptions extends GlobalOptions, StateOptions {
  readonly file: string;
  readonly brokenJournal?: boolean;
}

/**
 * `tillctl restore FILE`: a verified backup replaces the database, which is kept. The note beside it stays and is marked, so
 * that the next start treats this as a restored database.
 */
export async function restore(options: RestoreOptions, io: Io): Promise<ExitCode> {
  const files = requireStateFiles(options, io);
  const file = resolve(io.cwd, options.file);
  if (!statSync(file, { throwIfNoEntry: false })?.isFile())
    throw new AppError('BACKUP_MISSING', `there is no file ${file}`);
  if (file === files.database)
    throw new AppError(
      'BACKUP_MISSING',
      `${file} are the books themselves: name the file that tillctl backup made`,
    );
  requireWhole(examined(file), options.brokenJournal === true, 'restore');
  const folder = holdStateFolder(files.folder);
  try {
    const done = putBack(file, files, Date.now());
    if (options.json) printDocument(io, { data: documentOf(done) });
    else io.out(text(done));
    return EXIT.done;
  } finally {
    folder.release();
  }
}

function putBack(file: string, files: StateFiles, now: number): Restored {
  const draft = `${files.database}.restoring-${process.pid}`;
  try {
    requireRoom(file, files.folder);
    drafted(file, draft);
    const keys = keyStatusIn(files.database);
    const kept = keys === null ? null : keepKeyStatus(draft, keys);
    seal(draft);
    const books = examined(draft);
    const lostRows = lostIn(files.database, books);
    const own = { epoch: books.epoch ?? '', count: books.journal.count, hash: books.journal.hash };
    const replaced = replaceDatabase(draft, files, own, now);
    new UnscannedPages(files.unreadPages).settle();
    const stamp = new Date(now).toISOString().replaceAll(':', '');
    const archive = fitArchive(files.database, files.archive, file, stamp);
    return { file, books, replaced, lostRows, revoked: kept, archive };
  } finally {
    removeDraft(draft);
  }
}

function examined(path: string): DatabaseSummary {
  try {
    const database = openForReading(path);
    try {
      return summarizeDatabase(database, NOTHING_BESIDE);
    } finally {
      database.close();
    }
  } catch (error) {
    if (error instanceof AppError && error.code !== 'STORAGE_FAILED') throw refused(path, error);
    throw refused(path, new AppError('BOOKS_FOREIGN', messageOf(error), { cause: error }));
  }
}

function refused(path: string, error: AppError): AppError {
  return new AppError(error.code, `${path}: ${error.message}. Nothing was changed here.`, { cause: error });
}

function drafted(file: string, draft: string): void {
  const database = openForReading(file);
  try {
    draftCopy(database, draft);
  } finally {
    database.close();
  }
}

function requireRoom(file: string, folder: string): void {
  const needed = roomFor(file);
  const { bavail, bsize, blocks } = statfsSync(folder);
  if (blocks === 0 || bavail * bsize >= needed) return;
  throw new AppError(
    'RESTORE_FAILED',
    `the disk of ${folder} is full: up to ${needed} bytes are needed. Nothing was changed here.`,
  );
}

/** How many rows the replaced journal is ahead; null where it is unreadable. */
function lostIn(path: string, books: DatabaseSummary): number | null {
  if (!existsSync(path)) return null;
  try {
    const database = openForReading(path);
    try {
      return Math.max(0, chainEnd(database).count - books.journal.count);
    } finally {
      database.close();
    }
  } catch {
    return null;
  }
}

function documentOf(done: Restored) {
  return {
    file: done.file,
    ...booksView(done.books),
    replaced: done.replaced,
    rows_not_in_it: done.lostRows,
    keys_kept_revoked: done.revoked,
    archive: done.archive,
    next_start: nextStartWords(done),
  };
}

function text(done: Restored): string {
  const { books } = done;
  const rows = facts([
    ['payments', String(books.attempts)],
    ['journal', `${books.journal.count} rows, the last one ${books.journal.hash}`],
    ['newest entry', books.newestEntryAt === null ? null : new Date(books.newestEntryAt).toISOString()],
    ['old books', done.replaced ?? 'there were none'],
  ]);
  const steps = nextStartWords(done).map((words) => `  - ${plain(words)}\n`);
  return `The books of ${plain(done.file)} are in place.\n${rows}At the next start of tilld:\n${steps.join('')}`;
}
