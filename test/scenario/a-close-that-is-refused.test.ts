import { expect, it } from 'vitest';
import { isFinal } from '../../src/payment/attempt/state-machine.ts';
import type { TransactionReport } from '../../src/terminal/ports.ts';
import { aReport, DEVICE_ID } from '../support/attempts.ts';
import { aShopWith, type Execute } from './odd-driver.ts';

/** A terminal that approves the sale with this receipt number, refuses to close its day, and shows what `next.last` says. */
async function aShopBehindARefusedClose() {
  const report = aReport({ number: '0008' });
  const approves: Execute = async (observer) => {
    const outcome = { kind: 'approved', report, receipts: {} } as const;
    observer.accepted();
    observer.beforeAcknowledge(report);
    observer.beforeEnd(outcome);
    return outcome;
  };
  const shop = await aShopWith(approves);
  const shows = (last: TransactionReport) => {
    shop.next.last = { kind: 'found', report: last };
  };
  const before = aReport({ number: '0007' });
  const sale = shop.sell(1234);
  await shop.until(() => isFinal(shop.attempt(sale.id).state), 10_000);
  shows(report);
  const { id } = shop.operations.endOfDay({ deviceId: DEVICE_ID, caller: 'socket', force: null });
  await shop.until(() => shop.operations.settlement(id).completedAt !== null, 30_000);
  expect(shop.operations.settlement(id).status).toBe('refused');
  return { ...shop, sale, before, shows };
}

it('a sale before an end of day that the terminal refused can still be voided: its batch is open', async () => {
  const shop = await aShopBehindARefusedClose();
  const asked = { parentId: shop.sale.id, after: null, caller: 'socket' };
  expect(shop.payments.void(asked).attempt.type).toBe('void');
});

it('a sale that its terminal took back is corrected, although an end of day was refused since', async () => {
  const shop = await aShopBehindARefusedClose();
  shop.shows(shop.before);
  await shop.clock.advance(30_000);
  const next = shop.sell(500);
  await shop.until(() => isFinal(shop.attempt(next.id).state), 60_000);
  expect(shop.payments.get(shop.sale.id)).toMatchObject({ charged: 'no' });
});
