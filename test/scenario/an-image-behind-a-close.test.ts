import { describe, expect, it } from 'vitest';
import { DEVICE_ID } from '../support/attempts.ts';
import { diskImage } from '../support/restored-shop.ts';
import { DEVICE_2, Shop, textMemory } from '../support/shop.ts';

const euros = (minor: number) => ({ minor, currency: 'EUR' }) as const;

interface Course {
  readonly isClosed?: boolean;
  readonly paidAt?: string;
  /** The image was made before the first payment of all. */
  readonly isEmpty?: boolean;
  /** The second terminal is not switched on again. */
  readonly isOff?: boolean;
}

/** The disk of a shop is put back as it was before a customer paid 12.34, and the machine is started; the service is not asked. */
async function putBack({
  isEmpty = false,
  isClosed = false,
  paidAt = DEVICE_ID,
  isOff = false,
}: Course): Promise<Shop> {
  const memories = [textMemory(), textMemory()];
  const first = await Shop.open({ second: true, memories, boot: 'first' });
  if (!isEmpty) {
    await first.settle(first.sell({ amount: euros(500) }).id);
    await first.settle(first.sell({ amount: euros(600), deviceId: DEVICE_2 }).id);
  }
  if (isClosed) {
    const { id } = first.operations.endOfDay({ deviceId: DEVICE_ID, caller: 'socket', force: null });
    await first.until(() => first.operations.settlement(id).status === 'succeeded', 600_000);
  }
  const databasePath = diskImage(first);
  expect((await first.settle(first.sell({ deviceId: paidAt }).id)).state.name).toBe('succeeded');
  await first.close();
  const shop = await Shop.open({
    second: true,
    isOff,
    memories,
    boot: 'second',
    databasePath,
    startsAt: first.clock.now(),
  });
  // The image is consistent: the boot alone says that it may be old.
  expect(shop.money.epoch.kind).toBe('same');
  return shop;
}

const questions = (shop: Shop) =>
  shop.operations.tasks({ open: true, limit: 9 }).map(({ kind, deviceId }) => [kind, deviceId]);

/** Rings the basket up again; what becomes of it, or the code of the refusal. */
async function rungUpAgain(shop: Shop, deviceId: string): Promise<string> {
  try {
    return (await shop.settle(shop.sell({ deviceId }).id)).state.name;
  } catch (error) {
    return String((error as { code?: unknown }).code);
  }
}

describe('an image of the disk, put back behind a payment that the service never heard of', () => {
  it.each([false, true])(
    'asks a person before the basket is taken again (day closed before: %s)',
    async (isClosed) => {
      const shop = await putBack({ isClosed });
      expect(await rungUpAgain(shop, DEVICE_ID)).toBe('MEMORY_LOST');
      expect(questions(shop)).toEqual([]);
      await shop.clock.advance(20_000);
      expect(await rungUpAgain(shop, DEVICE_ID)).toBe('MEMORY_LOST');
      expect(questions(shop)).toEqual([['memory_lost', DEVICE_ID]]);
      expect(shop.charged).toBe(1734);
    },
  );

  it.each([DEVICE_ID, DEVICE_2])(
    'asks also where the basket is rung up at another counter (%s)',
    async (deviceId) => {
      const shop = await putBack({ paidAt: DEVICE_2 });
      await shop.clock.advance(30_000);
      expect(questions(shop)).toEqual([['memory_lost', DEVICE_2]]);
      expect(await rungUpAgain(shop, deviceId)).toBe('MEMORY_LOST');
    },
  );

  it('asks also where the books know of no payment at all', async () => {
    const shop = await putBack({ isEmpty: true });
    expect(await rungUpAgain(shop, DEVICE_ID)).toBe('MEMORY_LOST');
    await shop.clock.advance(20_000);
    expect(await rungUpAgain(shop, DEVICE_ID)).toBe('cancelled');
    expect(questions(shop)).toEqual([['memory_lost', DEVICE_ID]]);
    expect(await rungUpAgain(shop, DEVICE_ID)).toBe('MEMORY_LOST');
    expect(shop.charged).toBe(1234);
  });

  it('asks about a terminal that is off by its receipts after a minute, and then lets the other one sell', async () => {
    const shop = await putBack({ paidAt: DEVICE_2, isOff: true });
    expect(await rungUpAgain(shop, DEVICE_ID)).toBe('MEMORY_LOST');
    await shop.clock.advance(60_000);
    expect(questions(shop)).toEqual([['memory_lost', DEVICE_2]]);
    for (const { id } of shop.operations.tasks({ open: true, limit: 9 }))
      shop.operations.finishTask(id, { by: 'Ada', note: 'it was paid' });
    expect((await shop.settle(shop.sell({ amount: euros(700) }).id)).state.name).toBe('succeeded');
  });

  it('asks nothing after a start of the machine where nothing was lost', async () => {
    const memories = [textMemory(), textMemory()];
    const first = await Shop.open({ second: true, memories, boot: 'first' });
    await first.settle(first.sell({ amount: euros(500) }).id);
    const { id } = first.operations.endOfDay({ deviceId: DEVICE_ID, caller: 'socket', force: null });
    await first.until(() => first.operations.settlement(id).status === 'succeeded', 600_000);
    await first.close();
    const { databasePath, clock } = first;
    const shop = await Shop.open({
      second: true,
      memories,
      boot: 'second',
      databasePath,
      startsAt: clock.now(),
    });
    await shop.clock.advance(30_000);
    expect(await rungUpAgain(shop, DEVICE_ID)).toBe('succeeded');
    expect(questions(shop)).toEqual([]);
  });
});
