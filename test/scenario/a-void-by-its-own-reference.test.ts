import { describe, expect, it } from 'vitest';
import type {
  AskedReference,
  MoneyCommand,
  Outcome,
  OwnTransaction,
  TransactionReport,
} from '../../src/terminal/ports.ts';
import { aReport } from '../support/attempts.ts';
import { aShopWith, type Execute } from './odd-driver.ts';

/** A terminal of the request/response kind: it keeps what it did under the reference of each command. */
async function aShop() {
  const records = new Map<string, TransactionReport>();
  const lost = { answer: false, before: false };
  const reportOf = ({ kind, attemptId, amount }: MoneyCommand): TransactionReport => {
    const report = aReport({ number: '0008', reference: attemptId, amountMinor: amount.minor });
    return { ...report, kind: kind === 'sale' || kind === 'void' ? kind : 'unknown' };
  };
  const execute: Execute = async (_observer, _signal, command): Promise<Outcome> => {
    if (lost.before) return { kind: 'unknown', code: 'LINK_LOST', message: 'the line was cut' };
    const report = reportOf(command);
    records.set(command.attemptId, report);
    if (lost.answer) return { kind: 'unknown', code: 'LINK_LOST', message: 'the line was cut' };
    return { kind: 'approved', report, receipts: {} };
  };
  const ownTransaction = ({ attemptId }: { readonly attemptId: string }): OwnTransaction => {
    const report = records.get(attemptId);
    return report
      ? { kind: 'found', report }
      : { kind: 'never_seen', keptMs: 86_400_000, last: shop.next.last };
  };
  const shop = await aShopWith(execute, ownTransaction);
  const sale = shop.sell(1234);
  await shop.until(() => shop.attempt(sale.id).state.name === 'succeeded', 10_000);
  shop.next.last = { kind: 'found', report: records.get(sale.id) ?? aReport() };
  const undo = async () => {
    const { id } = shop.payments.void({ parentId: sale.id, caller: 'socket' }).attempt;
    await shop.until(() => shop.attempt(id).completedAt !== null, 600_000);
    return shop.payments.get(id);
  };
  return { ...shop, records, lost, sale, undo };
}

describe('a void whose answer was lost', () => {
  it('is asked for by its own reference: it went back, though the sale says that it stands', async () => {
    const shop = await aShop();
    shop.lost.answer = true;
    const undone = await shop.undo();
    expect(shop.records.get(shop.sale.id)).toMatchObject({ kind: 'sale', verdict: 'approved' });
    expect([undone.attempt.state.name, undone.charged]).toEqual(['succeeded', 'yes']);
    expect(shop.payments.get(shop.sale.id).refundedMinor).toBe(1234);
  });

  it('did not happen where a terminal that keeps every command never got it', async () => {
    const shop = await aShop();
    shop.lost.before = true;
    const failed = await shop.undo();
    expect([failed.attempt.state.name, failed.charged]).toEqual(['error', 'no']);
    expect(shop.payments.get(shop.sale.id).refundedMinor).toBe(0);
  });
});

describe('a void of a charge that only a correction shows', () => {
  it('is asked for beside the sale that the terminal got, when its answer was lost', async () => {
    const records = new Map<string, TransactionReport>();
    const asked: AskedReference[] = [];
    const execute: Execute = async (_observer, _signal, { kind, attemptId, amount }): Promise<Outcome> => {
      const report = aReport({ number: '0008', reference: attemptId, amountMinor: amount.minor });
      records.set(attemptId, { ...report, kind: kind === 'void' ? 'void' : 'sale' });
      return { kind: 'unknown', code: 'LINK_LOST', message: 'the line was cut' };
    };
    const ownTransaction = (reference: AskedReference): OwnTransaction => {
      asked.push(reference);
      const report = records.get(reference.attemptId);
      if (reference.sale === undefined) return { kind: 'unreadable', detail: 'it repeats nothing' };
      return report ? { kind: 'found', report } : { kind: 'unreadable', detail: 'it repeats nothing' };
    };
    const shop = await aShopWith(execute, ownTransaction);
    const sale = shop.sell(1234);
    await shop.until(() => shop.attempt(sale.id).releasedAt !== null, 3_600_000);
    const words = { by: 'Ada', reason: 'no slip', shown: 'nothing', lead: true } as const;
    shop.payments.resolve(sale.id, { as: 'not_charged', ...words });
    shop.next.last = { kind: 'found', report: records.get(sale.id) ?? aReport() };
    shop.sell(500);
    await shop.until(() => shop.payments.get(sale.id).correctedBy !== null, 60_000);
    const charge = shop.payments.get(sale.id).correctedBy ?? '';
    const { id } = shop.payments.void({ parentId: charge, caller: 'socket' }).attempt;
    await shop.until(() => shop.attempt(id).completedAt !== null, 600_000);
    expect(asked.at(-1)).toMatchObject({ attemptId: id, sale: { attemptId: sale.id } });
    expect(shop.payments.get(id).charged).toBe('yes');
  });
});
