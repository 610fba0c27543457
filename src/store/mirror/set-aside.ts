import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { syncFolder } from '../disk/sync-folder.ts';

/** In this order: a log that stays behind without its database would be taken for the log of the next one. */
const FILES_OF_A_DATABASE = ['-wal', '-shm', ''] as const;
/** A mirror can be large, and holds nothing that cannot be read again: only the newest ones are kept, to be looked at. */
const MOST_KEPT = 2;
/** Date and number. */
const TAIL = /^(\d{4}-\d\d-\d\d)-(\d+)$/;

/**
 * Renames a mirror that cannot be used, and deletes older ones.
 * @param on date, `YYYY-MM-DD`
 * @returns its new name without the folder; null: there was no file
 */
export function setAsideMirror(path: string, on: string): string | null {
  const found = FILES_OF_A_DATABASE.filter((end) => existsSync(path + end));
  if (found.length === 0) return null;
  const number = Math.max(0, ...keptMirrors(path).flatMap((one) => (one.on === on ? one.number : []))) + 1;
  const kept = `${basename(path)}.damaged-${on}-${number}`;
  for (const end of found) renameSync(path + end, join(dirname(path), kept + end));
  forgetKept(path, MOST_KEPT);
  syncFolder(dirname(path));
  return kept;
}

/** Deletes mirrors that were set aside, except for the newest ones. */
export function forgetKept(path: string, most: number): void {
  const kept = keptMirrors(path).toSorted((a, b) =>
    a.on === b.on ? a.number - b.number : a.on < b.on ? -1 : 1,
  );
  for (const { name } of kept.slice(0, Math.max(0, kept.length - most)))
    for (const end of FILES_OF_A_DATABASE)
      rmSync(join(dirname(path), name + end), { recursive: true, force: true });
}

function keptMirrors(path: string) {
  const start = `${basename(path)}.damaged-`;
  return readdirSync(dirname(path)).flatMap((name) => {
    const [, on = '', number = ''] = (name.startsWith(start) && TAIL.exec(name.slice(start.length))) || [];
    return on === '' ? [] : [{ name, on, number: Number(number) }];
  });
}
