import { describe, expect, it } from 'vitest';
import type { ServiceRequest } from '../../src/payment/guards/service-work.ts';
import { DEVICE_ID } from '../support/attempts.ts';
import { aWorld, Daemon, eventually } from '../support/daemon.ts';
import { Shop } from '../support/shop.ts';
import { Till } from '../support/till.ts';

const LIMIT_MS = 60_000;
const euros = (minor: number) => ({ minor, currency: 'EUR' }) as const;

/** Whether the database was found to be a copy since the last question; each time a new epoch begins. */
function foundAsCopy(shop: Shop) {
  let known = shop.money.epoch.id;
  return () => {
    const { id, kind } = shop.money.epoch;
    const isNew = id !== known;
    known = id;
    return isNew && kind === 'copied';
  };
}

function questions(shop: Shop) {
  return shop.operations.tasks({ open: true, limit: 9 }).filter((task) => task.kind === 'memory_lost');
}

function work(changes: Partial<ServiceRequest> = {}): ServiceRequest {
  return {
    serviceId: '0199c0de-0000-7000-8000-0000000000e1',
    type: 'sale',
    parentId: null,
    deviceId: DEVICE_ID,
    amount: euros(500),
    invoiceId: null,
    reference: null,
    metadata: {},
    ageMs: 0,
    ...changes,
  };
}

describe('a payment of this agent that the service knows and the database does not', () => {
  it('stops work of the service and sales of the counter until the terminal was shown and compared', async () => {
    const shop = await Shop.open();
    expect(shop.requestGuard.mayTake()).toBe(true);
    shop.requestGuard.unknownAttempt('P', 'an-attempt-of-another-machine', 1_000);
    expect([shop.money.epoch.kind, shop.requestGuard.mayTake()]).toEqual(['copied', false]);
    expect(() => shop.sell()).toThrow(expect.objectContaining({ code: 'MEMORY_LOST' }));
    await shop.until(() => questions(shop).length > 0, 10_000);
    expect(shop.requestGuard.stoppedAsCopy()).toBe('unknown_attempt');
    shop.operations.finishTask(questions(shop)[0]?.id ?? '', { by: 'Ada', note: 'compared' });
    expect([shop.requestGuard.mayTake(), shop.requestGuard.stoppedAsCopy()]).toEqual([true, null]);
    expect((await shop.settle(shop.sell().id)).state.name).toBe('succeeded');
  });

  it('is heard of once, and again when there is a newer one', async () => {
    const shop = await Shop.open();
    const isFound = foundAsCopy(shop);
    shop.requestGuard.unknownAttempt('P', 'one', 1_000);
    expect(isFound()).toBe(true);
    await shop.clock.advance(60_000);
    shop.requestGuard.unknownAttempt('P', 'one', 61_000);
    shop.requestGuard.unknownAttempt('P', 'one', null);
    expect(isFound()).toBe(false);
    shop.requestGuard.unknownAttempt('Q', 'two', 30_000);
    expect(isFound()).toBe(true);
  });

  it('is none when the attempt is ours, or the payment is known under its own id', async () => {
    const shop = await Shop.open();
    const sale = await shop.settle(shop.sell().id);
    shop.requestGuard.unknownAttempt('any', sale.id, 1_000);
    shop.requestGuard.unknownAttempt(sale.id, 'any', 1_000);
    expect(shop.money.epoch.kind).toBe('new');
  });

  it('keeps a sale of the counter from being sent that waited when it was heard of', async () => {
    const shop = await Shop.open();
    const [first, waiting] = [shop.sell({ amount: euros(100) }), shop.sell({ amount: euros(200) })];
    shop.requestGuard.unknownAttempt('P', 'another', 1_000);
    expect((await shop.settle(first.id)).state.name).toBe('cancelled');
    expect(await shop.settle(waiting.id)).toMatchObject({
      state: { name: 'cancelled' },
      reason: { code: 'memory_lost' },
    });
    expect(shop.charged).toBe(0);
  });

  it.each(['refund', 'void'] as const)(
    'keeps a %s of the service for a sale from before from being sent',
    async (type) => {
      const shop = await Shop.open();
      const sale = await shop.settle(shop.sell({ amount: euros(500) }).id);
      shop.requestGuard.unknownAttempt('P', 'another', 1_000);
      await shop.until(() => questions(shop).length > 0, 10_000);
      await shop.clock.advance(20_000);
      shop.requestGuard.accept(work({ type, parentId: sale.id }));
      const back = await shop.settle(shop.payments.get(work().serviceId).attempt.id);
      expect(back).toMatchObject({ state: { name: 'cancelled' }, reason: { code: 'memory_lost' } });
      shop.operations.finishTask(questions(shop)[0]?.id ?? '', { by: 'Ada', note: 'compared' });
      shop.requestGuard.accept(work({ type, parentId: sale.id, serviceId: 'again' }));
      const again = await shop.settle(shop.payments.get('again').attempt.id);
      expect(again.state.name).toBe('succeeded');
      expect(shop.charged).toBe(0);
    },
  );
});

describe('a terminal that went on while tilld did not run', () => {
  it(
    'asks once before the next sale, charges nothing meanwhile, and sells on when a person has compared',
    async () => {
      const world = await aWorld({ autopilotMs: 20 });
      const first = await Daemon.start(world);
      const till = await Till.at(first);
      const pay = async (at: Till, minor: number) => {
        const sale = { device_id: DEVICE_ID, amount_minor: minor, currency: 'EUR' };
        const { status, body } = await at.ask('POST', '/terminal-payments', sale);
        if (status >= 300) return body.error.code;
        return eventually(async () => {
          const { data } = (await at.ask('GET', `/terminal-payments/${body.data.id}`)).body;
          return data.completed_at !== null && (data.charged === 'yes' ? 'charged' : data.error_code);
        });
      };
      expect(await pay(till, 100)).toBe('charged');
      await first.stop();
      world.terminal.typeByHand({ kind: 'sale', amountMinor: 700 });
      const after = till.moved(await Daemon.start(world));
      expect(await pay(after, 700)).toBe('memory_lost');
      expect(await pay(after, 800)).toBe('memory_lost');
      const tasks = (await after.ask('GET', '/terminal-tasks')).body.data;
      expect(tasks).toMatchObject([{ kind: 'memory_lost', message: expect.stringContaining('7.00') }]);
      await after.ask('POST', `/terminal-tasks/${tasks[0].id}/done`, { by: 'Ada', note: 'typed by hand' });
      expect(await pay(after, 800)).toBe('charged');
      expect(world.terminal.snapshot().ledger).toHaveLength(3);
    },
    LIMIT_MS,
  );
});
