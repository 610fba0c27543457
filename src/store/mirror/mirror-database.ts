import { statSync } from 'node:fs';
import { AppError, hasCode, messageOf } from '../../base/errors.ts';
import { examine } from '../damage/damage-check.ts';
import { Database } from '../database.ts';
import { noteMirrorLoss } from './mirror-loss.ts';
import { MIRROR_MIGRATIONS } from './mirror-migrations.ts';
import { forgetKept, setAsideMirror } from './set-aside.ts';

/** Every page of a mirror up to this size is checked when it is opened: some milliseconds. A larger one is checked while no payment runs. */
export const AT_ONCE_BYTES = 4_194_304;

/**
 * Opens `mirror.db`. A file that cannot be used, for whatever reason, is set aside, and a new one takes its place: everything in it is read again.
 * @param now epoch ms
 * @returns whether that happened
 * @throws STORAGE_FULL; STORAGE_FAILED, which names the file, when no new one can be made either
 */
export function openMirror(
  path: string,
  appVersion: string,
  now: number,
): { readonly database: Database; readonly isNew: boolean } {
  try {
    const flaw = flawAtOnce(path);
    if (flaw !== null) throw new AppError('STORAGE_DAMAGED', flaw);
    return { database: Database.open(path, MIRROR_MIGRATIONS, appVersion, 'normal'), isNew: false };
  } catch (error) {
    if (hasCode(error, 'STORAGE_FULL')) throw error;
    return { database: replaceMirror(path, appVersion, messageOf(error), now), isNew: true };
  }
}

/** Sets the file aside and opens a new one, which notes that. Mirrors that were set aside earlier make room for it on a full disk. */
export function replaceMirror(path: string, appVersion: string, what: string, now: number): Database {
  const kept = setAsideMirror(path, new Date(now).toISOString().slice(0, 10));
  const fresh = () => {
    const database = Database.open(path, MIRROR_MIGRATIONS, appVersion, 'normal');
    try {
      noteMirrorLoss(database, { at: now, what, kept, readAgainAt: null });
      return database;
    } catch (error) {
      database.close();
      throw error;
    }
  };
  try {
    return fresh();
  } catch (error) {
    if (!hasCode(error, 'STORAGE_FULL')) throw error;
    forgetKept(path, 0);
    return fresh();
  }
}

/** 0: there is none. */
export function sizeOfMirror(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function flawAtOnce(path: string): string | null {
  return sizeOfMirror(path) > AT_ONCE_BYTES ? null : examine(path);
}
