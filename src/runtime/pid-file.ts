import { existsSync, readFileSync } from 'node:fs';

/** The process that the holder file of a state folder names. */
export type PidFileOwner =
  | { readonly kind: 'none' }
  | { readonly kind: 'alive' | 'gone'; readonly pid: number }
  | { readonly kind: 'unreadable' };

/** Reads `PID START`, as {@link ownerLine} writes it. @throws the system's error */
export function ownerOf(path: string): PidFileOwner {
  if (!existsSync(path)) return { kind: 'none' };
  const [pidText = '', start = ''] = readFileSync(path, 'utf8').trim().split(' ');
  const pid = Number(pidText);
  if (!Number.isSafeInteger(pid) || pid <= 0) return { kind: 'unreadable' };
  return { kind: runs(pid, start) ? 'alive' : 'gone', pid };
}

/** What a process writes into the holder file: its id and its start time. */
export function ownerLine(pid: number): string {
  return `${pid} ${startOf(pid) ?? 'unknown'}\n`;
}

/** Whether the process that was started then still runs; the id alone may belong to another process by now, and a zombie runs no more. */
function runs(pid: number, start: string): boolean {
  if (!isAlive(pid)) return false;
  const now = statOf(pid);
  if (now === null) return true;
  return !/^[ZX]/.test(now.state) && (start === 'unknown' || now.start === start);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function startOf(pid: number): string | null {
  return statOf(pid)?.start ?? null;
}

interface ProcessStat {
  /** `R`, `S`, `Z` for a zombie, … */
  readonly state: string;
  /** When it started, in clock ticks since boot. */
  readonly start: string | null;
}

/** Fields 3 and 22 of proc(5) stat; null where there is no /proc, or the process has just ended. */
function statOf(pid: number): ProcessStat | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0] ?? '', start: fields[19] ?? null };
  } catch {
    return null;
  }
}
