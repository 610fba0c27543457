import { existsSync, readFileSync } from 'node:fs';

/** Who the holder file of a state folder names. */
export type Holder =
  | { readonly kind: 'nobody' }
  | { readonly kind: 'alive' | 'gone'; readonly pid: number }
  | { readonly kind: 'unreadable' };

/** Reads `PID START`, as a daemon writes it when it takes the folder. @throws the system's error */
export function holderOf(path: string): Holder {
  if (!existsSync(path)) return { kind: 'nobody' };
  const [pidText = '', start = ''] = readFileSync(path, 'utf8').trim().split(' ');
  const pid = Number(pidText);
  if (!Number.isSafeInteger(pid) || pid <= 0) return { kind: 'unreadable' };
  return { kind: runs(pid, start) ? 'alive' : 'gone', pid };
}

/** Whether the process that was started then still runs; the id alone may have gone to somebody else. */
function runs(pid: number, start: string): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false;
  }
  const stat = `/proc/${pid}/stat`;
  if (start === 'unknown' || !existsSync(stat)) return true;
  const text = readFileSync(stat, 'utf8');
  return text.slice(text.lastIndexOf(')') + 2).split(' ')[19] === start;
}
