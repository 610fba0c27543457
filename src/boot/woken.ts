import { rmSync } from 'node:fs';

/** Takes away the mark that the launcher has set; where it is left, the next start is made without the snapshot. */
export function hasWoken(env: Readonly<Record<string, string | undefined>>): void {
  const mark = env['TILLD_WAKING'];
  if (mark === undefined) return;
  try {
    rmSync(mark, { force: true });
  } catch {
    // A disk that refuses it makes the next start slower, and nothing else.
  }
}
