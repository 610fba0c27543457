import { createHash } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { syncFolder } from '../disk/sync-folder.ts';
import type { Reading } from '../read-only-database.ts';

/** Only its owner may read the database. */
const OWNER_ONLY = 0o600;
const CHUNK_BYTES = 1_048_576;

/** A completed file. */
export interface Sealed {
  readonly bytes: number;
  /** SHA-256, hex. */
  readonly sha256: string;
}

/**
 * Copies one consistent state of a database into a new file that only its owner may read, and waits until it is on disk.
 * @throws STORAGE_FULL, STORAGE_FAILED, and the system's error; no file is left behind then
 */
export function draftCopy(database: Reading, draft: string): Sealed {
  try {
    closeSync(openSync(draft, 'wx', OWNER_ONLY));
    chmodSync(draft, OWNER_ONLY);
    database.copyInto(draft);
    return seal(draft);
  } catch (error) {
    removeDraft(draft);
    throw error;
  }
}

/** Removes a draft, with the files that SQLite may have left beside it. */
export function removeDraft(draft: string): void {
  for (const end of ['', '-journal', '-wal', '-shm']) rmSync(`${draft}${end}`, { force: true });
}

/** Waits until a file is on disk, and reads it once more completely. */
export function seal(path: string): Sealed {
  const hash = createHash('sha256');
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  const file = openSync(path, 'r+');
  try {
    fsyncSync(file);
    let bytes = 0;
    for (
      let read = readSync(file, chunk, 0, CHUNK_BYTES, bytes);
      read > 0;
      read = readSync(file, chunk, 0, CHUNK_BYTES, bytes)
    ) {
      hash.update(chunk.subarray(0, read));
      bytes += read;
    }
    return { bytes, sha256: hash.digest('hex') };
  } finally {
    closeSync(file);
  }
}

/**
 * Gives a finished draft its final name.
 * @returns false when such a file exists already, and `replace` is false; the draft stays then
 */
export function publish(draft: string, target: string, replace: boolean): boolean {
  if (replace) renameSync(draft, target);
  else if (!linked(draft, target)) {
    if (existsSync(target)) return false;
    renameSync(draft, target);
  }
  syncFolder(dirname(target));
  return true;
}

/** Adds a second name, then removes the first: that never hides a file which appeared meanwhile. False when the file system has no links. */
function linked(draft: string, target: string): boolean {
  try {
    linkSync(draft, target);
  } catch {
    return false;
  }
  rmSync(draft);
  return true;
}

/** Most bytes that a compact copy takes: the size of the file and its log now. */
export function spaceFor(path: string): number {
  const sizes = [path, `${path}-wal`].map((file) => statSync(file, { throwIfNoEntry: false })?.size ?? 0);
  return sizes.reduce((sum, size) => sum + size, 0);
}
