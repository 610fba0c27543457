import { closeSync, fsyncSync, openSync } from 'node:fs';

/** Waits until a folder's entries are on disk. @throws the system's error */
export function syncFolder(folder: string): void {
  const file = openSync(folder, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
