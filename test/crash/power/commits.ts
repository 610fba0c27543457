import { Database } from '../../../src/store/database.ts';
import type { Ack } from './acks.ts';
import { contentOf } from './content.ts';

/**
 * Says after each commit of this process what the database holds then: from that moment on somebody may rely on it. Before anything
 * else hears of the commit, so that nothing is acknowledged that is not said here first.
 */
export function ackCommits(ack: (ack: Ack) => void): void {
  const { transaction, run, flush } = Database.prototype;
  let depth = 0;
  function whole<T>(database: Database, work: () => T): T {
    depth += 1;
    let result: T;
    try {
      result = work();
    } finally {
      depth -= 1;
    }
    // What the archive holds is judged by what the money database says that it holds.
    if (depth === 0 && database.path.endsWith('money.db'))
      ack({ kind: 'commit', isDurable: database.isDurable, ...contentOf(database) });
    return result;
  }
  Database.prototype.transaction = function committed<T>(work: () => T): T {
    return whole(this, () => transaction.call(this, work) as T);
  };
  Database.prototype.run = function committed(sql, ...values) {
    return whole(this, () => run.call(this, sql, ...values));
  };
  Database.prototype.flush = function hardened() {
    if (this.isDurable) return;
    flush.call(this);
    if (this.path.endsWith('money.db')) ack({ kind: 'sure' });
  };
}
