import { closeSync, fsyncSync, openSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** Why a disk cannot be written: no block is left, it is mounted read-only (or access is denied), or it fails. */
export type DiskState = 'full' | 'read_only' | 'failing';

const STATES: Readonly<Record<string, DiskState>> = {
  ENOSPC: 'full',
  EDQUOT: 'full',
  EROFS: 'read_only',
  EACCES: 'read_only',
  EPERM: 'read_only',
};
const PROBE_BYTES = 4096;

/** The state of the disk by an error of the file system. */
export function diskStateOf(error: unknown): DiskState {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return STATES[code] ?? 'failing';
}

/** Writes a block into the folder and waits until it is on disk; null when that works. SQLite reports less about an error than the system does. */
export function probeDisk(folder: string): DiskState | null {
  const path = join(folder, 'probe');
  try {
    const file = openSync(path, 'w', 0o600);
    try {
      writeSync(file, Buffer.alloc(PROBE_BYTES, 'probe'));
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    return null;
  } catch (error) {
    return diskStateOf(error);
  } finally {
    removeQuietly(path);
  }
}

/** Removes a file of no value; a file that cannot be removed stays. */
export function removeQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // The file does not exist, or its disk is read-only.
  }
}
