import { describe, expect, it } from 'vitest';
import { TruncatedCardNumber } from '../../../../src/base/card-number.ts';
import type { Attempt } from '../../../../src/payment/attempt/attempt.ts';
import type { AttemptSearch } from '../../../../src/payment/payments.ts';
import { SqlitePaymentStore } from '../../../../src/store/payments/sqlite-payment-store.ts';
import type { TransactionReport } from '../../../../src/terminal/ports.ts';
import { anAttempt, aReport, DEVICE_ID } from '../../../support/attempts.ts';
import { aMoneyDatabase } from '../../../support/money-database.ts';

const id = (no: number) => `0199c0de-0000-7000-8000-${String(no).padStart(12, '0')}`;
const INVOICE = '0199c0de-0000-7000-8000-0000000000aa';

/** A paid sale of 1 EUR per `no`, created `no` seconds after the epoch. */
function paid(no: number, report: Partial<TransactionReport> = {}, changes: Partial<Attempt> = {}): Attempt {
  return anAttempt({
    id: id(no),
    createdAt: no * 1_000,
    completedAt: no * 1_000 + 500,
    amount: { minor: no * 100, currency: 'EUR' },
    state: { name: 'succeeded' },
    report: aReport({ amountMinor: no * 100, ...report }),
    ...changes,
  });
}

function card(text: string): Partial<TransactionReport> {
  const maskedPan = TruncatedCardNumber.of(text);
  return maskedPan ? { maskedPan } : {};
}

function aStore(...attempts: readonly Attempt[]) {
  const database = aMoneyDatabase();
  const store = new SqlitePaymentStore(database);
  for (const attempt of attempts) store.insertAttempt(attempt);
  return store;
}

function found(store: SqlitePaymentStore, search: Partial<AttemptSearch>) {
  while (!store.readForSearch());
  const { items, hasMore } = store.searchAttempts({ limit: 10, ...search });
  return { nos: items.map((attempt) => Number(attempt.id.slice(-12))), hasMore };
}

const nos = (store: SqlitePaymentStore, search: Partial<AttemptSearch>) => found(store, search).nos;

