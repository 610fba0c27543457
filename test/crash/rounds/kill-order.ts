/** Where in its commits a daemon is to die, as it travels through the environment. */
export interface CommitKill {
  /** The name of the commit, see `commit-names.ts`. */
  readonly name: string;
  /** `before`: all of it is written and nothing committed. `after`: it is on disk, and nobody has heard of it. */
  readonly when: 'before' | 'after';
  /** The how many-th of that name in this life, from 1. */
  readonly occurrence: number;
}

/** Environment variable with the order as JSON; without it the daemon only tells its commits. */
export const KILL_ORDER = 'TILLD_CRASH_KILL';
/** The descriptor on which a daemon under test tells its commits. */
export const COMMITS_FD = 3;

/** A line that the daemon tells: a commit that is on disk, or the last words before the kill. */
export function commitLine(name: string, dying?: CommitKill['when']): string {
  return dying === undefined ? `${name}\n` : `! ${dying} ${name}\n`;
}

/** The same line, read. */
export function readCommitLine(line: string): {
  readonly name: string;
  readonly dying: CommitKill['when'] | null;
} {
  const dying = /^! (before|after) (.*)$/.exec(line);
  if (!dying) return { name: line, dying: null };
  return { name: dying[2] ?? '', dying: dying[1] === 'before' ? 'before' : 'after' };
}

/**
 * Reads an order off the environment.
 * @throws Error when it is none.
 */
export function readKillOrder(text: string | undefined): CommitKill | null {
  if (text === undefined) return null;
  const { name, when, occurrence }: Record<string, unknown> = Object(JSON.parse(text));
  const isWhen = when === 'before' || when === 'after';
  if (typeof name !== 'string' || !isWhen || typeof occurrence !== 'number')
    throw new Error(`no kill order: ${text}`);
  return { name, when, occurrence };
}
