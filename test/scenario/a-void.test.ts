import { describe, expect, it } from 'vitest';
import { Shop, type ShopOptions } from '../support/shop.ts';

const notPossible = expect.objectContaining({
  code: 'VOID_NOT_POSSIBLE',
  context: { details: expect.objectContaining({ instead: 'refund' }) },
});
const euros = (minor: number) => ({ minor, currency: 'EUR' }) as const;

/** A shop that has just taken 12.34 EUR. */
async function sold(options: ShopOptions = {}) {
  const shop = await Shop.open(options);
  const sale = await shop.settle(shop.sell().id);
  const undo = (parentId = sale.id) => shop.payments.void({ parentId, caller: 'socket' }).attempt;
  return { shop, sale, undo };
}

describe('a void', () => {
  it('undoes a sale of the open batch as a whole, named by its number', async () => {
    const { shop, sale, undo } = await sold();
    await shop.settle(shop.sell({ amount: euros(500) }).id);
    const { id } = undo();
    const settled = await shop.settle(id);
    expect(settled).toMatchObject({
      type: 'void',
      parentId: sale.id,
      amount: euros(1234),
      original: { number: sale.report?.number, amountMinor: 1234 },
      state: { name: 'succeeded' },
      report: { originalTrace: sale.report?.trace },
    });
    expect(shop.charged).toBe(500);
    expect(shop.attempt(sale.id)).toEqual(sale);
    expect(shop.payments.get(sale.id).tasks).toEqual([]);
  });

  it('is refused, and a refund offered, once a part was given back', async () => {
    const { shop, sale, undo } = await sold();
    const part = shop.payments.refund({ parentId: sale.id, amountMinor: 100, after: null, caller: 'socket' });
    expect(() => undo()).toThrow(expect.objectContaining({ code: 'REFUND_BLOCKED' }));
    await shop.settle(part.attempt.id);
    expect(() => undo()).toThrow(notPossible);
  });

  it('counts in what can be given back: nothing is left to refund', async () => {
    const { shop, sale, undo } = await sold();
    await shop.settle(undo().id);
    expect(() =>
      shop.payments.refund({ parentId: sale.id, amountMinor: 1, after: null, caller: 'socket' }),
    ).toThrow(expect.objectContaining({ code: 'REFUND_EXCEEDS_AMOUNT' }));
    expect(() => undo()).toThrow(notPossible);
  });

  it('is refused once the day was closed: the sale is not in the open batch any more', async () => {
    const { shop, undo } = await sold();
    const { id } = shop.operations.endOfDay({ deviceId: shop.deviceId, caller: 'socket', force: null });
    await shop.until(() => shop.operations.settlement(id).status === 'succeeded', 60_000);
    expect(() => undo()).toThrow(notPossible);
  });

  it('is cancelled before it is sent when the terminal closed its day by itself and counts anew', async () => {
    const { shop, sale, undo } = await sold();
    shop.terminal.closeByHand();
    shop.terminal.presetNumbers(Number(sale.report?.number) - 1, 500);
    shop.terminal.typeByHand({ kind: 'sale', amountMinor: 1234 });
    const { id } = undo();
    expect(await shop.settle(id)).toMatchObject({
      state: { name: 'cancelled' },
      reason: { code: 'void_not_possible' },
      dispatchedAt: null,
    });
    expect(shop.charged).toBe(2 * 1234);
  });

  it('is cancelled before it is sent when somebody used the terminal without us: which sale has the number is not proved', async () => {
    const { shop, undo } = await sold();
    shop.terminal.typeByHand({ kind: 'sale', amountMinor: 700 });
    const { id } = undo();
    expect(await shop.settle(id)).toMatchObject({
      state: { name: 'cancelled' },
      reason: { code: 'void_not_possible' },
    });
    expect(shop.queues.get(shop.deviceId)?.sharedUse).toBe(true);
    expect(() => undo()).toThrow(notPossible);
  });

  it('of an older sale is refused on a terminal that can undo its last payment only', async () => {
    const { shop, sale, undo } = await sold({ driverOptions: { void: 'last' } });
    const second = await shop.settle(shop.sell({ amount: euros(500) }).id);
    expect((await shop.settle(undo(sale.id).id)).reason?.code).toBe('void_not_possible');
    expect((await shop.settle(undo(second.id).id)).state.name).toBe('succeeded');
    expect(shop.charged).toBe(1234);
  });

  it.each(['tcp', 'serial'] as const)(
    'over %s that loses its line is found out: undone if and only if the terminal says so',
    async (kind) => {
      for (const how of ['reverse', 'decline', 'keep'] as const) {
        for (const when of ['command', 'result', 'result_acknowledged', 'print', 'completion'] as const) {
          const { shop, undo } = await sold({ kind, terminal: { missingAcknowledgement: how } });
          shop.terminal.inject({ when, do: 'cut' });
          const settled = await shop.settle(undo().id);
          const expected =
            settled.state.name === 'succeeded' ? 0 : settled.state.name === 'in_doubt' ? shop.charged : 1234;
          expect([how, when, settled.state.name, shop.charged]).toEqual([
            how,
            when,
            settled.state.name,
            expected,
          ]);
          await shop.close();
        }
      }
    },
  );
});
