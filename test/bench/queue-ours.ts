import Sqlite from 'better-sqlite3';
import { systemClock } from '../../src/runtime/system-clock.ts';
import { systemIds } from '../../src/runtime/system-ids.ts';
import { Database } from '../../src/store/database.ts';
import { MONEY_MIGRATIONS } from '../../src/store/migrations.ts';
import { SqliteOutboxStore } from '../../src/store/sqlite-outbox-store.ts';
import { SqlitePaymentStore } from '../../src/store/sqlite-payment-store.ts';
import { anAttempt } from '../support/attempts.ts';
import type { QueueWish } from './queue-worker.ts';

const BODY = {
  device_id: 'd',
  amount_minor: 1234,
  currency: 'EUR',
  reference: 'order 1',
  status: 'succeeded',
};
const ENQUEUE =
  'INSERT INTO outbox (id, attempt_id, kind, operation, parent_id, key, body, created_at, state, last_error) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)';
const CLAIM =
  'UPDATE outbox SET tries = tries + 1, unanswered = 1, first_used_at = coalesce(first_used_at, ?) WHERE id = ?';
const COMPLETE =
  "UPDATE outbox SET state = 'done', unanswered = 0, last_error = NULL, done_at = ? WHERE id = ?";
const NEXT = "SELECT id FROM outbox WHERE state = 'pending' ORDER BY seq DESC LIMIT 1";

/** Our outbox, or its statements alone on a connection of its own; gives what is done for one job. */
export function ourQueue(path: string, { what, who, jobs, callers = 1 }: QueueWish): (no: number) => void {
  const database = Database.open(path, MONEY_MIGRATIONS, '0.1.0');
  const store = new SqlitePaymentStore(database);
  const attempt = anAttempt();
  store.insertAttempt(attempt);
  const report = (id: string) => ({
    id,
    attemptId: attempt.id,
    kind: 'result' as const,
    operation: 'sale' as const,
    parentId: null,
    key: id,
    body: BODY,
    createdAt: 1,
    held: null,
  });
  const fill = () =>
    database.transaction(() => {
      for (let no = 0; no < jobs + 100; no += 1) store.enqueueReport(report(systemIds.uuid()));
    });
  if (who === 'bare') return bareQueue(path, what, fill, attempt.id, database);
  if (what === 'enqueue')
    return () => void store.transaction(() => store.enqueueReport(report(systemIds.uuid())));
  if (what === 'claim-complete') {
    fill();
    const outbox = new SqliteOutboxStore(database, systemClock);
    return () => {
      const [row] = outbox.due(1);
      if (!row) throw new Error('nothing is due');
      outbox.beginTry(row.id, 1);
      outbox.done(row.id, null);
    };
  }
  return (no) => {
    if (no % callers !== 0) return;
    store.transaction(() => {
      for (let one = 0; one < callers; one += 1) store.enqueueReport(report(systemIds.uuid()));
    });
  };
}

function bareQueue(
  path: string,
  what: QueueWish['what'],
  fill: () => void,
  attemptId: string,
  database: Database,
): (no: number) => void {
  if (what === 'claim-complete') fill();
  database.close();
  const sqlite = new Sqlite(path);
  sqlite.pragma('journal_mode = WAL');
  sqlite.pragma('synchronous = FULL');
  const enqueue = sqlite.prepare(ENQUEUE);
  const [claim, complete, next] = [
    sqlite.prepare(CLAIM),
    sqlite.prepare(COMPLETE),
    sqlite.prepare(NEXT).pluck(),
  ];
  if (what === 'enqueue') {
    return () => {
      const id = systemIds.uuid();
      enqueue.run(id, attemptId, 'result', 'sale', null, id, JSON.stringify(BODY), 1, 'pending', null);
    };
  }
  return () => {
    const id = next.get();
    claim.run(1, id);
    complete.run(1, id);
  };
}
