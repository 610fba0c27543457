import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Database } from '../../../../src/store/database.ts';
import { JournalAnchors } from '../../../../src/store/journal/journal-anchors.ts';
import { chainEnd, checkChain } from '../../../../src/store/journal/journal-chain.ts';
import { SqlitePaymentStore } from '../../../../src/store/payments/sqlite-payment-store.ts';
import { anAttempt } from '../../../support/attempts.ts';
import { aFolder, aMoneyDatabase } from '../../../support/money-database.ts';

/** A journal of `rows` rows, with its guards taken away as a forger would. */
function aForgedJournal(rows: number): { database: Database; store: SqlitePaymentStore } {
  const database = aMoneyDatabase();
  const store = new SqlitePaymentStore(database);
  store.insertAttempt(anAttempt());
  for (let row = 1; row <= rows; row += 1) {
    store.appendJournal({
      attemptId: anAttempt().id,
      at: row,
      event: 'e',
      from: 'a',
      to: 'b',
      details: { row },
    });
  }
  database.run('DROP TRIGGER journal_is_not_changed');
  database.run('DROP TRIGGER journal_is_not_deleted');
  return { database, store };
}

describe("the journal's chain", () => {
  it('is whole after any number of rows, more than one page of them too', () => {
    expect(checkChain(aMoneyDatabase())).toMatchObject({ kind: 'whole', count: 0 });
    const { database } = aForgedJournal(2100);
    expect(checkChain(database)).toEqual({ kind: 'whole', ...chainEnd(database) });
  });

  it.each([
    ['at = at + 1', 3],
    ["event = 'x'", 3],
    ["attempt_id = (SELECT id FROM attempts LIMIT 1) || ''", null],
    ["from_state = 'x'", 3],
    ["to_state = 'succeeded'", 3],
    ["details = '{}'", 3],
    ["hash = replace(hash, substr(hash, 1, 1), CASE substr(hash, 1, 1) WHEN 'f' THEN '0' ELSE 'f' END)", 3],
  ])('names the row when somebody sets %s in it', (change, broken) => {
    const { database } = aForgedJournal(5);
    database.run(`UPDATE journal SET ${change} WHERE seq = 3`);
    const check = checkChain(database);
    expect(check.kind === 'broken' ? check.seq : null).toBe(broken);
  });

  it('names the place where a row was taken out, and where two were exchanged', () => {
    const { database } = aForgedJournal(5);
    database.run('DELETE FROM journal WHERE seq = 2');
    expect(checkChain(database)).toMatchObject({ kind: 'broken', seq: 2 });
    const other = aForgedJournal(5).database;
    other.run('UPDATE journal SET seq = 99 WHERE seq = 2');
    other.run('UPDATE journal SET seq = 2 WHERE seq = 4');
    other.run('UPDATE journal SET seq = 4 WHERE seq = 99');
    expect(checkChain(other)).toMatchObject({ kind: 'broken', seq: 2 });
  });

  it('finds rows cut off at the end, and a chain that was made anew, by the anchors outside', () => {
    const { database, store } = aForgedJournal(5);
    const anchor = chainEnd(database);
    expect(checkChain(database, [anchor])).toMatchObject({ kind: 'whole', count: 5 });
    database.run('DELETE FROM journal WHERE seq = 5');
    expect(checkChain(database)).toMatchObject({ kind: 'whole', count: 4 });
    expect(checkChain(database, [anchor])).toMatchObject({ kind: 'broken', seq: 5 });
    store.appendJournal({
      attemptId: anAttempt().id,
      at: 5,
      event: 'e',
      from: 'a',
      to: 'b',
      details: { row: 'forged' },
    });
    expect(checkChain(database)).toMatchObject({ kind: 'whole', count: 5 });
    expect(checkChain(database, [anchor])).toMatchObject({ kind: 'broken', seq: 5 });
  });
});

describe('the anchors of the journal', () => {
  it('are one a day, and a half-written line does not hide the others', () => {
    const path = join(aFolder(), 'journal-anchors');
    const anchors = new JournalAnchors(path);
    const hash = 'ab'.repeat(32);
    anchors.add({ count: 0, hash }, '2026-11-19');
    anchors.add({ count: 3, hash }, '2026-11-19');
    anchors.add({ count: 4, hash }, '2026-11-19');
    anchors.add({ count: 4, hash }, '2026-11-20');
    anchors.add({ count: 4, hash }, '2026-11-21');
    expect(anchors.read().map(({ on, count }) => [on, count])).toEqual([
      ['2026-11-19', 3],
      ['2026-11-20', 4],
    ]);
    appendFileSync(path, '{"on":"2026-11-2');
    expect(anchors.read()).toHaveLength(2);
  });
});
