import { systemClock } from '../../src/runtime/system-clock.ts';
import { systemIds } from '../../src/runtime/system-ids.ts';
import { Database } from '../../src/store/database.ts';
import { WalSpace } from '../../src/store/disk/wal-space.ts';
import { SqliteOutboxStore } from '../../src/store/outbox/sqlite-outbox-store.ts';
import { SqlitePaymentStore } from '../../src/store/payments/sqlite-payment-store.ts';
import { MONEY_MIGRATIONS } from '../../src/store/schema/migrations.ts';
import { anAttempt } from '../support/attempts.ts';
import { BODY, bareQueue, type Work } from './queue-bare.ts';
import type { QueueOptions } from './queue-worker.ts';

/** As long as a log becomes: SQLite empties it at 4,000 pages (`CHECKPOINT_PAGES`). */
const LOG_BYTES = 4_000 * 4_120;

/**
 * Our outbox, or its statements alone on a connection of its own; gives what is done for one job. Each report belongs to a payment of
 * its own, as in a shop: of one payment's reports only the oldest may go.
 */
export function ourQueue(path: string, { what, who, jobs, spare, callers = 1 }: QueueOptions): Work {
  const database = Database.open(path, MONEY_MIGRATIONS, '0.1.0');
  const store = new SqlitePaymentStore(database);
  const attempts = Array.from({ length: jobs + spare }, () => systemIds.uuid());
  const enqueue = (no: number) => store.enqueueReport(reportOf(attempts[no] ?? ''));
  database.transaction(() => {
    for (const id of attempts) store.insertAttempt(anAttempt({ id }));
    if (what === 'claim-complete') for (const no of attempts.keys()) enqueue(no);
  });
  // The log begins anew at its whole length, as in a daemon whose housekeeping empties it while nobody pays: a sync of a file that
  // became longer is two of one that did not.
  const room = new WalSpace(database);
  room.grow(Math.max(0, LOG_BYTES - room.fileBytes));
  room.restart();
  database.flush();
  // This connection stays open and does nothing: the last one that closes deletes the log, and the bare statements would make a new one longer.
  if (who === 'bare') return bareQueue(path, what, attempts);
  if (what === 'claim-complete') return claimAndComplete(new SqliteOutboxStore(database, systemClock));
  const keep = (no: number) => store.transaction(() => enqueue(no));
  if (what === 'enqueue') return keep;
  if (what === 'turn')
    return turns({ deferSync: (work) => store.deferSync(work), flush: () => store.flush() }, keep, callers);
  return turns({ deferSync: (work) => store.transaction(work), flush: () => undefined }, enqueue, callers);
}

/** As the sender does it: what was taken before is done, the newest that may go is read, and its key is used. */
function claimAndComplete(outbox: SqliteOutboxStore): Work {
  let before: string | null = null;
  return () => {
    if (before !== null) outbox.done(before, null);
    const [row] = outbox.due(1);
    if (!row) throw new Error('nothing is due');
    outbox.beginTry(row.id, 1);
    before = row.id;
  };
}

/** Those who ask in one turn of the event loop are called together, by the last of them. */
function turns(
  { deferSync, flush }: Pick<SqlitePaymentStore, 'deferSync' | 'flush'>,
  work: Work,
  callers: number,
): Work {
  return (no) => {
    if (no % callers !== callers - 1) return;
    deferSync(() => {
      for (let one = no - callers + 1; one <= no; one += 1) work(one);
    });
    flush();
  };
}

function reportOf(attemptId: string) {
  const id = systemIds.uuid();
  return {
    id,
    attemptId,
    kind: 'result' as const,
    operation: 'sale' as const,
    parentId: null,
    key: id,
    body: BODY,
    createdAt: 1,
    withheld: null,
  };
}
