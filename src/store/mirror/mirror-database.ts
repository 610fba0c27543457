import { rmSync } from 'node:fs';
import { hasCode } from '../../base/errors.ts';
import { Database } from '../database.ts';
import { MIRROR_MIGRATIONS } from './mirror-migrations.ts';

const SIDE_FILES = ['', '-wal', '-shm'] as const;

/**
 * Opens `mirror.db`. A damaged file, or one of a later release, is replaced by a new one: everything in it is read again.
 * @returns whether that happened
 * @throws STORAGE_FULL, STORAGE_FAILED
 */
export function openMirror(
  path: string,
  appVersion: string,
): { readonly database: Database; readonly isNew: boolean } {
  try {
    return { database: Database.open(path, MIRROR_MIGRATIONS, appVersion, 'normal'), isNew: false };
  } catch (error) {
    if (!hasCode(error, 'STORAGE_DAMAGED') && !hasCode(error, 'STORAGE_TOO_NEW')) throw error;
    for (const end of SIDE_FILES) rmSync(`${path}${end}`, { force: true });
    return { database: Database.open(path, MIRROR_MIGRATIONS, appVersion, 'normal'), isNew: true };
  }
}
