import { describe, expect, it } from 'vitest';
import { decodeAgain, encodeOnce } from '../../../src/store/attempts/attempt-codec.ts';
import { SqlitePaymentStore } from '../../../src/store/payments/sqlite-payment-store.ts';
import type { Receipts, TransactionReport } from '../../../src/terminal/ports.ts';
import { anAttempt, aReport } from '../../support/attempts.ts';
import { aMoneyDatabase } from '../../support/money-database.ts';

const LINES = ['Kartenzahlung', 'girocard', 'Beleg-Nr 0042', 'BETRAG 12,34 EUR', '** Zahlung erfolgt **'];
const MERCHANT = ['* Händlerbeleg *', ...LINES].join('\n');
const CUSTOMER = ['* Kundenbeleg *', ...LINES].join('\n');
const report = aReport({ number: '0042' });

function paid(receipts: Receipts, own: TransactionReport | null = report) {
  const evidence = { kind: 'dialogue', report: own } as const;
  return anAttempt({ state: { name: 'succeeded' }, completedAt: 5, report, receipts, evidence });
}

function again(attempt: ReturnType<typeof paid>): unknown {
  const written: unknown = JSON.parse(JSON.stringify(encodeOnce(attempt)));
  decodeAgain(written as object);
  return written;
}

describe('what a payment tells twice', () => {
  it('stands in its row once, and is read as it was told', () => {
    const store = new SqlitePaymentStore(aMoneyDatabase());
    const attempt = paid({ merchant: MERCHANT, customer: CUSTOMER });
    store.insertAttempt(attempt);
    expect(store.findAttempt(attempt.id)).toEqual(attempt);
    const text = JSON.stringify(encodeOnce(attempt));
    expect(text.split('Beleg-Nr 0042')).toHaveLength(2);
    expect(text.split('"number":"0042"')).toHaveLength(2);
  });

  it('is told once again when it is written again', () => {
    const database = aMoneyDatabase();
    const store = new SqlitePaymentStore(database);
    const attempt = paid({ merchant: MERCHANT, customer: CUSTOMER });
    store.insertAttempt(attempt);
    const length = 'SELECT length(detail) AS length FROM attempts';
    const before = database.get(length);
    const found = store.findAttempt(attempt.id);
    if (found) store.updateAttempt({ ...found, version: found.version + 1 });
    expect(database.get(length)).toEqual(before);
  });

  it.each([
    ['two receipts that share nothing', { merchant: 'abc', customer: 'xyz' }],
    ['one that is the other', { merchant: MERCHANT, customer: MERCHANT }],
    ['one that begins and ends like the other, and repeats itself', { merchant: 'aba', customer: 'ababa' }],
    ['a shorter one', { merchant: 'ababa', customer: 'aba' }],
    ['an empty one', { merchant: MERCHANT, customer: '' }],
    ['letters of two halves that differ in one', { merchant: 'a😀b', customer: 'a😁b' }],
    ['the merchant alone', { merchant: MERCHANT }],
    ['the customer alone', { customer: CUSTOMER }],
    ['none', {}],
  ])('is what it was: %s', (_, receipts) => {
    const attempt = paid(receipts);
    expect(again(attempt)).toEqual(JSON.parse(JSON.stringify(attempt)));
  });

  it('is what it was where evidence tells something else, or nothing', () => {
    for (const own of [aReport({ number: '0043' }), null]) {
      const attempt = paid({}, own);
      expect(again(attempt)).toEqual(JSON.parse(JSON.stringify(attempt)));
    }
  });

  it('is read from rows that have everything in them, as they were written before', () => {
    const written = JSON.parse(JSON.stringify(paid({ merchant: MERCHANT, customer: CUSTOMER })));
    const before = structuredClone(written);
    decodeAgain(written);
    expect(written).toEqual(before);
  });
});
