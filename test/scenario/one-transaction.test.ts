import { describe, expect, it } from 'vitest';
import type { KeyUse } from '../../src/payment/payments.ts';
import { SqlitePaymentStore } from '../../src/store/payments/sqlite-payment-store.ts';
import { DEVICE_ID } from '../support/attempts.ts';
import { aMoneyDatabase } from '../support/money-database.ts';
import { Shop } from '../support/shop.ts';

const TABLES = ['attempts', 'journal', 'events', 'outbox', 'idempotency_keys'] as const;
const KEY: KeyUse = {
  key: 'k-1',
  fingerprint: 'f',
  requestId: 'r',
  answer: ({ attempt }) => ({ status: 201, body: attempt.id }),
};
const SALE = {
  deviceId: DEVICE_ID,
  amount: { minor: 1234, currency: 'EUR' },
  invoiceId: null,
  reference: null,
  metadata: {},
  after: null,
  caller: 'socket',
} as const;

function refuse(shop: Shop, what: string): void {
  shop.database.run(`CREATE TRIGGER full BEFORE ${what} BEGIN SELECT RAISE(ABORT, 'no room'); END`);
}

const rows = (shop: Shop) => TABLES.map((table) => shop.database.all(`SELECT * FROM ${table}`).length);

describe('the create of a sale', () => {
  it.each(TABLES)('is nothing at all when the disk refuses its row in %s', async (table) => {
    const shop = await Shop.open();
    refuse(shop, `INSERT ON ${table}`);
    expect(() => shop.payments.create(SALE, KEY)).toThrow(
      expect.objectContaining({ code: 'STORAGE_FAILED' }),
    );
    expect(rows(shop)).toEqual([0, 0, 0, 0, 0]);
    await shop.clock.advance(5000);
    expect(shop.terminal.snapshot().ledger).toEqual([]);
  });

  it('is one row in each, its key among them, and the key is known to the next life', async () => {
    const shop = await Shop.open();
    const { attempt } = shop.payments.create(SALE, KEY);
    expect(rows(shop)).toEqual([1, 1, 1, 1, 1]);
    const nextLife = new SqlitePaymentStore(aMoneyDatabase(shop.databasePath));
    expect(nextLife.findKey('socket', 'k-1')).toMatchObject({
      status: 201,
      body: attempt.id,
      attemptId: attempt.id,
    });
  });
});

describe('the end of a sale', () => {
  it.each([
    "UPDATE ON attempts WHEN NEW.state = 'succeeded'",
    "INSERT ON journal WHEN NEW.to_state = 'succeeded'",
    "INSERT ON events WHEN NEW.type = 'terminal_payment.succeeded'",
    "INSERT ON outbox WHEN NEW.kind = 'result'",
  ])('is nothing at all when the disk refuses %s: nobody hears of it, and the process ends', async (what) => {
    const shop = await Shop.open();
    const heard: string[] = [];
    shop.payments.subscribe({ event: (event) => heard.push(event.type) });
    refuse(shop, what);
    const { id } = shop.sell();
    await shop.until(() => shop.fatal !== null, 30_000);
    expect(shop.attempt(id).state.name).toBe('approved');
    expect(shop.store.journalOf(id).map(({ to }) => to)).toEqual([
      'requested',
      'dispatched',
      'accepted',
      'approved',
    ]);
    expect(shop.database.all("SELECT * FROM outbox WHERE kind = 'result'")).toEqual([]);
    expect(heard).toEqual(['terminal_payment.requested', 'terminal_payment.in_progress']);
  });
});

describe('the light "reported"', () => {
  it('is pending until the service took the outcome, then yes', async () => {
    const shop = await Shop.open();
    const { id } = await shop.settle(shop.sell().id);
    const light = () => shop.payments.get(id).reported;
    expect(light()).toBe('pending');
    shop.outbox.done(shop.outbox.due(1)[0]?.id ?? '', null);
    expect(light()).toBe('pending');
    shop.outbox.done(shop.outbox.due(1)[0]?.id ?? '', null);
    expect(light()).toBe('yes');
  });

  it('is rejected once the service has refused for good; what was held back by us is pending', async () => {
    const shop = await Shop.open({ policy: { partialApproval: 'keep' } });
    shop.terminal.nextAmount(1000);
    const settled = await shop.settle(shop.sell().id);
    expect(shop.payments.get(settled.id).reported).toBe('pending');
    const { id } = await shop.settle(shop.sell({ amount: { minor: 7, currency: 'EUR' } }).id);
    const row = shop.outbox.due(9).find(({ attemptId }) => attemptId === id)?.id ?? '';
    shop.outbox.beginTry(row, 1);
    shop.outbox.park(row, 'refused: 422', 'task');
    expect(shop.payments.get(id).reported).toBe('rejected');
  });
});
