import { describe, expect, it } from 'vitest';
import type { PaymentStore } from '../../src/payment/ports.ts';
import { Shop } from '../support/shop.ts';

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
/** Longer than a ZVT terminal waits for an answer (T3, 5 s). */
const STALL_MS = 6000;

/** Makes the commit of the first approval take `STALL_MS`: time passes for the agent, and it can do nothing meanwhile. */
function stallAtApproval(shop: Shop): { stalled: boolean } {
  const state = { stalled: false };
  const monotonic = shop.clock.monotonic.bind(shop.clock);
  shop.clock.monotonic = () => monotonic() + (state.stalled ? STALL_MS : 0);
  const store: PaymentStore = shop.store;
  const commit = store.transaction.bind(store);
  store.transaction = (work) => {
    const done = commit(work);
    if (store.openAttempts().some(({ state: { name } }) => name === 'approved')) state.stalled = true;
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
      slow.disk = stallAtApproval(shop);
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
      expect(shop.charged).toBe(charged);
    },
  );
});
