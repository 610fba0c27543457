import { describe, expect, it, onTestFinished } from 'vitest';
import { rest } from '../../drivers/providers/rest/manifest.ts';
import { recipeSchema } from '../../drivers/providers/rest/recipe-rules.ts';
import { RECIPES } from '../../drivers/providers/rest/settings.ts';
import { openOverHttp, walk } from '../support/source-context.ts';
import { adminSchema, faultsOf, type Lists, startAdmin } from './shopify-admin.ts';

const TOKEN = 'shpat_0123456789';
const { resources } = recipeSchema.parse(RECIPES['shopify']);
const [path = ''] = Object.values(resources).map((resource) => resource.path);
const schema = adminSchema(/\/api\/([^/]+)\//.exec(path)?.[1] ?? '');

const lists = Object.entries(resources).map(([name, { body, items, examples, path: at }]) => {
  if (body?.as !== 'graphql') throw new Error(`${name} has no query`);
  const query = typeof body.query === 'string' ? body.query : body.query.join('\n');
  return { name, at, query, list: items.split('.')[1] ?? '', records: examples.map((example) => example.in) };
});

async function opened(served: Lists) {
  const server = await startAdmin(schema, path, TOKEN, served);
  const credentials = { apiKey: TOKEN, baseUrl: server.url };
  const { connector, close } = await openOverHttp(rest, { recipe: 'shopify' }, credentials);
  onTestFinished(async () => {
    await close();
    await server.close();
  });
  return connector;
}

/** The query with each of its fields misspelt in turn. */
function misspelt(query: string): readonly string[] {
  const body = query.indexOf('{');
  const names = [...query.matchAll(/\b[a-z]\w+\b(?!:)/gi)].filter(({ index }) => index > body);
  const fields = names.filter(({ 0: name, index }) => query[index - 1] !== '$' && name !== 'ID');
  return fields.map(
    ({ 0: name, index }) => `${query.slice(0, index)}${name}_${query.slice(index + name.length)}`,
  );
}

describe.each(lists)(
  'the recipe shopify and the schema that Shopify publishes: $name',
  ({ name, at, query, list, records }) => {
    it('asks for fields and arguments of the version in its address, and none that is deprecated', () => {
      expect(at).toBe(path);
      expect(faultsOf(schema, query)).toEqual([]);
      const wrong = misspelt(query);
      expect(wrong.length).toBeGreaterThan(10);
      for (const one of wrong) expect(faultsOf(schema, one), one).not.toEqual([]);
    });

    it('filters by a word that the list documents', () => {
      const words = schema
        .getQueryType()
        .getFields()
        [list]?.args.find((one) => one.name === 'query');
      expect(words?.description).toMatch(/^\| updated_at \| time \|/m);
    });

    it('reads, page by page and since a time, what a server of this schema answers', async () => {
      const [first] = records;
      const rows = Array.from({ length: 250 }, (_, index) => ({
        ...first,
        legacyResourceId: String(index + 1),
        updatedAt: new Date(Date.UTC(2026, 2, 1, 0, index)).toISOString(),
      }));
      const connector = await opened({ [list]: rows });
      const all = await walk(connector, name);
      expect(all.pages.map((page) => page.bad)).toEqual([[], [], []]);
      expect(all.records.map(({ id }) => id)).toEqual(rows.map((row) => row.legacyResourceId));
      const from = Date.UTC(2026, 2, 1, 4);
      const changed = await walk(connector, name, { from, to: from + 3_600_000 });
      expect(changed.records.map(({ id }) => id)).toEqual(rows.slice(240).map((row) => row.legacyResourceId));
    });

    it('has examples whose values are of its types', async () => {
      const connector = await opened({ [list]: records as unknown as Lists[string] });
      const { pages } = await walk(connector, name);
      expect(pages.map(({ bad, records: read }) => [bad, read.length])).toEqual([[[], records.length]]);
    });
  },
);

it('knows every state of an order in which it may be paid', async () => {
  const states = schema.getType('OrderDisplayFinancialStatus').getValues();
  const [order] = lists.find(({ list }) => list === 'orders')?.records ?? [];
  const rows = states.map(({ name }, index) => ({
    ...order,
    updatedAt: '2026-03-01T10:00:00Z',
    legacyResourceId: String(index + 1),
    displayFinancialStatus: name,
  }));
  const { records } = await walk(await opened({ orders: rows }), 'invoices');
  expect(Object.fromEntries(records.map(({ fields }, at) => [states[at]?.name, fields['status']]))).toEqual({
    AUTHORIZED: 'open',
    EXPIRED: 'open',
    PAID: 'paid',
    PARTIALLY_PAID: 'open',
    PARTIALLY_REFUNDED: 'paid',
    PENDING: 'open',
    REFUNDED: 'refunded',
    VOIDED: 'voided',
  });
});

it('a token that the server does not know is refused', async () => {
  const server = await startAdmin(schema, path, 'another', {});
  const { connector, close } = await openOverHttp(
    rest,
    { recipe: 'shopify' },
    { apiKey: TOKEN, baseUrl: server.url },
  );
  onTestFinished(async () => {
    await close();
    await server.close();
  });
  await expect(walk(connector, 'customers')).rejects.toMatchObject({ code: 'SOURCE_UNAUTHORISED' });
});
