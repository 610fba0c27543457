import { cpSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { DiskCopy, Till } from './till.ts';

/** `database`: the database file alone; `folder`: the state folder; `image`: the whole disk, with what is kept outside the folder. */
export type Restored = 'database' | 'folder' | 'image';

/**
 * Copies the disk of a till, while tilld runs or while it is down: between two steps of a process the files are what a power cut would leave,
 * the write-ahead log of the database with them.
 */
export function copyDisk(till: Pick<Till, 'folder' | 'machine'>, to: string): DiskCopy {
  const copy = { folder: join(to, 'state'), outside: join(to, 'outside') };
  copyTree(till.folder, copy.folder);
  copyTree(till.machine.outside, copy.outside);
  return copy;
}

/** Puts an older copy back; tilld is down. */
export function putBack(
  { folder, machine }: Pick<Till, 'folder' | 'machine'>,
  copy: DiskCopy,
  what: Restored,
): void {
  if (what === 'database') {
    putBackDatabase(folder, copy.folder);
    return;
  }
  replaceTree(copy.folder, folder);
  if (what === 'image') replaceTree(copy.outside, machine.outside);
}

function putBackDatabase(folder: string, from: string): void {
  for (const end of ['', '-wal', '-shm']) {
    const [file, copied] = [join(folder, `money.db${end}`), join(from, `money.db${end}`)];
    rmSync(file, { force: true });
    if (end !== '-shm' && existsSync(copied)) cpSync(copied, file);
  }
}

function replaceTree(from: string, to: string): void {
  rmSync(to, { recursive: true, force: true });
  copyTree(from, to);
}

function copyTree(from: string, to: string): void {
  cpSync(from, to, { recursive: true, filter: (path) => !/\.sock$|-shm$/.test(path) });
}
