import { describe, expect, it } from 'vitest';
import type { VirtualTerminal } from '../../src/sandbox/terminal/virtual-terminal.ts';
import { DEVICE_ID } from '../support/attempts.ts';
import { DEVICE_2, Shop, type ShopOptions } from '../support/shop.ts';

const OTHER_TERMINAL = { serial: '17F00002', terminalId: '52500099' } as const;
const OTHER_SALE = { reference: 'OTHER', amount: { minor: 700, currency: 'EUR' } } as const;

/** A shop whose terminal loses its power in a payment and is replaced; another one was adopted in its place. */
async function replaced(
  when: 'customer' | 'result',
  options: ShopOptions = {},
): Promise<{ shop: Shop; id: string; old: VirtualTerminal }> {
  const shop = await Shop.open(options);
  await shop.settle(shop.sell({ reference: 'BEFORE', amount: { minor: 500, currency: 'EUR' } }).id);
  const old = shop.terminal;
  old.inject({ when, do: 'power_loss', ms: 86_400_000 });
  const { id } = shop.sell({ reference: 'BASKET' });
  await shop.until(() => shop.attempt(id).state.name === 'in_doubt', 60_000);
  shop.plugIn(OTHER_TERMINAL);
  await adopt(shop);
  await shop.until(() => shop.attempt(id).reason?.code === 'terminal_replaced', 60_000);
  return { shop, id, old };
}

async function adopt(shop: Shop, deviceId = DEVICE_ID): Promise<void> {
  await shop.until(() => shop.queues.get(deviceId)?.status === 'wrong_terminal', 120_000);
  await shop.clock.runUntil(shop.operations.adopt(deviceId, 'Ada'));
}

/** The old one stands there again, with all that it has stored. */
async function comeBack(shop: Shop, old: VirtualTerminal): Promise<void> {
  shop.terminal.stop();
  shop.terminal = old;
  old.start();
  await adopt(shop);
}

const openTasks = (shop: Shop) => shop.operations.tasks({ open: true, limit: 10 });

describe('a terminal that was replaced in the middle of a doubt and comes back', () => {
  it('is asked of the doubt that stayed with it, and what it has charged is found', async () => {
    const { shop, id, old } = await replaced('result');
    await shop.settle(shop.sell(OTHER_SALE).id);
    await comeBack(shop, old);
    await shop.until(() => shop.attempt(id).state.name !== 'in_doubt', 300_000);
    expect(shop.payments.get(id)).toMatchObject({
      charged: 'yes',
      attempt: { evidence: { kind: 'terminal_journal', row: 'next_number' } },
    });
    expect(openTasks(shop)).toEqual([]);
  });

  it('says that nothing was charged only after its settle time', async () => {
    const { shop, id, old } = await replaced('customer');
    await comeBack(shop, old);
    await shop.until(() => shop.queues.get(DEVICE_ID)?.status === 'recovering', 60_000);
    await shop.clock.advance(10_000);
    expect(shop.payments.get(id).charged).toBe('unknown');
    await shop.until(() => shop.attempt(id).state.name !== 'in_doubt', 300_000);
    expect(shop.payments.get(id)).toMatchObject({
      charged: 'no',
      attempt: { evidence: { row: 'same_as_mark' } },
    });
    expect(openTasks(shop)).toEqual([]);
  });

  it('takes no sale before it was asked', async () => {
    const { shop, old } = await replaced('customer');
    await comeBack(shop, old);
    await shop.until(() => shop.queues.get(DEVICE_ID)?.status === 'recovering', 60_000);
    expect(() => shop.sell(OTHER_SALE)).toThrow(expect.objectContaining({ code: 'TERMINAL_IN_DOUBT' }));
  });

  it('leaves the doubt with its person where it was used meanwhile, and sells', async () => {
    const { shop, id, old } = await replaced('result');
    old.start();
    old.typeByHand({ kind: 'sale', amountMinor: 1234 });
    old.stop();
    await comeBack(shop, old);
    await shop.until(() => shop.attempt(id).reason?.code === 'needs_person', 300_000);
    expect(shop.payments.get(id)).toMatchObject({ charged: 'unknown', attempt: { needsPerson: true } });
    expect(openTasks(shop)).toMatchObject([{ kind: 'terminal_replaced', attemptId: id }]);
    expect((await shop.settle(shop.sell(OTHER_SALE).id)).state.name).toBe('succeeded');
    shop.payments.resolve(id, {
      by: 'Ada',
      reason: 'its receipt',
      shown: 'receipt 2',
      as: 'succeeded',
      lead: false,
    });
    expect(openTasks(shop)).toEqual([]);
  });

  it('is asked where it stands first, before it takes the same amount of another customer there', async () => {
    const { shop, id, old } = await replaced('customer', { second: true });
    const two = shop.terminal2;
    two.stop();
    shop.terminal2 = old;
    old.start();
    await adopt(shop, DEVICE_2);
    await shop.until(() => shop.queues.get(DEVICE_2)?.status === 'ready', 600_000);
    await shop.settle(shop.sell({ deviceId: DEVICE_2, reference: 'ANOTHER BASKET' }).id);
    shop.terminal.stop();
    old.stop();
    shop.terminal2 = two;
    two.start();
    await adopt(shop, DEVICE_2);
    shop.terminal = old;
    old.start();
    await adopt(shop, DEVICE_ID);
    await shop.clock.advance(600_000);
    const charges = old
      .snapshot()
      .ledger.filter(({ amountMinor, result }) => amountMinor === 1234 && result === 'approved');
    expect(charges).toHaveLength(1);
    expect(shop.payments.get(id).charged).toBe('no');
  });
});
