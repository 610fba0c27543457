import { existsSync, readdirSync, renameSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { syncFolder } from '../disk/sync-folder.ts';

/** In this order: a log that stays behind without its database would be taken for the log of the next one. */
const FILES_OF_A_DATABASE = ['-wal', '-shm', ''] as const;
/** Quarantines of one day; more have another cause. */
const MOST_A_DAY = 1000;
/** Date and number. */
const COMPLETE = /^\d{4}-\d\d-\d\d-\d+$/;

/** The file names of one quarantine: the damaged database, and the salvaged one. */
export interface QuarantineNames {
  /** `money.db.damaged-2026-11-21-1`; its log and its index have the usual suffixes. tilld never deletes it. */
  readonly damaged: string;
  /** `money.db.salvaged-2026-11-21-1`: complete, and about to replace the damaged one. */
  readonly salvaged: string;
}

/** Names that are not taken yet. @param on date, `YYYY-MM-DD` */
export function quarantineNames(path: string, on: string): QuarantineNames {
  for (let number = 1; number < MOST_A_DAY; number += 1) {
    const names = namesOf(path, `${on}-${number}`);
    if (!FILES_OF_A_DATABASE.some((end) => existsSync(names.damaged + end))) return names;
  }
  return namesOf(path, `${on}-${MOST_A_DAY}`);
}

/** Puts the salvaged database in the place of the damaged one, which is kept. After a kill the next start completes the swap. */
export function swapIn(path: string, { damaged, salvaged }: QuarantineNames): void {
  for (const end of FILES_OF_A_DATABASE) {
    if (existsSync(path + end)) renameSync(path + end, damaged + end);
  }
  syncFolder(dirname(path));
  renameSync(salvaged, path);
  syncFolder(dirname(path));
}

/** A swap that was interrupted. A salvage that was interrupted leaves longer names behind, which are not complete. */
export function unfinishedSwap(path: string): QuarantineNames | null {
  const start = `${basename(path)}.salvaged-`;
  const found = readdirSync(dirname(path)).find(
    (name) => name.startsWith(start) && COMPLETE.test(name.slice(start.length)),
  );
  return found === undefined ? null : namesOf(path, found.slice(start.length));
}

function namesOf(path: string, tail: string): QuarantineNames {
  const named = (what: string) => join(dirname(path), `${basename(path)}.${what}-${tail}`);
  return { damaged: named('damaged'), salvaged: named('salvaged') };
}
