import { describe, expect, it } from 'vitest';
import type { Database } from '../../../../src/store/database.ts';
import { CHAIN_START, chainEnd, checkChain } from '../../../../src/store/journal/journal-chain.ts';
import { JournalWatch } from '../../../../src/store/journal/journal-watch.ts';
import { SqlitePaymentStore } from '../../../../src/store/payments/sqlite-payment-store.ts';
import { anAttempt } from '../../../support/attempts.ts';
import { aMoneyDatabase } from '../../../support/money-database.ts';

const AT_START = 10;

describe('the check of a long journal', () => {
  it('walks what the start has left to its end, and finds it whole as a check at once does', () => {
    const database = aJournalOf(35);
    const watch = new JournalWatch(database, anchorsOf(database, [3, 20, 35]), AT_START);
    expect(watch.isDone).toBe(false);
    expect(watch.found).toEqual({ kind: 'whole', ...chainEnd(database) });
    toTheEnd(watch);
    expect(watch.found).toEqual(checkChain(database, anchorsOf(database, [3, 20, 35])));
  });

  it.each([1, 7, 24])('finds row %i that was changed far before its end, as a check at once does', (seq) => {
    const database = aJournalOf(35);
    tamper(database, seq);
    const watch = new JournalWatch(database, [], AT_START);
    expect(watch.found.kind).toBe('whole');
    toTheEnd(watch);
    expect(watch.found).toMatchObject({ kind: 'broken', seq });
    expect(watch.found).toEqual(checkChain(database));
  });

  it.each([26, 30, 35])('finds row %i that was changed at its end before anything is sold', (seq) => {
    const database = aJournalOf(35);
    tamper(database, seq);
    const watch = new JournalWatch(database, [], AT_START);
    expect(watch.isDone).toBe(true);
    expect(watch.found).toEqual(checkChain(database));
    expect(watch.found).toMatchObject({ kind: 'broken', seq });
  });

  it('finds before anything is sold that an anchored row is another one, or gone', () => {
    const database = aJournalOf(35);
    const other = [{ count: 5, hash: 'a'.repeat(64) }];
    expect(new JournalWatch(database, other, AT_START).found).toMatchObject({ kind: 'broken', seq: 5 });
    const beyond = [{ count: 40, hash: 'a'.repeat(64) }];
    expect(new JournalWatch(database, beyond, AT_START).found).toMatchObject({ kind: 'broken', seq: 36 });
  });

  it('takes an anchor of an empty journal for what it is', () => {
    const database = aJournalOf(35);
    const watch = new JournalWatch(database, [{ count: 0, hash: CHAIN_START }], AT_START);
    toTheEnd(watch);
    expect(watch.found.kind).toBe('whole');
  });

  it('is not led on by what is written while it walks', () => {
    const database = aJournalOf(35);
    const before = chainEnd(database);
    const watch = new JournalWatch(database, [], AT_START);
    write(database, 5);
    toTheEnd(watch);
    expect(watch.found).toEqual({ kind: 'whole', ...before });
  });

  it('checks a short one at once', () => {
    const watch = new JournalWatch(aJournalOf(AT_START), [], AT_START);
    expect(watch.isDone).toBe(true);
    expect(watch.found).toMatchObject({ kind: 'whole', count: AT_START });
  });
});

function aJournalOf(rows: number): Database {
  const database = aMoneyDatabase();
  new SqlitePaymentStore(database).insertAttempt(anAttempt());
  write(database, rows);
  return database;
}

function write(database: Database, rows: number): void {
  const store = new SqlitePaymentStore(database);
  const { id: attemptId } = anAttempt();
  database.transaction(() => {
    for (let at = 0; at < rows; at += 1)
      store.appendJournal({ attemptId, at, event: 'x', from: 'a', to: 'b', details: { at } });
  });
}

function tamper(database: Database, seq: number): void {
  database.run('DROP TRIGGER IF EXISTS journal_is_not_changed');
  database.run(`UPDATE journal SET details = '{"at":1234}' WHERE seq = ?`, seq);
}

function anchorsOf(database: Database, counts: readonly number[]) {
  return counts.map((count) => {
    const row = database.get('SELECT hash FROM journal WHERE seq = ?', count) as { hash: string };
    return { count, hash: row.hash };
  });
}

function toTheEnd(watch: JournalWatch): void {
  for (let step = 0; step < 100 && !watch.isDone; step += 1) watch.step(4);
  expect(watch.isDone).toBe(true);
}
