import { describe, expect, it } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import { Budget } from '../../../src/outbox/budget.ts';
import { CreateWatch } from '../../../src/service/create-watch.ts';
import { InvoiceRecords } from '../../../src/service/invoice-records.ts';
import { ServiceClient } from '../../../src/service/service-client.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';
import { FakeHttp } from './fake-http.ts';

const INVOICE = '0199c0de-0001-7000-8000-00000000000b';
const never = new AbortController().signal;

/** The service's record of an invoice, as it is read where the service answers so. */
async function recordOf(invoice: unknown, payments: unknown, status = 200) {
  const clock = new VirtualClock();
  const http = new FakeHttp(
    () => clock.now(),
    ({ path }) => ({ status, body: path.startsWith('/invoices') ? invoice : payments }),
  );
  const client = new ServiceClient({ http, log: silentLog, credential: () => 'k' });
  const creates = new CreateWatch(clock);
  const record = await new InvoiceRecords({ client, creates, budget: new Budget(clock), clock }).ask(
    INVOICE,
    never,
  );
  return { record, http };
}

const LIST = { data: [] };

describe("the service's record of an invoice", () => {
  it('is what is due of it, and the payments that it lists of it and of no other', async () => {
    const payment = {
      id: 'p1',
      type: 'sale',
      status: 'succeeded',
      amount_minor: 5,
      invoice_id: INVOICE.toUpperCase(),
    };
    const others = { ...payment, id: 'p2', invoice_id: null };
    const invoice = {
      data: {
        id: INVOICE.toUpperCase(),
        status: 'open',
        amount_due_minor: 7,
        total_minor: 9,
        currency: 'EUR',
      },
    };
    const { record, http } = await recordOf(invoice, { data: [payment, others] });
    expect(record?.copy).toMatchObject({ status: 'open', dueMinor: 7, totalMinor: 9, currency: 'EUR' });
    expect(record?.payments).toMatchObject([
      { id: 'p1', amountMinor: 5, status: 'succeeded', mayBeOurs: false },
    ]);
    expect(http.lines.toSorted()).toEqual([`GET /invoices/${INVOICE}`, 'GET /terminal-payments']);
  });

  it.each([
    ['an invoice without a wrapper', { id: INVOICE, status: 'paid' }, LIST, 'paid'],
    ['fields of other types', { data: { id: INVOICE, status: 7, amount_due_minor: '0' } }, LIST, null],
  ])('is read from %s', async (_, invoice, list, status) => {
    expect((await recordOf(invoice, list)).record?.copy).toMatchObject({ status, dueMinor: null });
  });

  it.each([
    ['another invoice', { data: { id: '0199c0de-0001-7000-8000-00000000000c', status: 'paid' } }],
    ['a login page', 'please sign in'],
    ['nothing', undefined],
  ])('does not come from %s', async (_, invoice) => {
    expect((await recordOf(invoice, LIST)).record).toEqual({ copy: null, payments: [] });
  });

  it.each([400, 401, 403, 404, 500])('is none where the service answers %i to both', async (status) => {
    expect((await recordOf({ error: 'no' }, { error: 'no' }, status)).record).toBeNull();
  });
});
