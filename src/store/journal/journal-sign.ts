import type { Clock } from '../../base/clock.ts';
import type { SignOfLife } from '../../base/sign-of-life.ts';
import type { Database } from '../database.ts';

const NEWEST = 'SELECT max(seq) AS seq FROM journal';

/**
 * Shows that the journal is there: its end is read. Nothing is written for it: that would cost a sync, and a disk that is full or
 * read-only, like a writer's lock that somebody else holds, is nothing that a new process would mend.
 */
export function journalSign(database: Pick<Database, 'get'>, clock: Clock): SignOfLife {
  let readAt = clock.monotonic();
  return {
    name: 'journal',
    dueBy: () => {
      try {
        database.get(NEWEST);
        readAt = clock.monotonic();
      } catch {
        // It stays as old as it is, and says enough with that.
      }
      return readAt;
    },
  };
}
