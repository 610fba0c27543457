import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openMoney } from '../../../src/agent/money.ts';
import { AppError } from '../../../src/base/errors.ts';
import { silentLog } from '../../../src/base/log.ts';
import { Lifecycle } from '../../../src/runtime/lifecycle.ts';
import { holdStateFolder } from '../../../src/runtime/state-folder.ts';
import { systemIds } from '../../../src/runtime/system-ids.ts';
import { UnscannedPages } from '../../../src/store/damage/unscanned-pages.ts';
import { Database } from '../../../src/store/database.ts';
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

const owedIn = (state: string) => new UnscannedPages(join(state, 'unread-pages')).pending;

describe('a money database that fails', () => {
  it('notes that every page is to be read first, before who ends the process hears of it', () => {
    const state = aFolder();
    const heard: string[] = [];
    const { database } = opened(state, ({ code }) => heard.push(`${code} ${owedIn(state)}`));
    database.fail(new AppError('STORAGE_FAILED', 'the disk failed'));
    expect(heard).toEqual(['STORAGE_FAILED first']);
    database.close();
  });

  it.each([
    ['first', 'fails while it is opened', 'SQLITE_IOERR_READ'],
    ['nothing', 'only keeps it from being opened', 'SQLITE_CANTOPEN'],
  ] as const)('notes %s where the disk %s', (owed, _, sqlite) => {
    const state = aFolder();
    const failed = new AppError('STORAGE_FAILED', 'cannot open', { context: { sqlite } });
    vi.spyOn(Database, 'open').mockImplementationOnce(() => {
      throw failed;
    });
    onTestFinished(() => void vi.restoreAllMocks());
    expect(() => opened(state)).toThrow(failed);
    expect(owedIn(state)).toBe(owed);
  });
});
