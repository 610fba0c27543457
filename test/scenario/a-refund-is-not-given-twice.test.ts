import { describe, expect, it, onTestFinished } from 'vitest';
import { zvtDialect } from '../../drivers/terminals/zvt/virtual.ts';
import { AppError } from '../../src/base/errors.ts';
import { aNewAttempt, DEVICE_ID } from '../support/attempts.ts';
import { aRestoredShop } from '../support/restored-shop.ts';
import { Shop } from '../support/shop.ts';

/** Asks to give a sale back as a whole. Returns why it was not done, in small letters, or `succeeded`. */
async function giveBack(shop: Shop, parentId: string): Promise<string> {
  try {
    const request = { parentId, amountMinor: null, after: null, caller: 'socket' } as const;
    const settled = await shop.settle(shop.payments.refund(request).attempt.id);
    return settled.reason?.code ?? settled.state.name;
  } catch (error) {
    if (error instanceof AppError) return error.code.toLowerCase();
    throw error;
  }
}

/** What the terminal gave back, by its own ledger. */
const refunds = (shop: Shop) => shop.terminal.snapshot().ledger.filter(({ kind }) => kind === 'refund');

/** A sale that database and terminal have, and its refund, which only the terminal has. */
function paidAndGivenBack(shop: Shop): string {
  const { receiptNumber: number, trace } = shop.terminal.typeByHand({ kind: 'sale', amountMinor: 1234 });
  const { id } = shop.writer.open(aNewAttempt()).attempt;
  const baseline = {
    last: { kind: 'empty' },
    terminal: { grade: 'serial', serial: '17F00001' },
    batch: 1,
    day: 1,
  } as const;
  const report = { verdict: 'approved', kind: 'sale', amountMinor: 1234, number, trace } as const;
  shop.writer.apply(id, { type: 'dispatch' }, { baseline });
  shop.writer.apply(id, { type: 'reported', verdict: 'approved' }, { report });
  shop.writer.apply(id, { type: 'ended', as: 'approved', amount: 'as_asked' }, { report });
  shop.terminal.typeByHand({ kind: 'refund', amountMinor: 1234 });
  return id;
}

/** A shop whose books hold one paid sale and were restored; the life that is forgotten has given its money back. */
async function restoredAfterRefund() {
  let id = '';
  const shop = await aRestoredShop({}, (before) => {
    id = paidAndGivenBack(before);
  });
  shop.terminal.start();
  shop.queues.inherit();
  shop.queues.start();
  onTestFinished(() => shop.close());
  await shop.until(() => shop.queues.get(DEVICE_ID)?.status === 'ready', 30_000);
  return { shop, id };
}

describe('what went back already', () => {
  it('by a void that somebody typed at the terminal counts: a refund is refused', async () => {
    const shop = await Shop.open();
    const sale = await shop.settle(shop.sell().id);
    await shop.clock.advance(40_000);
    shop.terminal.typeByHand({ kind: 'void', receiptNumber: sale.report?.number ?? '' });
    expect(await giveBack(shop, sale.id)).toBe('refund_exceeds_amount');
    expect([refunds(shop), shop.charged]).toEqual([[], 0]);
    expect(shop.payments.get(sale.id).charged).toBe('no');
  });

  it('by a life that was forgotten is not given again before somebody has compared', async () => {
    const { shop, id } = await restoredAfterRefund();
    expect(await giveBack(shop, id)).toBe('memory_lost');
    expect(refunds(shop)).toHaveLength(1);
  });

  it('by a void that hit another sale blocks refunds of both until somebody has looked; what was hit has gone back, and does not go back again', async () => {
    const shop = await Shop.open({ dialect: zvtDialect({ voids: 'last_regardless' }) });
    const meant = await shop.settle(shop.sell({ reference: 'meant' }).id);
    const hit = await shop.settle(shop.sell({ reference: 'hit' }).id);
    const undo = await shop.settle(shop.payments.void({ parentId: meant.id, caller: 'socket' }).attempt.id);
    expect(undo.report?.originalTrace).toBe(hit.report?.trace);
    expect([await giveBack(shop, hit.id), await giveBack(shop, meant.id)]).toEqual([
      'refund_blocked',
      'refund_blocked',
    ]);
    expect(refunds(shop)).toEqual([]);
    const [task] = shop.payments.get(undo.id).tasks;
    shop.operations.finishTask(task?.id ?? '', { by: 'Ada', note: 'compared' });
    expect(await giveBack(shop, hit.id)).toBe('refund_exceeds_amount');
  });
});

describe('a refund in a currency that the device does not have any more', () => {
  it('is refused before anything is written', async () => {
    const shop = await Shop.open();
    const { id } = shop.writer.open(aNewAttempt({ amount: { minor: 1234, currency: 'USD' } })).attempt;
    shop.writer.apply(id, { type: 'dispatch' }, {});
    shop.writer.apply(id, { type: 'reported', verdict: 'approved' }, {});
    shop.writer.apply(id, { type: 'ended', as: 'approved', amount: 'as_asked' }, {});
    expect(await giveBack(shop, id)).toBe('currency_not_accepted');
    expect(shop.store.childrenOf(id)).toEqual([]);
  });
});

describe('a refund that the service asks for in another currency than its sale was', () => {
  it('gives nothing back', async () => {
    const shop = await Shop.open();
    const { id } = shop.writer.open(aNewAttempt({ amount: { minor: 1234, currency: 'USD' } })).attempt;
    shop.writer.apply(id, { type: 'dispatch' }, {});
    shop.writer.apply(id, { type: 'reported', verdict: 'approved' }, {});
    shop.writer.apply(id, { type: 'ended', as: 'approved', amount: 'as_asked' }, {});
    const serviceId = '0199c0de-0000-7000-8000-0000000000e1';
    shop.requestGuard.accept({
      serviceId,
      type: 'refund',
      parentId: id,
      deviceId: DEVICE_ID,
      amount: { minor: 1000, currency: 'EUR' },
      invoiceId: null,
      reference: null,
      metadata: {},
      ageMs: 0,
    });
    const refund = await shop.settle(shop.payments.get(serviceId).attempt.id);
    expect(refund).toMatchObject({ state: { name: 'cancelled' }, reason: { code: 'currency_not_accepted' } });
    expect(shop.terminal.snapshot().ledger).toEqual([]);
  });
});
