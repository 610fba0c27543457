import { describe, expect, it } from 'vitest';
import { aReport } from '../support/attempts.ts';
import { aShopWith, type Execute } from './odd-driver.ts';

const SILENT = { kind: 'unreadable', detail: 'it repeats nothing' } as const;
const UNKNOWN = { kind: 'unknown', code: 'LINK_LOST', message: 'the line was cut' } as const;

/** Sales end in doubt, and refunds succeed; the terminal itself answers no question. */
const execute: Execute = async (observer, _signal, { kind, attemptId, amount }) => {
  if (kind === 'sale') return UNKNOWN;
  const report = { ...aReport({ reference: attemptId, amountMinor: amount.minor }), kind: 'refund' } as const;
  observer.beforeAcknowledge(report);
  return { kind: 'approved', report, receipts: {} };
};

describe('a refund of a sale about which a lead corrects the answer twice', () => {
  it('counts for the charge that is recorded anew: no more is given back than was paid', async () => {
    const shop = await aShopWith(execute, () => SILENT);
    const sale = shop.sell(1234);
    await shop.until(() => shop.attempt(sale.id).releasedAt !== null, 3_600_000);
    const decide = (as: 'succeeded' | 'not_charged', shown: string) =>
      shop.payments.resolve(sale.id, {
        ...{ as, by: 'Ada', reason: 'looked', shown, lead: true, source: 'acquirer_statement' },
      });
    shop.next.last = { kind: 'found', report: aReport({ number: '0008', reference: sale.id }) };
    decide('succeeded', 'a slip');
    const giveBack = (parentId: string, amountMinor: number) =>
      shop.payments.refund({ parentId, amountMinor, after: null, caller: 'socket' }).attempt;
    const refund = giveBack(sale.id, 1000);
    await shop.until(() => shop.attempt(refund.id).completedAt !== null, 60_000);
    expect(shop.payments.get(refund.id).charged).toBe('yes');
    await shop.clock.advance(3_600_000);
    decide('not_charged', 'no entry');
    decide('succeeded', 'the entry of the next day');
    const charge = shop.payments.get(sale.id).correctedBy ?? '';
    expect(() => giveBack(charge, 1234)).toThrow(expect.objectContaining({ code: 'REFUND_EXCEEDS_AMOUNT' }));
    expect(giveBack(charge, 234).amount.minor).toBe(234);
  });
});
