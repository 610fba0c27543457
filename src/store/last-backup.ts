import { chownSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';

const LastBackup = z.object({ at: z.int(), file: z.string(), sha256: z.string() });

/** When a backup of these books was made (epoch ms), where it went, and its SHA-256. */
export type LastBackup = z.infer<typeof LastBackup>;

/** Null where there is no note, or none that can be read: it is a help, and no part of the books. */
export function readLastBackup(path: string): LastBackup | null {
  try {
    return LastBackup.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return null;
  }
}

/** Notes a backup; whoever makes it may not be allowed to, and that fails no backup. @returns whether it was noted */
export function noteLastBackup(path: string, made: LastBackup): boolean {
  const draft = `${path}.${process.pid}`;
  try {
    const { uid, gid } = statSync(dirname(path));
    writeFileSync(draft, `${JSON.stringify(made)}\n`, { mode: 0o640 });
    chownSync(draft, uid, gid);
    renameSync(draft, path);
    return true;
  } catch {
    return false;
  }
}
