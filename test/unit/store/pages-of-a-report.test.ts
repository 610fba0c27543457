import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Database } from '../../../src/store/database.ts';
import { SqlitePaymentStore } from '../../../src/store/payments/sqlite-payment-store.ts';
import { anAttempt } from '../../support/attempts.ts';
import { aMoneyDatabase } from '../../support/money-database.ts';

/** The table, two keys that are unique, what is pending, and what belongs to a payment. */
const PAGES = 5;
const Log = z.object({ log: z.int() });

describe('a report that is kept', () => {
  it('is a page of the log for each index that somebody asks, and for no other', () => {
    const database = aMoneyDatabase();
    const store = new SqlitePaymentStore(database);
    store.transaction(() => store.insertAttempt(anAttempt()));
    const before = framesOf(database);
    store.transaction(() =>
      store.enqueueReport({
        id: 'report',
        attemptId: anAttempt().id,
        kind: 'result',
        operation: 'sale',
        parentId: null,
        key: 'key',
        body: { device_id: 'd', amount_minor: 1234, currency: 'EUR', status: 'succeeded' },
        createdAt: 1,
        withheld: null,
      }),
    );
    expect(framesOf(database) - before).toBe(PAGES);
  });
});

function framesOf(database: Database): number {
  return Log.parse(database.get('PRAGMA wal_checkpoint(NOOP)')).log;
}
