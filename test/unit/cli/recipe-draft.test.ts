import { describe, expect, it } from 'vitest';
import { recipeMistakes } from '../../../src/agent/recipe-trials.ts';
import { documentOfAnswer } from '../../../src/cli/offline/recipe-answer.ts';
import { draftOf } from '../../../src/cli/offline/recipe-draft.ts';
import { shortLines } from '../../../src/cli/offline/short-lines.ts';

const listed = (schema: object) => ({ 200: { content: { 'application/json': { schema } } } });
const query = (...names: readonly string[]) =>
  names.map((name) => ({ in: 'query', name, schema: { type: 'string' } }));

/** A document as generators write it: references, parts, paths that are no lists. */
const DOCUMENT = {
  openapi: '3.0.3',
  info: { title: 'Salon Desk 2' },
  externalDocs: { url: 'https://salon.example/docs' },
  servers: [{ url: 'https://api.salon.example/v1/' }],
  components: {
    securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } },
    parameters: { Limit: { in: 'query', name: 'per_page' } },
    schemas: {
      Base: { properties: { id: { type: 'integer' }, updated_at: { type: 'string', format: 'date-time' } } },
      Client: {
        allOf: [
          { $ref: '#/components/schemas/Base' },
          { properties: { first_name: {}, last_name: {}, email: {}, mobile: {} } },
        ],
      },
      Bill: {
        properties: { id: {}, number: {}, status: {}, currency: {}, total: {}, client_id: {}, due_date: {} },
      },
    },
  },
  paths: {
    '/clients': {
      get: {
        parameters: [{ $ref: '#/components/parameters/Limit' }, ...query('page', 'updated_since')],
        responses: listed({
          properties: { data: { type: 'array', items: { $ref: '#/components/schemas/Client' } } },
        }),
      },
    },
    '/clients/{clientId}': { get: { responses: {} } },
    '/invoices': {
      get: {
        parameters: query('cursor', 'limit'),
        responses: listed({ type: 'array', items: { $ref: '#/components/schemas/Bill' } }),
      },
    },
    '/ping': { get: { responses: {} } },
  },
};

