import { describe, expect, it } from 'vitest';
import type { Attempt } from '../../../src/payment/attempt.ts';
import { invoiceHere } from '../../../src/payment/invoice-here.ts';
import type { ReportState } from '../../../src/payment/ports.ts';
import { anAttempt, aReport } from '../../support/attempts.ts';

const INVOICE = '0199c0de-0000-7000-8000-0000000000f1';
const COPIED_AT = 5_000;
const paid = (changes: Partial<Attempt> = {}) =>
  anAttempt({
    id: 'sale',
    invoiceId: INVOICE,
    amount: { minor: 1000, currency: 'EUR' },
    state: { name: 'succeeded' },
    report: aReport({ amountMinor: 1000 }),
    ...changes,
  });
const reported = (doneAt: number | null): ReportState => ({
  kind: 'result',
  state: doneAt === null ? 'pending' : 'done',
  tries: 1,
  createdAt: 1,
  doneAt,
  lastError: null,
});

function here(
  sales: readonly Attempt[],
  reports: readonly ReportState[],
  children: readonly Attempt[] = [],
  copiedAt: number | null = COPIED_AT,
) {
  const books = {
    rivalSales: () => sales,
    reportsOf: () => reports,
    childrenOf: () => children,
    correctionOf: () => null,
  };
  return invoiceHere(books, INVOICE, copiedAt);
}

describe('what is known here of an invoice beside its copy', () => {
  it.each([
    ['nobody reported it yet', [reported(null)], COPIED_AT, 1000],
    ['the service took it after the copy was begun', [reported(COPIED_AT)], COPIED_AT, 1000],
    ['the service had taken it before', [reported(COPIED_AT - 1)], COPIED_AT, 0],
    ['there is no whole copy', [reported(1)], null, 1000],
    ['reporting is off', [], COPIED_AT, 1000],
  ])('is a paid sale as long as the copy cannot contain it: %s', (_why, reports, copiedAt, minor) => {
    expect(here([paid()], reports, [], copiedAt)).toEqual({ openPaymentId: null, unseenMinor: minor });
  });

  it('is what pays the invoice: no tip, no more than was charged, less what went back', () => {
    const tipped = paid({ report: aReport({ amountMinor: 1200, tipMinor: 200 }) });
    expect(here([tipped], []).unseenMinor).toBe(1000);
    expect(here([paid({ report: aReport({ amountMinor: 600 }) })], []).unseenMinor).toBe(600);
    const back = anAttempt({
      type: 'refund',
      parentId: 'sale',
      amount: { minor: 400, currency: 'EUR' },
      state: { name: 'succeeded' },
      report: aReport({ amountMinor: 400 }),
    });
    expect(here([paid()], [], [back]).unseenMinor).toBe(600);
  });

  it('is the sale that is open or in doubt, and nothing of another invoice', () => {
    const doubt = paid({ id: 'doubt', state: { name: 'in_doubt', hadApproval: true } });
    expect(here([doubt], [])).toEqual({ openPaymentId: 'doubt', unseenMinor: 0 });
    expect(here([paid({ invoiceId: null })], [])).toEqual({ openPaymentId: null, unseenMinor: 0 });
  });
});
