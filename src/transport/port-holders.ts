import { existsSync, type Stats } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';

/** The folders of lock files: `LCK..ttyACM0` with the process id of the program that uses the port. */
const NOTES = ['/run/lock', '/var/lock'] as const;

/**
 * Other programs that use a port: by a lock of the kernel (`flock`), or by a lock file. It opens no port.
 * Where the system hides its locks it finds no program, and the open of the port fails instead.
 */
export async function holdersOf(): Promise<(device: string) => Promise<string | null>> {
  const locks = await locksOfKernel();
  return async (device) => {
    const pid = (await byLock(device, locks)) ?? (await byNote(device));
    return pid === null ? null : `another program (process ${pid})`;
  };
}

/** The process that holds a lock on each file, by the kernel's `device:inode` (`00:06:331`). */
async function locksOfKernel(): Promise<ReadonlyMap<string, string>> {
  const text = await readFile('/proc/locks', 'utf8').catch(() => '');
  const rows = text.matchAll(/ FLOCK\s+\S+\s+\S+\s+(?<pid>-?\d+) (?<file>\S+) /g);
  return new Map([...rows].map(({ groups }) => [groups?.['file'] ?? '', groups?.['pid'] ?? '']));
}

async function byLock(device: string, locks: ReadonlyMap<string, string>): Promise<string | null> {
  const stats = await stat(device).catch(() => null);
  return stats && (locks.get(fileOf(stats)) ?? null);
}

/** A device number has 12 bits for the major and 20 for the minor part, mixed. */
function fileOf({ dev, ino }: Stats): string {
  const major = (dev >>> 8) & 0xfff;
  const minor = (dev & 0xff) | ((dev >>> 12) & 0xfff00);
  return `${hex(major)}:${hex(minor)}:${ino}`;
}

function hex(part: number): string {
  return part.toString(16).padStart(2, '0');
}

/** A lock file of a dead process does not count. */
async function byNote(device: string): Promise<string | null> {
  for (const folder of NOTES) {
    const note = await readFile(`${folder}/LCK..${basename(device)}`, 'utf8').catch(() => '');
    const pid = /^\s*(?<pid>\d{1,10})\b/.exec(note)?.groups?.['pid'];
    if (pid !== undefined && existsSync(`/proc/${pid}`)) return pid;
  }
  return null;
}
