import { describe, expect, it } from 'vitest';
import { approvedMinor } from '../../../src/payment/attempt/amounts.ts';
import type { Attempt } from '../../../src/payment/attempt/attempt.ts';
import { guardSplit } from '../../../src/payment/guards/split-bill.ts';
import { anAttempt } from '../../support/attempts.ts';

const eur = (minor: number) => ({ minor, currency: 'EUR' }) as const;
const OF_30 = { split: 'a bill', split_of_minor: '3000' };
const part = (minor: number, state: Attempt['state'], metadata: Attempt['metadata'] = OF_30) =>
  anAttempt({ type: 'sale', reference: 'table 4', amount: eur(minor), state, metadata });
const asked = (
  minor: number,
  metadata: Attempt['metadata'] = OF_30,
  reference: string | null = 'table 4',
) => ({
  amount: eur(minor),
  reference,
  metadata,
});
const PAID = part(1200, { name: 'succeeded' });

describe('a part of a split bill', () => {
  it.each<[string, readonly Attempt[], number]>([
    ['the whole where nothing is paid', [], 3000],
    ['what is left behind a paid part', [PAID], 1800],
    ['what a part in doubt leaves', [part(1200, { name: 'in_doubt', hadApproval: false })], 1800],
    ['what a part that waits leaves', [part(1200, { name: 'requested' })], 1800],
    ['all again beside a part of another bill', [part(1200, PAID.state, { ...OF_30, split: 'b' })], 3000],
  ])('is at most %s', (_, parts, left) => {
    expect(() => guardSplit(asked(left), parts, approvedMinor)).not.toThrow();
    expect(() => guardSplit(asked(left + 1), parts, approvedMinor)).toThrow(
      expect.objectContaining({
        code: 'SPLIT_EXCEEDED',
        message: expect.stringMatching(/Nothing was charged/),
        context: { param: 'amount_minor', details: { amount_due_minor: left } },
      }),
    );
  });

  it('is at most what was given back, too, and nothing where all is paid', () => {
    expect(() => guardSplit(asked(3000), [PAID], () => 0)).not.toThrow();
    expect(() => guardSplit(asked(1), [part(3000, PAID.state)], approvedMinor)).toThrow(
      /Nothing is left of this bill of 30\.00 EUR/,
    );
  });

  it('is in the currency of the bill', () => {
    const francs = { ...asked(100), amount: { minor: 100, currency: 'CHF' } as const };
    expect(() => guardSplit(francs, [PAID], approvedMinor)).toThrow(
      expect.objectContaining({
        code: 'SPLIT_EXCEEDED',
        message: expect.stringMatching(/paid in EUR\. Nothing was charged/),
        context: { param: 'amount_minor', details: { amount_due_minor: 0 } },
      }),
    );
  });

  it('is a part of the bill that its first part names', () => {
    expect(() =>
      guardSplit(asked(1801, { ...OF_30, split_of_minor: '9000' }), [PAID], approvedMinor),
    ).toThrow(/18\.00 EUR of the 30\.00 EUR/);
  });

  it.each<[string, ReturnType<typeof asked>]>([
    ['without a reference, under which parts are found', asked(9999, OF_30, null)],
    ['that names no bill', asked(9999, { split_of_minor: '3000' })],
    ['whose bill has no total', asked(9999, { split: 'a bill' })],
    ['whose total is no amount', asked(9999, { split: 'a bill', split_of_minor: 'all' })],
    ['whose total is nothing', asked(9999, { split: 'a bill', split_of_minor: '0' })],
  ])('is no sale %s', (_, sale) => {
    expect(() => guardSplit(sale, [PAID], approvedMinor)).not.toThrow();
  });
});
