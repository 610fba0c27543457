import { existsSync, readdirSync, renameSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { syncFolder } from '../disk/sync-folder.ts';

/** In this order: a log that stays behind without its database would be taken for that of the next one. */
const FILES_OF_A_DATABASE = ['-wal', '-shm', ''] as const;
/** Of one day; who needs more has another problem. */
const MOST_A_DAY = 1000;

/** How the files of one quarantine are called: what was damaged, and what was saved of it. */
export interface QuarantineNames {
  /** `money.db.damaged-2026-11-21-1`; its log and its index carry the usual endings. Never deleted by us. */
  readonly damaged: string;
  /** `money.db.salvaged-2026-11-21-1`: complete, and about to take the place of the damaged one. */
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

/** Puts what was saved in the place of what was damaged, which is kept. Whoever is killed on the way finds it unfinished at the next start. */
export function swapIn(path: string, { damaged, salvaged }: QuarantineNames): void {
  for (const end of FILES_OF_A_DATABASE) {
    if (existsSync(path + end)) renameSync(path + end, damaged + end);
  }
  syncFolder(dirname(path));
  renameSync(salvaged, path);
  syncFolder(dirname(path));
}

/** A swap that was cut short. */
export function unfinishedSwap(path: string): QuarantineNames | null {
  const start = `${basename(path)}.salvaged-`;
  const found = readdirSync(dirname(path)).find((name) => name.startsWith(start));
  return found === undefined ? null : namesOf(path, found.slice(start.length));
}

function namesOf(path: string, tail: string): QuarantineNames {
  const named = (what: string) => join(dirname(path), `${basename(path)}.${what}-${tail}`);
  return { damaged: named('damaged'), salvaged: named('salvaged') };
}
