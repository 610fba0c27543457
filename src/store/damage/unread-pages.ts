import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { writeFileDurably } from '../disk/durable-file.ts';
import { examine } from './examination.ts';
import { lostPages } from './last-checkpoint.ts';

/** A database that is no larger is read before anything else: a tenth of a second here, some seconds on a slow card. */
export const AT_ONCE_BYTES = 33_554_432;

/** When every page of a database is to be read: it need not, while nobody pays, or before anything is sold. */
export type Unread = 'nothing' | 'later' | 'first';

/**
 * A note beside the database that its pages are still to be read after an end that was none. It outlives the process: whoever ends before
 * they were read leaves them to the next start.
 */
export class UnreadPages {
  readonly #note: string;

  constructor(note: string) {
    this.#note = note;
  }

  /** A note that cannot be read or understood means the most that one can mean. */
  get owed(): Unread {
    if (!existsSync(this.#note)) return 'nothing';
    try {
      return readFileSync(this.#note, 'utf8') === noteOf('later') ? 'later' : 'first';
    } catch {
      return 'first';
    }
  }

  /** What must be read first stays so. @throws the system's error; what was owed before still is then */
  owe(when: Exclude<Unread, 'nothing'>): void {
    const { owed } = this;
    if (owed !== 'first' && owed !== when) writeFileDurably(this.#note, noteOf(when));
  }

  /** Every page was read, or the database is another one. @throws the system's error */
  settle(): void {
    rmSync(this.#note, { force: true });
  }
}

export interface Start {
  /** The last life of the database did not come to its end. */
  readonly endedBadly: boolean;
  readonly unread: UnreadPages;
  readonly atOnceBytes?: number;
}

/**
 * What is looked at before anything is sold. After an end that was none: the pages that were written last, and of a small database all of them.
 * Of a large one all are read first only if one is known to be bad; else it is noted that they are to be read later: how long a
 * shop waits after a power cut must not grow with what it has sold.
 * @returns what is wrong; null: nothing, or nobody knows yet
 */
export function examineFirst(
  path: string,
  { endedBadly, unread, atOnceBytes = AT_ONCE_BYTES }: Start,
): string | null {
  const { owed } = unread;
  if (owed === 'nothing' && !endedBadly) return null;
  const lost = lostPages(path);
  if (lost !== null) return lost;
  const isLarge = (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > atOnceBytes;
  if (isLarge && owed !== 'first' && isNoted(unread)) return null;
  const flaw = examine(path);
  if (flaw === null) unread.settle();
  return flaw;
}

/** What cannot be noted cannot wait. */
function isNoted(unread: UnreadPages): boolean {
  try {
    unread.owe('later');
    return true;
  } catch {
    return false;
  }
}

function noteOf(when: Exclude<Unread, 'nothing'>): string {
  return when === 'later' ? 'to be read while nobody pays\n' : 'to be read before anything is sold\n';
}
