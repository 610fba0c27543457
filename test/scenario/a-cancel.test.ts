import { describe, expect, it } from 'vitest';
import { Shop, type ShopOptions } from '../support/shop.ts';

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const WIRES = ['tcp', 'serial'] as const;

/** A sale that waits for a card, and everything the agent sends. */
async function paying(options: ShopOptions) {
  const sent: string[] = [];
  const shop = await Shop.open({
    ...options,
    terminal: { autopilot: 'off', ...options.terminal },
    beforeWrite: (bytes) => sent.push(hex(bytes)),
  });
  const { id } = shop.sell();
  await shop.until(() => shop.attempt(id).state.name === 'accepted', 10_000);
  await shop.clock.advance(500);
  return { shop, id, aborts: () => sent.filter((bytes) => bytes.includes('06b000')).length };
}

describe('a cancel', () => {
  it('of a sale that waits in the queue ends it at once, and nothing is sent', async () => {
    const { shop } = await paying({});
    const second = shop.sell({ amount: { minor: 5, currency: 'EUR' } });
    expect(shop.payments.cancel(second.id).attempt).toMatchObject({
      state: { name: 'cancelled' },
      dispatchedAt: null,
    });
    shop.terminal.press('approve');
    await shop.clock.advance(20_000);
    expect(shop.charged).toBe(1234);
    expect(shop.attempt(second.id).state.name).toBe('cancelled');
  });

  it.each(WIRES)(
    'over %s, while the terminal waits for a card, is confirmed by the terminal',
    async (kind) => {
      const { shop, id, aborts } = await paying({ kind });
      expect(shop.payments.cancel(id).attempt.state.name).toBe('cancelling');
      expect(await shop.settle(id)).toMatchObject({
        state: { name: 'cancelled' },
        evidence: { kind: 'dialogue' },
        inDoubtSince: null,
      });
      expect([aborts(), shop.charged]).toEqual([1, 0]);
    },
  );

  it.each(WIRES)(
    'over %s, once the host is asked, is refused: the sale stands and staff are told',
    async (kind) => {
      const { shop, id, aborts } = await paying({ kind });
      const texts: string[] = [];
      shop.payments.subscribe({ progress: (note) => texts.push(note.text) });
      shop.terminal.press('approve');
      await shop.until(() => shop.terminal.snapshot().screen !== 'Karte bitte', 5000);
      await shop.clock.advance(20);
      shop.payments.cancel(id);
      const settled = await shop.settle(id);
      expect(settled).toMatchObject({ state: { name: 'succeeded' }, cancelRequestedAt: expect.any(Number) });
      expect([aborts(), shop.charged]).toEqual([1, 1234]);
      expect(texts.some((text) => text.includes('cannot be stopped'))).toBe(true);
    },
  );

  it.each([0, 1, 10, 50, 100, 200, 240, 250, 260, 300, 400, 600])(
    'that races with the approval (%d ms after the card) agrees with the terminal, however it ends',
    async (ms) => {
      for (const kind of WIRES) {
        const { shop, id } = await paying({ kind });
        shop.terminal.press('approve');
        await shop.clock.advance(ms);
        if (shop.attempt(id).completedAt === null) shop.payments.cancel(id);
        const { state } = await shop.settle(id);
        expect(['succeeded', 'cancelled']).toContain(state.name);
        expect(shop.charged).toBe(state.name === 'succeeded' ? 1234 : 0);
      }
    },
  );

  it('twice sends one abort', async () => {
    const { shop, id, aborts } = await paying({});
    shop.payments.cancel(id);
    shop.payments.cancel(id);
    await shop.settle(id);
    expect(aborts()).toBe(1);
  });

  it('of a payment in doubt is noted and changes nothing', async () => {
    const { shop, id } = await paying({});
    shop.terminal.inject({ when: 'result_acknowledged', do: 'power_loss', ms: 20_000 });
    shop.terminal.press('approve');
    await shop.until(() => shop.attempt(id).state.name === 'in_doubt', 30_000);
    expect(shop.payments.cancel(id).attempt).toMatchObject({
      state: { name: 'in_doubt' },
      cancelRequestedAt: expect.any(Number),
    });
    expect((await shop.settle(id)).state.name).not.toBe('in_doubt');
  });

  it('of a payment that has ended is refused and writes nothing', async () => {
    const { shop, id } = await paying({});
    shop.terminal.press('approve');
    const { version } = await shop.settle(id);
    expect(() => shop.payments.cancel(id)).toThrow(
      expect.objectContaining({ code: 'PAYMENT_NOT_CANCELLABLE' }),
    );
    expect(shop.attempt(id).version).toBe(version);
  });
});
