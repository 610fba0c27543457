import { expect, it, vi } from 'vitest';
import { createAgent } from '../../../src/agent/create-agent.ts';
import { AppError } from '../../../src/base/errors.ts';
import { silentLog } from '../../../src/base/log.ts';
import { ElapsedTime } from '../../../src/payment/attempt/elapsed-time.ts';
import { systemIds } from '../../../src/runtime/system-ids.ts';
import { createServiceConnection } from '../../../src/service/service-connection.ts';
import { keptTimeIn } from '../../../src/store/epoch/kept-time.ts';
import { SqliteOutboxStore } from '../../../src/store/outbox/sqlite-outbox-store.ts';
import { SqlitePaymentStore } from '../../../src/store/payments/sqlite-payment-store.ts';
import { SqliteIdentityStore } from '../../../src/store/terminals/sqlite-identity-store.ts';
import { aMoneyDatabase } from '../../support/money-database.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

it('an agent whose queues cannot stop, on a full disk, still ends its link to the service', async () => {
  const clock = new VirtualClock();
  const database = aMoneyDatabase();
  const close = vi.fn(async () => undefined);
  const connection = createServiceConnection({
    connect: () => ({ request: () => new Promise<never>(() => undefined), close }),
    credential: () => null,
    clock,
    log: silentLog,
  });
  const agent = createAgent({
    name: 'agent-1',
    money: {
      database,
      payments: new SqlitePaymentStore(database),
      outbox: new SqliteOutboxStore(database, clock),
      identities: new SqliteIdentityStore(database),
      elapsed: new ElapsedTime(clock, keptTimeIn(database)),
      epoch: { kind: 'same', since: 0, id: '' },
      identity: null,
      beginAsCopy: () => undefined,
    },
    counters: [],
    service: { connection, createLocal: true },
    limits: { waitMs: 60_000, maxAgeMs: 300_000, maxWaiting: 20 },
    recovery: { settleMs: null, readIntervalMs: 5000, askPersonAfterMs: 120_000, giveUpMs: 240_000 },
    clock,
    ids: systemIds,
    log: silentLog,
    fatal: () => undefined,
  });
  agent.start();
  vi.spyOn(agent.queues, 'stop').mockRejectedValue(new AppError('STORAGE_FULL', 'no space is left'));
  await expect(clock.runUntil(agent.stop())).rejects.toMatchObject({ code: 'STORAGE_FULL' });
  expect(close).toHaveBeenCalled();
});
