import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Money, openMoney } from '../../../src/agent/money.ts';
import { AppError } from '../../../src/base/errors.ts';
import { silentLog } from '../../../src/base/log.ts';
import { Lifecycle } from '../../../src/runtime/lifecycle.ts';
import { holdStateFolder } from '../../../src/runtime/state-folder.ts';
import { systemIds } from '../../../src/runtime/system-ids.ts';
import { brokenAuditIn } from '../../../src/store/audit/audit-trail.ts';
import { UnscannedPages } from '../../../src/store/damage/unscanned-pages.ts';
import { Database } from '../../../src/store/database.ts';
import { anAttempt } from '../../support/attempts.ts';
import { aFolder } from '../../support/money-database.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

function opened(state: string, onFailure?: (error: AppError) => void) {
  const folder = holdStateFolder(state);
  folder.release();
  const ports = { folder, version: '0.1.0', clock: new VirtualClock(), ids: systemIds, log: silentLog };
  return openMoney({
    ...ports,
    lifecycle: new Lifecycle(silentLog),
    ...(onFailure === undefined ? {} : { onFailure }),
  });
}

const pendingIn = (state: string) => new UnscannedPages(join(state, 'unread-pages')).pending;

describe('a money database that fails', () => {
  it('notes that every page is to be read first, before who ends the process hears of it', () => {
    const state = aFolder();
    const heard: string[] = [];
    const { database } = opened(state, ({ code }) => heard.push(`${code} ${pendingIn(state)}`));
    database.fail(new AppError('STORAGE_FAILED', 'the disk failed'));
    expect(heard).toEqual(['STORAGE_FAILED first']);
    database.close();
  });

  it.each([
    ['first', 'fails while it is opened', 'SQLITE_IOERR_READ'],
    ['nothing', 'only keeps it from being opened', 'SQLITE_CANTOPEN'],
  ] as const)('notes %s where the disk %s', (expected, _, sqlite) => {
    const state = aFolder();
    const failed = new AppError('STORAGE_FAILED', 'cannot open', { context: { sqlite } });
    vi.spyOn(Database, 'open').mockImplementationOnce(() => {
      throw failed;
    });
    onTestFinished(() => void vi.restoreAllMocks());
    expect(() => opened(state)).toThrow(failed);
    expect(pendingIn(state)).toBe(expected);
  });
});

describe('the end of the audit trail that is cut off', () => {
  /** One run of the daemon's database. @param end `stopped`: in order */
  async function run(state: string, work: (money: Money) => void, end: 'stopped' | 'killed' = 'stopped') {
    const folder = holdStateFolder(state);
    folder.release();
    const lifecycle = new Lifecycle(silentLog);
    const ports = { folder, version: '0.1.0', clock: new VirtualClock(), ids: systemIds, log: silentLog };
    const money = openMoney({ ...ports, lifecycle });
    work(money);
    const found = { broken: brokenAuditIn(money.database), newest: money.people.trail(0, 1).items[0] };
    if (end === 'stopped') await lifecycle.stop();
    else money.database.close();
    return found;
  }

  const note =
    (...subjects: readonly string[]) =>
    ({ people }: Money) => {
      for (const subject of subjects)
        people.note({ at: 1, event: 'signed_in', subject, who: 'Anna', from: 'socket', details: {} });
    };
  const pay = ({ payments }: Money) => {
    payments.insertAttempt(anAttempt());
    const change = { event: 'x', from: 'a', to: 'b', details: {} };
    payments.appendJournal({ attemptId: anAttempt().id, at: 1, ...change });
  };
  /** As another program does it. */
  function cut(state: string) {
    const other = new Sqlite(join(state, 'money.db'));
    other.exec('DELETE FROM audit_trail WHERE seq > 2');
    other.close();
  }
  const nothing = () => undefined;

  it.each(['stopped', 'killed'] as const)('is whole after a restart (%s)', async (end) => {
    const state = aFolder();
    await run(state, note('a', 'b', 'c'), end);
    expect(await run(state, nothing)).toMatchObject({ broken: null, newest: { seq: 3 } });
  });

  it.each(['stopped', 'killed'] as const)('while tilld is down (%s) is noted for good', async (end) => {
    const state = aFolder();
    await run(state, note('a', 'b', 'c', 'd'), end);
    cut(state);
    const details = { last_known: 4, last_found: 2 };
    expect(await run(state, nothing)).toMatchObject({
      broken: 5,
      newest: { seq: 5, event: 'trail_cut', details },
    });
    expect(await run(state, note('e'))).toMatchObject({ broken: 5, newest: { seq: 6 } });
  });

  it.each([
    ['nothing comes after it', nothing],
    ['a payment comes after it', pay],
    ['fewer entries come after it', note('e')],
    ['more entries come after it', note('e', 'f', 'g')],
  ])('while tilld runs is noted for good by the next start: %s', async (_, after) => {
    for (const end of ['stopped', 'killed'] as const) {
      const state = aFolder();
      await run(state, note('a', 'b'));
      const live = (money: Money) => {
        note('c', 'd')(money);
        cut(state);
        after(money);
      };
      await run(state, live, end);
      const { broken, newest } = await run(state, nothing);
      expect([newest?.event, newest?.details['last_known'], broken]).toEqual(['trail_cut', 4, newest?.seq]);
    }
  });
});
