import { describe, expect, it } from 'vitest';
import { rest } from '../../../../drivers/providers/rest/manifest.ts';
import { silentLog } from '../../../../src/base/log.ts';
import type { SourceReply, SourceRequest, SyncWindow } from '../../../../src/integration/connector.ts';
import { systemClock } from '../../../../src/runtime/system-clock.ts';
import { CREDENTIALS, EVERYTHING } from '../../../support/source-context.ts';

const NOW = Date.parse('2026-03-01T10:00:00Z');
const signal = new AbortController().signal;

interface Answered {
  readonly status?: number;
  readonly body: unknown;
  readonly headers?: Record<string, string>;
}

/** A connector whose source gives one answer, and what it was asked. */
async function reading(settings: object, { status = 200, body, headers = {} }: Answered) {
  const asked: SourceRequest[] = [];
  const reply: SourceReply = { status, headers, text: JSON.stringify(body), dateMs: NOW };
  const connector = (await rest.configure(settings)).connect({
    credentials: { ...CREDENTIALS, baseUrl: 'https://api.au1.cliniko.com/v1' },
    http: async (request) => {
      asked.push(request);
      return reply;
    },
    files: () => Promise.reject(new Error('no folder')),
    readFile: () => Promise.reject(new Error('no folder')),
    clock: systemClock,
    log: silentLog,
  });
  const first = (resource: string, window: SyncWindow = EVERYTHING) =>
    connector.list(resource, window, null, signal);
  return { connector, asked, first };
}

const things = (resource: object, more: object = {}) => ({
  recipe: {
    recipe: 1,
    id: 'things',
    title: 'Things',
    documentation: 'https://things.example/docs',
    auth: { type: 'none' },
    ...more,
    resources: { things: { path: '/things', page: { style: 'whole' }, id: 'id', fields: {}, ...resource } },
  },
});

// The example answers of both documentations, shortened to what is read.
const CLINIKO_INVOICE = {
  id: 3,
  issue_date: '2014-12-11',
  total_amount: '2367.18',
  tax_amount: '0.0',
  status: 20,
  number: 1,
  status_description: 'Paid',
  updated_at: '2014-12-18T10:47:08Z',
  deleted_at: null,
  patient: { links: { self: 'https://api.au1.cliniko.com/v1/patients/380' } },
  links: { self: 'https://api.au1.cliniko.com/v1/invoices/3' },
};
const WOO_ORDER = {
  id: 727,
  number: '727',
  status: 'processing',
  currency: 'USD',
  date_modified_gmt: '2017-03-22T19:28:08',
  total: '29.35',
  total_tax: '1.35',
  customer_id: 0,
  customer_ip_address: '192.0.2.9',
  _links: {},
};

describe('the recipes that come with tilld', () => {
  it("read Cliniko's own examples", async () => {
    const { first, asked } = await reading(
      { recipe: 'cliniko', values: { currency: 'GBP' } },
      { body: { invoices: [CLINIKO_INVOICE] } },
    );
    const { records } = await first('invoices', { from: NOW, to: NOW + 1_000 });
    expect(asked[0]).toEqual({
      path: '/invoices',
      query: { per_page: '100', 'q[]': ['updated_at:>=2026-03-01T10:00:00Z'] },
    });
    expect(records[0]).toMatchObject({
      id: '3',
      updatedAt: Date.parse('2014-12-18T10:47:08Z'),
      deleted: false,
      fields: {
        number: '1',
        customer_external_id: '380',
        status: 'paid',
        currency: 'GBP',
        total_minor: 236_718,
        tax_minor: 0,
      },
    });
    expect(records[0]?.fields).not.toHaveProperty('links');
  });

  it("read WooCommerce's own examples", async () => {
    const { first, asked } = await reading({ recipe: 'woocommerce' }, { body: [WOO_ORDER] });
    const { records } = await first('invoices', { from: NOW, to: NOW + 1_000 });
    expect(asked[0]?.query).toMatchObject({
      modified_after: ['2026-03-01T09:59:59'],
      dates_are_gmt: 'true',
      per_page: '100',
    });
    expect(records[0]).toMatchObject({
      id: '727',
      updatedAt: Date.parse('2017-03-22T19:28:08Z'),
      fields: {
        status: 'paid',
        currency: 'USD',
        total_minor: 2_935,
        tax_minor: 135,
        customer_external_id: null,
      },
    });
    expect(records[0]?.fields).not.toHaveProperty('customer_ip_address');
  });

  it('ask for an address that the source names beside the list', async () => {
    const { connector, first, asked } = await reading(
      { recipe: 'cliniko' },
      { body: { patients: [], links: { next: '/v1/patients?page=2' } } },
    );
    const { next } = await first('customers');
    await connector.list('customers', EVERYTHING, next, signal).catch(() => undefined);
    expect(asked[1]?.path).toBe('https://api.au1.cliniko.com/v1/patients?page=2');
  });
});

