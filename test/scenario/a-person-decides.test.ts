import { describe, expect, it } from 'vitest';
import type { Attempt } from '../../src/payment/attempt/attempt.ts';
import { CASHIER_WAIT_MS } from '../../src/payment/recovery/person-decision.ts';
import { Shop } from '../support/shop.ts';

const WORDS = { by: 'Anna', reason: 'compared the receipts', shown: '0002' } as const;

/** A sale whose terminal lost power in the middle. */
async function inDoubt(shop: Shop): Promise<Attempt> {
  await shop.settle(shop.sell({ amount: { minor: 1, currency: 'EUR' } }).id);
  shop.terminal.inject({ when: 'customer', do: 'power_loss', ms: 100_000 });
  const sale = shop.sell();
  await shop.until(() => shop.attempt(sale.id).state.name === 'in_doubt', 30_000);
  return sale;
}

/** The same, and the terminal comes back with everything forgotten: only a person can tell. */
async function released(shop: Shop): Promise<Attempt> {
  const sale = await inDoubt(shop);
  shop.forgetEverything();
  const settled = await shop.settle(sale.id);
  expect(settled).toMatchObject({
    state: { name: 'in_doubt' },
    needsPerson: true,
    reason: { code: 'needs_person' },
  });
  return settled;
}

describe('a person who decides a doubt', () => {
  it('may say "charged" at once, also before the terminal is back', async () => {
    const shop = await Shop.open();
    const sale = await inDoubt(shop);
    shop.payments.resolve(sale.id, { as: 'succeeded', lead: false, ...WORDS });
    expect(shop.attempt(sale.id)).toMatchObject({
      state: { name: 'succeeded' },
      evidence: { kind: 'person', by: 'Anna' },
    });
  });

  it('says how much the receipt shows, where that is not what was asked for: the books hold that', async () => {
    const shop = await Shop.open();
    const sale = await inDoubt(shop);
    shop.payments.resolve(sale.id, { as: 'succeeded', lead: false, ...WORDS, amountMinor: 1000 });
    expect(shop.attempt(sale.id)).toMatchObject({
      state: { name: 'succeeded' },
      report: { amountMinor: 1000 },
    });
    expect(shop.payments.get(sale.id).tasks).toMatchObject([{ kind: 'partial_approval' }]);
  });

  it('may not say "not charged" before the terminal was idle for its settle time, lead or not', async () => {
    const shop = await Shop.open();
    const sale = await inDoubt(shop);
    for (const lead of [true, false]) {
      expect(() => shop.payments.resolve(sale.id, { as: 'not_charged', lead, ...WORDS })).toThrow(
        expect.objectContaining({ code: 'DECISION_TOO_EARLY' }),
      );
    }
    expect(shop.attempt(sale.id).state.name).toBe('in_doubt');
  });

  it('may say "not charged" after that as a lead, and as a cashier after ten minutes', async () => {
    const shop = await Shop.open();
    const sale = await released(shop);
    const notCharged = (lead: boolean) =>
      shop.payments.resolve(sale.id, { as: 'not_charged', lead, ...WORDS });
    expect(() => notCharged(false)).toThrow(expect.objectContaining({ code: 'DECISION_TOO_EARLY' }));
    await shop.clock.advance(CASHIER_WAIT_MS);
    notCharged(false);
    expect(shop.attempt(sale.id)).toMatchObject({
      state: { name: 'error' },
      reason: { code: 'not_charged' },
    });
    expect(shop.outbox.due(10).map((row) => row.kind)).toContain('create');
  });

  it('says "not charged" although somebody sold another amount by hand: that sale is never made ours', async () => {
    const shop = await Shop.open();
    const sale = await inDoubt(shop);
    await shop.until(() => shop.terminal.powered, 200_000);
    shop.terminal.typeByHand({ kind: 'sale', amountMinor: 777_777 });
    expect(await shop.settle(sale.id)).toMatchObject({ releasedAt: expect.any(Number) });
    shop.payments.resolve(sale.id, { as: 'not_charged', lead: true, ...WORDS });
    expect((await shop.settle(shop.sell({ amount: { minor: 55, currency: 'EUR' } }).id)).state.name).toBe(
      'succeeded',
    );
    expect(shop.attempt(sale.id)).toMatchObject({ state: { name: 'error' }, report: null });
    expect(shop.store.correctionOf(sale.id)).toBeNull();
  });

  it('may not say "not charged" of a terminal that does not come back, not even a lead, however late', async () => {
    const shop = await Shop.open();
    shop.terminal.inject({ when: 'customer', do: 'power_loss', ms: 100_000 });
    const { id } = shop.sell();
    await shop.until(() => shop.attempt(id).state.name === 'in_doubt', 30_000);
    shop.terminal.stop();
    await shop.clock.advance(3_600_000);
    expect(() => shop.payments.resolve(id, { as: 'not_charged', lead: true, ...WORDS })).toThrow(
      expect.objectContaining({ code: 'DECISION_TOO_EARLY' }),
    );
    expect(shop.attempt(id)).toMatchObject({ state: { name: 'in_doubt' }, needsPerson: true });
  });

  it('wins over a recovery that comes later: a decided payment is not marked as open again', async () => {
    const shop = await Shop.open();
    const sale = await inDoubt(shop);
    shop.payments.resolve(sale.id, { as: 'succeeded', lead: true, ...WORDS });
    shop.writer.note(sale.id, 'released', { needsPerson: true, releasedAt: 1 });
    expect(shop.attempt(sale.id)).toMatchObject({ needsPerson: false, releasedAt: null });
  });

  it('is not needed for the terminal to sell on: the sale stays guarded, other sales run', async () => {
    const shop = await Shop.open();
    const sale = await released(shop);
    expect(() => shop.sell()).toThrow(expect.objectContaining({ code: 'PAYMENT_ALREADY_OPEN' }));
    const next = await shop.settle(shop.sell({ amount: { minor: 77, currency: 'EUR' } }).id);
    expect(next.state.name).toBe('succeeded');
    expect(shop.attempt(sale.id).state.name).toBe('in_doubt');
  });

  it('decides once: the second word is refused', async () => {
    const shop = await Shop.open();
    const sale = await released(shop);
    shop.payments.resolve(sale.id, { as: 'succeeded', lead: true, ...WORDS });
    expect(() => shop.payments.resolve(sale.id, { as: 'not_charged', lead: true, ...WORDS })).toThrow(
      expect.objectContaining({ code: 'PAYMENT_NOT_IN_DOUBT' }),
    );
  });
});
