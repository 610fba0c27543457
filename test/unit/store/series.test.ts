import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Database } from '../../../src/store/database.ts';
import { MIRROR_MIGRATIONS } from '../../../src/store/mirror/mirror-migrations.ts';
import { SqlitePaymentStore } from '../../../src/store/payments/sqlite-payment-store.ts';
import { paymentSeries, syncSeries } from '../../../src/store/statistics/sqlite-series.ts';
import { anAttempt } from '../../support/attempts.ts';
import { aFolder, aMoneyDatabase } from '../../support/money-database.ts';

const HOUR = 3_600_000;
const NOON = 12 * HOUR;
const id = (n: number) => `0199c0de-0000-7000-8000-${String(n).padStart(12, '0')}`;

/** A day with these payments: when each was created, what became of it, and how long that took. */
function dayOf(
  payments: readonly (readonly [at: number, status: string, tookMs: number | null])[],
): Database {
  const money = aMoneyDatabase();
  const store = new SqlitePaymentStore(money);
  payments.forEach(([createdAt, status, took], index) => {
    const one = id(index + 1);
    store.insertAttempt(
      anAttempt({ id: one, createdAt, completedAt: took === null ? null : createdAt + took }),
    );
    money.run('UPDATE attempts SET status = ? WHERE id = ?', status, one);
  });
  return money;
}

describe('payments over time', () => {
  it('are counted by what became of them in the hour in which they were created', () => {
    const money = dayOf([
      [NOON, 'succeeded', 1_000],
      [NOON + 1, 'succeeded', 3_000],
      [NOON + HOUR - 1, 'declined', 2_000],
      [NOON + HOUR, 'in_progress', null],
      [NOON + 3 * HOUR, 'cancelled', 500],
    ]);
    expect(paymentSeries(money, NOON, HOUR)).toEqual([
      { at: NOON, succeeded: 2, declined: 1, cancelled: 0, other: 0, medianMs: 2_000, slowMs: 3_000 },
      { at: NOON + HOUR, succeeded: 0, declined: 0, cancelled: 0, other: 1, medianMs: null, slowMs: null },
      { at: NOON + 3 * HOUR, succeeded: 0, declined: 0, cancelled: 1, other: 0, medianMs: 500, slowMs: 500 },
    ]);
  });

  it('leave out what is older, and measure only what has come to its end', () => {
    const money = dayOf([
      [NOON - 1, 'succeeded', 9],
      [NOON, 'in_progress', null],
      [NOON + 1, 'succeeded', 40],
    ]);
    expect(paymentSeries(money, NOON, HOUR)).toMatchObject([
      { succeeded: 1, other: 1, medianMs: 40, slowMs: 40 },
    ]);
  });
});

describe('sync runs over time', () => {
  it('are counted in the hour in which they ended; what runs is not counted', () => {
    const mirror = Database.open(join(aFolder(), 'mirror.db'), MIRROR_MIGRATIONS, '0.1.0');
    onTestFinished(() => mirror.close());
    const run = (startedAt: number, endedAt: number | null, outcome: string, created: number) =>
      mirror.run(
        "INSERT INTO runs (stream, kind, started_at, ended_at, outcome, read, created) VALUES (1, 'changes', ?, ?, ?, 10, ?)",
        startedAt,
        endedAt,
        outcome,
        created,
      );
    run(NOON - 10, NOON + 5, 'complete', 4);
    run(NOON, NOON + 90, 'failed', 1);
    run(NOON + HOUR, null, 'running', 0);
    expect(syncSeries(mirror, NOON, HOUR)).toEqual([
      { at: NOON, runs: 2, failed: 1, read: 20, written: 5, longestMs: 90 },
    ]);
  });
});
