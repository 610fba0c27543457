import { describe, expect, it, onTestFinished } from 'vitest';
import type { ServiceRequest } from '../../src/payment/guards/service-work.ts';
import { aNewAttempt, DEVICE_ID } from '../support/attempts.ts';
import { aRestoredShop } from '../support/restored-shop.ts';
import type { Shop } from '../support/shop.ts';

/** When the clock of a shop begins. */
const BEGAN = Date.UTC(2026, 0, 5, 9);
const INVOICE = '0199c0de-0000-7000-8000-0000000000f1';

/** A shop whose database was restored just now; `earlier` happens before that. */
async function woken(earlier: (shop: Shop) => void = () => undefined): Promise<Shop> {
  const shop = await aRestoredShop({}, earlier);
  shop.terminal.start();
  await shop.clock.settle();
  shop.queues.inherit();
  shop.queues.start();
  onTestFinished(() => shop.close());
  return shop;
}

function question(shop: Shop) {
  return shop.operations.tasks({ open: true, limit: 9 }).find((task) => task.kind === 'memory_lost');
}

async function asked(shop: Shop) {
  await shop.until(() => question(shop) !== undefined, 30_000);
  return question(shop);
}

function work(changes: Partial<ServiceRequest> = {}): ServiceRequest {
  return {
    serviceId: '0199c0de-0000-7000-8000-0000000000e1',
    type: 'sale',
    parentId: null,
    deviceId: DEVICE_ID,
    amount: { minor: 500, currency: 'EUR' },
    invoiceId: null,
    reference: null,
    metadata: {},
    ageMs: 60_000,
    ...changes,
  };
}

const reportedOutcomes = (shop: Shop) => shop.database.all("SELECT * FROM outbox WHERE kind = 'result'");

describe('after the memory was lost', () => {
  it("the terminal's last transaction is read and shown before the first sale goes to it", async () => {
    const shop = await woken(({ terminal }) => terminal.typeByHand({ kind: 'sale', amountMinor: 4321 }));
    await shop.until(() => shop.queues.get(DEVICE_ID)?.status === 'ready', 30_000);
    await shop.clock.advance(10_000);
    shop.requestGuard.accept(work({ ageMs: 0 }));
    const sale = await shop.settle(shop.payments.get(work().serviceId).attempt.id);
    expect(sale.state.name).toBe('succeeded');
    const task = question(shop);
    expect(task?.message).toMatch(/an approved transaction of .*43\.21.*receipt 0001/);
    expect(task?.createdAt).toBeLessThanOrEqual(sale.dispatchedAt ?? 0);
  });

  it('a sale is refused until somebody has compared, and asked for once', async () => {
    const shop = await woken();
    expect(() => shop.sell()).toThrow(expect.objectContaining({ code: 'MEMORY_LOST' }));
    const task = await asked(shop);
    expect(() => shop.sell()).toThrow(
      expect.objectContaining({
        code: 'MEMORY_LOST',
        context: { details: expect.objectContaining({ task_id: task?.id }) },
      }),
    );
    shop.operations.finishTask(task?.id ?? '', { by: 'Ada', note: 'nothing was paid' });
    expect((await shop.settle(shop.sell().id)).state.name).toBe('succeeded');
    expect((await shop.settle(shop.sell({ amount: { minor: 7, currency: 'EUR' } }).id)).state.name).toBe(
      'succeeded',
    );
    expect(question(shop)).toBeUndefined();
  });

  it('work of the service that is older than the memory is in doubt: never run, never reported cancelled', async () => {
    const shop = await woken();
    await asked(shop);
    shop.requestGuard.accept(work());
    const { id } = shop.payments.get(work().serviceId).attempt;
    expect(shop.attempt(id)).toMatchObject({
      state: { name: 'in_doubt' },
      needsPerson: true,
      reason: { code: 'memory_lost' },
    });
    const settled = await shop.settle(id);
    await shop.clock.advance(600_000);
    expect(settled).toMatchObject({ state: { name: 'in_doubt' }, dispatchedAt: null });
    expect([shop.terminal.snapshot().ledger, reportedOutcomes(shop)]).toEqual([[], []]);
  });

  it('work of the service that is younger than the memory runs', async () => {
    const shop = await woken();
    await asked(shop);
    await shop.clock.advance(10_000);
    await shop.clock.advance(10_000);
    shop.requestGuard.accept(work({ ageMs: 0 }));
    expect((await shop.settle(shop.payments.get(work().serviceId).attempt.id)).state.name).toBe('succeeded');
  });

  it('a request that waited in a restored database is in doubt: never run, never reported cancelled', async () => {
    const created = aNewAttempt({ createdAt: BEGAN - 1000, expiresAt: BEGAN + 59_000 });
    const shop = await woken(({ writer }) => void writer.open(created));
    expect(shop.attempt(created.id)).toMatchObject({ state: { name: 'in_doubt' }, needsPerson: true });
    const settled = await shop.settle(created.id);
    expect(settled).toMatchObject({ state: { name: 'in_doubt' }, dispatchedAt: null });
    expect([shop.terminal.snapshot().ledger, reportedOutcomes(shop)]).toEqual([[], []]);
  });

  it('such a doubt is with a person, and the terminal sells on', async () => {
    const created = aNewAttempt({ createdAt: BEGAN - 1000, expiresAt: BEGAN + 59_000 });
    const shop = await woken(({ writer }) => void writer.open(created));
    await shop.settle(created.id);
    const task = await asked(shop);
    expect(() => shop.sell({ invoiceId: INVOICE })).toThrow(expect.objectContaining({ code: 'MEMORY_LOST' }));
    shop.operations.finishTask(task?.id ?? '', { by: 'Ada', note: 'compared' });
    const sale = shop.sell({ invoiceId: INVOICE, amount: { minor: 7, currency: 'EUR' } });
    expect((await shop.settle(sale.id)).state.name).toBe('succeeded');
    shop.payments.resolve(created.id, {
      as: 'succeeded',
      by: 'Ada',
      reason: 'receipt',
      shown: '0007',
      lead: true,
    });
    expect(reportedOutcomes(shop)).toHaveLength(2);
  });
});
