import { describe, expect, it } from 'vitest';
import { mapCustomer } from '../../../src/integration/mapping/customer.ts';
import { mapInvoice } from '../../../src/integration/mapping/invoice.ts';
import { aProviderShop, aResource, INTEGRATION, notingRoute } from '../../support/provider-shop.ts';

const RULES = {
  provider: INTEGRATION,
  requiresMappings: false,
  managedBy: 'local',
  mappingOf: () => undefined,
} as const;
const CUSTOMERS = aResource('customers', {
  name: '$trim(first & " " & last)',
  email: '$lowercase(email)',
  phone: '$string(phone)',
});
const INVOICES = aResource('invoices', {
  customer_external_id: '$string(customer)',
  status: 'status',
  currency: '"EUR"',
  total_minor: '$round($number(total) * 100)',
  tax_minor: '$round($number(tax) * 100)',
  lines: 'items.{"description": text, "unit_amount_minor": $round($number(price) * 100)}',
});
const INVOICE = { customer: 7, status: 'open', total: '10.50', tax: '1.50', items: [] };

async function aShop() {
  const customers = notingRoute((record) => mapCustomer(RULES, record));
  const invoices = notingRoute((record) => mapInvoice(RULES, record));
  const shop = await aProviderShop({
    resources: { customers: CUSTOMERS, invoices: INVOICES },
    routes: { customers, invoices },
  });
  const at = Date.now() - 3_600_000;
  const serve = (resource: string, rows: readonly object[]) =>
    shop.server.rows.set(
      resource,
      rows.map((row, no) => ({ id: no + 1, updated_at: at + no * 1_000, ...row })),
    );
  return { shop, serve, customers: customers.written, invoices: invoices.written };
}

describe('null at the source', () => {
  it('is null in every expression, and no customer is called "null"', async () => {
    const { shop, serve, customers } = await aShop();
    serve('customers', [
      { first: null, last: null, email: null, phone: null },
      { first: 'Ann', last: null, email: null, phone: null },
      { first: null, last: 'Lee', email: 'Lee@Shop.Example', phone: 49 },
    ]);
    await shop.start();
    const bodies = customers.map((write) => ('body' in write ? write.body : {}));
    expect(bodies).toMatchObject([
      { name: 'Ann', email: null, phone: null },
      { name: 'Lee', email: 'lee@shop.example', phone: '49' },
    ]);
    expect(shop.parked()).toMatchObject([{ resource: 'customers', recordId: '1', why: 'bad' }]);
  });

  it('as the reference to a customer parks the invoice; as an amount that may be absent it is absent', async () => {
    const { shop, serve, invoices } = await aShop();
    serve('invoices', [
      { ...INVOICE, customer: null },
      { ...INVOICE, tax: null },
    ]);
    await shop.start();
    expect(invoices.map(({ id }) => id)).toEqual(['2']);
    expect(JSON.stringify(invoices)).not.toMatch(/"null"|tax_minor/);
    expect(shop.parked()).toMatchObject([
      { recordId: '1', reason: expect.stringContaining('customer_external_id') },
    ]);
  });

  it('joined with & is named by a dry run, with its field', async () => {
    const { shop, serve } = await aShop();
    serve('customers', [{ first: 'Ann', last: null, email: null, phone: null }]);
    const signal = new AbortController().signal;
    const [run] = await shop.runner.dryRun(INTEGRATION, { full: false, resource: 'customers' }, signal);
    expect(run?.warnings).toEqual([expect.stringMatching(/^"name" joins a null with &.*\$join/)]);
  });
});

describe('a record whose expression fails', () => {
  it('keeps its id, with the field, the expression and what it read, in the parked records and in a dry run', async () => {
    const { shop, serve } = await aShop();
    serve('invoices', [{ ...INVOICE, total: { gross: 3 } }]);
    const reason = expect.stringMatching(
      /"total_minor" .*\$round\(\$number\(total\) \* 100\).*total is an object/,
    );
    const signal = new AbortController().signal;
    const [run] = await shop.runner.dryRun(INTEGRATION, { full: false, resource: 'invoices' }, signal);
    expect(run?.writes).toMatchObject([{ op: 'park', id: '1', body: reason }]);
    await shop.start();
    expect(shop.parked()).toMatchObject([{ resource: 'invoices', recordId: '1', key: '1', reason }]);
  });
});

describe('the lines of an invoice', () => {
  it.each([0, 1, 2])('are a list with %i entries', async (count) => {
    const { shop, serve, invoices } = await aShop();
    const items = Array.from({ length: count }, () => ({ text: 'Tea', price: '2.50' }));
    serve('invoices', [{ ...INVOICE, items }]);
    await shop.start();
    expect(shop.parked()).toEqual([]);
    const line = { description: 'Tea', unit_amount_minor: 250 };
    const [body] = invoices.map((write) => ('body' in write ? write.body : {}));
    const shown: unknown = Reflect.get(Object(body?.['invoice']), 'line_items') ?? [];
    expect(shown).toMatchObject(items.map(() => line));
  });
});
