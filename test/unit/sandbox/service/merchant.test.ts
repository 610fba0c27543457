import { describe, expect, it } from 'vitest';
import type { SandboxSettings } from '../../../../src/sandbox/service/settings.ts';
import { type AtWork, DEVICE, KEY, withSandbox } from './sandbox-at-work.ts';

const AREAS = ['customers', 'products', 'subscriptions', 'invoices', 'payments'];
const SETTINGS: Partial<SandboxSettings> = {
  keys: [
    { key: KEY, scopes: [...AREAS.flatMap((area) => [`${area}:read`, `${area}:write`]), 'finance:read'] },
    { key: 'rk_sandbox_payments', scopes: ['payments:read'] },
  ],
  catalogue: { customers: 7, prices: 7, products: 7 },
};
const AT = '2026-01-05T09:00:00Z';

function withMerchant(scenario: (at: AtWork) => Promise<void>): Promise<void> {
  return withSandbox(scenario, SETTINGS);
}

async function walk(
  { ask }: AtWork,
  pathOf: (page: number, last: string | null) => string,
): Promise<string[]> {
  const ids: string[] = [];
  for (let page = 0; page < 10; page += 1) {
    const { body } = await ask('GET', pathOf(page, ids.at(-1) ?? null));
    const data: readonly { id: string }[] = body.data;
    ids.push(...data.map(({ id }) => id));
    if (data.length < 3) return ids;
  }
  throw new Error('the list has no end');
}

