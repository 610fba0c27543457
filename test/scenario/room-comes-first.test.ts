import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { keepDiskSpace, RESERVE_FILE } from '../../src/agent/disk-space.ts';
import { openMoney } from '../../src/agent/money.ts';
import { whenThereIsSpace } from '../../src/agent/space-to-start.ts';
import { StatusReport } from '../../src/agent/status-report.ts';
import { AppError } from '../../src/base/errors.ts';
import { silentLog } from '../../src/base/log.ts';
import { Budget } from '../../src/outbox/budget.ts';
import { OutboxSender } from '../../src/outbox/sender.ts';
import { Lifecycle } from '../../src/runtime/lifecycle.ts';
import { holdStateFolder } from '../../src/runtime/state-folder.ts';
import { systemIds } from '../../src/runtime/system-ids.ts';
import { CreateWatch } from '../../src/service/create-watch.ts';
import { Poller } from '../../src/service/poller.ts';
import { ServiceClient } from '../../src/service/service-client.ts';
import { ServiceClock } from '../../src/service/service-clock.ts';
import { anAttempt, DEVICE_ID } from '../support/attempts.ts';
import { aFolder } from '../support/money-database.ts';
import { VirtualClock } from '../support/virtual-clock.ts';
import { ScriptedService } from '../unit/outbox/scripted-service.ts';
import { FakeHttp } from '../unit/service/fake-http.ts';

/** The books of a shop on a disk that has room, or has none. */
async function aShop() {
  const folder = holdStateFolder(aFolder());
  const clock = new VirtualClock();
  const lifecycle = new Lifecycle(silentLog);
  onTestFinished(() => lifecycle.stop());
  const money = openMoney({ folder, version: '0.1.0', clock, ids: systemIds, log: silentLog, lifecycle });
  const room = keepDiskSpace({ folder: folder.path, money, clock, log: silentLog, lifecycle });
  /** A commit finds no block, and in the place of the reserve file, which is released then, is the device that is always full. */
  const fill = () => {
    const { database } = money;
    const { page_count } = database.get('PRAGMA page_count') as { readonly page_count: number };
    database.get(`PRAGMA max_page_count = ${page_count}`);
    const large = () =>
      database.run("INSERT INTO facts (name, value) VALUES ('large', ?)", 'x'.repeat(4096 * page_count));
    expect(large).toThrow(expect.objectContaining({ code: 'STORAGE_FULL' }));
    database.get('PRAGMA max_page_count = 1073741823');
    symlinkSync('/dev/full', join(folder.path, RESERVE_FILE));
  };
  return { folder, clock, money, room, fill };
}

const REPORT = {
  id: 'row-1',
  attemptId: anAttempt().id,
  kind: 'create',
  operation: 'sale',
  parentId: null,
  key: 'key-1',
  body: {},
  createdAt: 1,
  withheld: null,
} as const;

describe('while the disk has no room', () => {
  it('reports wait, and are tried again as soon as there is some', async () => {
    const { clock, money, room, fill } = await aShop();
    money.payments.transaction(() => {
      money.payments.insertAttempt(anAttempt());
      money.payments.enqueueReport(REPORT);
    });
    const port = new ScriptedService();
    const sender = new OutboxSender(
      {
        store: money.outbox,
        port,
        serviceTime: { now: () => clock.now() },
        budget: new Budget(clock),
        disk: room,
        clock,
        ids: systemIds,
        log: silentLog,
      },
      { createLocal: true },
    );
    fill();
    sender.start();
    await clock.advance(900);
    expect([port.calls, money.outbox.summary().pending]).toEqual([[], 1]);
    await clock.advance(2000);
    expect([port.sequence, money.outbox.summary().pending]).toEqual(['create', 0]);
    await sender.stop();
  });

  it('the lights say so, and why', async () => {
    const { clock, money, room, fill } = await aShop();
    const queues = { list: () => [], get: () => undefined };
    const urls = { local: '', sandbox: null, socket: '' };
    const parts = {
      version: '0',
      environment: 'sandbox',
      urls,
      queues,
      link: null,
      money,
      disk: room,
      clock,
    } as const;
    const board = new StatusReport(parts);
    fill();
    expect(board.health()).toMatchObject({
      can_sell: false,
      reasons: expect.arrayContaining([expect.objectContaining({ code: 'disk_full' })]),
    });
    await clock.advance(2000);
    expect(board.health().reasons.map(({ code }) => code)).toEqual(['no_devices']);
  });

  it.each([
    [false, 0],
    [true, 1],
  ] as const)(
    'work of the service is asked for: only if the core may take it (%s)',
    async (mayTake, least) => {
      const clock = new VirtualClock();
      const http = new FakeHttp(
        () => clock.now(),
        () => ({ status: 200, body: { data: [], has_more: false } }),
      );
      const client = new ServiceClient({ http, log: silentLog, credential: () => 'k' });
      const serviceTime = new ServiceClock(clock, silentLog);
      const work = {
        mayTake: () => mayTake,
        isOurs: () => false,
        accept: () => undefined,
        cancelled: () => undefined,
      };
      const place = { eventCursor: () => 'e', keepEventCursor: () => undefined };
      const creates = new CreateWatch(clock);
      const poller = new Poller(
        {
          client,
          work,
          place,
          serviceTime,
          creates,
          budget: new Budget(clock),
          clock,
          ids: systemIds,
          log: silentLog,
        },
        { agent: 'agent-1', deviceIds: [DEVICE_ID] },
      );
      poller.start();
      await clock.advance(20_000);
      const asked = http.requests.filter(({ query }) => query?.['status'] === 'requested');
      expect(asked.length).toBeGreaterThanOrEqual(least);
      if (!mayTake) expect(asked).toEqual([]);
      await clock.runUntil(poller.stop(), 1000);
    },
  );
});

describe('a start on a disk that is full', () => {
  const start = (folder: string, clock: VirtualClock, signal = new AbortController().signal) => ({
    folder,
    clock,
    log: silentLog,
    signal,
  });

  it('waits, tries again every second, and goes on as soon as it can', async () => {
    const clock = new VirtualClock();
    let tried = 0;
    const work = () => {
      tried += 1;
      if (tried < 4) throw new AppError('STORAGE_FULL', 'the disk is full');
      return 'started';
    };
    const started = whenThereIsSpace(work, start(aFolder(), clock));
    await clock.advance(2500);
    expect(tried).toBe(3);
    await clock.advance(1000);
    expect(await started).toBe('started');
  });

  it('waits for nothing else: what no space mends ends the start', async () => {
    const refused = () => {
      throw new AppError('STORAGE_TOO_NEW', 'install a later release');
    };
    await expect(whenThereIsSpace(refused, start(aFolder(), new VirtualClock()))).rejects.toThrow(
      expect.objectContaining({ code: 'STORAGE_TOO_NEW' }),
    );
  });

  it('can be told to stop while it waits', async () => {
    const stopping = new AbortController();
    const full = () => {
      throw new AppError('STORAGE_FULL', 'the disk is full');
    };
    const waiting = whenThereIsSpace(full, start(aFolder(), new VirtualClock(), stopping.signal));
    stopping.abort(new Error('told to stop'));
    await expect(waiting).rejects.toThrow('told to stop');
  });
});
