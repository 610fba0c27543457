import { describe, expect, it } from 'vitest';
import { Shop, type ShopOptions } from '../support/shop.ts';

const WORDS = { by: 'Anna', reason: 'looked', shown: 'nothing' } as const;

/** A terminal that has sold already: an empty one cannot tell "nothing stored" from a close of its own. */
async function openedShop(options: ShopOptions = {}): Promise<Shop> {
  const shop = await Shop.open(options);
  await shop.settle(shop.sell({ amount: { minor: 500, currency: 'EUR' } }).id);
  return shop;
}

/** A sale whose terminal loses power for `ms` while the customer pays; gives when it came back, on the virtual clock. */
async function interrupted(shop: Shop, ms: number): Promise<{ id: string; backAt: number }> {
  shop.terminal.inject({ when: 'customer', do: 'power_loss', ms });
  const { id } = shop.sell();
  await shop.until(() => !shop.terminal.powered, 30_000);
  await shop.until(() => shop.terminal.powered, 30_000);
  return { id, backAt: shop.clock.monotonic() };
}

describe('"not charged"', () => {
  it('is said by nobody before the terminal was idle for its settle time', async () => {
    const shop = await openedShop();
    const { id, backAt } = await interrupted(shop, 5000);
    expect((await shop.settle(id)).reason?.code).toBe('not_charged');
    expect(shop.clock.monotonic() - backAt).toBeGreaterThanOrEqual(20_000);
  });

  it('needs three readings that agree, however short the settle time', async () => {
    const shop = await openedShop({ recovery: { settleMs: 0, readIntervalMs: 3000 } });
    const { id, backAt } = await interrupted(shop, 5000);
    expect((await shop.settle(id)).reason?.code).toBe('not_charged');
    expect(shop.clock.monotonic() - backAt).toBeGreaterThanOrEqual(6000);
  });

  it('counts from the beginning when the terminal goes away in between', async () => {
    const shop = await openedShop();
    const { id } = await interrupted(shop, 5000);
    await shop.clock.advance(15_000);
    shop.terminal.inject({ when: 'idle', do: 'power_loss', ms: 3000 });
    await shop.until(() => shop.terminal.powered, 10_000);
    const backAt = shop.clock.monotonic();
    expect(shop.attempt(id).state.name).toBe('in_doubt');
    await shop.settle(id);
    expect(shop.clock.monotonic() - backAt).toBeGreaterThanOrEqual(20_000);
  });

  it('is found without a person though the terminal was off for longer than a person is waited for', async () => {
    const shop = await openedShop();
    shop.terminal.inject({ when: 'customer', do: 'power_loss', ms: 400_000 });
    const { id } = shop.sell();
    await shop.until(() => !shop.terminal.powered, 30_000);
    await shop.until(() => shop.terminal.powered, 500_000);
    const backAt = shop.clock.monotonic();
    expect(() => shop.payments.resolve(id, { ...WORDS, as: 'not_charged', lead: false })).toThrow(
      expect.objectContaining({ code: 'DECISION_TOO_EARLY' }),
    );
    expect(await shop.settle(id)).toMatchObject({ reason: { code: 'not_charged' }, releasedAt: null });
    expect(shop.clock.monotonic() - backAt).toBeGreaterThanOrEqual(20_000);
  });

  it('is not waited for when the terminal has stored the charge', async () => {
    const shop = await openedShop();
    shop.terminal.inject({ when: 'result_acknowledged', do: 'power_loss', ms: 5000 });
    const { id } = shop.sell();
    await shop.until(() => shop.terminal.powered && shop.attempt(id).state.name === 'in_doubt', 30_000);
    const backAt = shop.clock.monotonic();
    expect((await shop.settle(id)).state.name).toBe('succeeded');
    expect(shop.clock.monotonic() - backAt).toBeLessThan(20_000);
  });
});

describe('a restart', () => {
  it.each(['dispatched', 'accepted', 'approved', 'cancelling'] as const)(
    'puts an attempt that was %s in doubt before anything else, and asks its terminal',
    async (state) => {
      const first = await Shop.open({ terminal: { autopilot: 'off' } });
      const { id } = first.sell();
      await first.until(() => first.attempt(id).state.name === 'accepted', 10_000);
      if (state === 'cancelling') first.writer.apply(id, { type: 'cancel' });
      first.database.run(
        "UPDATE attempts SET detail = json_set(detail, '$.state', json(?))",
        stateJson(state),
      );
      first.database.run('UPDATE attempts SET state = ?', state);
      first.queues.inherit();
      expect(first.attempt(id).state.name).toBe('in_doubt');
    },
  );

  it('cancels what was still waiting', async () => {
    const shop = await Shop.open({ terminal: { autopilot: 'off' } });
    shop.sell();
    const waiting = shop.sell({ amount: { minor: 5, currency: 'EUR' } });
    shop.queues.inherit();
    expect(shop.attempt(waiting.id)).toMatchObject({
      state: { name: 'cancelled' },
      reason: { code: 'expired' },
    });
  });
});

function stateJson(name: 'dispatched' | 'accepted' | 'approved' | 'cancelling'): string {
  if (name === 'accepted') return JSON.stringify({ name, lastVerdict: null });
  if (name === 'cancelling') return JSON.stringify({ name, accepted: true, lastVerdict: null });
  return JSON.stringify({ name });
}