describe('a search of payments', () => {
  it.each<[string, Partial<AttemptSearch>, readonly number[]]>([
    ['the last four digits of a card', { cardLast4: '4242' }, [6, 2]],
    ['leading zeros of a card', { cardLast4: '0042' }, [3]],
    ['an amount as requested', { amountMinor: 500 }, [5]],
    ['an amount as charged, with its tip', { amountMinor: 450 }, [4]],
    ['a receipt number without its zeros', { receiptNumber: '77' }, [5]],
    ['a receipt number with more zeros', { receiptNumber: '00077' }, [5]],
    ['a reference in other letters', { reference: ' TABLE 7' }, [6, 1]],
    ['an invoice in capitals', { invoiceId: INVOICE.toUpperCase() }, [3]],
    ['a span, whose end is excluded', { createdFrom: 2_000, createdBefore: 4_000 }, [3, 2]],
    ['several at once', { cardLast4: '4242', createdFrom: 3_000, status: 'succeeded' }, [6]],
    ['a status', { cardLast4: '4242', status: 'declined' }, []],
    ['a device', { reference: 'table 7', deviceId: DEVICE_ID }, [6, 1]],
    ['another device', { reference: 'table 7', deviceId: INVOICE }, []],
    ['a part of a reference, where the whole is asked for', { reference: 'table' }, []],
    ['a part of a reference', { part: { text: ' ABLE', invoiceIds: [] } }, [6, 1]],
    ['a part that none has', { part: { text: 'chair', invoiceIds: [] } }, []],
    ['a part, or an invoice', { part: { text: 'le 7', invoiceIds: [INVOICE.toUpperCase()] } }, [6, 3, 1]],
    ['a part and a card', { part: { text: 'table', invoiceIds: [INVOICE] }, cardLast4: '4242' }, [6]],
  ])('finds by %s', (_title, search, expected) => {
    const store = aStore(
      paid(1, {}, { reference: 'Table 7' }),
      paid(2, card('541333******4242')),
      paid(3, card('************0042'), { invoiceId: INVOICE }),
      paid(4, { amountMinor: 450 }),
      paid(5, { number: '0077' }),
      paid(6, card('4242'), { reference: 'table 7' }),
    );
    expect(nos(store, search)).toEqual(expected);
  });

  it('goes on with a cursor in both directions, and counts what fits', () => {
    const store = aStore(
      ...Array.from({ length: 9 }, (_, no) => paid(no + 1, card(no % 2 === 0 ? '1111' : '2222'))),
    );
    const search = { cardLast4: '1111', limit: 2 };
    expect(found(store, search)).toEqual({ nos: [9, 7], hasMore: true });
    expect(found(store, { ...search, startingAfter: id(7) })).toEqual({ nos: [5, 3], hasMore: true });
    expect(found(store, { ...search, startingAfter: id(4) })).toEqual({ nos: [3, 1], hasMore: false });
    expect(found(store, { ...search, endingBefore: id(3) })).toEqual({ nos: [7, 5], hasMore: true });
    expect(found(store, { ...search, endingBefore: id(7) })).toEqual({ nos: [9], hasMore: false });
    const { place } = store.searchAttempts({ ...search, startingAfter: id(7), isCounted: true });
    expect(place).toEqual({ offset: 2, total: 5 });
  });

  it('follows payments that are created, and what becomes of an open one', () => {
    const store = aStore(paid(1, card('4242')));
    expect(nos(store, { cardLast4: '4242' })).toEqual([1]);
    const open = anAttempt({ id: id(2), createdAt: 2_000, state: { name: 'dispatched' } });
    store.insertAttempt(open);
    expect(nos(store, { status: 'in_progress', createdFrom: 0 })).toEqual([2]);
    const report = aReport({ amountMinor: 1_234, ...card('4242') });
    store.updateAttempt({ ...open, version: 2, state: { name: 'succeeded' }, completedAt: 3_000, report });
    store.insertAttempt(paid(3, card('4242')));
    expect(nos(store, { cardLast4: '4242' })).toEqual([3, 2, 1]);
    expect(nos(store, { status: 'in_progress', createdFrom: 0 })).toEqual([]);
  });

  it('finds nothing of a transaction that was rolled back, and what took its place', () => {
    const store = aStore(paid(1, card('4242')));
    const failing = () =>
      store.transaction(() => {
        store.insertAttempt(paid(2, card('4242')));
        throw new Error('no');
      });
    expect(nos(store, { cardLast4: '4242' })).toEqual([1]);
    expect(failing).toThrow('no');
    expect(nos(store, { cardLast4: '4242' })).toEqual([1]);
    store.insertAttempt(paid(3, card('4242')));
    expect(nos(store, { cardLast4: '4242' })).toEqual([3, 1]);
  });

  it('tells texts of one hash apart by their rows', () => {
    // FNV-1a of 32 bits: `costarring` and `liquid` collide.
    const store = aStore(paid(1, {}, { reference: 'costarring' }), paid(2, {}, { reference: 'liquid' }));
    expect(nos(store, { reference: 'costarring', limit: 1 })).toEqual([1]);
    expect(nos(store, { reference: 'liquid', limit: 1 })).toEqual([2]);
  });

  it('reads no more than 250 payments at a time', () => {
    const store = aStore(...Array.from({ length: 251 }, (_, no) => paid(no + 1)));
    expect([store.readForSearch(), store.readForSearch()]).toEqual([false, true]);
    expect(store.readForSearch()).toBe(true);
  });
});

describe('the totals of a span', () => {
  it('are what succeeded, as the terminals moved it; a doubt and a written-off payment stand beside it', () => {
    const store = aStore(
      paid(1),
      paid(2, { amountMinor: 250 }),
      paid(3, {}, { state: { name: 'declined' } }),
      paid(4, {}, { state: { name: 'written_off' } }),
      paid(5, {}, { type: 'refund', parentId: id(1), amount: { minor: 40, currency: 'EUR' }, report: null }),
      paid(6, {}, { type: 'void', parentId: id(2), report: aReport({ amountMinor: 250 }) }),
      paid(7, {}, { amount: { minor: 900, currency: 'JPY' }, report: null }),
      anAttempt({ id: id(8), createdAt: 8_000, state: { name: 'in_doubt', hadApproval: false } }),
      anAttempt({ id: id(9), createdAt: 9_000 }),
    );
    while (!store.readForSearch());
    const none = { count: 0, amountMinor: 0 };
    const euro = {
      currency: 'EUR',
      sales: { count: 2, amountMinor: 350 },
      refunds: { count: 1, amountMinor: 40 },
      voids: { count: 1, amountMinor: 250 },
      unknown: { count: 2, amountMinor: 1_634 },
    };
    const yen = {
      currency: 'JPY',
      sales: { count: 1, amountMinor: 900 },
      refunds: none,
      voids: none,
      unknown: none,
    };
    expect(store.totals({})).toEqual([euro, yen]);
    expect(store.totals({ createdFrom: 7_000, createdBefore: 8_000 })).toEqual([yen]);
    expect(store.totals({ createdFrom: 9_000 })).toEqual([]);
  });
});
