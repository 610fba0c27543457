import { closeSync, fchownSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { syncFolder } from './sync-folder.ts';

/** The owner of a file. */
export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

export interface DurableFileOptions {
  /** Root gives the file to this owner; absent: the file belongs to the process. */
  readonly owner?: Owner;
  readonly mode?: number;
}

/** Replaces a small file atomically: after a power cut it holds the old text or the new one, never half of it. Mode 0600. */
export function writeFileDurably(
  path: string,
  text: string,
  { owner, mode = 0o600 }: DurableFileOptions = {},
): void {
  const draft = `${path}.new`;
  const file = openSync(draft, 'w', mode);
  try {
    writeSync(file, text);
    if (owner && process.getuid?.() === 0) fchownSync(file, owner.uid, owner.gid);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(draft, path);
  syncFolder(dirname(path));
}