describe('a draft of a recipe', () => {
  it('takes over what an OpenAPI document says, is a right recipe, and says what is open', async () => {
    const { recipe, open } = draftOf(DOCUMENT);
    expect(await recipeMistakes(recipe)).toEqual([]);
    expect(recipe).toMatchObject({
      id: 'salon_desk_2',
      baseUrl: 'https://api.salon.example/v1',
      documentation: 'https://salon.example/docs',
      auth: { type: 'header', name: 'X-Key' },
      defaults: { id: 'id' },
      resources: {
        customers: {
          path: '/clients',
          items: 'data',
          page: { style: 'page', page: 'page', size: 100, sizeParameter: 'per_page' },
          changes: { from: { parameter: 'updated_since', format: 'iso' } },
          updatedAt: { value: 'updated_at', format: 'iso' },
          fields: {
            name: '$join([first_name, last_name], " ")',
            email: 'email',
            phone: 'mobile',
          },
          get: { path: '/clients/{id}' },
        },
        invoices: {
          path: '/invoices',
          page: { style: 'cursor', cursor: 'cursor', size: 100, sizeParameter: 'limit' },
          fields: {
            total_minor: '$round($number(total) * $number($values.minor_per_unit))',
            customer_external_id: '$string(client_id)',
            due_on: 'due_date',
          },
        },
      },
    });
    expect(open).not.toContain('customers: nothing was found for "name"');
    expect(open.join('\n')).toMatch(
      /invoices: no filter for changes[\s\S]*invoices: say where the next cursor is/,
    );
  });

  it('sees pages in brackets, ids of the kind that an address wants, records within records, and filters by property', async () => {
    const ids = { id: { type: 'integer' }, documentId: { type: 'string', format: 'uuid' } };
    const one = {
      get: {
        parameters: [{ in: 'path', name: 'id', schema: { type: 'string', format: 'uuid' } }],
        responses: {},
      },
    };
    const records = (properties: object) => ({
      get: {
        parameters: query('filters', 'pagination[withCount]', 'pagination[page]', 'pagination[pageSize]'),
        responses: listed({ properties: { data: { type: 'array', items: { properties } } } }),
      },
    });
    const { recipe, open } = draftOf({
      openapi: '3.1.0',
      paths: {
        '/customers': records({ ...ids, lastName: {}, firstName: {}, updatedAt: {} }),
        '/customers/{id}': one,
        '/invoices': records({ ...ids, customer: { properties: ids } }),
        '/invoices/{id}': one,
      },
    });
    const page = {
      style: 'page',
      page: 'pagination[page]',
      size: 100,
      sizeParameter: 'pagination[pageSize]',
    };
    expect(recipe['defaults']).toEqual({ page, id: 'documentId' });
    expect(recipe['resources']).toMatchObject({
      customers: { fields: { name: '$join([firstName, lastName], " ")' } },
      invoices: { fields: { customer_external_id: '$string(customer.documentId)' } },
    });
    expect(await recipeMistakes(recipe)).toEqual([]);
    expect(open.join('\n')).toMatch(
      /customers: no filter for changes was found.*perhaps "filters"[\s\S]*invoices: "customer" is a record of its own/,
    );
  });

  it('is made of a saved answer, too: of all its records, whose kind the name of the file says', async () => {
    const answer = {
      data: [
        { id: 1, first_name: null, updated: 1_772_359_200, total: null },
        { id: 2, first_name: 'Anna', last_name: 'Muster', updated: null, email: 'a@example.com' },
      ],
      meta: { total: 2 },
    };
    const document = documentOfAnswer(answer, 'answers/customers.json');
    const { recipe, open } = draftOf(document ?? {});
    expect(recipe['resources']).toEqual({
      customers: {
        path: '/customers',
        items: 'data',
        page: { style: 'whole' },
        id: 'id',
        updatedAt: { value: 'updated', format: 'unix_s' },
        fields: { name: '$join([first_name, last_name], " ")', email: 'email' },
      },
    });
    expect(await recipeMistakes(recipe)).toEqual([]);
    expect(open.join('\n')).toMatch(/customers: no parameter for pages was found/);
    const bills = draftOf(documentOfAnswer([{ id: 'a' }], 'https://api.example/v1/bills?limit=1') ?? {});
    expect(bills.recipe).toMatchObject({
      baseUrl: 'https://api.example/v1',
      resources: { invoices: { path: '/bills', id: 'id' } },
    });
    expect(draftOf(documentOfAnswer([{ id: 'a' }], '-') ?? {}).open[0]).toMatch(/customers\.json/);
    for (const none of [{ error: 'no' }, [], [1], 'x', null, { data: {} }])
      expect(documentOfAnswer(none, 'customers.json')).toBeNull();
  });

  it('takes pages from what an answer names beside its list, which is then open, and never its count for a size', async () => {
    const records = [{ id: 'o_1', display_id: 1, status: 'pending', total: 12.5, updated_at: 'x' }];
    const answer = { orders: records, count: 319, offset: 0, limit: 50 };
    const { recipe, open } = draftOf(documentOfAnswer(answer, 'orders.json') ?? {});
    expect(await recipeMistakes(recipe)).toEqual([]);
    expect(recipe['resources']).toMatchObject({
      invoices: {
        page: { style: 'offset', offset: 'offset', size: 100, sizeParameter: 'limit' },
        fields: { number: '$string(display_id)' },
      },
    });
    expect(open.join('\n')).toMatch(
      /invoices: "status" has the words of the source[\s\S]*invoices: "offset" and "limit" are names in the answer/,
    );
    expect(open.join('\n')).not.toMatch(/the document (names|says)/);
    const paged = (meta: object) =>
      draftOf(documentOfAnswer({ data: records, meta }, 'orders.json') ?? {}).recipe['resources'];
    expect(paged({ page: 1, per_page: 20, total: 40 })).toMatchObject({
      invoices: { page: { style: 'page', page: 'page', size: 100, sizeParameter: 'per_page' } },
    });
    // The first page of this source is 0, which `page` would miss.
    expect(paged({ page: 0, per_page: 20 })).toMatchObject({ invoices: { page: { style: 'whole' } } });
  });

  it('has short lines, and is the same when it is read', () => {
    const { recipe } = draftOf(DOCUMENT);
    const text = shortLines(recipe);
    expect(JSON.parse(text)).toEqual(recipe);
    expect(text.split('\n').length).toBeLessThan(30);
    expect(text).toContain('{\n  "recipe": 1, "id": "salon_desk_2", "title": "Salon Desk 2",');
    expect(text).toContain('      "updatedAt": { "value": "updated_at", "format": "iso" },\n');
    expect(shortLines([{}, [], null, 'ä"', { a: [1, { b: { c: 2 } }] }])).toBe(
      '[\n  {},\n  [],\n  null, "ä\\"",\n  {\n    "a": [\n      1,\n      { "b": { "c": 2 } }\n    ]\n  }\n]',
    );
  });

  it('of a document that says nothing is honest about it', async () => {
    const { recipe, open } = draftOf({ openapi: '3.1.0', paths: { '/ping': {} } });
    expect(open).toEqual([
      expect.stringMatching(/no list of customers/),
      expect.stringMatching(/no address/),
      expect.stringMatching(/"documentation" is made up/),
      expect.stringMatching(/"auth" is a guess/),
    ]);
    expect((await recipeMistakes(recipe)).map(({ path }) => path)).toEqual([['resources']]);
  });
});
