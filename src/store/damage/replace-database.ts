import { chmodSync, chownSync, existsSync, renameSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { syncFolder } from '../disk/sync-folder.ts';
import { type EpochNote, noteRestored } from '../epoch-note.ts';

/** The files of one database; the log first, because without its database it is useless. */
const PARTS = ['-wal', '', '-shm'] as const;

/** Where a database goes, and the files beside it. */
export interface Place {
  readonly database: string;
  readonly epoch: string;
}

/**
 * Puts a finished copy in the place of the database, which is kept under another name. Wherever it is interrupted, the next start finds a database
 * that is not that of the last run: the note that says so is written first.
 * @param own what a note about the new database would say
 * @param at epoch ms
 * @returns where the old database is now; null when there was none
 */
export function replaceDatabase(draft: string, place: Place, own: EpochNote, at: number): string | null {
  const like = likeness(place.database);
  noteRestored(place.epoch, own);
  giveTo(place.epoch, like);
  giveTo(draft, like);
  chmodSync(draft, (like.mode & 0o660) | 0o600);
  const parts = PARTS.filter((part) => existsSync(`${place.database}${part}`));
  const aside = parts.length > 0 ? freeName(`${place.database}.replaced-${stamp(at)}`) : null;
  for (const part of parts) renameSync(`${place.database}${part}`, `${aside}${part}`);
  renameSync(draft, place.database);
  syncFolder(dirname(place.database));
  return aside;
}

/** Owner and group of the database; for a new folder, those of the folder. */
function likeness(database: string): Stats {
  return statSync(existsSync(database) ? database : dirname(database));
}

/** tilld must be able to write a file that root made. */
function giveTo(path: string, { uid, gid }: Stats): void {
  if (process.getuid?.() === 0) chownSync(path, uid, gid);
}

/** `2026-11-21T224000Z` */
function stamp(at: number): string {
  return new Date(at).toISOString().slice(0, 19).replaceAll(':', '').concat('Z');
}

function freeName(wanted: string): string {
  for (let number = 1; number < 1000; number += 1) {
    const name = number === 1 ? wanted : `${wanted}-${number}`;
    if (PARTS.every((part) => !existsSync(`${name}${part}`))) return name;
  }
  return wanted;
}
