import { describe, expect, it } from 'vitest';
import type { Settlement } from '../../src/payment/batch/settlement.ts';
import { Shop } from '../support/shop.ts';

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

/** A shop whose terminal was closed before: since then our books hold its whole day. */
async function closedBefore(): Promise<Shop> {
  const shop = await Shop.open();
  expect(await ended(shop, close(shop))).toMatchObject({ status: 'succeeded', differs: null });
  return shop;
}

/** A shop with a doubt that only a person can settle. */
async function withDoubt() {
  const shop = await Shop.open({ terminal: { missingAcknowledgement: 'keep' } });
  shop.terminal.inject({ when: 'result', do: 'power_loss', ms: 5000 });
  const { id } = shop.sell();
  await shop.until(() => shop.attempt(id).state.name === 'in_doubt', 400_000);
  shop.terminal.stop();
  shop.terminal.start();
  shop.terminal.typeByHand({ kind: 'sale', amountMinor: 777 });
  await shop.until(() => shop.attempt(id).releasedAt !== null, 400_000);
  return { shop, id };
}

describe('an end of day', () => {
  it('closes the terminal, keeps its sums beside ours as a settlement, and is published', async () => {
    const shop = await closedBefore();
    const sale = await shop.settle(shop.sell().id);
    await shop.settle(shop.sell({ amount: euros(500) }).id);
    await shop.settle(shop.payments.void({ parentId: sale.id, caller: 'socket' }).attempt.id);
    const events: string[] = [];
    shop.payments.subscribe({ event: (event) => events.push(event.type) });
    const settlement = await ended(shop, close(shop));
    expect(settlement).toMatchObject({
      status: 'succeeded',
      source: 'request',
      ours: { sales: { count: 2, amountMinor: 1734 }, voids: { count: 1, amountMinor: 1234 }, netMinor: 500 },
      differs: false,
      terminal: { serial: expect.any(String) },
    });
    expect(events).toEqual(['settlement.created']);
    expect(shop.operations.settlements({ deviceId: shop.deviceId, limit: 5 }).items[0]).toEqual(settlement);
    expect((await shop.settle(shop.sell().id)).state.name).toBe('succeeded');
  });

  it('asked for twice is one', async () => {
    const shop = await Shop.open();
    expect(close(shop).id).toBe(close(shop).id);
  });

  it('whose sums are not ours asks a person to compare', async () => {
    const shop = await closedBefore();
    await shop.settle(shop.sell().id);
    shop.terminal.typeByHand({ kind: 'sale', amountMinor: 777 });
    const settlement = await ended(shop, close(shop));
    expect(settlement.differs).toBe(true);
    expect(shop.operations.tasks({ open: true, limit: 5 })).toMatchObject([
      { kind: 'settlement_differs', settlementId: settlement.id },
    ]);
  });

  it('is refused while the outcome of a payment on this terminal is not known', async () => {
    const { shop, id } = await withDoubt();
    expect(() => close(shop)).toThrow(
      expect.objectContaining({
        code: 'END_OF_DAY_BLOCKED',
        context: {
          details: expect.objectContaining({
            in_doubt_attempt_id: id,
            what_to_do: expect.stringContaining(`tillctl resolve ${id} --as `),
          }),
        },
      }),
    );
  });

  it('may be forced by a named person once the terminal was read', async () => {
    const { shop, id } = await withDoubt();
    expect(await ended(shop, close(shop, FORCE))).toMatchObject({
      status: 'succeeded',
      forced: { ...FORCE, doubtId: id },
    });
  });

  it('cannot be forced while the terminal is still being asked', async () => {
    const shop = await Shop.open();
    shop.terminal.inject({ when: 'command', do: 'cut' });
    const { id } = shop.sell();
    await shop.until(() => shop.attempt(id).state.name === 'in_doubt', 60_000);
    await shop.until(() => shop.queues.require(shop.deviceId).terminal.reach.kind === 'up', 60_000);
    expect(() => close(shop, FORCE)).toThrow(expect.objectContaining({ code: 'TERMINAL_IN_DOUBT' }));
  });

  it('waits behind a payment that runs, and falls into no dialogue', async () => {
    const shop = await Shop.open({ terminal: { autopilotMs: 20_000 } });
    const { id } = shop.sell();
    await shop.until(() => shop.attempt(id).state.name === 'accepted', 10_000);
    const settlement = close(shop);
    await shop.clock.advance(5000);
    expect(shop.operations.settlement(settlement.id).status).toBe('requested');
    expect((await shop.settle(id)).state.name).toBe('succeeded');
    expect((await ended(shop, settlement)).status).toBe('succeeded');
  });

  it('that the terminal refuses leaves the day open and says so', async () => {
    const shop = await Shop.open();
    shop.terminal.nextClose('refused');
    const settlement = await ended(shop, close(shop));
    expect(settlement).toMatchObject({ status: 'refused', totals: null });
    expect(settlement.reason?.message).toContain('did not close');
  });

  it('whose end nobody hears is unknown, and no void trusts the batch afterwards', async () => {
    const shop = await Shop.open();
    const sale = await shop.settle(shop.sell().id);
    shop.terminal.inject({ when: 'command', do: 'cut' });
    expect((await ended(shop, close(shop))).status).toBe('unknown');
    await shop.until(() => shop.queues.get(shop.deviceId)?.status === 'ready', 60_000);
    expect(() => shop.payments.void({ parentId: sale.id, caller: 'socket' })).toThrow(
      expect.objectContaining({ code: 'VOID_NOT_POSSIBLE' }),
    );
  });

  it('that was under way when tilld stopped is unknown after the start; one that waited is cancelled', async () => {
    const shop = await Shop.open();
    const settlement = close(shop);
    shop.store.updateSettlement({ ...settlement, status: 'in_progress' });
    shop.queues.inherit();
    expect(shop.operations.settlement(settlement.id)).toMatchObject({
      status: 'unknown',
      reason: { code: 'restart' },
    });
    shop.store.updateSettlement({ ...settlement, status: 'requested' });
    shop.queues.inherit();
    expect(shop.operations.settlement(settlement.id)).toMatchObject({
      status: 'cancelled',
      reason: { code: 'restart' },
    });
  });
});
