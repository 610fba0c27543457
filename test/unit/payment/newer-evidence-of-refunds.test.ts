import { describe, expect, it } from 'vitest';
import { hasCode } from '../../../src/base/errors.ts';
import { Shop } from '../../support/shop.ts';

const LEAD = { by: 'Ada', reason: 'asked the acquirer', shown: 'statement', lead: true } as const;
const BY_STATEMENT = { ...LEAD, source: 'acquirer_statement' } as const;

/** A sale whose refund, or void, is in doubt, and whose terminal remembers nothing. */
async function inDoubt(type: 'refund' | 'void') {
  const shop = await Shop.open();
  const sale = await shop.settle(shop.sell({ reference: 'B-1' }).id);
  expect(sale.state.name).toBe('succeeded');
  shop.terminal.inject({ when: type === 'void' ? 'command' : 'customer', do: 'power_loss', ms: 100_000 });
  const of = { parentId: sale.id, caller: 'socket' } as const;
  const { attempt } =
    type === 'void'
      ? shop.payments.void(of)
      : shop.payments.refund({ ...of, amountMinor: null, after: null });
  await shop.until(() => shop.attempt(attempt.id).state.name === 'in_doubt', 60_000);
  shop.forgetEverything();
  await shop.settle(attempt.id);
  await shop.clock.advance(16 * 60_000);
  return { shop, sale, back: attempt };
}

/** Gives each back, one after the other; what became of it: a state, or the code of the refusal. */
async function refunded(shop: Shop, ids: readonly string[]): Promise<readonly string[]> {
  const results: string[] = [];
  for (const parentId of ids) {
    try {
      const { attempt } = shop.payments.refund({
        parentId,
        amountMinor: null,
        after: null,
        caller: 'socket',
      });
      results.push((await shop.settle(attempt.id)).state.name);
    } catch (error) {
      for (const code of ['PAYMENT_NOT_REFUNDABLE', 'REFUND_EXCEEDS_AMOUNT', 'REFUND_BLOCKED'])
        if (hasCode(error, code)) results.push(code);
    }
    await shop.clock.advance(70_000);
  }
  return results;
}

describe('newer evidence of a refund', () => {
  it('that was written off and was not given back leaves one charge to give back, once', async () => {
    const { shop, sale, back } = await inDoubt('refund');
    shop.payments.resolve(back.id, { ...LEAD, as: 'written_off' });
    shop.payments.resolve(back.id, { ...BY_STATEMENT, as: 'not_charged' });
    const correction = shop.store.correctionOf(back.id);
    expect(correction).toMatchObject({ type: 'sale', amount: { minor: 1234 } });
    // The service has the sale as charged already, and the refund as one that was not.
    expect(shop.store.reportsOf(correction?.id ?? '')).toEqual([]);
    const results = await refunded(shop, [sale.id, correction?.id ?? '']);
    expect(results.filter((one) => one === 'succeeded')).toHaveLength(1);
  });

  it.each(['refund', 'void'] as const)(
    '(%s) that was given back after all leaves nothing to give back',
    async (type) => {
      const { shop, sale, back } = await inDoubt(type);
      shop.payments.resolve(back.id, { ...LEAD, as: 'succeeded' });
      shop.payments.resolve(back.id, { ...BY_STATEMENT, as: 'not_charged' });
      const between = shop.store.correctionOf(back.id)?.id ?? '';
      shop.payments.resolve(back.id, { ...BY_STATEMENT, as: 'succeeded' });
      expect(shop.payments.get(between).charged).toBe('no');
      expect(await refunded(shop, [sale.id, between])).not.toContain('succeeded');
      expect(await refunded(shop, [between])).toEqual(['PAYMENT_NOT_REFUNDABLE']);
    },
  );
});
