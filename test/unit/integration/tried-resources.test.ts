import { describe, expect, it } from 'vitest';
import { mapInvoice } from '../../../src/integration/mapping/invoice.ts';
import { aProviderShop, aResource, INTEGRATION, notingRoute } from '../../support/provider-shop.ts';
import { CREDENTIALS } from '../../support/source-context.ts';

const MINUTE = 60_000;
const INVOICE = {
  status: 'status',
  total_minor: 'total',
  currency: '"EUR"',
  customer_external_id: '"c-1"',
} as const;

async function aShop() {
  const rules = {
    provider: INTEGRATION,
    requiresMappings: false,
    managedBy: 'local',
    mappingOf: () => undefined,
  } as const;
  const invoices = notingRoute((record) => mapInvoice(rules, record));
  const shop = await aProviderShop({
    resources: { customers: aResource('customers'), invoices: aResource('invoices', INVOICE) },
    routes: { invoices },
  });
  const updated_at = Date.now() - MINUTE;
  shop.server.rows.set(
    'customers',
    Array.from({ length: 130 }, (_, id) => ({ id, updated_at })),
  );
  shop.server.rows.set('invoices', [
    { id: 1, status: 'draft', total: 100, updated_at },
    { id: 2, status: 'draft', total: 100, updated_at },
    { id: 3, status: 'open', total: 100, updated_at },
    { id: 4, status: 'open', total: -1, updated_at },
    { id: 5, status: 'paid', total: 100, updated_at },
  ]);
  return { shop, invoices };
}

describe('a test of every resource', () => {
  it('reads one page of each, stores nothing, and says what each lacks', async () => {
    const { shop } = await aShop();
    shop.server.instead = ({ resource }) =>
      resource === 'invoices' ? { status: 403, body: { message: 'not for this key' } } : undefined;
    const tests = await shop.runner.testResources(INTEGRATION, null);
    expect(tests).toMatchObject([
      { resource: 'customers', isReadable: true, received: 100, hasMore: true, failure: null },
      { resource: 'invoices', isReadable: false, failure: { code: 'SOURCE_FORBIDDEN' } },
    ]);
    expect(tests[1]?.failure?.message).toMatch(/status 403.*not for this key/);
    expect(shop.server.asked.map(({ resource }) => resource)).toEqual(['customers', 'invoices']);
    expect(shop.view('customers')).toMatchObject({ rows: 0, run: null, isPaused: false });
    expect(shop.settings.errorsOf(INTEGRATION)).toEqual([]);
  });

  it('takes another credential than the stored one for its own requests alone', async () => {
    const { shop } = await aShop();
    const other = { ...CREDENTIALS, apiKey: 'another', baseUrl: `${shop.server.url}/elsewhere` };
    await shop.runner.testResources(INTEGRATION, other);
    await shop.runner.testResources(INTEGRATION, null);
    expect(shop.server.asked.map(({ resource }) => resource)).toEqual([
      'elsewhere/customers',
      'elsewhere/invoices',
      'customers',
      'invoices',
    ]);
  });
});

describe('a dry run', () => {
  it('counts what it would do, and calls drafts drafts', async () => {
    const { shop, invoices } = await aShop();
    const asked = { full: false, resource: 'invoices' };
    const [run] = await shop.runner.dryRun(INTEGRATION, asked, new AbortController().signal);
    expect(run?.counts).toEqual({ create: 2, update: 0, remove: 0, park: 1, ignore: 2 });
    expect(run?.reasons).toEqual([
      { op: 'ignore', reason: 'it is a draft at the provider', records: 2 },
      { op: 'park', reason: 'its "total_minor" is below zero', records: 1 },
    ]);
    expect(invoices.written).toEqual([]);
  });
});
