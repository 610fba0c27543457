import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const IN_MEMORY = '/dev/shm';

/**
 * A new folder in memory, where the machine has such a file system: what is recorded there is the same as on a disk, and hundreds of
 * disks are laid out in it.
 */
export function scratchFolder(): string {
  return mkdtempSync(join(existsSync(IN_MEMORY) ? IN_MEMORY : tmpdir(), 'tilld-compare-'));
}
