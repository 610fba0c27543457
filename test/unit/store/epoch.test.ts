import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/runtime/system-clock.ts';
import type { Database } from '../../../src/store/database.ts';
import { checkEpoch, epochNotes, noteEpoch } from '../../../src/store/epoch/epoch.ts';
import { SqliteOutboxStore } from '../../../src/store/outbox/sqlite-outbox-store.ts';
import { SqlitePaymentStore } from '../../../src/store/payments/sqlite-payment-store.ts';
import { anAttempt } from '../../support/attempts.ts';
import { aFolder, aMoneyDatabase } from '../../support/money-database.ts';

/** A database that has seen some days, and the note beside it. */
function aShop(id = 'first') {
  const path = join(aFolder(), 'epoch');
  const database = aMoneyDatabase();
  const first = checkEpoch(database, path, id, 100);
  return { database, path, first };
}

/** One more row in the journal. */
function work(database: Database, event = 'x'): void {
  const store = new SqlitePaymentStore(database);
  if (!store.findAttempt(anAttempt().id)) store.insertAttempt(anAttempt());
  store.appendJournal({ attemptId: anAttempt().id, at: 1, event, from: 'a', to: 'b', details: {} });
}

function enqueue(database: Database, id: string): SqliteOutboxStore {
  const payments = new SqlitePaymentStore(database);
  if (!payments.findAttempt(anAttempt().id)) payments.insertAttempt(anAttempt());
  const facts = {
    kind: 'create',
    operation: 'sale',
    parentId: null,
    withheld: null,
    body: {},
    createdAt: 7,
  } as const;
  payments.enqueueReport({ id, attemptId: anAttempt().id, key: `key ${id}`, ...facts });
  return new SqliteOutboxStore(database, systemClock);
}

