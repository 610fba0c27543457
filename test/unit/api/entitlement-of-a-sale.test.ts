import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/integration/connector.ts';
import { shopWithMirror } from './mirrored-shop.ts';
import { sale } from './shop.ts';

const CUSTOMER = '0199c0de-0002-7000-8000-00000000000c';
const OTHER = '0199c0de-0002-7000-8000-00000000000d';
const INVOICE = '0199c0de-0003-7000-8000-00000000000a';
const FRESH_AT = '2026-11-22T09:00:00.000Z';

const LISTS = {
  customers: [{ id: CUSTOMER }, { id: OTHER }],
  invoices: [{ id: INVOICE, customer_id: CUSTOMER, status: 'open' }],
  entitlements: [{ id: 'e1', customer_id: CUSTOMER, status: 'active', benefit: { benefit_key: 'gym' } }],
};

async function shop(lists: Readonly<Record<string, readonly JsonObject[]>> = LISTS) {
  const { get, payments } = await shopWithMirror(lists);
  let nth = 0;
  const sell = (metadata: JsonObject, more: JsonObject = {}, key = `key-${nth++}`) =>
    get('/v2/terminal-payments', {
      method: 'POST',
      headers: { 'idempotency-key': key },
      body: sale({ metadata, ...more }),
    });
  const taken = () => payments.list({ limit: 100 }).items.length;
  return { sell, taken };
}

describe('a sale that needs an entitlement', () => {
  it('is taken from a customer who has access, named by the sale or by the mirrored invoice', async () => {
    const { sell, taken } = await shop();
    expect((await sell({ entitlement: 'gym', customer_id: CUSTOMER.toUpperCase() })).status).toBe(201);
    expect((await sell({ entitlement: 'gym' }, { invoice_id: INVOICE })).status).toBe(201);
    expect(taken()).toBe(2);
  });

  it.each<[JsonObject, JsonObject]>([
    [{ entitlement: 'sauna', customer_id: CUSTOMER }, {}],
    [{ entitlement: 'gym', customer_id: OTHER }, {}],
    [{ entitlement: 'gym', customer_id: 'nobody' }, {}],
    [{ entitlement: 'sauna' }, { invoice_id: INVOICE }],
  ])(
    'is refused with %j %j: no payment begins, and the mirror says how old it is',
    async (metadata, more) => {
      const { sell, taken } = await shop();
      const { status, json } = await sell(metadata, more);
      expect([status, json.error.code]).toEqual([422, 'entitlement_missing']);
      expect(json.error).toMatchObject({
        param: 'metadata.entitlement',
        message: expect.stringContaining('Nothing was charged'),
        details: { entitlement: metadata['entitlement'], fresh_at: FRESH_AT },
      });
      expect(taken()).toBe(0);
    },
  );

  it.each<[JsonObject, string]>([
    [{ entitlement: 'gym' }, 'metadata.customer_id'],
    [{ entitlement: 'gym', customer_id: 7 }, 'metadata.customer_id'],
    [{ entitlement: '', customer_id: CUSTOMER }, 'metadata.entitlement'],
    [{ entitlement: ['gym'], customer_id: CUSTOMER }, 'metadata.entitlement'],
    [{ entitlement: 'x'.repeat(257), customer_id: CUSTOMER }, 'metadata.entitlement'],
  ])('is refused with 400 where it does not say of whom or what: %j', async (metadata, param) => {
    const { sell, taken } = await shop();
    const { status, json } = await sell(metadata);
    expect([status, json.error.param, taken()]).toEqual([400, param, 0]);
  });

  it('is not guessed where entitlements are not mirrored, and a sale that needs none is taken', async () => {
    const { sell, taken } = await shop({ customers: LISTS.customers });
    const refused = await sell({ entitlement: 'gym', customer_id: CUSTOMER });
    expect([refused.status, taken()]).toEqual([501, 0]);
    expect((await sell({ customer_id: CUSTOMER })).status).toBe(201);
  });
});
