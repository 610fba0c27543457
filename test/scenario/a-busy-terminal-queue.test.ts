import { describe, expect, it } from 'vitest';
import { Shop } from '../support/shop.ts';

describe('a second sale on a busy terminal', () => {
  it('waits until the first is over, then runs', async () => {
    const shop = await Shop.open({ terminal: { autopilot: 'off' } });
    const first = shop.sell();
    const second = shop.sell({ amount: { minor: 500, currency: 'EUR' } });
    await shop.until(() => shop.attempt(first.id).state.name === 'accepted', 10_000);
    expect(shop.attempt(second.id).state.name).toBe('requested');
    shop.terminal.press('approve');
    await shop.until(() => shop.attempt(second.id).state.name === 'accepted', 10_000);
    expect(shop.attempt(first.id).state.name).toBe('succeeded');
    shop.terminal.press('approve');
    expect((await shop.settle(second.id)).state.name).toBe('succeeded');
    expect(shop.charged).toBe(1734);
  });

  it('never overlaps: at most one attempt is past requested at any moment', async () => {
    const shop = await Shop.open({ terminal: { autopilotMs: 200 } });
    const sales = [1, 2, 3, 4, 5].map((minor) => shop.sell({ amount: { minor, currency: 'EUR' } }));
    await shop.until(() => {
      const open = shop.store.openAttempts().filter((attempt) => attempt.state.name !== 'requested');
      expect(open.length).toBeLessThanOrEqual(1);
      return sales.every((sale) => shop.attempt(sale.id).state.name === 'succeeded');
    }, 60_000);
    expect(shop.charged).toBe(15);
  });

  it('that waits longer than its limit is cancelled and never reaches the terminal', async () => {
    const shop = await Shop.open({ terminal: { autopilot: 'walk_away', autopilotMs: 0 } });
    const waits = [1, 2, 3, 4].map((minor) => shop.sell({ amount: { minor, currency: 'EUR' } }));
    const last = await shop.settle(waits.at(-1)?.id ?? '');
    expect(last).toMatchObject({
      state: { name: 'cancelled' },
      reason: { code: 'expired' },
      dispatchedAt: null,
    });
  });

  it('does not become younger when the wall clock is set back', async () => {
    const shop = await Shop.open({ terminal: { autopilot: 'walk_away', autopilotMs: 0 } });
    const [, , third] = [1, 2, 3].map((minor) => shop.sell({ amount: { minor, currency: 'EUR' } }));
    await shop.clock.advance(20_000);
    shop.clock.jumpWallClock(-3_600_000);
    expect(await shop.settle(third?.id ?? '')).toMatchObject({
      reason: { code: 'expired' },
      dispatchedAt: null,
    });
  });

  it('behind one that falls in doubt is cancelled, and nothing new is taken until the doubt is over', async () => {
    const shop = await Shop.open({ terminal: { autopilot: 'off' } });
    const first = shop.sell();
    const second = shop.sell({ amount: { minor: 500, currency: 'EUR' } });
    await shop.until(() => shop.attempt(first.id).state.name === 'accepted', 10_000);
    shop.terminal.inject({ when: 'result_acknowledged', do: 'power_loss', ms: 20_000 });
    shop.terminal.press('approve');
    await shop.until(() => shop.attempt(first.id).state.name === 'in_doubt', 30_000);
    expect(() => shop.sell({ amount: { minor: 7, currency: 'EUR' } })).toThrow(
      expect.objectContaining({ code: 'TERMINAL_IN_DOUBT' }),
    );
    expect((await shop.settle(second.id)).reason?.code).toBe('terminal_recovering');
    expect((await shop.settle(first.id)).state.name).toBe('succeeded');
    expect(shop.charged).toBe(1234);
  });
});
