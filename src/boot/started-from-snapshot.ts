import { rmSync } from 'node:fs';

/** Removes the mark that the launcher has set; while it is there, the next start does not use the snapshot. */
export function isStartedFromSnapshot(env: Readonly<Record<string, string | undefined>>): void {
  const mark = env['TILLD_WAKING'];
  if (mark === undefined) return;
  try {
    rmSync(mark, { force: true });
  } catch {
    // A disk that rejects this makes the next start slower, and nothing else.
  }
}
