import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { createAgent } from '../../../src/agent/create-agent.ts';
import { AppError } from '../../../src/base/errors.ts';
import { silentLog } from '../../../src/base/log.ts';
import { systemIds } from '../../../src/runtime/system-ids.ts';
import { createServiceConnection } from '../../../src/service/service-connection.ts';
import { aFolder } from '../../support/money-database.ts';
import { openedMoney } from '../../support/opened-money.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

it('an agent whose queues cannot stop, on a full disk, still ends its link to the service', async () => {
  const clock = new VirtualClock();
  const close = vi.fn(async () => undefined);
  const connection = createServiceConnection({
    connect: () => ({ request: () => new Promise<never>(() => undefined), close }),
    credential: () => null,
    clock,
    log: silentLog,
  });
  const agent = createAgent({
    name: 'agent-1',
    money: openedMoney(join(aFolder(), 'money.db'), clock).money,
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
