import { describe, expect, it } from 'vitest';
import type { OutboxRow } from '../../../src/outbox/ports.ts';
import type { Attempt } from '../../../src/payment/attempt/attempt.ts';
import { SqliteOutboxStore } from '../../../src/store/outbox/sqlite-outbox-store.ts';
import { SqlitePaymentStore } from '../../../src/store/payments/sqlite-payment-store.ts';
import { anAttempt } from '../../support/attempts.ts';
import { aFolder, aMoneyDatabase } from '../../support/money-database.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

const id = (n: number) => `0199c0de-0000-7000-8000-${String(n).padStart(12, '0')}`;
const [SALE, REFUND, OTHER] = [id(1), id(2), id(3)];

/** A sale, a refund of it and another sale; `enqueue` writes a report of one of them. */
function books(changes: Partial<Attempt> = {}) {
  const database = aMoneyDatabase();
  const payments = new SqlitePaymentStore(database);
  const clock = new VirtualClock();
  const store = new SqliteOutboxStore(database, clock);
  const own = { corrects: null, cause: null, original: null } as const;
  payments.insertAttempt(anAttempt({ ...own, id: SALE, ...changes }));
  payments.insertAttempt(anAttempt({ ...own, id: REFUND, type: 'refund', parentId: SALE }));
  payments.insertAttempt(anAttempt({ ...own, id: OTHER }));
  const enqueue = (
    attemptId: string,
    kind: OutboxRow['kind'],
    row: string,
    withheld: string | null = null,
  ) => {
    const isRefund = attemptId === REFUND;
    payments.enqueueReport({
      id: row,
      attemptId,
      kind,
      operation: isRefund ? 'refund' : 'sale',
      parentId: isRefund ? SALE : null,
      key: `key ${row}`,
      body: { row },
      createdAt: 7,
      withheld,
    });
  };
  const due = () => store.due(10).map((row) => row.id);
  return { database, payments, store, clock, enqueue, due };
}

const task = () => id(99);

describe('The outbox in the database', () => {
  it('gives a row with what it is about, and the sale it belongs to', () => {
    const { store, enqueue } = books();
    enqueue(REFUND, 'create', 'g');
    enqueue(OTHER, 'create', 'o');
    expect(store.due(10)).toMatchObject([
      { id: 'o', operation: 'sale', parentId: null },
      { id: 'g', operation: 'refund', parentId: SALE },
    ]);
  });

  it.each<[string, (store: SqliteOutboxStore) => void, string[]]>([
    ['pending', () => undefined, ['o', 's']],
    ['tried and failed', (store) => store.failed('s', '503', true), ['o', 's']],
    ['parked', (store) => store.park('s', 'refused', task()), ['o']],
    ['done', (store) => store.done('s', null), ['o', 'g']],
  ])(
    'never gives a row of a refund while a row of its sale is not done (%s); nothing else waits',
    (_, change, given) => {
      const { store, enqueue, due } = books();
      enqueue(SALE, 'result', 's');
      enqueue(REFUND, 'create', 'g');
      enqueue(OTHER, 'result', 'o');
      change(store);
      expect(due()).toEqual(given);
    },
  );

  it('lets a refund wait for a row of its sale that was written after its own', () => {
    const { store, enqueue, due } = books();
    enqueue(REFUND, 'create', 'g');
    enqueue(SALE, 'result', 's');
    expect(due()).toEqual(['s']);
    store.done('s', null);
    expect(due()).toEqual(['g']);
  });

  it('what is done is on disk with the try of the next row, or when somebody must know', () => {
    const { database, store, enqueue } = books();
    enqueue(SALE, 'result', 's');
    enqueue(OTHER, 'result', 'o');
    store.beginTry('s', 1);
    store.done('s', null);
    expect(database.isDurable).toBe(false);
    store.beginTry('o', 1);
    expect(database.isDurable).toBe(true);
    store.done('o', null);
    store.flush();
    expect(database.isDurable).toBe(true);
  });

  it("the service's own id of a payment is on disk with the answer that told it", () => {
    const { database, store, enqueue } = books();
    enqueue(SALE, 'create', 's');
    store.beginTry('s', 1);
    store.done('s', 'theirs');
    expect([database.isDurable, store.serviceIdOf(SALE)]).toEqual([true, 'theirs']);
  });

  it('asks once whether the service holds a payment twice', () => {
    const { payments, store } = books();
    store.askAboutTwice(SALE, id(98));
    store.askAboutTwice(SALE, id(99));
    expect(payments.tasks({ open: true, limit: 9 })).toMatchObject([
      { id: id(98), kind: 'maybe_reported_twice', attemptId: SALE },
    ]);
  });

  it('never lets a sale wait for its refund', () => {
    const { enqueue, due } = books();
    enqueue(REFUND, 'create', 'g', 'held');
    enqueue(SALE, 'result', 's');
    expect(due()).toEqual(['s']);
  });

  it('a row that was born held is parked, makes no task, holds its refunds back, and goes when it is released', () => {
    const { payments, store, enqueue, due } = books();
    enqueue(SALE, 'result', 's', 'held: its void is under way');
    enqueue(REFUND, 'create', 'g');
    expect([due(), store.summary().parked, payments.tasks({ open: false, limit: 9 })]).toEqual([[], 1, []]);
    payments.releaseReports(SALE);
    expect([due(), store.summary().parked]).toEqual([['s'], 0]);
    expect(store.due(1)[0]?.lastError).toBeNull();
  });

  it('a release sets nothing free that the service has refused', () => {
    const { payments, store, enqueue, due } = books();
    enqueue(SALE, 'result', 's');
    store.beginTry('s', 1);
    store.park('s', 'refused: 422', task());
    payments.releaseReports(SALE);
    expect(due()).toEqual([]);
  });

  it('parking a row makes one task of it, in the same transaction', () => {
    const { database, payments, store, clock, enqueue } = books();
    enqueue(SALE, 'result', 's');
    store.park('s', 'rejected', task());
    expect(payments.openTasksOf(SALE)).toEqual([
      {
        id: id(99),
        kind: 'report_rejected',
        attemptId: SALE,
        settlementId: null,
        deviceId: null,
        message: '',
        createdAt: clock.now(),
        done: null,
      },
    ]);
    enqueue(OTHER, 'result', 'o');
    database.run("CREATE TRIGGER no_tasks BEFORE INSERT ON tasks BEGIN SELECT RAISE(ABORT, 'no'); END");
    expect(() => store.park('o', 'rejected', id(98))).toThrow();
    expect(store.due(10).map((row) => row.id)).toEqual(['o']);
  });

  it('parking another row of the same attempt opens its task again, with the newer words', () => {
    const { payments, store, enqueue } = books();
    enqueue(SALE, 'create', 'c');
    store.park('c', 'refused', task());
    payments.finishTask(id(99), { by: 'Ann', note: 'created by hand', at: 5 });
    expect(payments.openTasksOf(SALE)).toEqual([]);
    enqueue(SALE, 'result', 's');
    store.park('s', 'rejected', id(98));
    expect(payments.openTasksOf(SALE)).toMatchObject([{ id: id(99), done: null }]);
  });

  it('keeps the place in the event feed across a restart', () => {
    const path = `${aFolder()}/money.db`;
    const store = new SqliteOutboxStore(aMoneyDatabase(path), new VirtualClock());
    expect(store.eventCursor()).toBeNull();
    store.keepEventCursor('evt_1');
    store.keepEventCursor('evt_2');
    expect(new SqliteOutboxStore(aMoneyDatabase(path), new VirtualClock()).eventCursor()).toBe('evt_2');
  });
});
