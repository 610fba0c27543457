import { describe, expect, it } from 'vitest';
import { ElapsedTime } from '../../../src/payment/attempt/elapsed-time.ts';
import { epochElapsed, keptTimeIn } from '../../../src/store/epoch/kept-time.ts';
import { SqlitePaymentStore } from '../../../src/store/payments/sqlite-payment-store.ts';
import { anAttempt } from '../../support/attempts.ts';
import { aMoneyDatabase } from '../../support/money-database.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

describe('the time that is carried over a restart', () => {
  it('is read as it was written', () => {
    const kept = { elapsedMs: 1234, witnesses: { service: { shownMs: 99, elapsedMs: 1200 } } };
    const store = keptTimeIn(aMoneyDatabase());
    expect(store.read()).toEqual({ elapsedMs: 0, witnesses: {} });
    store.write(kept);
    expect(store.read()).toEqual(kept);
  });

  it.each([
    ['ended', { state: { name: 'succeeded' as const }, completedAt: 5000 }],
    ['fell in doubt', { state: { name: 'in_doubt' as const, hadApproval: false }, inDoubtSince: 5000 }],
    ['was sent', { state: { name: 'dispatched' as const }, dispatchedAt: 5000 }],
  ])('is never less than when the newest payment %s, which a crash may have left behind it', (_, what) => {
    const database = aMoneyDatabase();
    const store = keptTimeIn(database);
    store.write({ elapsedMs: 100, witnesses: {} });
    new SqlitePaymentStore(database).insertAttempt(anAttempt(what));
    expect(store.read().elapsedMs).toBe(5000);
  });

  it('that cannot be read counts as none', () => {
    const database = aMoneyDatabase();
    database.run("INSERT INTO facts (name, value) VALUES ('elapsed', 'not json')");
    expect(keptTimeIn(database).read()).toEqual({ elapsedMs: 0, witnesses: {} });
  });
});

describe('when an epoch began, in elapsed time', () => {
  it('is noted once, and anew for another epoch', () => {
    const database = aMoneyDatabase();
    expect([
      epochElapsed(database, 'a', 10),
      epochElapsed(database, 'a', 20),
      epochElapsed(database, 'b', 30),
      epochElapsed(database, 'b', 40),
    ]).toEqual([10, 10, 30, 30]);
  });

  it('moves the beginning of an epoch with the time that a witness shows to have passed before it', () => {
    const database = aMoneyDatabase();
    const clock = new VirtualClock();
    const first = new ElapsedTime(clock, keptTimeIn(database));
    first.heard('service', 0);
    first.keep();
    const HOURS_MS = 10 * 3_600_000;
    const restored = new ElapsedTime(clock, keptTimeIn(database));
    const begun = epochElapsed(database, 'restored', restored.now());
    restored.heard('service', HOURS_MS);
    expect(restored.now() - epochElapsed(database, 'restored', restored.now())).toBe(
      restored.now() - begun - HOURS_MS,
    );
    restored.keep();
    // In a later run time that passes counts: the epoch began in an earlier one.
    const before = epochElapsed(database, 'restored', 0);
    const later = new ElapsedTime(clock, keptTimeIn(database));
    later.heard('service', 2 * HOURS_MS);
    expect(epochElapsed(database, 'restored', 0)).toBe(before);
    expect(later.now() - before).toBeGreaterThanOrEqual(HOURS_MS);
  });
});
