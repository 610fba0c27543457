import { silentLog } from '../../../../src/base/log.ts';
import { createBody, resultBody } from '../../../../src/outbox/reports.ts';
import { ElapsedTime } from '../../../../src/payment/attempt/elapsed-time.ts';
import { PaymentWriter } from '../../../../src/payment/payment-writer.ts';
import { systemClock } from '../../../../src/runtime/system-clock.ts';
import { systemIds } from '../../../../src/runtime/system-ids.ts';
import { Database } from '../../../../src/store/database.ts';
import { keptTimeIn } from '../../../../src/store/epoch/kept-time.ts';
import { SqlitePaymentStore } from '../../../../src/store/payments/sqlite-payment-store.ts';
import { MONEY_MIGRATIONS } from '../../../../src/store/schema/migrations.ts';
import { SqliteIdentityStore } from '../../../../src/store/terminals/sqlite-identity-store.ts';
import { aNewAttempt } from '../../../support/attempts.ts';
import type { Queue } from '../queue.ts';

/** The daemon moves its log into the file every hour, or when it is nearly full, while nobody pays; here after as many jobs. */
const CHECKPOINT_EVERY = 100;

/**
 * tilld's own outbox as the daemon writes it: a sale is opened through the only writer of payments, and its report is queued in the
 * transaction of its attempt, journal entry and event. The file is opened by the daemon's own `Database.open`.
 */
export function open(path: string): Queue {
  const database = Database.open(path, MONEY_MIGRATIONS, '0.1.0');
  const writer = new PaymentWriter({
    store: new SqlitePaymentStore(database),
    clock: systemClock,
    elapsed: new ElapsedTime(systemClock, keptTimeIn(database)),
    ids: systemIds,
    log: silentLog,
    reports: {
      create: (attempt) => createBody(attempt, 'agent-1'),
      result: (attempt) => resultBody(attempt, 'agent-1'),
    },
    terminals: new SqliteIdentityStore(database),
    policyOf: () => {
      throw new Error('nothing ends here');
    },
  });
  return {
    enqueue: ({ n, amountMinor, reference }) => {
      if (n % CHECKPOINT_EVERY === 0) database.checkpoint();
      const amount = { minor: amountMinor, currency: 'EUR' } as const;
      return writer.open(aNewAttempt({ id: systemIds.uuid(), amount, reference })).attempt.id;
    },
    pragma: (name) => {
      const row = database.get(`PRAGMA ${name}`) as Readonly<Record<string, unknown>>;
      return row[name];
    },
  };
}
