import { describe, expect, it } from 'vitest';
import type { Attempt } from '../../src/payment/attempt/attempt.ts';
import { Shop, type ShopOptions } from '../support/shop.ts';

const code = (name: string) => expect.objectContaining({ code: name });

/** A shop that has just taken 12.34 EUR. */
async function sold(options: ShopOptions = {}) {
  const shop = await Shop.open(options);
  const sale = await shop.settle(shop.sell().id);
  const refund = (amountMinor: number | null, after: string | null = null): Attempt =>
    shop.payments.refund({ parentId: sale.id, amountMinor, after, caller: 'socket' }).attempt;
  return { shop, sale, refund };
}

describe('a refund', () => {
  it('gives back all that is left when no amount is said, as an attempt of its own, and never changes its sale', async () => {
    const { shop, sale, refund } = await sold();
    const { id } = refund(null);
    expect(await shop.settle(id)).toMatchObject({
      type: 'refund',
      parentId: sale.id,
      amount: { minor: 1234, currency: 'EUR' },
      state: { name: 'succeeded' },
    });
    expect(shop.charged).toBe(0);
    expect(shop.attempt(sale.id)).toEqual(sale);
    expect(shop.payments.get(sale.id)).toMatchObject({ refundedMinor: 1234, charged: 'yes' });
  });

  it('may come in several parts, up to the approved amount and never above the rest', async () => {
    const { shop, refund } = await sold();
    await shop.settle(refund(1000).id);
    expect(() => refund(235)).toThrow(code('REFUND_EXCEEDS_AMOUNT'));
    await shop.settle(refund(200).id);
    await shop.settle(refund(null).id);
    expect(shop.charged).toBe(0);
    expect(() => refund(1)).toThrow(code('REFUND_EXCEEDS_AMOUNT'));
    expect(() => refund(null)).toThrow(code('REFUND_EXCEEDS_AMOUNT'));
  });

  it('counts what is still open: 409 with its id while the sum would be too much, and nothing is written', async () => {
    const { shop, refund } = await sold({ terminal: { autopilotMs: 20_000 } });
    const open = refund(1000);
    const before = shop.store.listAttempts({ limit: 50 }).items.length;
    expect(() => refund(235)).toThrow(
      expect.objectContaining({
        code: 'REFUND_BLOCKED',
        context: { details: expect.objectContaining({ payment_id: open.id }) },
      }),
    );
    expect(shop.store.listAttempts({ limit: 50 }).items.length).toBe(before);
    const other = refund(234);
    expect((await shop.settle(open.id)).state.name).toBe('succeeded');
    expect((await shop.settle(other.id)).state.name).toBe('succeeded');
    expect(shop.charged).toBe(0);
  });

  it('of the same amount within a minute is a double click, unless "after" names the first', async () => {
    const { shop, refund } = await sold();
    const first = refund(300);
    expect(() => refund(300)).toThrow(code('REFUND_BLOCKED'));
    await shop.settle(first.id);
    expect(() => refund(300)).toThrow(code('REFUND_BLOCKED'));
    await shop.settle(refund(300, first.id).id);
    await shop.clock.advance(61_000);
    await shop.settle(refund(300).id);
    expect(shop.charged).toBe(1234 - 900);
  });

  it('of a payment that is not charged, or of a refund, is refused', async () => {
    const { shop, refund } = await sold();
    const declined = shop.sell({ amount: { minor: 5, currency: 'EUR' } });
    expect(() =>
      shop.payments.refund({ parentId: declined.id, amountMinor: null, after: null, caller: 'socket' }),
    ).toThrow(code('PAYMENT_NOT_REFUNDABLE'));
    await shop.settle(declined.id);
    const { id } = await shop.settle(refund(100).id);
    expect(() =>
      shop.payments.refund({ parentId: id, amountMinor: null, after: null, caller: 'socket' }),
    ).toThrow(code('PAYMENT_NOT_REFUNDABLE'));
  });

  it.each(['tcp', 'serial'] as const)(
    'over %s that loses its line is in doubt until the terminal tells, and blocks what it may have given back',
    async (kind) => {
      for (const when of [
        'command',
        'customer',
        'result',
        'result_acknowledged',
        'print',
        'completion',
      ] as const) {
        const { shop, sale, refund } = await sold({ kind });
        shop.terminal.inject({ when, do: 'cut' });
        const { id } = refund(1000);
        await shop.until(() => shop.attempt(id).state.name === 'in_doubt', 400_000).catch(() => undefined);
        if (shop.attempt(id).state.name === 'in_doubt')
          expect(() => refund(1000)).toThrow(
            expect.objectContaining({ code: expect.stringMatching(/REFUND_BLOCKED|TERMINAL/) }),
          );
        const settled = await shop.settle(id);
        const back = settled.state.name === 'succeeded' ? 1000 : 0;
        expect([when, settled.state.name, shop.charged]).toEqual([when, settled.state.name, 1234 - back]);
        expect(shop.payments.get(sale.id).refundedMinor).toBe(back);
        await shop.close();
      }
    },
  );

  it('is checked again before it is sent: what was given back meanwhile is not given back twice', async () => {
    const { shop, sale, refund } = await sold({ terminal: { autopilotMs: 20_000 } });
    const other = shop.sell({ amount: { minor: 5, currency: 'EUR' } });
    await shop.until(() => shop.attempt(other.id).state.name === 'accepted', 10_000);
    const waiting = refund(1000);
    const { id: _, ...twin } = waiting;
    shop.store.insertAttempt({ ...twin, id: TWIN, state: { name: 'succeeded' }, completedAt: 1 });
    expect(await shop.settle(waiting.id)).toMatchObject({
      state: { name: 'cancelled' },
      reason: { code: 'refund_exceeds_amount' },
      dispatchedAt: null,
      parentId: sale.id,
    });
  });
});

const TWIN = '0199c0de-0000-7000-8000-0000000000f1';
