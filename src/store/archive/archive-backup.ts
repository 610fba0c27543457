import { existsSync } from 'node:fs';
import { draftCopy, publish, removeDraft, type Sealed } from '../backup/backup.ts';
import { cutOf } from '../journal/journal-cut.ts';
import { openForReading, type Reading } from '../read-only-database.ts';
import { type ArchiveFlaw, archiveFlaw } from './archive-check.ts';

/** The archive of a backup is beside it. */
export function archiveBeside(backup: string): string {
  return `${backup}.archive`;
}

/**
 * Copies one consistent state of an archive into a new file. The database must be copied before it, so that the archive holds all rows that the
 * database handed over.
 * @returns null when there is no archive
 * @throws STORAGE_*, and the system's error; no file is left behind then
 */
export function copyArchive(archive: string, target: string): Sealed | null {
  if (!existsSync(archive)) return null;
  const draft = `${target}.draft-${process.pid}`;
  return reading(archive, (file) => {
    try {
      const sealed = draftCopy(file, draft);
      publish(draft, target, true);
      return sealed;
    } finally {
      removeDraft(draft);
    }
  });
}

/** What a restore does to the archive. */
export type ArchiveStatus =
  /** The present archive has every timeline that this database handed over; or the database handed over none, and there is no archive. */
  | { readonly kind: 'fits' }
  /** The backup's archive takes its place; `aside`: where the previous archive is then. */
  | { readonly kind: 'restored'; readonly aside: string | null }
  /** No archive fits: old timelines cannot be shown. */
  | { readonly kind: 'missing'; readonly aside: string | null };

/** An archive for a restored database: `draft` is a copy of the backup's, on disk; `mustGo`: the present archive must be set aside. */
export interface ArchiveChoice {
  readonly kind: ArchiveStatus['kind'];
  readonly draft: string | null;
  readonly mustGo: boolean;
}

/**
 * Finds the archive that belongs to a database that is about to be restored: the present one, if it holds all rows that the database handed over, else
 * a copy of the backup's. Nothing but the copy is written.
 * @param money the database to be
 */
export function chooseArchive(money: string, archive: string, backup: string, draft: string): ArchiveChoice {
  const here = flawOfFile(money, archive);
  if (here === null) return { kind: 'fits', draft: null, mustGo: false };
  const beside = archiveBeside(backup);
  const canReplace = existsSync(beside) && flawOfFile(money, beside) === null;
  // An archive with missing rows may still have the others; one of another time would stop the archiving.
  if (!canReplace) return { kind: 'missing', draft: null, mustGo: here.kind === 'other' };
  copyArchive(beside, draft);
  return { kind: 'restored', draft, mustGo: true };
}

function flawOfFile(money: string, archive: string): ArchiveFlaw | null {
  return reading(money, (books) => {
    const cut = cutOf(books);
    if (!existsSync(archive)) return cut === null ? null : { kind: 'gone', what: 'there is none' };
    try {
      return reading(archive, (file) => archiveFlaw(books, file, false));
    } catch {
      return { kind: 'damaged', what: 'it cannot be read' };
    }
  });
}

function reading<T>(path: string, look: (file: Reading) => T): T {
  const file = openForReading(path);
  try {
    return look(file);
  } finally {
    file.close();
  }
}