describe('a record that a recipe reads', () => {
  it('has our names first, keeps the rest as it came, and leaves out what is dropped', async () => {
    const settings = things({ fields: { title: 'name', id: '"ours"' }, drop: ['noise'] });
    const { first } = await reading(settings, {
      body: [{ id: 7, name: 'A', title: 'theirs', noise: 1, deep: { a: [1] } }],
    });
    expect((await first('things')).records[0]).toMatchObject({
      id: '7',
      updatedAt: null,
      fields: { title: 'A', id: 'ours', name: 'A', deep: { a: [1] } },
    });
  });

  it('whose expression fails is parked with the name of the expression', async () => {
    const settings = things({ fields: { price: '$number(price) * 100' } });
    const { first } = await reading(settings, {
      body: [
        { id: 1, price: 'free' },
        { id: 2, price: '1.5' },
      ],
    });
    const { records, bad } = await first('things');
    expect(records).toHaveLength(1);
    expect(bad[0]?.reason).toContain('"price" cannot be worked out');
  });

  it('cannot reach what every object has', async () => {
    const hostile = JSON.parse('[{"id":"1","__proto__":{"polluted":true},"constructor":"x","list":[1,2,3]}]');
    const settings = things({ fields: { sum: '$sum(list)', proto: 'toString', fn: '$map' } });
    const { records } = await (await reading(settings, { body: hostile })).first('things');
    expect(records[0]?.fields).toMatchObject({ sum: 6, proto: null });
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it('that is too large is parked, and a list that is too long is refused', async () => {
    const { first } = await reading(things({}), { body: [{ id: 1, text: 'x'.repeat(250_000) }, { id: 2 }] });
    const { records, bad } = await first('things');
    expect(records.map(({ id }) => id)).toEqual(['2']);
    expect(bad[0]?.excerpt.length).toBeLessThanOrEqual(2_000);
    const long = await reading(things({}), { body: Array.from({ length: 100_001 }, () => 1) });
    await expect(long.first('things')).rejects.toMatchObject({ code: 'SOURCE_MALFORMED' });
  });

  it('that was asked for by its id and is another one is refused', async () => {
    const { connector } = await reading(things({ get: { path: '/things/{id}' } }), { body: { id: 8 } });
    await expect(connector.get?.('things', '7', signal)).rejects.toMatchObject({ code: 'SOURCE_MALFORMED' });
    expect(await connector.get?.('things', '8', signal)).toMatchObject({ id: '8' });
  });
});

describe('the rate of a source', () => {
  const rate = { reset: 'X-Reset', resetIs: 'unix_s' };
  const reset = String(NOW / 1_000 + 30);

  it.each([
    ['unix_s', reset, 30_000],
    ['unix_ms', String(NOW + 30_000), 30_000],
    ['seconds', '30', 30_000],
    ['seconds', '999999999', 3_600_000],
    ['unix_s', '1', 0],
  ])('429 without Retry-After waits until the reset: %s %s', async (resetIs, text, waitMs) => {
    const { first } = await reading(things({}, { rate: { ...rate, resetIs } }), {
      status: 429,
      body: {},
      headers: { 'x-reset': text },
    });
    await expect(first('things')).rejects.toMatchObject({
      code: 'SOURCE_RATE_LIMITED',
      context: { retryAfterMs: waitMs },
    });
  });
});

describe('the window of a list', () => {
  it('may have both bounds in one parameter, beside a fixed filter in the same', async () => {
    const bound = { parameter: 'q[]', format: 'unix_s' };
    const settings = things({
      query: { 'q[]': 'kind:=1', sort: 'id' },
      changes: {
        from: { ...bound, template: 'changed:>={time}' },
        until: { ...bound, template: 'changed:<{time}', exclusive: true },
      },
      updatedAt: { value: 'changed', format: 'unix_s' },
    });
    const { first, asked } = await reading(settings, { body: [] });
    await first('things', { from: NOW, to: NOW + 1_000 });
    expect(asked[0]?.query).toEqual({
      sort: 'id',
      'q[]': ['kind:=1', 'changed:>=1772359200', 'changed:<1772359202'],
    });
    await first('things', { from: null, to: NOW });
    expect(asked[1]?.query?.['q[]']).toBe('kind:=1');
  });
});

describe('a list that ends after its first page, although the answer names more', () => {
  const records = Array.from({ length: 25 }, (_, index) => ({ id: index + 1 }));
  const within = { items: 'data', page: { style: 'whole' } };
  const words = (place: string) =>
    `the answer says that there are 2295 (${place}), and by this recipe the list ends after 25: the others are never read. "page" must say how they are asked for`;

  it.each([
    [
      'meta.pagination.total',
      { data: records, meta: { pagination: { page: 1, pageSize: 25, total: 2295 } } },
    ],
    ['total_count', { data: records, total_count: '2295' }],
    ['paging.recordsTotal', { data: records, paging: { recordsTotal: 2295, count: 25 } }],
    ['the header x-wp-total', { data: records }],
  ])('is said of %s, in a trial and in a dry run', async (place, body) => {
    const headers: Record<string, string> = place.startsWith('the header') ? { 'x-wp-total': '2295' } : {};
    const { connector, first } = await reading(things(within), { body, headers });
    expect((await connector.sample?.('things', EVERYTHING, 3, signal))?.warnings).toEqual([words(place)]);
    expect((await first('things')).cutOff).toBe(words(place));
  });

  it('is said of a full page that the source capped, where `end` is `short`', async () => {
    const page = { style: 'page', size: 100, end: 'short' };
    const { first } = await reading(things({ ...within, page }), { body: { data: records, total: 2295 } });
    expect((await first('things')).cutOff).toBe(words('total'));
  });

  it.each([
    ['a further page follows', { style: 'page', size: 25 }, { data: records, total: 2295 }],
    ['the total is what came', { style: 'whole' }, { data: records, total: 25, count: 25 }],
    [
      'the number is in a record',
      { style: 'whole' },
      { data: records.map((one) => ({ ...one, total: 99 })) },
    ],
    [
      'the number counts something else',
      { style: 'whole' },
      { data: records, total_amount: 99_999, page: 99 },
    ],
  ])('is not said where %s', async (_, page, body) => {
    const { connector, first } = await reading(things({ ...within, page }), { body });
    expect(await connector.sample?.('things', EVERYTHING, 3, signal)).not.toHaveProperty('warnings');
    expect(await first('things')).not.toHaveProperty('cutOff');
  });
});
