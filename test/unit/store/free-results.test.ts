import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/runtime/system-clock.ts';
import { SqliteOutboxStore } from '../../../src/store/outbox/sqlite-outbox-store.ts';
import { SqlitePaymentStore } from '../../../src/store/payments/sqlite-payment-store.ts';
import { Random } from '../../simulation/random.ts';
import { anAttempt } from '../../support/attempts.ts';
import { aMoneyDatabase } from '../../support/money-database.ts';

const ALL = 1000;
const id = (number: number) => `0199c0de-0000-7000-8000-${String(number).padStart(12, '0')}`;

/** Somebody who does at random what the core, the sender and staff do to what is pending. */
class Shop {
  readonly random: Random;
  readonly database = aMoneyDatabase();
  readonly payments = new SqlitePaymentStore(this.database);
  readonly outbox = new SqliteOutboxStore(this.database, systemClock);
  #attempts = 0;
  #rows = 0;

  constructor(seed: number) {
    this.random = new Random(seed);
  }

  doSomething(): void {
    const what = this.random.pick(['sell', 'sell', 'end', 'release', 'deliver', 'deliver'] as const);
    if (what === 'sell' || this.#attempts === 0) this.#sell();
    else if (what === 'end')
      this.#enqueue(this.#someone(), 'result', this.random.chance(0.3) ? 'held' : null);
    else if (what === 'release') this.payments.releaseReports(id(this.#someone()));
    else this.#deliver();
  }

  #sell(): void {
    const parentId = this.#attempts > 0 && this.random.chance(0.3) ? id(this.#someone()) : null;
    this.#attempts += 1;
    const type = parentId === null ? 'sale' : 'refund';
    this.payments.insertAttempt(anAttempt({ id: id(this.#attempts), type, parentId }));
    if (this.random.chance(0.7)) this.#enqueue(this.#attempts, 'create', null);
  }

  #deliver(): void {
    const due = this.outbox.due(ALL);
    if (due.length === 0) return;
    const row = this.random.pick(due);
    if (this.random.chance(0.8)) this.outbox.done(row.id, null);
    else this.outbox.park(row.id, 'refused', `task of ${row.id}`);
  }

  #enqueue(attempt: number, kind: 'create' | 'result', withheld: string | null): void {
    this.#rows += 1;
    const row = { id: `row ${this.#rows}`, key: `key ${this.#rows}`, attemptId: id(attempt), kind, withheld };
    this.payments.enqueueReport({ ...row, operation: 'sale', parentId: null, body: {}, createdAt: 1 });
  }

  #someone(): number {
    return this.random.int(1, this.#attempts);
  }
}

describe('the results that may go where creates are switched off', () => {
  it('are those that a store which has just started finds, whatever is written, held, released, done and parked', () => {
    const resultsOf = (store: SqliteOutboxStore) => store.due(ALL, 'result').map((row) => row.id);
    for (let seed = 1; seed <= 4; seed += 1) {
      const shop = new Shop(seed);
      const seen = new Set<string>();
      for (let step = 0; step < 120; step += 1) {
        shop.doSomething();
        const found = resultsOf(shop.outbox);
        expect(found).toEqual(resultsOf(new SqliteOutboxStore(shop.database, systemClock)));
        const among = shop.outbox.due(ALL).filter((row) => row.kind === 'result');
        expect(found).toEqual(among.map((row) => row.id));
        for (const row of found) seen.add(row);
      }
      expect(seen.size).toBeGreaterThan(5);
    }
  });
});
