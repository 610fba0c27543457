import { describe, expect, it } from 'vitest';
import { compareTotals, ourTotals } from '../../../src/payment/batch/compare-totals.ts';
import { anAttempt, aReport } from '../../support/attempts.ts';

let number = 0;
function aPayment(type: 'sale' | 'refund' | 'void', amountMinor: number, scheme?: string, parentId?: string) {
  number += 1;
  return anAttempt({
    id: `0199c0de-0000-7000-8000-${String(number).padStart(12, '0')}`,
    type,
    parentId: parentId ?? null,
    state: { name: 'succeeded' },
    report: aReport({ amountMinor, ...(scheme === undefined ? {} : { cardScheme: scheme }) }),
  });
}

const VISA = aPayment('sale', 3000, 'VISA DEBIT');
const GIRO = aPayment('sale', 1000, 'girocard');
const OURS = ourTotals([
  VISA,
  GIRO,
  aPayment('refund', 500, 'Visa'),
  aPayment('void', 1000, undefined, GIRO.id),
]);

describe('the totals of a terminal beside ours', () => {
  it('agree where the sum is ours, with refunds counted or not, even if the day may not be whole', () => {
    for (const amountMinor of [2500, 3000])
      expect(compareTotals({ amountMinor }, OURS, false)).toMatchObject({
        verdict: 'agrees',
        lines: [{ what: 'sum', terminal: amountMinor, ours: amountMinor, difference: 0 }, { what: 'count' }],
      });
  });

  it('differ by how much, and a day that may not be whole says so instead', () => {
    const totals = { amountMinor: 4000, count: 5 };
    const lines = [
      { what: 'sum', scheme: null, terminal: 4000, ours: 2500, difference: 1500 },
      { what: 'count', scheme: null, terminal: 5, ours: 4, difference: 1 },
    ];
    expect(compareTotals(totals, OURS, true)).toEqual({ verdict: 'differs', lines });
    expect(compareTotals(totals, OURS, false)).toEqual({ verdict: 'day_not_whole', lines });
  });

  it('have no verdict where the terminal reports no sum, and still show ours', () => {
    for (const totals of [null, { count: 4 }])
      expect(compareTotals(totals, OURS, true)).toMatchObject({
        verdict: 'no_sum',
        lines: [
          { what: 'sum', terminal: null, ours: 2500, difference: null },
          { what: 'count', ours: 4 },
        ],
      });
  });

  it('are compared per scheme, whatever the terminal calls it; a void belongs to the scheme of its sale', () => {
    const byScheme = [
      { scheme: 'Visa', count: 2, amountMinor: 2500 },
      { scheme: 'Mastercard', count: 1, amountMinor: 700 },
    ];
    expect(compareTotals({ amountMinor: 3200, byScheme }, OURS, true).lines.slice(2)).toEqual([
      { what: 'scheme', scheme: 'Visa', terminal: 2500, ours: 2500, difference: 0 },
      { what: 'scheme', scheme: 'Mastercard', terminal: 700, ours: 0, difference: 700 },
      { what: 'scheme', scheme: 'girocard', terminal: 0, ours: 0, difference: 0 },
    ]);
    const other = compareTotals(
      { amountMinor: 1, byScheme: [{ scheme: 'other', count: 1, amountMinor: 1 }] },
      OURS,
      true,
    );
    expect(other.lines.slice(2)).toEqual([
      { what: 'scheme', scheme: 'other', terminal: 1, ours: 2500, difference: -2499 },
    ]);
  });

  it('of a settlement without our sums per scheme have no such lines', () => {
    const { byScheme: _, ...older } = OURS;
    const byScheme = [{ scheme: 'Visa', count: 2, amountMinor: 2500 }];
    expect(compareTotals({ amountMinor: 2500, byScheme }, older, true).lines).toHaveLength(2);
  });
});
