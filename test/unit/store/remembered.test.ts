import { describe, expect, it } from 'vitest';
import { SqlitePaymentStore } from '../../../src/store/payments/sqlite-payment-store.ts';
import { remembered } from '../../../src/store/query-cache.ts';
import { anAttempt } from '../../support/attempts.ts';
import { aMoneyDatabase } from '../../support/money-database.ts';

describe('what is remembered of the database', () => {
  it('is read once between two writes', () => {
    const database = aMoneyDatabase();
    const asked: string[] = [];
    const answer = remembered(database, (key) => asked.push(key));
    expect([answer('a'), answer('a'), answer('b')]).toEqual([1, 1, 2]);
    database.run("INSERT INTO facts (name, value) VALUES ('x', 'y')");
    expect(answer('a')).toBe(3);
    expect(asked).toEqual(['a', 'b', 'a']);
  });

  it('is bounded', () => {
    const asked: string[] = [];
    const answer = remembered(aMoneyDatabase(), (key) => asked.push(key));
    for (let n = 0; n < 1000; n += 1) answer(String(n));
    answer('0');
    expect(asked).toHaveLength(1001);
  });

  it('is forgotten when a transaction is rolled back, whatever was read inside it', () => {
    const store = new SqlitePaymentStore(aMoneyDatabase());
    const attempt = anAttempt();
    const seen = () => [store.findAttempt(attempt.id)?.version, store.openAttempts().length];
    expect(() =>
      store.transaction(() => {
        store.insertAttempt(attempt);
        expect(seen()).toEqual([1, 1]);
        throw new Error('the disk is full');
      }),
    ).toThrow('the disk is full');
    expect(seen()).toEqual([undefined, 0]);
  });

  it('is forgotten when an inner transaction is rolled back and the outer one goes on', () => {
    const store = new SqlitePaymentStore(aMoneyDatabase());
    const attempt = anAttempt();
    const versions: (number | undefined)[] = [];
    store.transaction(() => {
      store.insertAttempt(attempt);
      const inner = () =>
        store.transaction(() => {
          store.updateAttempt({ ...attempt, version: 2 });
          versions.push(store.findAttempt(attempt.id)?.version);
          throw new Error('refused');
        });
      expect(inner).toThrow('refused');
      versions.push(store.findAttempt(attempt.id)?.version);
    });
    versions.push(store.findAttempt(attempt.id)?.version);
    expect(versions).toEqual([2, 1, 1]);
  });

  it('is the same for every store of one database', () => {
    const database = aMoneyDatabase();
    const [one, other] = [new SqlitePaymentStore(database), new SqlitePaymentStore(database)];
    const attempt = anAttempt();
    expect(other.findAttempt(attempt.id)).toBeNull();
    one.insertAttempt(attempt);
    expect(other.findAttempt(attempt.id)).toEqual(attempt);
    one.updateAttempt({ ...attempt, version: 2, state: { name: 'cancelled' }, completedAt: 5 });
    expect(other.openAttempts()).toEqual([]);
  });

  it('does not outlive the database', () => {
    const database = aMoneyDatabase();
    const store = new SqlitePaymentStore(database);
    store.openAttempts();
    database.close();
    expect(() => store.openAttempts()).toThrow();
  });
});
