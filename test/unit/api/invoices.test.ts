import { describe, expect, it, onTestFinished } from 'vitest';
import type { MirrorQuery, MirrorReader, MirrorRow } from '../../../src/integration/mirror.ts';
import type { InvoiceHere } from '../../../src/payment/payments.ts';
import { ask, openShop, startShop } from './shop.ts';

const FRESH_AT = Date.parse('2026-11-22T09:00:00Z');

/** A mirror of these rows that looks through as many at a time as it is told. */
function mirrorOf(rows: readonly MirrorRow[], most = Number.MAX_SAFE_INTEGER): MirrorReader {
  return {
    list: () => rows,
    find: (_stream, id) => rows.find((row) => row.id === id) ?? null,
    search: (_stream, { words, where, limit }: MirrorQuery, after, scanned) => {
      const slice = rows.filter(({ id }) => after === null || id > after).slice(0, Math.min(scanned, most));
      const fits = slice.filter(({ body }) => {
        const text = JSON.stringify(body).toLowerCase();
        const holds = words.every((word) => text.includes(word.toLowerCase()));
        return holds && Object.entries(where).every(([field, value]) => body[field] === value);
      });
      const isAll = slice.length < most && slice.at(-1)?.id === rows.at(-1)?.id;
      return { rows: fits.slice(0, limit), next: isAll ? null : (slice.at(-1)?.id ?? null) };
    },
    freshAt: () => FRESH_AT,
    begunIn: () => null,
    sizeOf: () => ({ rows: rows.length, freshAt: FRESH_AT }),
  };
}

const invoice = (id: string, fields: Record<string, string | number | boolean>): MirrorRow => ({
  id,
  updatedAt: FRESH_AT,
  body: { id, object: 'invoice', ...fields },
});

async function shopWith(mirror: MirrorReader | null, here: readonly [string, InvoiceHere][] = []) {
  const shop = openShop();
  for (const [id, known] of here) shop.payments.invoices.set(id, known);
  const { api } = await startShop({}, { ...shop, deps: { ...shop.deps, mirror } });
  onTestFinished(() => api.stop());
  return (path: string) => ask(api.url, { path });
}

describe('invoices from the mirror', () => {
  it('are found by status and words, with how fresh they are', async () => {
    const get = await shopWith(
      mirrorOf([
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
      ]),
    );
    const { status, json } = await get('/v2/invoices?status=open&search=ada');
    expect(status).toBe(200);
    expect(json).toMatchObject({
      object: 'list',
      has_more: false,
      next_cursor: null,
      fresh_at: '2026-11-22T09:00:00.000Z',
    });
    expect(json.data.map(({ id }: { id: string }) => id)).toEqual(['a1']);
    expect(json.data[0]).toMatchObject({ amount_due_minor: 500, customer_name: 'Ada' });
  });

  it('go on behind the cursor, also where a page is empty because nothing in its slice fits', async () => {
    const rows = [invoice('b1', { status: 'paid' }), invoice('b2', { status: 'open' })];
    const get = await shopWith(mirrorOf(rows, 1));
    const first = (await get('/v2/invoices?status=open')).json;
    expect(first).toMatchObject({ data: [], has_more: true, next_cursor: 'b1' });
    const second = (await get(`/v2/invoices?status=open&starting_after=${first.next_cursor}`)).json;
    expect(second.data.map(({ id }: { id: string }) => id)).toEqual(['b2']);
  });

  it('leave out what is not of the type that it should be', async () => {
    const get = await shopWith(
      mirrorOf([invoice('c1', { number: 7, status: 'open', amount_due_minor: 1.5 })]),
    );
    const [found] = (await get('/v2/invoices')).json.data;
    const nothingHere = { open_payment_id: null, paid_here_minor: 0 };
    expect(found).toEqual({ id: 'c1', object: 'invoice', status: 'open', ...nothingHere });
  });

  it('say what is being paid, and was paid here since, whatever the service wrote into such fields', async () => {
    const rows = ['d1', 'd2', 'd3'].map((id) => invoice(id, { status: 'open', paid_here_minor: 7 }));
    const get = await shopWith(mirrorOf(rows), [
      ['d1', { openPaymentId: 'p1', unseenMinor: 0 }],
      ['d2', { openPaymentId: null, unseenMinor: 500 }],
    ]);
    const { data } = (await get('/v2/invoices')).json;
    expect(data).toMatchObject([
      { open_payment_id: 'p1', paid_here_minor: 0 },
      { open_payment_id: null, paid_here_minor: 500 },
      { open_payment_id: null, paid_here_minor: 0 },
    ]);
  });

  it('are an empty list where nothing is mirrored', async () => {
    const get = await shopWith(null);
    expect((await get('/v2/invoices')).json).toMatchObject({ data: [], fresh_at: null });
  });

  it('are refused with words for what cannot be asked', async () => {
    const get = await shopWith(null);
    expect((await get('/v2/invoices?limit=1000')).json.error.param).toBe('limit');
    expect((await get('/v2/invoices?status=open&nonsense=1')).status).toBe(400);
  });
});
