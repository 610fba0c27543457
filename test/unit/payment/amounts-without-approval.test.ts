import { describe, expect, it } from 'vitest';
import { guardOneSaleOneCharge } from '../../../src/payment/guards/duplicate-sale.ts';
import { checkRefund } from '../../../src/payment/refunds/refundable.ts';
import { anAttempt, aReport, DEVICE_ID } from '../../support/attempts.ts';
import { Shop } from '../../support/shop.ts';

const NOW = 100_000_000;
const EUR = { minor: 1234, currency: 'EUR' } as const;
const LEAD = { by: 'Ada', reason: 'asked the acquirer', shown: 'statement', lead: true } as const;
/** What some terminals say of a result that is neither approved nor refused. */
const OF_NOTHING = { ...aReport(), verdict: 'unclear', amountMinor: 0 } as const;

describe('the amount of a result that is no approval', () => {
  it('of a refund in doubt leaves no room for another refund', () => {
    const parent = anAttempt({ id: 'sale', state: { name: 'succeeded' }, report: aReport() });
    const state = { name: 'in_doubt', hadApproval: false } as const;
    const report = { ...OF_NOTHING, kind: 'refund' } as const;
    const child = anAttempt({ id: 'r1', type: 'refund', parentId: 'sale', amount: EUR, state, report });
    const asked = { parent, children: [child], amountMinor: 1200, after: null, now: NOW, self: null };
    expect(() => checkRefund(asked)).toThrow(expect.objectContaining({ code: 'REFUND_BLOCKED' }));
  });

  it('of a refund in doubt counts less than what was asked back, also where the terminal shows less', () => {
    const parent = anAttempt({ id: 'sale', state: { name: 'succeeded' }, report: aReport() });
    const state = { name: 'in_doubt', hadApproval: true } as const;
    const report = { ...aReport(), kind: 'refund', amountMinor: 100 } as const;
    const child = anAttempt({ id: 'r1', type: 'refund', parentId: 'sale', amount: EUR, state, report });
    const asked = { parent, children: [child], amountMinor: 1100, after: 'r1', now: NOW, self: null };
    expect(() => checkRefund(asked)).toThrow();
  });

  it.each(['written_off', 'succeeded'] as const)('takes no %s sale out of the guard', (name) => {
    const state = { name };
    const duplicate = anAttempt({
      id: 's1',
      state,
      reference: 'B-1',
      completedAt: NOW - 1,
      report: OF_NOTHING,
    });
    const sale = {
      deviceId: DEVICE_ID,
      amount: EUR,
      invoiceId: null,
      reference: 'B-1',
      caller: 'socket',
      after: null,
    };
    expect(() => guardOneSaleOneCharge(sale, [duplicate], NOW, null, () => 0)).toThrow(
      expect.objectContaining({ code: 'PAYMENT_ALREADY_PAID' }),
    );
  });

  it.each(['written_off', 'succeeded'] as const)(
    'sells no basket again whose sale a person has called %s, and is not what was charged',
    async (as) => {
      const shop = await Shop.open();
      await shop.settle(shop.sell({ amount: { minor: 1, currency: 'EUR' } }).id);
      shop.terminal.inject({ when: 'customer', do: 'power_loss', ms: 100_000 });
      const { id } = shop.sell({ reference: 'B-1' });
      await shop.until(() => shop.attempt(id).state.name === 'in_doubt', 30_000);
      shop.writer.note(id, 'late_report', { report: { verdict: 'unclear', kind: 'sale', amountMinor: 0 } });
      shop.forgetEverything();
      await shop.settle(id);
      await shop.clock.advance(16 * 60_000);
      shop.payments.resolve(id, { ...LEAD, as });
      if (as === 'succeeded') expect(shop.attempt(id).report).not.toHaveProperty('amountMinor');
      expect(() => shop.sell({ reference: 'B-1' })).toThrow(
        expect.objectContaining({ code: 'PAYMENT_ALREADY_PAID' }),
      );
    },
  );
});
