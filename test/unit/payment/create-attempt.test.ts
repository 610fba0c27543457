import { describe, expect, it } from 'vitest';
import { TruncatedCardNumber } from '../../../src/base/card-number.ts';
import { requestSpanOf, traceIdOf } from '../../../src/base/trace.ts';
import {
  correctionOf,
  createAttempt,
  originalOf,
  policyVoidOf,
} from '../../../src/payment/attempt/create-attempt.ts';
import { aNewAttempt, anAttempt, aReport } from '../../support/attempts.ts';

const NOW = 5_000_000;
const SUCCEEDED = { name: 'succeeded' } as const;
const sale = anAttempt({
  id: 'sale',
  state: SUCCEEDED,
  report: aReport({ amountMinor: 1000 }),
  invoiceId: 'I-1',
  reference: 'B-1',
  metadata: { table: 4 },
});

describe('a newborn attempt', () => {
  it('is requested, in its first version, with nothing known of it', () => {
    expect(createAttempt(aNewAttempt())).toEqual(anAttempt());
  });
});

describe('what a void undoes', () => {
  it('is named by number, trace, time, card and amount, as far as the terminal told them', () => {
    const maskedPan = TruncatedCardNumber.of('************4771');
    const report = aReport({ amountMinor: 1000, ...(maskedPan ? { maskedPan } : {}) });
    expect(originalOf({ ...sale, report })).toEqual({
      number: '0042',
      trace: '000142',
      terminalClock: '1120133700',
      maskedPan,
      amountMinor: 1000,
    });
    expect(originalOf({ ...sale, report: null })).toEqual({ amountMinor: 1234 });
  });
});

describe('the void of a policy', () => {
  it('is of the whole approved amount, ours, and waits a minute at most', () => {
    expect(policyVoidOf(sale, 'late_approval', 'void', NOW)).toEqual(
      aNewAttempt({
        id: 'void',
        type: 'void',
        parentId: 'sale',
        cause: 'late_approval',
        original: originalOf(sale),
        amount: { minor: 1000, currency: 'EUR' },
        invoiceId: 'I-1',
        reference: 'B-1',
        origin: { kind: 'local', caller: 'tilld' },
        trace: { id: traceIdOf(sale), parent: requestSpanOf(sale), sampled: true },
        createdAt: NOW,
        expiresAt: NOW + 60_000,
      }),
    );
  });
});

describe('a correction', () => {
  const refund = anAttempt({ id: 'refund', type: 'refund', parentId: 'sale', state: { name: 'error' } });
  const undo = anAttempt({ id: 'undo', type: 'void', parentId: 'sale', state: SUCCEEDED });
  const declined = anAttempt({ id: 'declined', state: { name: 'declined' } });
  it.each([
    ['a sale that was charged after all', declined, true, 'sale', null],
    ['a sale that was not charged', sale, false, 'void', 'sale'],
    ['a refund that was given back after all', refund, true, 'refund', 'sale'],
    ['a refund that was not given back', { ...refund, state: SUCCEEDED }, false, 'sale', null],
    [
      'a void that was given back after all',
      { ...undo, state: { name: 'error' } as const },
      true,
      'void',
      'sale',
    ],
    ['a void that was not given back', undo, false, 'sale', null],
  ] as const)('of %s books what happened once', (_title, attempt, moved, type, parentId) => {
    const created = correctionOf(attempt, moved, null, 'correction', NOW);
    expect(created).toMatchObject({
      type,
      parentId,
      corrects: attempt.id,
      cause: 'correction',
      original: null,
    });
  });

  it('is of the amount that was charged, belongs to the same invoice, and waits for nothing', () => {
    const created = correctionOf(sale, false, null, 'correction', NOW);
    expect(created).toMatchObject({
      amount: { minor: 1000, currency: 'EUR' },
      invoiceId: 'I-1',
      reference: 'B-1',
      metadata: {},
      origin: { kind: 'local', caller: 'tilld' },
      createdAt: NOW,
      expiresAt: NOW,
    });
  });
});
