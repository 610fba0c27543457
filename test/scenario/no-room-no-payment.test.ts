import { describe, expect, it } from 'vitest';
import { AppError } from '../../src/base/errors.ts';
import type { DiskShortage } from '../../src/payment/guards/disk-space.ts';
import type { PaymentStore } from '../../src/payment/ports.ts';
import { DEVICE_ID } from '../support/attempts.ts';
import { Shop } from '../support/shop.ts';

const FULL: DiskShortage = { kind: 'disk_full', message: 'The disk is full: free at least 7 MB.' };
const READ_ONLY: DiskShortage = { kind: 'read_only', message: 'The disk cannot be written.' };

/** A shop whose disk has room until somebody says that it has not. */
async function shopOnADisk() {
  const disk: { shortage: DiskShortage | null } = { shortage: null };
  const shop = await Shop.open({ disk: { shortage: () => disk.shortage, trouble: () => disk.shortage } });
  return { shop, disk };
}

const work = {
  serviceId: '0199c0de-0000-7000-8000-0000000000e1',
  type: 'sale',
  parentId: null,
  deviceId: DEVICE_ID,
  amount: { minor: 500, currency: 'EUR' },
  invoiceId: null,
  reference: null,
  metadata: {},
  ageMs: 0,
} as const;

/** The disk refuses the commit of the next approval so many times. */
function refuseApproval(shop: Shop, times: number): void {
  const store: PaymentStore = shop.store;
  const commit = store.transaction.bind(store);
  let left = times;
  store.transaction = (task) =>
    commit(() => {
      const result = task();
      const isApproval = store.openAttempts().some(({ state: { name } }) => name === 'approved');
      if (isApproval && left > 0) {
        left -= 1;
        throw new AppError('STORAGE_FULL', 'the disk is full', { retry: 'safe', moneyMoved: 'unknown' });
      }
      return result;
    });
}

describe('without room for what follows from a payment', () => {
  it.each([
    [FULL, 'STORAGE_FULL'],
    [READ_ONLY, 'STORAGE_FAILED'],
  ] as const)(
    'a sale is refused with words that say it was not charged, and nothing is written',
    async (lack, code) => {
      const { shop, disk } = await shopOnADisk();
      disk.shortage = lack;
      expect(() => shop.sell()).toThrow(
        expect.objectContaining({
          code,
          retry: 'safe',
          moneyMoved: 'no',
          message: `Nothing was charged. ${lack.message}`,
        }),
      );
      expect(shop.payments.list({ limit: 10 }).items).toEqual([]);
      disk.shortage = null;
      expect((await shop.settle(shop.sell().id)).state.name).toBe('succeeded');
    },
  );

  it('a sale whose create the disk refuses has not begun, and says so', async () => {
    const { shop } = await shopOnADisk();
    const store: PaymentStore = shop.store;
    const commit = store.transaction.bind(store);
    store.transaction = () => {
      throw new AppError('STORAGE_FAILED', 'the disk cannot be written', { moneyMoved: 'unknown' });
    };
    expect(() => shop.sell()).toThrow(
      expect.objectContaining({
        code: 'STORAGE_FAILED',
        moneyMoved: 'no',
        message: 'Nothing was charged. It could not be stored: the disk cannot be written.',
      }),
    );
    store.transaction = commit;
    await shop.clock.advance(10_000);
    expect([shop.payments.list({ limit: 10 }).items, shop.charged]).toEqual([[], 0]);
  });

  it('nothing is given back and no day is closed either', async () => {
    const { shop, disk } = await shopOnADisk();
    const sale = await shop.settle(shop.sell().id);
    disk.shortage = FULL;
    const asked = { parentId: sale.id, amountMinor: null, after: null, caller: 'socket' } as const;
    const notGiven = expect.objectContaining({
      code: 'STORAGE_FULL',
      message: `Nothing was given back. ${FULL.message}`,
    });
    expect(() => shop.payments.refund(asked)).toThrow(notGiven);
    expect(() => shop.payments.void(asked)).toThrow(notGiven);
    expect(() => shop.operations.endOfDay({ deviceId: DEVICE_ID, caller: 'socket', force: null })).toThrow(
      expect.objectContaining({ code: 'STORAGE_FULL', message: `The day was not closed. ${FULL.message}` }),
    );
    expect(shop.charged).toBe(1234);
  });

  it('what waits already is not sent to the terminal, and goes when there is room again', async () => {
    const { shop, disk } = await shopOnADisk();
    const { id } = shop.sell();
    disk.shortage = FULL;
    await shop.clock.advance(10_000);
    expect([shop.attempt(id).state.name, shop.terminal.snapshot().ledger]).toEqual(['requested', []]);
    expect(shop.payments.get(id).progress).toBe(FULL.message);
    disk.shortage = null;
    await shop.clock.advance(5000);
    expect(shop.attempt(id).state.name).toBe('succeeded');
  });

  it('what waits too long is cancelled, and staff are told why', async () => {
    const { shop, disk } = await shopOnADisk();
    const { id } = shop.sell();
    disk.shortage = FULL;
    const { state, reason } = await shop.settle(id);
    expect([state.name, reason?.message]).toEqual(['cancelled', `It waited too long: ${FULL.message}`]);
    expect(shop.terminal.snapshot().ledger).toEqual([]);
  });

  it('no work of the service is to be claimed, and work that was claimed already waits', async () => {
    const { shop, disk } = await shopOnADisk();
    expect(shop.requestGuard.mayTake()).toBe(true);
    disk.shortage = FULL;
    expect(shop.requestGuard.mayTake()).toBe(false);
    shop.requestGuard.accept(work);
    await shop.clock.advance(5000);
    const { attempt } = shop.payments.get(work.serviceId);
    expect([attempt.state.name, shop.terminal.snapshot().ledger]).toEqual(['requested', []]);
  });

  it('a payment that runs comes to its end', async () => {
    const { shop, disk } = await shopOnADisk();
    const { id } = shop.sell();
    await shop.until(() => shop.attempt(id).state.name !== 'requested', 30_000);
    disk.shortage = FULL;
    expect((await shop.settle(id)).state.name).toBe('succeeded');
    expect(shop.charged).toBe(1234);
  });
});

describe('an approval that found no room', () => {
  it('is written at the second attempt, into what was kept for it, and acknowledged', async () => {
    const { shop } = await shopOnADisk();
    refuseApproval(shop, 1);
    const sale = await shop.settle(shop.sell().id);
    expect([sale.state.name, shop.fatal, shop.charged]).toEqual(['succeeded', null, 1234]);
    expect(shop.store.journalOf(sale.id).filter(({ event }) => event === 'reported')).toHaveLength(1);
  });

  it('is not acknowledged when that fails too, and the process ends', async () => {
    const { shop } = await shopOnADisk();
    refuseApproval(shop, 2);
    const { id } = shop.sell();
    await shop.until(() => shop.fatal !== null, 30_000);
    expect(shop.fatal).toMatchObject({ code: 'STORAGE_FULL' });
    expect(shop.attempt(id).state.name).not.toBe('succeeded');
  });
});
