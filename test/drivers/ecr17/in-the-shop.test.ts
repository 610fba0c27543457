import { describe, expect, it } from 'vitest';
import { ecr17 } from '../../../drivers/terminals/ecr17/manifest.ts';
import { ecr17Dialect } from '../../../drivers/terminals/ecr17/virtual.ts';
import type { Ecr17VirtualOptions } from '../../../drivers/terminals/ecr17/virtual-options.ts';
import type { FaultPoint } from '../../../src/sandbox/controllable-terminal.ts';
import { Shop, type ShopOptions } from '../../support/shop.ts';

/** The real core, the real store, this driver, and its virtual terminal. */
function open(dialect: Partial<Ecr17VirtualOptions> = {}, options: ShopOptions = {}): Promise<Shop> {
  return Shop.open({
    ...options,
    family: { manifest: ecr17, currency: 'EUR', dialect: ecr17Dialect(dialect) },
  });
}

/** A sale that the mark of the next one can be told from. */
async function firstSale(shop: Shop): Promise<void> {
  const { id } = shop.sell({ amount: { minor: 500, currency: 'EUR' } });
  expect((await shop.settle(id)).state.name).toBe('succeeded');
}

describe('a shop with an ECR17 terminal', () => {
  it.each([true, false])('sells; the terminal hangs up after each answer: %s', async (hangsUp) => {
    const shop = await open({ hangsUp });
    await firstSale(shop);
    const { id } = shop.sell();
    expect(await shop.settle(id)).toMatchObject({ state: { name: 'succeeded' }, needsPerson: false });
    expect(shop.charged).toBe(1734);
  });

  it('finds out that a lost payment was charged: the next STAN, the amount, and the sum moved by it', async () => {
    const shop = await open();
    await firstSale(shop);
    shop.terminal.inject({ when: 'result', do: 'power_loss', ms: 5000 });
    const { id } = shop.sell();
    await shop.until(() => shop.attempt(id).state.name === 'in_doubt', 60_000);
    const from = shop.clock.monotonic();
    expect((await shop.settle(id)).state.name).toBe('succeeded');
    expect(shop.clock.monotonic() - from).toBeLessThan(60_000);
    expect(shop.charged).toBe(1734);
  });

  it('says "not charged" no earlier than three minutes after the doubt began, and only if nothing moved', async () => {
    const shop = await open();
    await firstSale(shop);
    shop.terminal.inject({ when: 'command', do: 'power_loss', ms: 5000 });
    const { id } = shop.sell();
    await shop.until(() => shop.attempt(id).state.name === 'in_doubt', 60_000);
    const from = shop.clock.monotonic();
    const ended = await shop.settle(id);
    expect(ended.state).toMatchObject({ name: 'error' });
    expect(shop.clock.monotonic() - from).toBeGreaterThanOrEqual(180_000);
    expect(shop.charged).toBe(500);
  });

  it('waits those three minutes also where the config names a shorter settle time', async () => {
    const shop = await open({}, { recovery: { settleMs: 20_000 } });
    await firstSale(shop);
    shop.terminal.inject({ when: 'command', do: 'power_loss', ms: 5000 });
    const { id } = shop.sell();
    await shop.until(() => shop.attempt(id).state.name === 'in_doubt', 60_000);
    const from = shop.clock.monotonic();
    const ended = await shop.settle(id);
    expect(ended.state).toMatchObject({ name: 'error' });
    expect(shop.clock.monotonic() - from).toBeGreaterThanOrEqual(180_000);
    expect(shop.charged).toBe(500);
  });

  it('takes a payment of the same amount that staff typed meanwhile for nobody’s: a person compares', async () => {
    const shop = await open();
    await firstSale(shop);
    shop.terminal.inject({ when: 'command', do: 'power_loss', ms: 5000 });
    const { id } = shop.sell();
    await shop.until(() => shop.attempt(id).state.name === 'in_doubt', 60_000);
    await shop.clock.advance(20_000);
    shop.terminal.typeByHand({ kind: 'sale', amountMinor: 1234 });
    expect(await shop.settle(id)).toMatchObject({ state: { name: 'in_doubt' }, needsPerson: true });
  });

  it('asks a person where the terminal refuses to tell its last result', async () => {
    const shop = await open({ lastResult: 'refused' });
    shop.terminal.inject({ when: 'result', do: 'cut' });
    const { id } = shop.sell();
    expect(await shop.settle(id)).toMatchObject({ state: { name: 'in_doubt' }, needsPerson: true });
  });

  it.each(['command', 'customer', 'result', 'result_acknowledged', 'print'] satisfies FaultPoint[])(
    'charges nobody twice, whatever is cut at "%s"',
    async (when) => {
      const shop = await open();
      await firstSale(shop);
      shop.terminal.inject({ when, do: 'cut' });
      const ended = await shop.settle(shop.sell().id);
      const isCharged = shop.charged === 1734;
      if (ended.state.name === 'succeeded') expect(isCharged).toBe(true);
      else if (ended.state.name !== 'in_doubt') expect(isCharged).toBe(false);
      expect(ended.needsPerson).toBe(false);
    },
  );
});
