import { chmodSync, chownSync, existsSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { draftCopy, publish, removeDraft, type Sealed } from '../backup.ts';
import { syncFolder } from '../disk/sync-folder.ts';
import { openForReading, type Reading } from '../read-only-database.ts';
import { type ArchiveFlaw, archiveFlaw } from './archive-check.ts';
import { cutOf } from './journal-cut.ts';

/** In this order: a log that stays behind would be taken for the log of the next database. */
const PARTS = ['-wal', '-shm', ''] as const;

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

/** What happened to the archive when a database was restored. */
export type ArchiveStatus =
  /** The present archive has every timeline that this database handed over; or the database handed over none, and there is no archive. */
  | { readonly kind: 'fits' }
  /** The backup's archive is in place; `aside`: where the previous archive is now. */
  | { readonly kind: 'restored'; readonly aside: string | null }
  /** No archive fits: old timelines cannot be shown. */
  | { readonly kind: 'missing'; readonly aside: string | null };

/**
 * Finds the archive that belongs to a restored database: the present one, if it holds all rows that the database handed over, else the backup's. An
 * archive that does not belong to it is kept under another name.
 * @param money the database, in its place
 * @param stamp for the other name
 */
export function fitArchive(money: string, archive: string, backup: string, stamp: string): ArchiveStatus {
  const here = flawOfFile(money, archive);
  if (here === null) return { kind: 'fits' };
  const beside = archiveBeside(backup);
  const canReplace = existsSync(beside) && flawOfFile(money, beside) === null;
  // An archive with missing rows may still have the others; one of another time would stop the archiving.
  const mustGo = canReplace || here.kind === 'other';
  const aside = mustGo ? setAside(archive, `${archive}.replaced-${stamp}`) : null;
  if (!canReplace) return { kind: 'missing', aside };
  copyArchive(beside, archive);
  giveLike(archive, money);
  return { kind: 'restored', aside };
}

/** tilld must be able to write a file that root made. */
function giveLike(archive: string, money: string): void {
  const { uid, gid, mode } = statSync(money);
  chmodSync(archive, (mode & 0o660) | 0o600);
  if (process.getuid?.() === 0) chownSync(archive, uid, gid);
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

function setAside(archive: string, wanted: string): string | null {
  const parts = PARTS.filter((part) => existsSync(archive + part));
  for (const part of parts) renameSync(archive + part, wanted + part);
  syncFolder(dirname(archive));
  return parts.length === 0 ? null : wanted;
}

function reading<T>(path: string, look: (file: Reading) => T): T {
  const file = openForReading(path);
  try {
    return look(file);
  } finally {
    file.close();
  }
}