describe("the merchant's account", () => {
  it('is walked to its end in each of the three styles, every record once', async () => {
    await withMerchant(async (at) => {
      const walks = [
        await walk(at, (page) => `/v2/customers?limit=3&offset=${page * 3}`),
        await walk(at, (page) => `/v2/products?limit=3&page=${page + 1}`),
        await walk(
          at,
          (_page, last) => `/v2/prices?limit=3${last === null ? '' : `&starting_after=${last}`}`,
        ),
      ];
      for (const ids of walks) expect(new Set(ids).size).toBe(7);
      for (const ids of walks) expect(ids).toHaveLength(7);
    });
  });

  it.each([
    'invoices',
    'customers',
    'products',
    'prices',
    'subscriptions',
    'payment-intents',
    'disputes',
    'payouts',
    'mandates',
    'entitlements',
    'orders',
  ])('has %s, and each of them by its id', async (kind) => {
    await withMerchant(async ({ ask }) => {
      const { data } = (await ask('GET', `/v2/${kind}?limit=1`)).body;
      const one = await ask('GET', `/v2/${kind}/${data[0].id}`);
      expect(one.body).toEqual(kind === 'orders' ? data[0] : { data: data[0] });
      expect((await ask('GET', `/v2/${kind}/0199c0de-ffff-7000-8000-000000000000`)).status).toBe(404);
    });
  });

  it.each([
    '/v2/customers?page=1',
    '/v2/products?offset=0',
    '/v2/products?page=0',
    '/v2/prices?starting_after=a&ending_before=b',
    '/v2/prices?starting_after=nothing',
    '/v2/customers?limit=101',
  ])('refuses GET %s', async (path) => {
    await withMerchant(async ({ ask }) => {
      expect((await ask('GET', path)).status).toBe(400);
    });
  });

  it('is closed to a key without the scope', async () => {
    await withMerchant(async ({ ask }) => {
      expect(await ask('GET', '/v2/customers', { key: 'rk_sandbox_payments' })).toMatchObject({
        status: 403,
        body: { error: { details: { required: ['customers:read'] } } },
      });
    });
  });

  it('takes customers of other systems, each by its external id, and nothing that is older than what it knows', async () => {
    await withMerchant(async ({ ask }) => {
      const path = '/v2/customers/external/batch';
      const customer = { external_id: 'c1', source_updated_at: AT, email: 'a@shop.example' };
      const put = async (...customers: readonly unknown[]) =>
        (await ask('PUT', path, { body: { customers } })).body.data;
      const [made] = await put(customer);
      expect(made).toMatchObject({ external_id: 'c1', status: 'created' });
      expect(await put(customer, { ...customer, external_id: 'c2' })).toEqual([
        { ...made, status: 'updated' },
        expect.objectContaining({ external_id: 'c2', status: 'created' }),
      ]);
      expect(await put({ ...customer, source_updated_at: '2026-01-05T08:59:59Z' })).toEqual([
        { ...made, status: 'stale' },
      ]);
    });
  });

  it.each([
    [
      'more than a hundred',
      Array.from({ length: 101 }, (_, index) => ({ external_id: `c${index}`, source_updated_at: AT })),
    ],
    ['none', []],
    ['one without an id', [{ source_updated_at: AT }]],
    ['one without a time', [{ external_id: 'c1' }]],
    ['one whose time has no zone', [{ external_id: 'c1', source_updated_at: '2026-01-05T09:00:00' }]],
    ['one with a field nobody knows', [{ external_id: 'c1', source_updated_at: AT, colour: 'red' }]],
  ])('refuses a batch with %s', async (_what, customers) => {
    await withMerchant(async ({ ask }) => {
      expect((await ask('PUT', '/v2/customers/external/batch', { body: { customers } })).status).toBe(400);
    });
  });

  it('reduces what is due of an invoice by its payments, and lets refunds raise it again', async () => {
    await withMerchant(async ({ ask }) => {
      const [{ id, total_minor: total }] = (await ask('GET', '/v2/invoices?limit=1&offset=1')).body.data;
      const pay = async (path: string, amount: number, fields: object) => {
        const made = await ask('POST', `/v2/terminal-payments${path}`, {
          body: { amount_minor: amount, ...fields },
        });
        await ask('POST', `/v2/terminal-payments/${made.body.data.id}/result`, {
          body: { status: 'succeeded' },
        });
        return made.body.data.id;
      };
      const sale = { device_id: DEVICE, currency: 'EUR', invoice_id: id };
      const stands = async () => {
        const one = (await ask('GET', `/v2/invoices/${id}`)).body.data;
        const listed = (await ask('GET', '/v2/invoices?limit=1&offset=1')).body.data[0];
        expect(listed).toEqual(one);
        return [one.status, one.amount_due_minor];
      };
      expect(await stands()).toEqual(['open', total]);
      await pay('', 100, sale);
      expect(await stands()).toEqual(['open', total - 100]);
      const rest = await pay('', total - 100, sale);
      expect(await stands()).toEqual(['paid', 0]);
      await pay(`/${rest}/refund`, 50, {});
      expect(await stands()).toEqual(['open', 50]);
    });
  });

  it('lists the customers of other systems, and does not void an invoice that has payments', async () => {
    await withMerchant(async ({ ask }) => {
      const customer = { external_id: 'c1', source_updated_at: AT, name: 'Ada' };
      const { body } = await ask('PUT', '/v2/customers/external/batch', { body: { customers: [customer] } });
      const { id } = body.data[0];
      expect((await ask('GET', `/v2/customers/${id}`)).body.data).toMatchObject({
        name: 'Ada',
        external_id: 'c1',
      });
      const invoice = { customer_id: id, currency: 'EUR', total_minor: 500 };
      const made = (await ask('POST', '/v2/invoices', { body: invoice })).body.data;
      await ask('POST', `/v2/invoices/${made.id}/finalize`);
      expect((await ask('GET', `/v2/customers/${id}/invoices`)).body.data).toHaveLength(1);
      const sale = { device_id: DEVICE, currency: 'EUR', invoice_id: made.id, amount_minor: 100 };
      const paid = (await ask('POST', '/v2/terminal-payments', { body: sale })).body.data;
      await ask('POST', `/v2/terminal-payments/${paid.id}/result`, { body: { status: 'succeeded' } });
      expect((await ask('POST', `/v2/invoices/${made.id}/void`)).body.error.code).toBe(
        'invoice_has_payments',
      );
    });
  });

  it('takes an invoice as a draft, which is changed until it is finalised and voided once', async () => {
    await withMerchant(async ({ ask }) => {
      const body = { customer_id: '0199c0de-0002-7000-8000-000000000001', currency: 'EUR', total_minor: 5 };
      expect((await ask('POST', '/v2/invoices', { body, key: 'rk_sandbox_payments' })).status).toBe(403);
      expect((await ask('POST', '/v2/invoices', { body: { ...body, colour: 'red' } })).status).toBe(400);
      const { data } = (await ask('POST', '/v2/invoices', { body })).body;
      expect(data).toMatchObject({ status: 'draft', total_minor: 5 });
      const path = `/v2/invoices/${data.id}`;
      const codeOf = async (method: string, below: string, change?: object) =>
        (await ask(method, path + below, change ? { body: change } : {})).body.error?.code ?? 'taken';
      expect(await codeOf('POST', '/send')).toBe('invoice_not_finalized');
      expect(await codeOf('PATCH', '', { total_minor: 6 })).toBe('taken');
      expect(await codeOf('POST', '/finalize')).toBe('taken');
      expect(await codeOf('PATCH', '', { total_minor: 7 })).toBe('invoice_locked');
      expect(await codeOf('POST', '/finalize')).toBe('invoice_already_finalized');
      expect(await codeOf('POST', '/void')).toBe('taken');
      expect(await codeOf('POST', '/void')).toBe('invoice_already_voided');
      expect((await ask('GET', path)).body.data).toMatchObject({ status: 'void', total_minor: 6 });
    });
  });
});
