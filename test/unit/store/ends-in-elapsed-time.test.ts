import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Database } from '../../../src/store/database.ts';
import { keptTimeIn } from '../../../src/store/epoch/kept-time.ts';
import { SqlitePaymentStore } from '../../../src/store/payments/sqlite-payment-store.ts';
import { MONEY_MIGRATIONS } from '../../../src/store/schema/migrations.ts';
import { anAttempt, DEVICE_ID } from '../../support/attempts.ts';
import { aFolder, aMoneyDatabase } from '../../support/money-database.ts';
import { insertIntoOlder } from '../../support/older-books.ts';

const STEP = MONEY_MIGRATIONS.findIndex(({ name }) => name === 'ends-in-elapsed-time');
const NOON = Date.UTC(2026, 0, 5, 12);
const NEVER = { dispatched: null, inDoubt: null, completed: null };
const HOUR_MS = 3_600_000;
const idOf = (no: number) => `0199c0de-0000-7000-8000-${String(no).padStart(12, '0')}`;

/** Books that the release before has left; each payment by its end, null: it is in doubt. */
function olderBooks(ends: readonly (number | null)[]): Database {
  const path = join(aFolder(), 'money.db');
  const database = Database.open(path, MONEY_MIGRATIONS.slice(0, STEP), '0.1.0');
  ends.forEach((end, no) => {
    const { elapsed: _, ...older } = anAttempt({
      id: idOf(no),
      reference: 'B-1',
      amount: { minor: 500, currency: 'EUR' },
      dispatchedAt: NOON,
      ...(end === null
        ? { state: { name: 'in_doubt', hadApproval: false }, inDoubtSince: NOON + 60_000 }
        : { state: { name: 'succeeded' }, completedAt: end }),
    });
    insertIntoOlder(database, { ...older, elapsed: NEVER });
  });
  database.close();
  return aMoneyDatabase(path);
}

/** What a guard finds that looks back so far from the first moment after the upgrade. */
function found(database: Database, ms: number): readonly string[] {
  const now = keptTimeIn(database).read().elapsedMs;
  const same = { invoiceId: null, deviceId: DEVICE_ID, amountMinor: 500, amountSince: 0 };
  const search = { ...same, reference: 'B-1', referenceSince: now - ms };
  return new SqlitePaymentStore(database).possibleDuplicates(search).map(({ id }) => id);
}

describe('payments of the release before', () => {
  it('are as old for the guards as the wall clock of then says', () => {
    const database = olderBooks([NOON - 13 * HOUR_MS, NOON - 11 * HOUR_MS, NOON]);
    expect(found(database, 12 * HOUR_MS)).toEqual([1, 2].map(idOf));
  });

  it('are never from the future, where a clock was ahead for a while', () => {
    const database = olderBooks([NOON + 9000 * HOUR_MS, NOON]);
    expect(keptTimeIn(database).read().elapsedMs).toBe(NOON);
    expect(found(database, 12 * HOUR_MS)).toEqual([0, 1].map(idOf));
  });

  it('in doubt begin to wait for a person when the shop comes up', () => {
    const database = olderBooks([NOON, null]);
    const doubt = new SqlitePaymentStore(database).findAttempt(idOf(1));
    expect(doubt?.elapsed).toEqual({ dispatched: NOON, inDoubt: NOON, completed: null });
    expect(keptTimeIn(database).read().elapsedMs).toBe(NOON);
  });
});
