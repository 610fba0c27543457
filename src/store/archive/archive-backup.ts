import { chmodSync, chownSync, existsSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { draftCopy, publish, removeDraft, type Sealed } from '../backup.ts';
import { syncFolder } from '../disk/sync-folder.ts';
import { openForReading, type Reading } from '../reading.ts';
import { type ArchiveFlaw, archiveFlaw } from './archive-check.ts';
import { cutOf } from './journal-cut.ts';

/** In this order: a log that stays behind would be taken for that of the next one. */
const PARTS = ['-wal', '-shm', ''] as const;

/** Where the archive of a backup stands: beside it. */
export function archiveBeside(backup: string): string {
  return `${backup}.archive`;
}

/**
 * Copies an archive of one moment into a new file; the books must have been copied before it, so that it has all that they handed over.
 * @returns null where there is none
 * @throws STORAGE_*, and the system's error; nothing is left behind then
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

/** What became of the archive when books were put back. */
export type ArchiveFate =
  /** The one that is here has every story that these books have handed over; or they have handed over none, and there is none. */
  | { readonly kind: 'fits' }
  /** That of the backup is in its place; `aside`: where the one that was here is now. */
  | { readonly kind: 'restored'; readonly aside: string | null }
  /** There is none that fits: old stories cannot be told. */
  | { readonly kind: 'missing'; readonly aside: string | null };

/**
 * Finds the archive that belongs to books that were put back: the one that is here, if it has all that they handed over, or else that of
 * the backup. What does not belong to them is kept under another name.
 * @param money the books, in their place
 * @param stamp for the other name
 */
export function fitArchive(money: string, archive: string, backup: string, stamp: string): ArchiveFate {
  const here = flawOfFile(money, archive);
  if (here === null) return { kind: 'fits' };
  const beside = archiveBeside(backup);
  const canReplace = existsSync(beside) && flawOfFile(money, beside) === null;
  // What lacks something may still have the rest; what is of another time would stop the archiving.
  const mustGo = canReplace || here.kind === 'other';
  const aside = mustGo ? setAside(archive, `${archive}.replaced-${stamp}`) : null;
  if (!canReplace) return { kind: 'missing', aside };
  copyArchive(beside, archive);
  giveLike(archive, money);
  return { kind: 'restored', aside };
}

/** A file that root made must be one that tilld can write. */
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
