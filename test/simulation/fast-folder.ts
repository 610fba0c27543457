import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * A folder for histories, in memory where the machine has a disk of it: what is proved here is order, not the disk.
 * SQLite syncs there as the product sets it.
 */
export function fastFolder(): { readonly path: string; readonly remove: () => void } {
  const root = statSync('/dev/shm', { throwIfNoEntry: false })?.isDirectory() ? '/dev/shm' : tmpdir();
  const path = mkdtempSync(join(root, `tilld-simulation-${process.pid}-`));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
