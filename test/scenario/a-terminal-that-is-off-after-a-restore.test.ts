import { describe, expect, it } from 'vitest';
import { AppError } from '../../src/base/errors.ts';
import { aRestoredShop, restoredBackup } from '../support/restored-shop.ts';
import { DEVICE_2, Shop, textMemory } from '../support/shop.ts';

/** A shop with lost books whose second terminal is off. */
async function aShop(): Promise<Shop> {
  return started(await aRestoredShop({ second: true }));
}

/** Its second terminal stays off. */
function started(shop: Shop): Shop {
  shop.terminal.start();
  shop.queues.inherit();
  shop.queues.start();
  return shop;
}

const open = (shop: Shop) => shop.operations.tasks({ open: true, limit: 9 });

function finishAll(shop: Shop): void {
  for (const { id } of open(shop))
    shop.operations.finishTask(id, { by: 'Ada', note: 'looked at its receipts' });
}

/** It holds a payment that the books have lost. */
async function comesBack(shop: Shop): Promise<void> {
  shop.terminal2.start();
  shop.terminal2.typeByHand({ kind: 'sale', amountMinor: 4321 });
  await shop.until(() => shop.queues.get(DEVICE_2)?.status === 'ready', 60_000);
  await shop.clock.advance(10_000);
}

describe('a terminal that is off when the books were restored', () => {
  it('is asked about by its receipts after a minute, and shows what it holds when it comes back', async () => {
    const shop = await aShop();
    await shop.clock.advance(120_000);
    const asked = () => open(shop).find(({ deviceId }) => deviceId === DEVICE_2)?.message;
    expect(asked()).toMatch(/look at its receipts/);
    await comesBack(shop);
    expect(asked()).toMatch(/43\.21/);
    await shop.close();
  });

  it('is asked about as soon as the disk takes the question, and until then nothing ends', async () => {
    const shop = await aShop();
    const { transaction } = shop.store;
    let isFull = true;
    shop.store.transaction = (work) => {
      if (isFull) throw new AppError('STORAGE_FULL', 'the disk is full', { retry: 'safe' });
      return transaction.call(shop.store, work) as ReturnType<typeof work>;
    };
    await shop.clock.advance(120_000);
    expect(open(shop)).toEqual([]);
    isFull = false;
    await shop.clock.advance(2_000);
    expect(open(shop).some(({ deviceId }) => deviceId === DEVICE_2)).toBe(true);
    await shop.close();
  });

  it('is read and shown before its first sale, also where its receipts were looked at and tilld was started again', async () => {
    const first = await aShop();
    await first.clock.advance(120_000);
    finishAll(first);
    await first.close();
    const second = started(new Shop({ second: true, databasePath: first.databasePath }));
    await comesBack(second);
    expect(() => second.sell({ deviceId: DEVICE_2 })).toThrow(
      expect.objectContaining({ code: 'MEMORY_LOST' }),
    );
    expect(
      open(second)
        .map(({ message }) => message)
        .join(),
    ).toMatch(/43\.21/);
    await second.close();
  });

  it('does not keep the other one from selling, also with a payment in doubt', async () => {
    const memories = [textMemory(), textMemory()];
    const before = await Shop.open({ second: true, memories });
    before.terminal2.inject({ when: 'result', do: 'power_loss', ms: 86_400_000 });
    const { id } = before.sell({ deviceId: DEVICE_2, reference: 'BASKET' });
    await before.until(() => before.attempt(id).state.name === 'in_doubt', 60_000);
    const databasePath = restoredBackup(before);
    await before.close();
    const shop = await Shop.open({ second: true, isOff: true, memories, databasePath });
    await shop.clock.advance(120_000);
    finishAll(shop);
    expect((await shop.settle(shop.sell({ reference: 'OTHER' }).id)).state.name).toBe('succeeded');
    expect(shop.attempt(id).state.name).toBe('in_doubt');
  });
});
