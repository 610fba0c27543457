import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { databaseAgeIn, openMoney } from '../../src/agent/money.ts';
import { silentLog } from '../../src/base/log.ts';
import { Lifecycle } from '../../src/runtime/lifecycle.ts';
import { holdStateFolder } from '../../src/runtime/state-folder.ts';
import { systemIds } from '../../src/runtime/system-ids.ts';
import { aNewAttempt, anAttempt, DEVICE_ID } from '../support/attempts.ts';
import { aFolder } from '../support/money-database.ts';
import { aRestoredShop } from '../support/restored-shop.ts';
import { Shop } from '../support/shop.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

/** The books of one life of the daemon. It ends as by a kill: nothing is noted at its end. */
function aLife(state: string) {
  const clock = new VirtualClock();
  const folder = holdStateFolder(state);
  folder.release();
  const lifecycle = new Lifecycle(silentLog);
  const ports = { folder, version: '0.1.0', clock, ids: systemIds, log: silentLog, lifecycle };
  const money = openMoney(ports);
  const { database, payments, epoch } = money;
  const end = () => database.close();
  onTestFinished(end);
  const work = () =>
    payments.transaction(() => {
      if (!payments.findAttempt(anAttempt().id)) payments.insertAttempt(anAttempt());
      const change = { event: 'x', from: 'a', to: 'b', details: {} };
      payments.appendJournal({ attemptId: anAttempt().id, at: 1, ...change });
    });
  const backUp = (to: string) => database.run('VACUUM INTO ?', to);
  return { epoch, lost: databaseAgeIn(money).lost, work, backUp, end };
}

function forgetDatabase(state: string): string {
  const path = join(state, 'money.db');
  for (const end of ['', '-wal', '-shm']) rmSync(`${path}${end}`, { force: true });
  return path;
}

describe('a memory that was lost', () => {
  it('stays lost through restarts, until somebody has compared', () => {
    const state = aFolder();
    const first = aLife(state);
    first.work();
    first.end();
    forgetDatabase(state);
    const second = aLife(state);
    second.end();
    expect([first.lost, second.lost, aLife(state).lost]).toEqual([false, true, true]);
  });

  it('is found out of a backup that is a minute old, though the daemon was killed', () => {
    const state = aFolder();
    const backup = join(aFolder(), 'backup.db');
    const life = aLife(state);
    life.work();
    life.backUp(backup);
    life.work();
    life.end();
    copyFileSync(backup, forgetDatabase(state));
    expect(aLife(state).epoch.kind).toBe('older');
  });
});

describe('what waited in front of a terminal', () => {
  it('in a restored database is in doubt, also when the first start with it was cut short; what came since is cancelled', async () => {
    const before = aNewAttempt();
    const first = await aRestoredShop({}, ({ writer }) => void writer.open(before));
    expect(first.money.epoch.kind).toBe('older');
    const since = first.writer.open(aNewAttempt({ id: '0199c0de-0000-7000-8000-00000000000b' })).attempt;
    first.database.close();
    const shop = new Shop({ databasePath: first.databasePath });
    expect(shop.money.epoch).toMatchObject({ kind: 'same', since: first.money.epoch.since });
    shop.queues.inherit();
    expect(shop.attempt(before.id)).toMatchObject({ state: { name: 'in_doubt' }, needsPerson: true });
    expect(shop.attempt(since.id)).toMatchObject({
      state: { name: 'cancelled' },
      reason: { code: 'expired' },
    });
  });
});

describe('our own echo', () => {
  it('of a life that was wiped with its whole folder is never run: work that names an attempt of ours is none', async () => {
    const shop = await Shop.open();
    const forgotten = '0199c0de-0000-7000-8000-00000000dead';
    const serviceId = '0199c0de-0000-7000-8000-0000000000e9';
    shop.requestGuard.accept({
      serviceId,
      type: 'sale',
      parentId: null,
      deviceId: DEVICE_ID,
      amount: { minor: 700, currency: 'EUR' },
      invoiceId: null,
      reference: null,
      ageMs: 30_000,
      metadata: { tilld: { agent: 'agent-1', attempt: forgotten } },
    });
    await shop.clock.advance(30_000);
    expect(shop.charged).toBe(0);
    expect(shop.payments.get(serviceId).attempt).toMatchObject({
      state: { name: 'in_doubt' },
      dispatchedAt: null,
    });
  });
});
