import { accessSync, constants, existsSync, realpathSync, statfsSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { counted } from '../../base/counted.ts';
import { AppError, messageOf } from '../../base/errors.ts';
import { archiveBeside, copyArchive } from '../../store/archive/archive-backup.ts';
import { draftCopy, publish, removeDraft, type Sealed, spaceFor } from '../../store/backup/backup.ts';
import { noteLastBackup } from '../../store/backup/last-backup.ts';
import { readEpochNote } from '../../store/epoch/epoch-note.ts';
import { type DatabaseSummary, summarizeDatabase } from '../../store/inspection/database-summary.ts';
import type { Beside } from '../../store/inspection/journal-check.ts';
import { JournalAnchors } from '../../store/journal/journal-anchors.ts';
import { openForReading } from '../../store/read-only-database.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { type GlobalOptions, type Io, printDocument } from '../io.ts';
import { plain } from '../show/plain.ts';
import { facts } from '../show/table.ts';
import { booksView, requireWhole } from './books-view.ts';
import { requireStateFiles, type StateFiles, type StateOptions } from './state-files.ts';

export interface BackupOptions extends GlobalOptions, StateOptions {
  readonly file: string;
  readonly force?: boolean;
  readonly brokenJournal?: boolean;
}

/**
 * `tillctl backup FILE`: a consistent copy, also while the daemon sells, verified completely before it gets its name.
 * Credentials are not in the database and never copied; of API keys it holds the hashes, which open nothing.
 */
export async function backup(options: BackupOptions, io: Io): Promise<ExitCode> {
  const files = requireStateFiles(options, io);
  const target = targetOf(options, files, io);
  const { books, sealed } = copy(files, target, options);
  const archive = archiveCopy(files, target);
  noteLastBackup(files.lastBackup, { at: Date.now(), file: target, sha256: sealed.sha256 });
  const made = { file: target, bytes: sealed.bytes, sha256: sealed.sha256, ...booksView(books), archive };
  if (options.json) printDocument(io, { data: made });
  else io.out(text(made.file, sealed, books, archive));
  return EXIT.done;
}

function copy(
  files: StateFiles,
  target: string,
  options: BackupOptions,
): { readonly books: DatabaseSummary; readonly sealed: Sealed } {
  const beside: Beside = {
    note: readEpochNote(files.epoch),
    anchors: new JournalAnchors(files.anchors).read(),
  };
  const draft = join(dirname(target), `.${basename(target)}.draft-${process.pid}`);
  const sealed = draftOf(files, draft, target);
  try {
    const books = examined(draft, beside);
    requireWhole(books, options.brokenJournal === true, 'backup');
    if (!publish(draft, target, options.force === true)) throw taken(target);
    return { books, sealed };
  } finally {
    removeDraft(draft);
  }
}

type ArchiveCopy = { readonly file: string; readonly bytes: number; readonly sha256: string };
type NoArchiveCopy = { readonly failed: string };

/** The database matters more than old payments: a backup without the archive is still a backup, and says so. */
function archiveCopy(files: StateFiles, target: string): ArchiveCopy | NoArchiveCopy | null {
  const file = archiveBeside(target);
  try {
    const sealed = copyArchive(files.archive, file);
    return sealed && { file, bytes: sealed.bytes, sha256: sealed.sha256 };
  } catch (error) {
    return { failed: whyNot(error, file) };
  }
}

function draftOf(files: StateFiles, draft: string, target: string): Sealed {
  const database = openForReading(files.database);
  try {
    return draftCopy(database, draft);
  } catch (error) {
    throw new AppError(
      'BACKUP_FAILED',
      `${whyNot(error, target)}. There is no backup; the books are as they were.`,
      { cause: error },
    );
  } finally {
    database.close();
  }
}

function whyNot(error: unknown, target: string): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'STORAGE_FULL' || code === 'ENOSPC') return `the disk of ${dirname(target)} is full`;
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return `${dirname(target)} cannot be written (${messageOf(error)})`;
  return messageOf(error);
}

function examined(draft: string, beside: Beside): DatabaseSummary {
  const database = openForReading(draft);
  try {
    return summarizeDatabase(database, beside);
  } finally {
    database.close();
  }
}

/** @throws BACKUP_TARGET_* with a text, before anything is written */
function targetOf({ file, force }: BackupOptions, files: StateFiles, io: Io): string {
  requireBooks(files);
  const target = resolve(io.cwd, file);
  const folder = dirname(target);
  if (!existsSync(folder))
    throw new AppError(
      'BACKUP_FOLDER_MISSING',
      `there is no folder ${folder}: make it, or mount the disk that it is on`,
    );
  const found = statSync(target, { throwIfNoEntry: false });
  if (found?.isDirectory())
    throw new AppError('BACKUP_TARGET_IS_FOLDER', `${target} is a folder: name a file in it`);
  if (`${realpathSync(folder)}${sep}`.startsWith(`${realpathSync(files.folder)}${sep}`))
    throw new AppError(
      'BACKUP_TARGET_INSIDE',
      `${target} is in the state folder: what destroys the books would destroy their copy`,
    );
  if (found && !force) throw taken(target);
  const needed = spaceFor(files.database) + spaceFor(files.archive);
  const { bavail, bsize, blocks } = statfsSync(folder);
  if (blocks > 0 && bavail * bsize < needed)
    throw new AppError(
      'BACKUP_FAILED',
      `the disk of ${folder} is full: up to ${needed} bytes are needed, ${bavail * bsize} are free. There is no backup; the books are as they were.`,
    );
  return target;
}

/** @throws NO_BOOKS */
function requireBooks({ database, folder }: StateFiles): void {
  try {
    accessSync(database, constants.R_OK);
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    const words = isMissing
      ? `there are no books in ${folder}: name the state folder with --state-dir DIR`
      : `you may not read the books in ${folder}: ask as the user that owns them (sudo tillctl backup FILE)`;
    throw new AppError('NO_BOOKS', words, { cause: error });
  }
}

function taken(target: string): AppError {
  return new AppError(
    'BACKUP_TARGET_EXISTS',
    `there is a file ${target} already: name another, or say --force to put this one in its place`,
  );
}

function text(
  file: string,
  { bytes, sha256 }: Sealed,
  books: DatabaseSummary,
  archive: ArchiveCopy | NoArchiveCopy | null,
): string {
  const { broken } = books;
  const rows = facts([
    ['payments', String(books.attempts)],
    ['journal', `${counted(books.journal.count, 'row', 'rows')}, the last one ${books.journal.hash}`],
    ['newest entry', books.newestEntryAt === null ? null : new Date(books.newestEntryAt).toISOString()],
    ['size', `${bytes} bytes`],
    ['SHA-256', sha256],
    ['archive', archiveWords(archive)],
    ['broken', broken ? `row ${broken.seq} of the journal: ${broken.what}` : null],
  ]);
  return `${plain(file)} holds the books, verified.\n${rows}No credential is in it: keep a copy of the service key elsewhere. Keep the file as you keep the till's money.\n`;
}

function archiveWords(archive: ArchiveCopy | NoArchiveCopy | null): string | null {
  if (archive === null) return null;
  if ('failed' in archive) return `the history of old payments is NOT in this backup: ${archive.failed}`;
  return `${archive.file}, ${archive.bytes} bytes, SHA-256 ${archive.sha256}; keep it beside`;
}
