import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { rest } from '../../drivers/providers/rest/manifest.ts';
import type { Connector, SourceRecord } from '../../src/integration/connector.ts';
import { EVERYTHING, openOverHttp, walk } from '../support/source-context.ts';
import { Directus, freePort } from './directus.ts';
import { installDirectus } from './install-directus.ts';

const CUSTOMERS = 450;
const INVOICES = 210;

const installed = installDirectus();
if ('missing' in installed) process.stderr.write(`Directus is not tested: ${installed.missing}\n`);

const STAMPS = 'id status date_created date_updated';

/** A list of a collection by GraphQL, page by page, like the built-in recipe asks for it by REST. */
const listOf = (collection: string, fields: string) => ({
  path: '/graphql',
  items: `data.${collection}`,
  body: {
    as: 'graphql',
    query: [
      `query ($limit: Int, $page: Int, $filter: ${collection}_filter) {`,
      `  ${collection}(limit: $limit, page: $page, filter: $filter, sort: ["id"]) { ${STAMPS} ${fields} }`,
      '}',
    ],
  },
  page: { style: 'page', size: 200, sizeParameter: 'limit' },
  changes: {
    from: {
      parameter: 'filter',
      template: { _or: [{ date_updated: { _gte: '{time}' } }, { date_created: { _gte: '{time}' } }] },
      format: 'iso_ms',
    },
  },
  id: 'id',
  updatedAt: { value: '(date_updated ? date_updated : date_created)', format: 'iso' },
  deleted: 'status = "archived"',
});

const RECIPE = {
  recipe: 1,
  id: 'directus_graphql',
  title: 'Directus by GraphQL',
  documentation: 'https://directus.io/docs',
  auth: { type: 'bearer' },
  failure: {
    when: 'errors',
    code: 'errors[0].extensions.code',
    codes: { INVALID_CREDENTIALS: 'unauthorised', FORBIDDEN: 'forbidden', GRAPHQL_VALIDATION: 'refused' },
  },
  resources: {
    customers: {
      ...listOf('customers', 'first_name last_name email'),
      fields: {
        name: '$trim((first_name ? first_name : "") & " " & (last_name ? last_name : ""))',
        email: 'email',
      },
      get: {
        path: '/graphql',
        body: {
          as: 'graphql',
          query: `query ($id: ID!) { customers_by_id(id: $id) { ${STAMPS} first_name last_name email } }`,
        },
        id: 'id',
        item: 'data.customers_by_id',
      },
    },
    invoices: {
      ...listOf('invoices', 'number currency due_on total customer lines'),
      fields: {
        currency: '(currency ? currency : "EUR")',
        total_minor: '$round($number(total) * 100)',
        customer_external_id: '$string(customer)',
        lines:
          '[lines.{"description": description, "quantity": quantity, "unit_amount_minor": $round($number(price) * 100)}]',
      },
    },
  },
};

const text = (field: string) => ({ field, type: 'string' });

async function fill(directus: Directus): Promise<void> {
  await directus.collection('customers', ['first_name', 'last_name', 'email'].map(text));
  await directus.collection('invoices', [
    ...['number', 'currency', 'due_on'].map(text),
    { field: 'total', type: 'decimal' },
    { field: 'customer', type: 'integer' },
    { field: 'lines', type: 'json', meta: { special: ['cast-json'] } },
  ]);
  const customers = Array.from({ length: CUSTOMERS }, (_, at) => ({
    first_name: `First "${at}" } mutation {`,
    last_name: at % 7 === 0 ? null : `Last ${at}`,
    email: at % 5 === 0 ? null : `c${at}@example.com`,
  }));
  await directus.add('customers', customers);
  const line = { description: 'Haircut', quantity: 1, price: '14.50' };
  const invoices = Array.from({ length: INVOICES }, (_, at) => ({
    number: `I-${at}`,
    status: 'open',
    total: '29.35',
    customer: at + 1,
    lines: at % 2 === 0 ? [line] : [line, line],
  }));
  await directus.add('invoices', invoices);
}

/** What the mapping makes of a record: the fields that both ways ask for. */
const rowsOf = (records: readonly SourceRecord[]) =>
  new Map(records.map(({ fields: { id: _, ...fields }, ...record }) => [record.id, { ...record, fields }]));

describe.skipIf('missing' in installed)('a real Directus, asked by GraphQL', () => {
  const program = 'folder' in installed ? installed.folder : '';
  const signal = new AbortController().signal;
  let site = '';
  let directus: Directus;

  beforeAll(async () => {
    site = join(program, `site-graphql-${process.pid}-${Date.now()}`);
    mkdirSync(site, { recursive: true });
    directus = await Directus.start(program, site, await freePort());
    await fill(directus);
  });
  afterAll(async () => {
    await directus?.stop();
    rmSync(site, { recursive: true, force: true });
  });

  async function reading(recipe: unknown, apiKey = directus.token): Promise<Connector> {
    const settings = { recipe, ...(recipe === 'directus' ? { values: { currency: 'EUR' } } : {}) };
    const { connector, close } = await openOverHttp(rest, settings, { apiKey, baseUrl: directus.url });
    onTestFinished(close);
    return connector;
  }

  it.each([
    ['customers', CUSTOMERS],
    ['invoices', INVOICES],
  ])('gives the same rows of %s as by REST', async (resource, count) => {
    const byGraphql = await walk(await reading(RECIPE), resource);
    const byRest = await walk(await reading('directus'), resource);
    expect(byGraphql.records).toHaveLength(count);
    expect(byGraphql.pages.flatMap(({ bad }) => bad)).toEqual([]);
    expect(rowsOf(byGraphql.records)).toEqual(rowsOf(byRest.records));
  });

  it('gives what changed since an instant, and one record by its id', async () => {
    const connector = await reading(RECIPE);
    const before = Date.now();
    await directus.call('PATCH', '/items/customers/14', { email: 'new@example.com' });
    const { records } = await walk(connector, 'customers', { from: before - 1, to: before + 86_400_000 });
    expect(records).toMatchObject([{ id: '14', fields: { email: 'new@example.com' } }]);
    expect(await connector.get?.('customers', '14', signal)).toEqual(records[0]);
  });

  it('refuses a wrong key, a field that is not there, and an id that is not, each with its code', async () => {
    const wrong = await reading(RECIPE, 'a-wrong-token');
    await expect(walk(wrong, 'customers')).rejects.toMatchObject({ code: 'SOURCE_UNAUTHORISED' });
    expect(await wrong.test(signal)).toMatchObject({ valid: false });
    const { customers } = RECIPE.resources;
    const body = {
      as: 'graphql',
      query: 'query ($limit: Int, $page: Int, $filter: customers_filter) { nothing }',
    };
    const unknown = await reading({ ...RECIPE, resources: { customers: { ...customers, body } } });
    await expect(unknown.list('customers', EVERYTHING, null, signal)).rejects.toMatchObject({
      code: 'SOURCE_REFUSED',
    });
    const connector = await reading(RECIPE);
    await expect(
      connector.get?.('customers', '999999', signal).then(
        (found) => found ?? 'none',
        (error) => error.code,
      ),
    ).resolves.toMatch(/^(none|SOURCE_FORBIDDEN)$/);
  });
});
