import { describe, expect, it } from 'vitest';
import { zvtDialect } from '../../drivers/terminals/zvt/virtual.ts';
import { AppError } from '../../src/base/errors.ts';
import type { Settlement } from '../../src/payment/batch/settlement.ts';
import { Shop, type ShopOptions } from '../support/shop.ts';

const euros = (minor: number) => ({ minor, currency: 'EUR' }) as const;
const FORCE = { by: 'Ada', reason: 'the terminal goes back to the bank' };

function close(shop: Shop, force: typeof FORCE | null = null): Settlement {
  return shop.operations.endOfDay({ deviceId: shop.deviceId, caller: 'socket', force });
}

async function ended(shop: Shop, { id }: Settlement): Promise<Settlement> {
  await shop.until(
    () => !['requested', 'in_progress'].includes(shop.operations.settlement(id).status),
    900_000,
  );
  return shop.operations.settlement(id);
}

/** Lets the sale fall in doubt, and somebody use the terminal, so that only a person can settle it. */
async function becomesDoubt(shop: Shop, id: string): Promise<void> {
  await shop.until(() => shop.attempt(id).state.name === 'in_doubt', 400_000);
  shop.terminal.stop();
  shop.terminal.start();
  shop.terminal.typeByHand({ kind: 'sale', amountMinor: 777 });
  await shop.until(() => shop.attempt(id).releasedAt !== null, 400_000);
}

/** A shop that sells on beside a doubt that is with a person. */
async function withDoubt(options: ShopOptions = {}) {
  const shop = await Shop.open(options);
  shop.terminal.inject({ when: 'result', do: 'power_loss', ms: 5000 });
  const { id } = shop.sell({ reference: 'doubt' });
  await becomesDoubt(shop, id);
  return { shop, id };
}

/** The disk has no room the first time that a close is to be stored as succeeded, and has some again afterwards. */
function refuseOnce(shop: Shop): void {
  const update = shop.store.updateSettlement.bind(shop.store);
  let isFull = true;
  shop.store.updateSettlement = (settlement) => {
    if (isFull && settlement.status === 'succeeded') {
      isFull = false;
      throw new AppError('STORAGE_FAILED', 'no room');
    }
    update(settlement);
  };
}

describe('while the outcome of a payment is with a person', () => {
  it('its terminal is not closed, though its device has got another id in the config', async () => {
    const { shop, id } = await withDoubt();
    const before = '0199c0de-0000-7000-8000-0000000000d9';
    shop.database.run('UPDATE attempts SET device_id = ? WHERE id = ?', before, id);
    expect(() => close(shop)).toThrow(expect.objectContaining({ code: 'END_OF_DAY_BLOCKED' }));
  });

  it('nothing is undone on a terminal that can undo its last payment only', async () => {
    const { shop } = await withDoubt({
      driverOptions: { void: 'last' },
      dialect: zvtDialect({ voids: 'last' }),
    });
    const sale = await shop.settle(shop.sell({ reference: 'sale' }).id);
    expect(sale.state.name).toBe('succeeded');
    const request = { parentId: sale.id, caller: 'socket' } as const;
    expect(() => shop.payments.void(request)).toThrow(expect.objectContaining({ code: 'VOID_NOT_POSSIBLE' }));
  });
});

describe('an end of day that waits', () => {
  it('is not forced past a second doubt that came after a person had forced it past the first', async () => {
    const { shop } = await withDoubt({ terminal: { autopilotMs: 5000 } });
    const { id } = shop.sell({ reference: 'second' });
    await shop.until(() => shop.attempt(id).state.name === 'accepted', 10_000);
    const settlement = close(shop, FORCE);
    shop.terminal.inject({ when: 'result', do: 'power_loss', ms: 5000 });
    await becomesDoubt(shop, id);
    expect(await ended(shop, settlement)).toMatchObject({
      status: 'cancelled',
      reason: { code: 'end_of_day_blocked', message: expect.stringContaining(id) },
    });
  });

  it('is not forced past a doubt that came after a person had forced it', async () => {
    const shop = await Shop.open({ terminal: { autopilotMs: 5000 } });
    const { id } = shop.sell();
    await shop.until(() => shop.attempt(id).state.name === 'accepted', 10_000);
    const settlement = close(shop, FORCE);
    shop.terminal.inject({ when: 'result', do: 'power_loss', ms: 5000 });
    await becomesDoubt(shop, id);
    expect(await ended(shop, settlement)).toMatchObject({
      status: 'cancelled',
      reason: { code: 'end_of_day_blocked' },
    });
  });

  it('for hours behind a doubt is not sent then', async () => {
    const shop = await Shop.open({ terminal: { autopilotMs: 5000 } });
    const { id } = shop.sell();
    await shop.until(() => shop.attempt(id).state.name === 'accepted', 10_000);
    const settlement = close(shop);
    await shop.until(() => shop.terminal.snapshot().screen === 'Please wait', 20_000);
    shop.terminal.stop();
    await shop.until(() => shop.attempt(id).state.name === 'in_doubt', 400_000);
    await shop.clock.advance(6 * 3_600_000);
    shop.terminal.start();
    await shop.settle(id);
    expect(await ended(shop, settlement)).toMatchObject({ status: 'cancelled', reason: { code: 'expired' } });
    expect((await shop.settle(shop.sell({ amount: euros(5) }).id)).baseline?.day).toBe(1);
  });
});

describe('the sums of a day', () => {
  it('that the terminal refused to close are still there at the next close: no false alarm', async () => {
    const shop = await Shop.open();
    await ended(shop, close(shop));
    await shop.settle(shop.sell().id);
    shop.terminal.nextClose('refused');
    expect((await ended(shop, close(shop))).status).toBe('refused');
    expect(await ended(shop, close(shop))).toMatchObject({
      status: 'succeeded',
      totals: { amountMinor: 1234 },
      ours: { netMinor: 1234 },
      differs: false,
    });
    expect(shop.operations.tasks({ open: true, limit: 5 })).toEqual([]);
  });

  it('count every sale of ours in it, also those before somebody used the terminal by hand', async () => {
    const shop = await Shop.open();
    await shop.settle(shop.sell().id);
    shop.terminal.typeByHand({ kind: 'sale', amountMinor: 777 });
    await shop.settle(shop.sell({ amount: euros(500) }).id);
    expect(await ended(shop, close(shop))).toMatchObject({
      totals: { amountMinor: 1234 + 777 + 500 },
      ours: { netMinor: 1234 + 500 },
    });
  });
});

describe('a close whose outcome the disk refused', () => {
  it('is unknown, and not sent a second time', async () => {
    const shop = await Shop.open();
    await shop.settle(shop.sell().id);
    refuseOnce(shop);
    expect(await ended(shop, close(shop))).toMatchObject({ status: 'unknown', totals: null });
    await shop.clock.advance(60_000);
    expect(shop.terminal.typeByHand({ kind: 'sale', amountMinor: 1 }).batch).toBe(2);
  });
});
