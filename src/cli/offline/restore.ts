import { existsSync, statfsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { counted } from '../../base/counted.ts';
import { AppError, messageOf } from '../../base/errors.ts';
import { holdStateFolder } from '../../runtime/state-folder.ts';
import { chooseArchive } from '../../store/archive/archive-backup.ts';
import { draftCopy, removeDraft, seal, spaceFor } from '../../store/backup/backup.ts';
import { type DatabaseSummary, summarizeDatabase } from '../../store/inspection/database-summary.ts';
import { NOTHING_BESIDE } from '../../store/inspection/journal-check.ts';
import { rowsNotIn } from '../../store/journal/journal-common.ts';
import { openForReading } from '../../store/read-only-database.ts';
import { finishRestore } from '../../store/restore/finish-restore.ts';
import { keepKeyStatus, keepSessions, keptDatabases, keyStatusIn } from '../../store/restore/key-status.ts';
import { asideOf, planRestore } from '../../store/restore/plan-restore.ts';
import { keepEndedSignIn, keepSignInStatus, signInStatusIn } from '../../store/restore/sign-in-status.ts';
import { distrustedTerminalsIn, keepDistrust } from '../../store/restore/terminal-distrust.ts';
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
 * `tillctl restore FILE`: a verified backup replaces the database, which is kept. It is one step or none: a plan is on disk before the first file is
 * renamed, and the next start finishes one that was interrupted. The note beside the database is marked, so that the next start treats this as a
 * restored database.
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
    finishRestore(files);
    const done = putBack(file, files, Date.now());
    if (options.json) printDocument(io, { data: documentOf(done) });
    else io.out(text(done));
    return EXIT.done;
  } finally {
    folder.release();
  }
}

function putBack(file: string, files: StateFiles, now: number): Restored {
  const [draft, archiveDraft] = [draftOf(files.database), draftOf(files.archive)];
  const { restored, plan } = beforeThePlan([draft, archiveDraft], () => {
    requireSpace(file, files.folder);
    drafted(file, draft);
    const revoked = withKeysOf(files.database, draft);
    seal(draft);
    const books = examined(draft);
    const lostRows = lostIn(files.database, draft);
    const archive = chooseArchive(draft, files.archive, file, archiveDraft);
    const note = { epoch: books.epoch ?? '', count: books.journal.count, hash: books.journal.hash };
    const swaps = [
      { target: files.database, draft },
      ...(archive.mustGo ? [{ target: files.archive, draft: archive.draft }] : []),
    ];
    const restored = { file, books, lostRows, revoked };
    return {
      restored: { ...restored, kind: archive.kind },
      plan: planRestore(files.database, swaps, note, now),
    };
  });
  finishRestore(files);
  const { kind, ...same } = restored;
  const aside = asideOf(plan, files.archive);
  const archive = kind === 'fits' ? { kind } : { kind, aside };
  return { ...same, replaced: asideOf(plan, files.database), archive };
}

function draftOf(path: string): string {
  return `${path}.restoring-${process.pid}`;
}

/** Until the plan is on disk nothing is changed, and an error leaves nothing behind; afterwards the drafts belong to the plan. */
function beforeThePlan<T>(drafts: readonly string[], work: () => T): T {
  try {
    return work();
  } catch (error) {
    for (const draft of drafts) removeDraft(draft);
    throw error;
  }
}

/** @returns how many keys of the backup were revoked since; null: the present database is there and cannot tell */
function withKeysOf(database: string, draft: string): number | null {
  const present = keyStatusIn(database);
  const kept = keptDatabases(database).flatMap((path) => keyStatusIn(path) ?? []);
  const counts = [...(present ? [present] : []), ...kept].map((status) => keepKeyStatus(draft, status));
  keepSessions(draft, present?.sessions ?? []);
  const signIn = signInStatusIn(database);
  if (signIn) keepSignInStatus(draft, signIn);
  for (const path of keptDatabases(database)) {
    const before = signInStatusIn(path);
    if (before) keepEndedSignIn(draft, before);
  }
  keepDistrust(draft, distrustedTerminalsIn(database));
  return present === null ? null : counts.reduce((sum, count) => sum + count, 0);
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

function requireSpace(file: string, folder: string): void {
  const needed = spaceFor(file);
  const { bavail, bsize, blocks } = statfsSync(folder);
  if (blocks === 0 || bavail * bsize >= needed) return;
  throw new AppError(
    'RESTORE_FAILED',
    `the disk of ${folder} is full: up to ${needed} bytes are needed. Nothing was changed here.`,
  );
}

/** How many rows of the replaced journal are not in the restored one; null where that cannot be counted. */
function lostIn(database: string, draft: string): number | null {
  if (!existsSync(database)) return null;
  try {
    const [old, restored] = [openForReading(database), openForReading(draft)];
    try {
      return rowsNotIn(old, restored);
    } finally {
      old.close();
      restored.close();
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
    ['journal', `${counted(books.journal.count, 'row', 'rows')}, the last one ${books.journal.hash}`],
    ['newest entry', books.newestEntryAt === null ? null : new Date(books.newestEntryAt).toISOString()],
    ['old books', done.replaced ?? 'there were none'],
  ]);
  const steps = nextStartWords(done).map((words) => `  - ${plain(words)}\n`);
  return `The books of ${plain(done.file)} are in place.\n${rows}At the next start of tilld:\n${steps.join('')}`;
}
