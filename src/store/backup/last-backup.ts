import { readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { writeFileDurably } from '../disk/durable-file.ts';

const LastBackup = z.object({ at: z.int(), file: z.string(), sha256: z.string() });

/** When a backup of this database was made (epoch ms), where it went, and its SHA-256. */
export type LastBackup = z.infer<typeof LastBackup>;

/** null when there is no readable note: it is a help, and no part of the database. */
export function readLastBackup(path: string): LastBackup | null {
  try {
    return LastBackup.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return null;
  }
}

/**
 * Records a backup, on disk when this returns; the user that makes it may lack the permission, and that fails no backup.
 * @returns whether it was recorded
 */
export function noteLastBackup(path: string, made: LastBackup): boolean {
  try {
    writeFileDurably(path, `${JSON.stringify(made)}\n`, { owner: statSync(dirname(path)), mode: 0o640 });
    return true;
  } catch {
    return false;
  }
}
