import { describe, expect, it } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import type { InvoiceRecord, ListedPayment } from '../../../src/payment/invoice/bill.ts';
import { InvoiceCheck } from '../../../src/payment/invoice/invoice-check.ts';
import { InvoiceLookup } from '../../../src/payment/invoice/invoice-lookup.ts';
import { anAttempt, DEVICE_ID } from '../../support/attempts.ts';
import { Shop } from '../../support/shop.ts';

/** Another till's payment of the invoice. */
function elsewhere(status: string): ListedPayment {
  const what = { type: 'sale', amountMinor: 1234, parentId: null, mayBeOurs: false, metadata: {} };
  return { id: `service-${status}`, status, ...what };
}

/** A real database with sales that the service could not be asked about, and the service's answers by invoice. */
function aShop(answers: Readonly<Record<string, string>>) {
  const shop = new Shop();
  const { store, writer, outbox, clock } = shop;
  const copy = { status: 'open', dueMinor: 0, totalMinor: 1234, currency: 'EUR', copied: null };
  const ask = async (invoiceId: string): Promise<InvoiceRecord> => ({
    copy,
    payments: [elsewhere(answers[invoiceId] ?? '')],
  });
  const source = { copyOf: () => null, confirmsCreates: true, isOnline: () => true, ask };
  const invoices = new InvoiceLookup({ source, store, isOurs: () => false, clock, log: silentLog });
  for (const invoiceId of Object.keys(answers)) {
    const id = `sale-of-${invoiceId}`;
    const paid = { state: { name: 'succeeded' }, completedAt: 1 } as const;
    store.insertAttempt(anAttempt({ id, invoiceId, deviceId: DEVICE_ID, ...paid }));
    const report = {
      attemptId: id,
      operation: 'sale',
      parentId: null,
      body: {},
      createdAt: 1,
      withheld: null,
    };
    store.enqueueReport({ ...report, operation: 'sale', id: `r-${id}`, kind: 'result', key: `r-${id}` });
    outbox.beginTry(`r-${id}`, 1);
    outbox.done(`r-${id}`, null);
    writer.ask('invoice_unconfirmed', { attemptId: id });
  }
  return { store, check: new InvoiceCheck({ writer, store, invoices, clock, log: silentLog }) };
}

describe('sales that the service could not be asked about', () => {
  it('are asked about in turn: those that are never answered keep no other from being found paid twice', async () => {
    const stuck = Object.fromEntries([1, 2, 3, 4, 5].map((index) => [`stuck-${index}`, 'in_progress']));
    const { store, check } = aShop({ ...stuck, twice: 'succeeded' });
    await check.look();
    await check.look();
    expect(store.openTasksOf('sale-of-twice').map(({ kind }) => kind)).toEqual(['invoice_paid_twice']);
    expect(store.openTasksOfKind('invoice_unconfirmed')).toHaveLength(5);
  });
});
