import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { writeFileDurably } from '../disk/durable-file.ts';
import { examine } from './damage-check.ts';
import { lostPages } from './last-checkpoint.ts';

/** A database up to this size is scanned before anything else: a tenth of a second here, some seconds on a slow card. */
export const AT_ONCE_BYTES = 33_554_432;

/** When the integrity scan of a database is due: not at all, while no payment runs, or before the first sale. */
export type Unread = 'nothing' | 'later' | 'first';

/**
 * A note beside the database that its integrity scan is still due after an unclean shutdown. It outlives the process: a process that ends before the
 * scan leaves it to the next start.
 */
export class UnscannedPages {
  readonly #note: string;

  constructor(note: string) {
    this.#note = note;
  }

  /** A note that cannot be read or understood counts as the strictest one. */
  get pending(): Unread {
    if (!existsSync(this.#note)) return 'nothing';
    try {
      return readFileSync(this.#note, 'utf8') === noteOf('later') ? 'later' : 'first';
    } catch {
      return 'first';
    }
  }

  /** A scan that is due first stays so. @throws the system's error; the earlier note still counts then */
  request(when: Exclude<Unread, 'nothing'>): void {
    const { pending } = this;
    if (pending !== 'first' && pending !== when) writeFileDurably(this.#note, noteOf(when));
  }

  /** Every page was scanned, or the database is another one. @throws the system's error */
  settle(): void {
    rmSync(this.#note, { force: true });
  }
}

export interface Start {
  /** The last process run that used the database did not stop cleanly. */
  readonly endedBadly: boolean;
  readonly unread: UnscannedPages;
  readonly atOnceBytes?: number;
}

/**
 * The checks before the first sale. After an unclean shutdown: the pages of the last checkpoint, and all pages of a small database. A large one is
 * scanned first only when a page is known to be bad; else the scan is noted for later: how long a shop waits after a power cut must not grow with its
 * sales.
 * @returns what is wrong; null: nothing, or not known yet
 */
export function examineFirst(
  path: string,
  { endedBadly, unread, atOnceBytes = AT_ONCE_BYTES }: Start,
): string | null {
  const { pending } = unread;
  if (pending === 'nothing' && !endedBadly) return null;
  const lost = lostPages(path);
  if (lost !== null) return lost;
  const isLarge = (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > atOnceBytes;
  if (isLarge && pending !== 'first' && isNoted(unread)) return null;
  const flaw = examine(path);
  if (flaw === null) unread.settle();
  return flaw;
}

/** A scan that cannot be noted cannot wait. */
function isNoted(unread: UnscannedPages): boolean {
  try {
    unread.request('later');
    return true;
  } catch {
    return false;
  }
}

function noteOf(when: Exclude<Unread, 'nothing'>): string {
  return when === 'later' ? 'to be read while no payment runs\n' : 'to be read before anything is sold\n';
}
