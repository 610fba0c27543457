import { describe, expect, it } from 'vitest';
import type { InvoiceHere } from '../../../src/payment/payments.ts';
import { type MirroredShop, shopWithMirror } from './mirrored-shop.ts';

const invoice = (id: string, fields: Record<string, string | number | null>) => ({
  id,
  object: 'invoice',
  ...fields,
});

async function shopWith(
  invoices: readonly ReturnType<typeof invoice>[],
  here: readonly [string, InvoiceHere][] = [],
): Promise<MirroredShop['get']> {
  const { get } = await shopWithMirror({ invoices }, here);
  return get;
}

describe('invoices from the mirror', () => {
  it('are found by status and words, with how fresh they are', async () => {
    const get = await shopWith([
      invoice('a1', {
        number: 'INV-1',
        status: 'open',
        currency: 'EUR',
        amount_due_minor: 500,
        customer_name: 'Ada',
      }),
      invoice('a2', {
        number: 'INV-2',
        status: 'paid',
        currency: 'EUR',
        amount_due_minor: 0,
        customer_name: 'Ada',
      }),
      invoice('a3', {
        number: 'INV-3',
        status: 'open',
        currency: 'EUR',
        amount_due_minor: 700,
        customer_name: 'Bob',
      }),
    ]);
    const { status, json, headers } = await get('/v2/invoices?status=open&search=ada');
    expect(status).toBe(200);
    expect(json).toMatchObject({
      object: 'list',
      has_more: false,
      url: '/v2/invoices',
      fresh_at: '2026-11-22T09:00:00.000Z',
    });
    expect(json).not.toHaveProperty('next_cursor');
    expect(Number(headers['age'])).toBeGreaterThanOrEqual(0);
    expect(json.data.map(({ id }: { id: string }) => id)).toEqual(['a1']);
    expect(json.data[0]).toMatchObject({ amount_due_minor: 500, customer_name: 'Ada' });
    expect((await get('/v2/invoices?search=7,00')).json.data[0].id).toBe('a3');
  });

  it('are read by offset, also those that a filter leaves', async () => {
    const get = await shopWith(
      Array.from({ length: 5 }, (_, index) =>
        invoice(`b${index}`, { status: index === 2 ? 'paid' : 'open' }),
      ),
    );
    const second = (await get('/v2/invoices?status=open&limit=2&offset=2')).json;
    expect(second.data.map(({ id }: { id: string }) => id)).toEqual(['b3', 'b4']);
    expect(second.has_more).toBe(false);
  });

  it('leave out what is not of the type that it should be', async () => {
    const get = await shopWith([invoice('c1', { number: 7, status: 'open', amount_due_minor: 1.5 })]);
    const [found] = (await get('/v2/invoices')).json.data;
    const nothingHere = { open_payment_id: null, paid_here_minor: 0 };
    expect(found).toEqual({ id: 'c1', object: 'invoice', status: 'open', ...nothingHere });
  });

  it('say what is being paid, and was paid here since, whatever the service wrote into such fields', async () => {
    const id = '0199c0de-0001-7000-8000-00000000000d';
    const rows = [...['d1', 'd2', 'd3'], id].map((one) =>
      invoice(one, { status: 'open', paid_here_minor: 7 }),
    );
    const get = await shopWith(rows, [
      ['d1', { openPaymentId: 'p1', unseenMinor: 0 }],
      ['d2', { openPaymentId: null, unseenMinor: 500 }],
      [id, { openPaymentId: null, unseenMinor: 9 }],
    ]);
    const { data } = (await get('/v2/invoices')).json;
    expect(data).toMatchObject([
      { open_payment_id: 'p1', paid_here_minor: 0 },
      { open_payment_id: null, paid_here_minor: 500 },
      { open_payment_id: null, paid_here_minor: 0 },
      { paid_here_minor: 9 },
    ]);
    expect((await get(`/v2/invoices/${id.toUpperCase()}`)).json).toMatchObject({
      data: { id, paid_here_minor: 9 },
      fresh_at: '2026-11-22T09:00:00.000Z',
    });
  });

  it('are refused with words for what cannot be asked', async () => {
    const get = await shopWith([]);
    expect((await get('/v2/invoices?limit=1000')).json.error.param).toBe('limit');
    expect((await get('/v2/invoices?status=open&nonsense=1')).status).toBe(400);
  });
});
