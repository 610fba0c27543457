import { describe, expect, it } from 'vitest';
import type { Attempt } from '../../src/payment/attempt/attempt.ts';
import type { PaymentEvent } from '../../src/payment/payments.ts';
import { Shop, type ShopOptions } from '../support/shop.ts';

const euros = (minor: number) => ({ minor, currency: 'EUR' }) as const;

/** A sale of which our books say "not charged", by a person's word, while the terminal has it as approved. */
async function bookedLate(options: ShopOptions = {}) {
  const shop = await Shop.open(options);
  await shop.settle(shop.sell({ amount: euros(100) }).id);
  const sale = await shop.settle(shop.sell({ reference: 'B-1' }).id);
  const evidence = { kind: 'person', by: 'Ada', reason: 'no receipt', shown: '-' } as const;
  const reason = { code: 'not_charged', message: 'Ada looked: not charged (no receipt)' };
  const ended: Attempt = {
    ...sale,
    state: { name: 'error' },
    evidence,
    reason,
    version: sale.version + 1,
  };
  shop.store.updateAttempt(ended);
  return { shop, ended };
}

function correctionOf(shop: Shop, { id }: Attempt): Attempt {
  const correction = shop.store.correctionOf(id);
  if (!correction) throw new Error('nothing was corrected');
  return correction;
}

describe('evidence against an attempt that has ended', () => {
  it('is recorded as a correction that is reported and never sent; the end itself does not change', async () => {
    const { shop, ended } = await bookedLate();
    const events: PaymentEvent[] = [];
    shop.payments.subscribe({ event: (event) => events.push(event) });
    const next = await shop.settle(shop.sell({ amount: euros(5) }).id);
    const correction = correctionOf(shop, ended);
    expect(correction).toMatchObject({
      type: 'sale',
      corrects: ended.id,
      cause: 'correction',
      amount: euros(1234),
      reference: 'B-1',
      state: { name: 'succeeded' },
      dispatchedAt: null,
      evidence: { kind: 'terminal_journal' },
    });
    expect(shop.attempt(ended.id)).toEqual(ended);
    expect(shop.payments.get(ended.id)).toMatchObject({ charged: 'yes', correctedBy: correction.id });
    expect(next).toMatchObject({ state: { name: 'cancelled' }, reason: { code: 'previous_was_charged' } });
    expect(events.map((event) => event.type)).toContain('terminal_payment.succeeded');
    const reports = shop.database.all(
      'SELECT kind FROM outbox WHERE attempt_id = ? ORDER BY seq',
      correction.id,
    );
    expect(reports).toEqual([{ kind: 'create' }, { kind: 'result' }]);
  });

  it('asks a person one question, once, and blocks nothing afterwards', async () => {
    const { shop, ended } = await bookedLate();
    await shop.settle(shop.sell({ amount: euros(5) }).id);
    const { id } = correctionOf(shop, ended);
    const open = () => shop.operations.tasks({ open: true, limit: 9 });
    expect(open()).toMatchObject([{ kind: 'correction', attemptId: id }]);
    expect(shop.tasksOf(id)[0]).toMatch(/HAS paid 12\.34.* Refund it, or let it stand/);
    expect((await shop.settle(shop.sell({ amount: euros(6) }).id)).state.name).toBe('succeeded');
    expect((await shop.settle(shop.sell({ amount: euros(7) }).id)).state.name).toBe('succeeded');
    expect(open()).toHaveLength(1);
    const task = shop.operations.finishTask(open()[0]?.id ?? '', { by: 'Ada', note: 'stands' });
    expect([task.done?.by, open()]).toEqual(['Ada', []]);
    expect(() => shop.operations.finishTask(task.id, { by: 'Bob', note: 'x' })).toThrow(
      expect.objectContaining({ code: 'TASK_DONE' }),
    );
  });

  it('makes the sale refundable through its correction, and guards it against a second charge', async () => {
    const { shop, ended } = await bookedLate();
    await shop.settle(shop.sell({ amount: euros(5) }).id);
    expect(() => shop.sell({ reference: 'B-1' })).toThrow(
      expect.objectContaining({ code: 'PAYMENT_ALREADY_PAID' }),
    );
    const { id } = correctionOf(shop, ended);
    const back = shop.payments.refund({ parentId: id, amountMinor: null, after: null, caller: 'socket' });
    expect((await shop.settle(back.attempt.id)).state.name).toBe('succeeded');
    expect(shop.charged).toBe(100);
  });

  it('that a sale is gone is recorded as its void: nothing is left to refund', async () => {
    const shop = await Shop.open();
    const sale = await shop.settle(shop.sell().id);
    shop.terminal.typeByHand({ kind: 'void', receiptNumber: sale.report?.number ?? '' });
    await shop.settle(shop.sell({ amount: euros(5) }).id);
    expect(shop.charged).toBe(5);
    expect(shop.queues.get(shop.deviceId)?.sharedUse).toBe(true);
  });
});

