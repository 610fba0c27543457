import Sqlite from 'better-sqlite3';
import { systemIds } from '../../src/runtime/system-ids.ts';
import { BEGIN_TRY, DONE, DUE, ENQUEUE_REPORT } from '../../src/store/outbox/outbox-statements.ts';
import type { QueueOptions } from './queue-worker.ts';

/** What a report carries. */
export const BODY = {
  device_id: 'd',
  amount_minor: 1234,
  currency: 'EUR',
  reference: 'order 1',
  status: 'succeeded',
};

/** Work for job `no` of a queue. */
export type Work = (no: number) => void;

/** What `src/store/database.ts` says to its connection. */
const AS_OURS = [
  'journal_mode = WAL',
  'synchronous = FULL',
  'wal_autocheckpoint = 4000',
  'cache_size = -2048',
];

/**
 * The statements of our outbox, prepared once and run on a connection of their own in as few commits as durability allows: one for a
 * report that is kept, and one that completes the last and claims the next.
 */
export function bareQueue(path: string, what: QueueOptions['what'], attempts: readonly string[]): Work {
  const sqlite = new Sqlite(path);
  for (const pragma of AS_OURS) sqlite.pragma(pragma);
  const enqueue = sqlite.prepare(ENQUEUE_REPORT);
  if (what === 'enqueue') {
    return (no) => {
      const id = systemIds.uuid();
      const [attempt, body] = [attempts[no], JSON.stringify(BODY)];
      enqueue.run(id, attempt, 'result', 'sale', null, id, body, 1, 'pending', null);
    };
  }
  const [due, done, begin] = [sqlite.prepare(DUE), sqlite.prepare(DONE), sqlite.prepare(BEGIN_TRY)];
  let before: string | null = null;
  const next = sqlite.transaction(() => {
    if (before !== null) done.run(Date.now(), before);
    const row = due.get(null, 1) as { id: string; body: string };
    begin.run(1, row.id);
    before = row.id;
    return { ...row, body: JSON.parse(row.body) };
  });
  return () => void next.immediate();
}
