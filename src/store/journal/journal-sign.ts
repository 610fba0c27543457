import type { Clock } from '../../base/clock.ts';
import type { Heartbeat } from '../../base/heartbeat.ts';
import type { Database } from '../database.ts';

const NEWEST = 'SELECT max(seq) AS seq FROM journal';

/**
 * Heartbeat of the journal: its end is read. Nothing is written for it: that would cost a sync, and a new process repairs neither a full or read-only
 * disk nor a write lock of another process.
 */
export function journalSign(database: Pick<Database, 'get'>, clock: Clock): Heartbeat {
  let readAt = clock.monotonic();
  return {
    name: 'journal',
    dueBy: () => {
      try {
        database.get(NEWEST);
        readAt = clock.monotonic();
      } catch {
        // The heartbeat stays as old as it is, which is enough.
      }
      return readAt;
    },
  };
}
