import { describe, expect, it } from 'vitest';
import type { ProcessMoment } from '../../../src/base/process-moment.ts';
import type { Attempt } from '../../../src/payment/attempt/attempt.ts';
import { invoiceHere, paidHere } from '../../../src/payment/invoice/paid-here.ts';
import type { PlaceInOrder, ReportState } from '../../../src/payment/ports.ts';
import { anAttempt, aReport } from '../../support/attempts.ts';

const INVOICE = '0199c0de-0000-7000-8000-0000000000f1';
const RUNS = ['run 1', 'run 2'];
const COPIED: ProcessMoment = { run: 'run 2', ms: 500 };
const paid = (changes: Partial<Attempt> = {}) =>
  anAttempt({
    id: 'sale',
    invoiceId: INVOICE,
    amount: { minor: 1000, currency: 'EUR' },
    state: { name: 'succeeded' },
    report: aReport({ amountMinor: 1000 }),
    ...changes,
  });
const reported = (doneIn: PlaceInOrder | null, state: 'pending' | 'done' = 'done'): ReportState => ({
  kind: 'result',
  state,
  tries: 1,
  createdAt: 1,
  doneAt: state === 'done' ? 1 : null,
  doneIn,
  lastError: null,
});

function here(
  sales: readonly Attempt[],
  reports: readonly ReportState[] | ((id: string) => readonly ReportState[]),
  children: readonly Attempt[] = [],
  copied: ProcessMoment | null = COPIED,
) {
  const books = {
    possibleDuplicates: () => sales,
    reportsOf: (id: string) => (typeof reports === 'function' ? reports(id) : reports),
    childrenOf: () => children,
    correctionOf: () => null,
    placeInOrder: ({ run, ms }: ProcessMoment) =>
      RUNS.includes(run) ? { run: RUNS.indexOf(run) + 1, ms } : null,
  };
  return invoiceHere(books, INVOICE, copied);
}

describe('what is known here of an invoice beside its copy', () => {
  it.each([
    ['nobody reported it yet', [reported(null, 'pending')], COPIED, 1000],
    ['the service took it after the copy was begun', [reported({ run: 2, ms: 500 })], COPIED, 1000],
    ['the service took it in a later run', [reported({ run: 3, ms: 1 })], COPIED, 1000],
    ['the service had taken it before', [reported({ run: 2, ms: 499 })], COPIED, 0],
    ['the service had taken it in an earlier run', [reported({ run: 1, ms: 900 })], COPIED, 0],
    ['it ended before runs were numbered', [reported(null)], COPIED, 0],
    ['there is no whole copy', [reported({ run: 1, ms: 1 })], null, 1000],
    [
      'the copy is of a run that this database has forgotten',
      [reported({ run: 1, ms: 1 })],
      { ...COPIED, run: 'x' },
      1000,
    ],
    ['reporting is off', [], COPIED, 1000],
  ])('is a paid sale as long as the copy cannot contain it: %s', (_why, reports, copied, minor) => {
    expect(here([paid()], reports, [], copied)).toEqual({ openPaymentId: null, unseenMinor: minor });
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

  it('is less than nothing, where the copy contains the sale and not yet what went back of it', () => {
    const refund = (minor: number, id = 'refund') =>
      anAttempt({
        id,
        type: 'refund',
        parentId: 'sale',
        amount: { minor, currency: 'EUR' },
        state: { name: 'succeeded' },
        report: aReport({ amountMinor: minor }),
      });
    const seen = [reported({ run: 1, ms: 1 })];
    const of = (reports: Readonly<Record<string, readonly ReportState[]>>) => (id: string) =>
      reports[id] ?? [];
    expect(here([paid()], of({ sale: seen }), [refund(400)]).unseenMinor).toBe(-400);
    expect(here([paid()], of({ sale: seen, refund: seen }), [refund(400)]).unseenMinor).toBe(0);
    const two = [refund(400), refund(300, 'second')];
    expect(here([paid()], of({ sale: seen, refund: seen }), two).unseenMinor).toBe(-300);
    const tipped = paid({ report: aReport({ amountMinor: 1200, tipMinor: 200 }) });
    expect(here([tipped], of({ sale: seen }), [refund(1200)]).unseenMinor).toBe(-1000);
  });

  it('does not let a refund be due twice where the copy may contain it already', () => {
    const back = anAttempt({
      id: 'refund',
      type: 'refund',
      parentId: 'sale',
      amount: { minor: 400, currency: 'EUR' },
      state: { name: 'succeeded' },
      report: aReport({ amountMinor: 400 }),
    });
    const seen = reported({ run: 1, ms: 1 });
    const unseen = (ofRefund: ReportState, isAnswer: boolean) => {
      const books = {
        possibleDuplicates: () => [paid()],
        reportsOf: (id: string) => [id === 'refund' ? ofRefund : seen],
        childrenOf: () => [back],
        correctionOf: () => null,
        placeInOrder: ({ run, ms }: ProcessMoment) => ({ run: RUNS.indexOf(run) + 1, ms }),
      };
      return paidHere(books, INVOICE, COPIED, isAnswer).unseenMinor;
    };
    const unsent = { ...reported(null, 'pending'), tries: 0 };
    const later = reported({ run: 2, ms: 501 });
    expect([unseen(unsent, false), unseen(unsent, true)]).toEqual([-400, -400]);
    // Sent, and its answer is lost: the service may have it.
    expect([unseen({ ...unsent, tries: 1 }, false), unseen({ ...unsent, tries: 1 }, true)]).toEqual([0, 0]);
    // Answered after the copy was begun: a mirror of before does not have it, an answer that came meanwhile may.
    expect([unseen(later, false), unseen(later, true)]).toEqual([-400, 0]);
  });

  it('is the sale that is open or in doubt, and nothing of another invoice', () => {
    const doubt = paid({ id: 'doubt', state: { name: 'in_doubt', hadApproval: true } });
    expect(here([doubt], [])).toEqual({ openPaymentId: 'doubt', unseenMinor: 0 });
    expect(here([paid({ invoiceId: null })], [])).toEqual({ openPaymentId: null, unseenMinor: 0 });
  });
});
