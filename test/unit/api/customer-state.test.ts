import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/integration/connector.ts';
import { shopWithMirror } from './mirrored-shop.ts';
import { KEYS } from './shop.ts';

const FRESH_AT = '2026-11-22T09:00:00.000Z';
const NOW = Date.parse(FRESH_AT) + 60_000;
const CUSTOMER = '0199c0de-0002-7000-8000-00000000000c';
const OTHER = '0199c0de-0002-7000-8000-00000000000d';

const owned = (id: string, more: JsonObject): JsonObject => ({ id, customer_id: CUSTOMER, ...more });
const right = (id: string, more: JsonObject, key = 'gym'): JsonObject =>
  owned(id, { status: 'active', benefit: { benefit_key: key }, ...more });

describe('the state of a customer', () => {
  const lists = {
    customers: [{ id: CUSTOMER, name: 'Ada' }],
    invoices: [
      owned('i1', { status: 'open', amount_due_minor: 500, created_at: '2026-01-01T00:00:00Z' }),
      owned('i2', { status: 'paid', amount_due_minor: 0, created_at: '2026-01-02T00:00:00Z' }),
      owned('i3', { status: 'finalized', amount_due_minor: 7, created_at: '2026-01-03T00:00:00Z' }),
      owned('i4', { status: 'draft', amount_due_minor: 7 }),
      { id: 'i5', customer_id: OTHER, status: 'open', amount_due_minor: 1 },
    ],
    entitlements: [right('e1', {}), right('e2', { expires_at: '2026-11-22T09:00:30Z', has_access: true })],
    payments: Array.from({ length: 12 }, (_, index) =>
      owned(`p${index}`, { status: 'succeeded', created_at: `2026-02-${10 + index}T00:00:00Z` }),
    ),
  };

  it('is all that the mirror has of them, in one answer, with the age of its oldest part', async () => {
    const { get } = await shopWithMirror(lists, [['i1', { openPaymentId: 'p', unseenMinor: 3 }]], NOW);
    const { status, json, headers } = await get(`/v2/customers/${CUSTOMER}/state`);
    expect([status, headers['age'], json.fresh_at]).toEqual([200, '60', FRESH_AT]);
    const { data } = json;
    expect(data.customer).toEqual({ id: CUSTOMER, name: 'Ada' });
    expect(data.open_invoices.data.map(({ id }: { id: string }) => id)).toEqual(['i3', 'i1']);
    expect(data.open_invoices.data[1]).toMatchObject({ open_payment_id: 'p', paid_here_minor: 3 });
    expect(data.entitlements.data).toMatchObject([{ has_access: true }, { has_access: false }]);
    expect(data.subscriptions).toBeNull();
    expect(data.payments.data).toHaveLength(10);
    expect([data.payments.has_more, data.payments.data[0].id]).toEqual([true, 'p11']);
  });

  it('has a paid invoice that was given back here since, for it is due again', async () => {
    const here = { openPaymentId: null, unseenMinor: -500 };
    const { get } = await shopWithMirror(lists, [['i2', here]], NOW);
    const { data } = (await get(`/v2/customers/${CUSTOMER}/state`)).json.data.open_invoices;
    expect(data.map(({ id }: { id: string }) => id)).toEqual(['i3', 'i2', 'i1']);
    expect(data[1]).toMatchObject({ status: 'paid', amount_due_minor: 0, paid_here_minor: -500 });
  });

  it('shows a key only what its scopes allow, and knows no customer that is not mirrored', async () => {
    const { get } = await shopWithMirror(lists);
    expect((await get(`/v2/customers/${CUSTOMER}/state`, { key: KEYS.reader })).status).toBe(403);
    const unknown = await get(`/v2/customers/${OTHER}/state`);
    expect([unknown.status, unknown.json]).toEqual([
      404,
      { error: expect.any(String), request_id: unknown.headers['x-request-id'] },
    ]);
    const none = await shopWithMirror({ invoices: lists.invoices });
    expect((await none.get(`/v2/customers/${CUSTOMER}/state`)).status).toBe(501);
  });
});

describe('the check of an entitlement', () => {
  it.each([
    [{}, true],
    [{ expires_at: null }, true],
    [{ expires_at: '2026-11-22T09:01:00.001Z' }, true],
    [{ expires_at: '2026-11-22T09:01:00Z' }, false],
    [{ expires_at: '2026-11-22T09:00:59' }, false],
    [{ expires_at: '2026-11-22T11:00:59+02:00' }, false],
    [{ expires_at: 'tomorrow' }, false],
    [{ granted_at: '2026-11-23T00:00:00Z' }, false],
    [{ status: 'revoked' }, false],
    [{ status: null }, false],
    [{ has_access: false }, false],
  ])('of one with %j says %s by the clock of the agent', async (fields, expected) => {
    const { get } = await shopWithMirror({ entitlements: [right('e1', fields)] }, [], NOW);
    for (const path of [
      `/v2/customers/${CUSTOMER}/entitlements/check?benefitKey=gym`,
      `/v2/entitlements/check?customerId=${CUSTOMER.toUpperCase()}&benefitKey=gym`,
    ]) {
      const { status, json } = await get(path);
      expect([status, json.data.has_access, json.data.entitlement.id]).toEqual([200, expected, 'e1']);
      expect(json).toMatchObject({ fresh_at: FRESH_AT, data: { checked_at: '2026-11-22T09:01:00.000Z' } });
    }
  });

  it('takes any entitlement of the key that gives access, and no other key or customer', async () => {
    const entitlements = [right('e1', { status: 'revoked' }), right('e2', {}), right('e3', {}, 'pool')];
    const { get } = await shopWithMirror({ entitlements });
    const check = async (customer: string, key: string) =>
      (await get(`/v2/entitlements/check?customerId=${customer}&benefitKey=${key}`)).json.data;
    expect(await check(CUSTOMER, 'gym')).toMatchObject({ has_access: true, entitlement: { id: 'e2' } });
    expect(await check(CUSTOMER, 'sauna')).toMatchObject({ has_access: false, entitlement: null });
    expect(await check(OTHER, 'gym')).toMatchObject({ has_access: false, entitlement: null });
    expect((await get('/v2/entitlements/check?benefitKey=gym')).status).toBe(400);
  });
});
