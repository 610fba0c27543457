import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkEpoch, epochNotes } from '../../../src/store/epoch/epoch.ts';
import { SqlitePaymentStore } from '../../../src/store/payments/sqlite-payment-store.ts';
import { anAttempt } from '../../support/attempts.ts';
import { aFolder, aMoneyDatabase } from '../../support/money-database.ts';

/** A shop that has begun, with one row in its journal and the note of that commit. */
function aShop() {
  const path = join(aFolder(), 'epoch');
  const database = aMoneyDatabase();
  checkEpoch(database, path, 'first', 100);
  const store = new SqlitePaymentStore(database);
  store.insertAttempt(anAttempt());
  store.appendJournal({ attemptId: anAttempt().id, at: 1, event: 'x', from: 'a', to: 'b', details: {} });
  epochNotes(database, path)();
  return { path, database };
}

describe('the note beside the database after a power cut', () => {
  it('that a first start had not written yet is no lost memory', () => {
    const database = aMoneyDatabase();
    checkEpoch(database, join(aFolder(), 'epoch'), 'first', 100);
    const again = checkEpoch(database, join(aFolder(), 'epoch'), 'second', 200);
    expect(again).toEqual({ kind: 'new', id: 'second', since: 0 });
  });

  it('that was not written yet when a lost memory began anew leaves it lost', () => {
    const database = aMoneyDatabase();
    checkEpoch(database, join(aFolder(), 'epoch'), 'first', 100, true);
    const again = checkEpoch(database, join(aFolder(), 'epoch'), 'second', 200);
    expect(again).toEqual({ kind: 'foreign', id: 'second', since: 200 });
  });

  it('may be spoilt where the newest commit was being noted: the one before still knows the database', () => {
    const { path, database } = aShop();
    const text = readFileSync(path, 'utf8');
    for (const spoilt of [
      text.slice(0, 4096),
      `${text.slice(0, 4096)}{"epoch":"fi`,
      text.slice(0, 4096).padEnd(4296, '\0'),
    ]) {
      writeFileSync(path, spoilt);
      expect(checkEpoch(database, path, 'second', 200)).toEqual({ kind: 'same', id: 'first', since: 0 });
    }
  });

  it('tells an older database from this one by the newest commit that was noted', () => {
    const { path } = aShop();
    const older = aMoneyDatabase();
    checkEpoch(older, join(aFolder(), 'epoch'), 'first', 100);
    expect(checkEpoch(older, path, 'second', 200).kind).toBe('older');
  });
});