describe('a sale typed at the terminal by hand', () => {
  it('is adopted by nobody: not by the sale before it, nor by the one after', async () => {
    const shop = await Shop.open();
    const before = await shop.settle(shop.sell().id);
    shop.terminal.typeByHand({ kind: 'sale', amountMinor: 500 });
    const after = await shop.settle(shop.sell({ amount: euros(500) }).id);
    expect([before.report?.number, after.report?.number]).toEqual(['0001', '0003']);
    expect(shop.charged).toBe(1234 + 500 + 500);
    expect(shop.queues.get(shop.deviceId)?.sharedUse).toBe(true);
  });

  it('before recovery could read leaves the doubt to a person, unless it is exactly the next one with our amount', async () => {
    const shop = await Shop.open({ terminal: { missingAcknowledgement: 'keep' } });
    shop.terminal.inject({ when: 'result', do: 'power_loss', ms: 3000 });
    const { id } = shop.sell();
    await shop.until(() => shop.attempt(id).state.name === 'in_doubt', 400_000);
    shop.terminal.stop();
    shop.terminal.start();
    shop.terminal.typeByHand({ kind: 'sale', amountMinor: 777 });
    const doubt = await shop.settle(id);
    expect(doubt).toMatchObject({ state: { name: 'in_doubt' }, needsPerson: true });
    expect(doubt.reason?.message).toContain('Compare the receipts');
  });
});

describe('a terminal that closes its day by itself', () => {
  it('is noticed: stored as a settlement, its older marks and numbers count no more', async () => {
    const shop = await Shop.open();
    const sale = await shop.settle(shop.sell().id);
    await shop.settle(shop.sell({ amount: euros(5) }).id);
    shop.terminal.closeByHand();
    shop.terminal.presetNumbers(0, 900);
    shop.terminal.typeByHand({ kind: 'sale', amountMinor: 300 });
    await shop.settle(shop.sell({ amount: euros(6) }).id);
    expect(shop.operations.settlements({ deviceId: shop.deviceId, limit: 5 }).items).toMatchObject([
      { source: 'terminal', status: 'succeeded', ours: { sales: { count: 2 } } },
    ]);
    expect(() => shop.payments.void({ parentId: sale.id, caller: 'socket' })).toThrow(
      expect.objectContaining({ code: 'VOID_NOT_POSSIBLE' }),
    );
  });
});

describe('reconciling', () => {
  it("holds the terminal's lines and sums against ours", async () => {
    const shop = await Shop.open();
    const { id } = shop.operations.endOfDay({ deviceId: shop.deviceId, caller: 'socket', force: null });
    await shop.until(() => shop.operations.settlement(id).status === 'succeeded', 60_000);
    const sale = await shop.settle(shop.sell().id);
    const report = await reconciled(shop);
    expect(report).toMatchObject({
      complete: false,
      lines: [{ attemptId: sale.id, verdict: 'same' }],
      ours: { netMinor: 1234 },
      totalsAgree: true,
    });
  });

  it('shows a line that nobody here sent, and sums that differ', async () => {
    const shop = await Shop.open();
    await shop.settle(shop.sell().id);
    shop.terminal.typeByHand({ kind: 'sale', amountMinor: 777 });
    expect(await reconciled(shop)).toMatchObject({
      lines: [{ attemptId: null, verdict: 'unknown', terminal: { amountMinor: 777 } }],
    });
    expect(shop.queues.get(shop.deviceId)?.sharedUse).toBe(true);
  });

  it('finds what contradicts our books, and records it', async () => {
    const { shop, ended } = await bookedLate();
    const report = await reconciled(shop);
    expect(report.lines).toMatchObject([{ verdict: 'contradicts' }]);
    expect(correctionOf(shop, ended).amount.minor).toBe(1234);
  });
});

async function reconciled(shop: Shop) {
  const running = shop.operations.reconcile(shop.deviceId);
  await shop.clock.runUntil(running, 60_000);
  return running;
}