describe('the epoch of the memory', () => {
  it('of a new shop is new, and the same ever after, however much was written since', () => {
    const { database, path, first } = aShop();
    expect(first).toEqual({ kind: 'new', id: 'first', since: 0 });
    work(database);
    expect(checkEpoch(database, path, 'second', 200)).toEqual({ kind: 'same', id: 'first', since: 0 });
    work(database);
    noteEpoch(database, path);
    work(database);
    expect(checkEpoch(database, path, 'third', 300)).toEqual({ kind: 'same', id: 'first', since: 0 });
  });

  it('is fresh when the database is gone and the note is there', () => {
    const { path } = aShop();
    expect(checkEpoch(aMoneyDatabase(), path, 'second', 200)).toEqual({
      kind: 'fresh',
      id: 'second',
      since: 200,
    });
  });

  it('is fresh for a database that has worked without ever having had an epoch', () => {
    const database = aMoneyDatabase();
    work(database);
    expect(checkEpoch(database, join(aFolder(), 'epoch'), 'first', 100).kind).toBe('fresh');
  });

  it('is older when a backup of the same memory was restored', () => {
    const { database, path } = aShop();
    const backup = join(aFolder(), 'backup.db');
    work(database);
    database.run('VACUUM INTO ?', backup);
    work(database);
    noteEpoch(database, path);
    const restored = checkEpoch(aMoneyDatabase(backup), path, 'second', 200);
    expect(restored).toEqual({ kind: 'older', id: 'second', since: 200 });
  });

  it('is foreign when a backup was restored and has gone on by itself', () => {
    const { database, path } = aShop();
    const backup = join(aFolder(), 'backup.db');
    work(database);
    database.run('VACUUM INTO ?', backup);
    work(database);
    noteEpoch(database, path);
    const other = aMoneyDatabase(backup);
    work(other, 'y');
    work(other, 'y');
    expect(checkEpoch(other, path, 'second', 200).kind).toBe('foreign');
  });

  it('is foreign when the database is that of another shop, or the note is gone', () => {
    const { path } = aShop();
    const { database } = aShop('another');
    expect(checkEpoch(database, path, 'second', 200).kind).toBe('foreign');
    rmSync(path);
    expect(checkEpoch(database, path, 'third', 300).kind).toBe('foreign');
  });

  it('is fresh when database and note are gone, but the anchors remember a journal', () => {
    const path = join(aFolder(), 'epoch');
    expect(checkEpoch(aMoneyDatabase(), path, 'first', 100, true)).toEqual({
      kind: 'fresh',
      id: 'first',
      since: 100,
    });
  });

  it('that began while the clock had lost the time is not taken for a new one', () => {
    const { path } = aShop();
    expect(checkEpoch(aMoneyDatabase(), path, 'second', 0)).toEqual({
      kind: 'fresh',
      id: 'second',
      since: 1,
    });
  });

  it('notes every commit that the journal grew by, so that a backup of a minute ago is older', () => {
    const { database, path } = aShop();
    const backup = join(aFolder(), 'backup.db');
    const note = epochNotes(database, path);
    work(database);
    database.run('VACUUM INTO ?', backup);
    for (let commit = 0; commit < 12; commit += 1) {
      work(database);
      note();
    }
    const copy = join(aFolder(), 'epoch');
    writeFileSync(copy, readFileSync(path));
    expect(checkEpoch(database, copy, 'second', 200).kind).toBe('same');
    expect(checkEpoch(aMoneyDatabase(backup), path, 'third', 300).kind).toBe('older');
  });

  it('believes a note that cannot be read as little as one of another shop', () => {
    const { database, path } = aShop();
    writeFileSync(path, '{"epoch":"fir');
    expect(checkEpoch(database, path, 'second', 200).kind).toBe('foreign');
    writeFileSync(path, '');
    expect(checkEpoch(aMoneyDatabase(), path, 'third', 300).kind).toBe('fresh');
  });

  it('takes the bare id of an older release for the note', () => {
    const { database, path } = aShop();
    work(database);
    writeFileSync(path, 'first\n');
    expect(checkEpoch(database, path, 'second', 200).kind).toBe('same');
  });

  it('that is new is written in both places, and is the same from then on', () => {
    const { path } = aShop();
    const fresh = aMoneyDatabase();
    checkEpoch(fresh, path, 'second', 200);
    expect(existsSync(path) && readFileSync(path, 'utf8')).toContain('second');
    expect(checkEpoch(fresh, path, 'third', 300)).toEqual({ kind: 'same', id: 'second', since: 200 });
  });
});

describe('what is from before the memory began', () => {
  it('is every attempt that was there, and no later one', () => {
    const { database, path } = aShop();
    const store = new SqlitePaymentStore(database);
    store.insertAttempt(anAttempt({ id: 'before' }));
    rmSync(path);
    checkEpoch(database, path, 'second', 200);
    store.insertAttempt(anAttempt({ id: 'after' }));
    expect([store.isFromBefore('before'), store.isFromBefore('after')]).toEqual([true, false]);
  });
});

describe('what is pending for the service', () => {
  it('is looked up first, every row of it, when the memory is not the one that was here before', () => {
    const { database, path } = aShop();
    const store = enqueue(database, 'a');
    rmSync(path);
    checkEpoch(database, path, 'second', 200);
    expect(store.due(5)).toMatchObject([{ unanswered: true, firstUsedAt: 0 }]);
  });

  it('is looked up first also where it was parked, once a person lets it go again', () => {
    const { database, path } = aShop();
    const store = enqueue(database, 'a');
    store.park('a', 'refused', '0199c0de-0000-7000-8000-0000000000bb');
    rmSync(path);
    checkEpoch(database, path, 'second', 200);
    database.run("UPDATE outbox SET state = 'pending' WHERE id = 'a'");
    expect(store.due(5)).toMatchObject([{ unanswered: true, firstUsedAt: 0 }]);
  });

  it('goes as it is when the memory is the same, or new', () => {
    const { database, path } = aShop();
    const store = enqueue(database, 'a');
    checkEpoch(database, path, 'second', 200);
    expect(store.due(5)).toMatchObject([{ unanswered: false, firstUsedAt: null }]);
  });
});
