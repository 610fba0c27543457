import { describe, expect, it } from 'vitest';
import { zvtDialect } from '../../drivers/terminals/zvt/virtual.ts';
import { anAttempt } from '../support/attempts.ts';
import { Shop } from '../support/shop.ts';

const euros = (minor: number) => ({ minor, currency: 'EUR' }) as const;

/** A sale of before, whose signature nobody has compared yet. */
function signedSale(shop: Shop, id: string): void {
  shop.store.insertAttempt(
    anAttempt({ id, deviceId: 'another', state: { name: 'succeeded' }, completedAt: 1 }),
  );
  shop.writer.ask('signature_to_check', { attemptId: id });
}

/** A void of the first of two sales, on a terminal that undoes its last one whatever number it is given. */
async function misled(second: number, olderTasks = 0) {
  const shop = await Shop.open({ dialect: zvtDialect({ voids: 'last_regardless' }) });
  shop.store.transaction(() => {
    for (let index = 0; index < olderTasks; index += 1) signedSale(shop, `signed-${index}`);
  });
  const sale = await shop.settle(shop.sell({ reference: 'BASKET-1' }).id);
  await shop.clock.advance(40_000);
  const other = await shop.settle(shop.sell({ amount: euros(second) }).id);
  const undo = await shop.settle(shop.payments.void({ parentId: sale.id, caller: 'socket' }).attempt.id);
  return { shop, sale, other, undo };
}

describe('a void that undid another sale', () => {
  it('of the same amount is an alarm for staff, by the trace that the terminal names', async () => {
    const { shop, other, undo } = await misled(1234);
    expect(undo).toMatchObject({
      state: { name: 'succeeded' },
      report: { originalTrace: other.report?.trace },
    });
    const tasks = shop.payments.get(undo.id).tasks;
    expect(tasks).toMatchObject([{ kind: 'void_mismatch', attemptId: undo.id }]);
    expect(shop.tasksOf(undo.id)[0]).toMatch(
      /WAS given back.*names another transaction.*Compare both receipts/,
    );
  });

  it('of another amount is an alarm for staff with both amounts', async () => {
    const { shop, undo } = await misled(500);
    const [task] = shop.payments.get(undo.id).tasks;
    expect(task).toMatchObject({ kind: 'void_mismatch' });
    expect(shop.tasksOf(undo.id)[0]).toMatch(/gave back .*5\.00.* instead of .*12\.34/);
  });

  it('leaves its own sale standing, also once somebody has looked: it is not charged again unasked', async () => {
    const { shop, sale, undo } = await misled(500);
    const [task] = shop.payments.get(undo.id).tasks;
    shop.operations.finishTask(task?.id ?? '', { by: 'Ada', note: 'compared' });
    const again = { reference: 'BASKET-1' };
    expect(() => shop.sell(again)).toThrow(expect.objectContaining({ code: 'PAYMENT_ALREADY_PAID' }));
    expect(shop.sell({ ...again, after: sale.id }).state.name).toBe('requested');
  });

  it('has given back the sale that it did undo: a refund of that is refused, also once somebody has looked', async () => {
    const { shop, other, undo } = await misled(1234);
    for (const task of shop.payments.get(undo.id).tasks)
      shop.operations.finishTask(task.id, { by: 'Ada', note: 'compared' });
    expect(shop.payments.get(other.id)).toMatchObject({ charged: 'no', correctedBy: expect.any(String) });
    expect(() =>
      shop.payments.refund({ parentId: other.id, amountMinor: 1234, after: null, caller: 'socket' }),
    ).toThrow(expect.objectContaining({ code: expect.stringMatching(/REFUND/) }));
  });

  it('keeps both sales from being given back until a person has compared, however many tasks are open besides', async () => {
    const { shop, sale, other } = await misled(500, 1001);
    const [last] = shop.operations.tasks({ open: true, limit: 1001 }).slice(-1);
    const behind = shop.operations.tasks({ open: true, limit: 9, startingAfter: last?.id ?? '' });
    expect(behind.map(({ kind }) => kind)).toEqual(['void_mismatch', 'correction']);
    for (const parentId of [sale.id, other.id])
      expect(() =>
        shop.payments.refund({ parentId, amountMinor: 100, after: null, caller: 'socket' }),
      ).toThrow(expect.objectContaining({ code: 'REFUND_BLOCKED' }));
  });

  it('takes the capability from that device: nothing is undone there any more, by nobody', async () => {
    const { shop, other, undo } = await misled(1234);
    expect(shop.queues.get(shop.deviceId)?.capabilities.void).toBe('none');
    const [task] = shop.payments.get(undo.id).tasks;
    shop.operations.finishTask(task?.id ?? '', { by: 'Ada', note: 'compared' });
    expect(() => shop.payments.void({ parentId: other.id, caller: 'socket' })).toThrow(
      expect.objectContaining({ code: 'VOID_NOT_POSSIBLE' }),
    );
    const next = await shop.settle(shop.sell({ amount: euros(7) }).id);
    expect(() => shop.payments.void({ parentId: next.id, caller: 'socket' })).toThrow(
      expect.objectContaining({ context: { details: expect.objectContaining({ instead: 'refund' }) } }),
    );
  });
});
