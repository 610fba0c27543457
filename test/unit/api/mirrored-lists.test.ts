import { describe, expect, it } from 'vitest';
import { MIRRORED_LISTS } from '../../../src/api/routes/mirrored-table.ts';
import type { JsonObject } from '../../../src/integration/connector.ts';
import { shopWithMirror } from './mirrored-shop.ts';
import { KEYS } from './shop.ts';

const FRESH_AT = '2026-11-22T09:00:00.000Z';
const NOW = Date.parse(FRESH_AT) + 61_500;
const CUSTOMER = uuid(0xc);
const OTHER = uuid(0xd);

function uuid(index: number): string {
  return `0199c0de-0001-7000-8000-${index.toString(16).padStart(12, '0')}`;
}

function records(count: number, more: (index: number) => JsonObject = () => ({})): JsonObject[] {
  return Array.from({ length: count }, (_, index) => ({ id: uuid(index), ...more(index) }));
}

const idsOf = (json: { data: { id: string }[] }) => json.data.map(({ id }) => id);
const old = { headers: { 'service-version': '2026-01-15' } };

describe('mirrored lists', () => {
  it.each(MIRRORED_LISTS.map(({ path, name }) => [path, name] as const))(
    '%s is read whole, one resource included, with its age, and is refused where it is not mirrored',
    async (path, name) => {
      const rows = records(45, (index) => ({
        status: 'needs_response',
        extra: { index },
        public_id: `p_${index}`,
      }));
      const { get } = await shopWithMirror({ [name]: rows }, [], NOW);
      const first = await get(`${path}?limit=20`);
      expect(first.json).toMatchObject({ object: 'list', has_more: true, url: path, fresh_at: FRESH_AT });
      expect(first.headers['age']).toBe('61');
      expect(first.json.data[0]).toMatchObject({ extra: { index: expect.any(Number) } });
      expect(first.json.data).toHaveLength(20);
      const older = await get(`${path}?limit=20`, old);
      expect(older.json.pagination).toEqual({ limit: 20, offset: 0, total: 45, hasMore: true });
      expect(older.json).not.toHaveProperty('object');
      const without = await shopWithMirror({ devices: [] });
      const refused = await without.get(path);
      expect(refused.status).toBe(501);
      expect(refused.json.error).toMatchObject({
        code: 'not_implemented',
        type: 'api_error',
        message: expect.stringContaining(`"mirror": {"lists": ["devices","${name}"]}`),
      });
      for (const query of ['limit=0', 'limit=101', 'nonsense=1'])
        expect((await get(`${path}?${query}`)).status, query).toBe(400);
    },
  );

  it('one resource is wrapped, orders are not, and what is unknown is 404 in the shape of the interface', async () => {
    const { get } = await shopWithMirror({
      products: records(1),
      orders: records(1),
      customers: [],
      payments: [],
    });
    expect((await get(`/v2/products/${uuid(0).toUpperCase()}`)).json).toEqual({
      data: { id: uuid(0) },
      fresh_at: FRESH_AT,
    });
    expect((await get(`/v2/orders/${uuid(0)}`)).json).toEqual({ id: uuid(0), fresh_at: FRESH_AT });
    const [product, customer, intent] = await Promise.all(
      ['products', 'customers', 'payment-intents'].map((name) => get(`/v2/${name}/${uuid(9)}`)),
    );
    expect([product?.status, product?.json.error.code]).toEqual([404, 'resource_not_found']);
    expect([customer?.status, customer?.json]).toEqual([
      404,
      { error: expect.any(String), request_id: customer?.headers['x-request-id'] },
    ]);
    expect([intent?.status, intent?.json.error.code]).toEqual([404, 'resource_missing']);
    expect((await get('/v2/products/x')).status).toBe(400);
  });

  it('by page and by cursor, in both directions', async () => {
    const { get } = await shopWithMirror({ products: records(45), prices: records(45) });
    expect(idsOf((await get('/v2/products?limit=20&page=3')).json)).toEqual([40, 41, 42, 43, 44].map(uuid));
    expect((await get('/v2/products?limit=20&page=3', old)).json.pagination).toMatchObject({
      offset: 40,
      total: 45,
    });
    expect(idsOf((await get(`/v2/prices?limit=2&starting_after=${uuid(7)}`)).json)).toEqual([
      uuid(8),
      uuid(9),
    ]);
    const before = await get(`/v2/prices?limit=2&ending_before=${uuid(7)}`, old);
    expect(idsOf(before.json)).toEqual([uuid(5), uuid(6)]);
    expect(before.json.pagination).toEqual({ limit: 2, offset: 5, total: 45, hasMore: true });
    const both = await get(`/v2/prices?starting_after=${uuid(1)}&ending_before=${uuid(2)}`);
    expect([both.status, both.json.error.code]).toEqual([400, 'parameter_invalid']);
    const unknown = await get(`/v2/prices?starting_after=${uuid(99)}`);
    expect([unknown.status, unknown.json.error.code, unknown.json.error.param]).toEqual([
      400,
      'resource_missing',
      'starting_after',
    ]);
  });

  it('disputes come newest first, open ones most urgent first, payouts newest first, each also by its public id', async () => {
    const disputes = records(4, (index) => ({
      public_id: `dsp_${index}`,
      status: index === 3 ? 'won' : 'needs_response',
      disputed_at: `2026-01-0${1 + index}T00:00:00Z`,
      evidence_due_by: `2026-02-0${9 - index}T00:00:00Z`,
    }));
    const payouts = records(3, (index) => ({
      public_id: `pyt_${index}`,
      created_at: `2026-01-0${1 + index}T00:00:00Z`,
    }));
    const { get } = await shopWithMirror({ disputes, payouts });
    expect(idsOf((await get('/v2/disputes')).json)).toEqual([3, 2, 1, 0].map(uuid));
    expect(idsOf((await get('/v2/disputes/open')).json)).toEqual([2, 1, 0].map(uuid));
    expect(idsOf((await get('/v2/payouts?limit=2&offset=1')).json)).toEqual([1, 0].map(uuid));
    expect((await get('/v2/disputes/dsp_2')).json.data.id).toBe(uuid(2));
    expect((await get(`/v2/payouts/${uuid(1)}`)).json.data.public_id).toBe('pyt_1');
    const payments = await get('/v2/payouts/pyt_1/payments');
    expect([payments.status, payments.json.error.code]).toEqual([501, 'not_implemented']);
  });

  it('of one customer hold that customer alone, and refuse a customer that is unknown', async () => {
    const owned = records(6, (index) => ({
      customer_id: index % 2 === 0 ? CUSTOMER : OTHER,
      status: index < 4 ? 'active' : 'paused',
    }));
    const names = ['invoices', 'orders', 'payments', 'subscriptions', 'entitlements'];
    const { get } = await shopWithMirror({
      customers: [{ id: CUSTOMER }],
      ...Object.fromEntries(names.map((name) => [name, owned])),
    });
    for (const name of names) {
      expect(idsOf((await get(`/v2/customers/${CUSTOMER}/${name}`)).json), name).toEqual([0, 2, 4].map(uuid));
      expect((await get(`/v2/customers/${OTHER}/${name}`)).status, name).toBe(404);
    }
    const active = await get(
      `/v2/customers/${CUSTOMER}/subscriptions?status=active&starting_after=${uuid(0)}`,
    );
    expect(idsOf(active.json)).toEqual([uuid(2)]);
    expect((await get(`/v2/customers/${CUSTOMER}/payments?limit=2`, old)).json.pagination).toEqual({
      limit: 2,
      offset: 0,
      total: 3,
      hasMore: true,
    });
  });

  it('need the scope of what they list', async () => {
    const { get } = await shopWithMirror({ customers: records(1), transactions: records(1) });
    for (const path of ['/v2/customers', '/v2/transactions', `/v2/customers/${CUSTOMER}/invoices`])
      expect((await get(path, { key: KEYS.reader })).status, path).toBe(403);
  });

  it('are told with their rows and their age', async () => {
    const { get } = await shopWithMirror({ customers: records(3), disputes: [] });
    expect((await get('/v2/mirror')).json.data).toEqual([
      { object: 'mirrored_list', list: 'customers', path: '/v2/customers', rows: 3, fresh_at: FRESH_AT },
      { object: 'mirrored_list', list: 'disputes', path: '/v2/disputes', rows: 0, fresh_at: FRESH_AT },
    ]);
  });
});
