import { describe, expect, it } from 'vitest';
import type { PaymentStore } from '../../src/payment/ports.ts';
import { Shop } from '../support/shop.ts';

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
/** Longer than a ZVT terminal waits for an answer (T3, 5 s). */
const STALL_MS = 6000;

/** Makes the first commit that leaves an attempt in this state take so long: time passes for the agent, and it can do nothing meanwhile. */
function stallAt(stateName: 'approved' | 'dispatched', ms: number, shop: Shop): { stalled: boolean } {
  const state = { stalled: false };
  const monotonic = shop.clock.monotonic.bind(shop.clock);
  shop.clock.monotonic = () => monotonic() + (state.stalled ? ms : 0);
  const store: PaymentStore = shop.store;
  const commit = store.transaction.bind(store);
  store.transaction = (work) => {
    const done = commit(work);
    if (store.openAttempts().some(({ state: { name } }) => name === stateName)) state.stalled = true;
    return done;
  };
  return state;
}

describe('a disk that takes 6 s for an approval', () => {
  it.each([
    ['keep', 'succeeded', 1234],
    ['reverse', 'error', 0],
    ['decline', 'error', 0],
  ] as const)(
    'on a terminal that would %s: it is not acknowledged any more, in doubt, and recovery finds %s',
    async (missingAcknowledgement, ending, charged) => {
      const late: string[] = [];
      const slow: { disk?: { stalled: boolean } } = {};
      const shop = await Shop.open({
        terminal: { missingAcknowledgement },
        beforeWrite: (bytes) => {
          if (slow.disk?.stalled && shop.attempt(id).state.name === 'approved') late.push(hex(bytes));
        },
      });
      // An empty terminal could not tell its taking back from a close of its own.
      await shop.settle(shop.sell({ amount: { minor: 500, currency: 'EUR' } }).id);
      slow.disk = stallAt('approved', STALL_MS, shop);
      const { id } = shop.sell();
      const settled = await shop.settle(id);
      expect(late).toEqual([]);
      expect(shop.store.journalOf(id).map(({ event, to }) => `${event} ${to}`)).toEqual([
        'create requested',
        'dispatch dispatched',
        'accepted accepted',
        'reported approved',
        'lost in_doubt',
        `evidence ${ending}`,
      ]);
      expect(settled).toMatchObject({ state: { name: ending }, needsPerson: false });
      expect(shop.charged).toBe(500 + charged);
    },
  );
});

describe('a disk that is slow to note the dispatch', () => {
  const sold = async (ms: number) => {
    const shop = await Shop.open();
    stallAt('dispatched', ms, shop);
    return { shop, sale: await shop.settle(shop.sell().id) };
  };

  it('by more than 2 s: nothing is sent, the customer is not charged, and the next sale goes', async () => {
    const { shop, sale } = await sold(2001);
    expect(sale).toMatchObject({ state: { name: 'error' }, evidence: { kind: 'nothing_sent' } });
    expect(shop.terminal.snapshot().ledger).toEqual([]);
    expect((await shop.settle(shop.sell().id)).state.name).toBe('succeeded');
  });

  it('by less: the payment goes out', async () => {
    const { shop, sale } = await sold(1900);
    expect(sale.state.name).toBe('succeeded');
    expect(shop.charged).toBe(1234);
  });
});
