import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Database } from '../../../src/store/database.ts';
import { SqlitePaymentStore } from '../../../src/store/payments/sqlite-payment-store.ts';
import { MONEY_MIGRATIONS } from '../../../src/store/schema/migrations.ts';
import { anAttempt } from '../../support/attempts.ts';
import { aFolder, aMoneyDatabase } from '../../support/money-database.ts';
import { insertIntoOlder } from '../../support/older-books.ts';

const STEP = MONEY_MIGRATIONS.findIndex(({ countThemselves }) => countThemselves !== undefined);
const COUNTED = "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%AUTOINCREMENT%'";
const idOf = (no: number) => `0199c0de-0000-7000-8000-${String(no).padStart(12, '0')}`;

/** Books of the release before, with three payments. */
function olderBooks(): string {
  const path = join(aFolder(), 'money.db');
  const database = Database.open(path, MONEY_MIGRATIONS.slice(0, STEP), '0.1.0');
  for (const no of [1, 2, 3]) insertIntoOlder(database, anAttempt({ id: idOf(no) }));
  database.close();
  return path;
}

describe('tables that count their rows themselves', () => {
  it('go on where the table of the release before ended', () => {
    const database = aMoneyDatabase(olderBooks());
    const store = new SqlitePaymentStore(database);
    store.insertAttempt(anAttempt({ id: idOf(4) }));
    expect(database.all('SELECT seq, id FROM attempts ORDER BY seq')).toEqual(
      [1, 2, 3, 4].map((no) => ({ seq: no, id: idOf(no) })),
    );
    expect(database.all('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
  });

  it('have no counter beside them, which each commit would write; others keep theirs', () => {
    const database = aMoneyDatabase(olderBooks());
    expect(database.all("SELECT name FROM sqlite_sequence WHERE name = 'attempts'")).toEqual([]);
    const counted = database.all(COUNTED).map((row) => (row as { name: string }).name);
    expect(counted).toContain('webhook_deliveries');
    for (const table of ['attempts', 'journal', 'events', 'outbox']) expect(counted).not.toContain(table);
  });

  it('are changed with the words of nothing else, and nobody can change words afterwards', () => {
    const database = aMoneyDatabase(olderBooks());
    expect(() => database.run("UPDATE sqlite_schema SET sql = '' WHERE name = 'attempts'")).toThrow(
      /the database refused/,
    );
    expect(database.get('PRAGMA writable_schema')).toEqual({ writable_schema: 0 });
  });
});
