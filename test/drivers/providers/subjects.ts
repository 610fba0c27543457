import { rest } from '../../../drivers/providers/rest/manifest.ts';
import { service } from '../../../drivers/providers/service/manifest.ts';
import type { ProviderManifest } from '../../../src/driver-kit/provider.ts';
import { CATALOGUE, type Documented } from './catalogue.ts';
import type { Dialect, SourceRow } from './hostile-source.ts';

/** A connector, a source that speaks as it expects, and what the source can do. */
export interface Subject {
  readonly name: string;
  readonly manifest: ProviderManifest;
  readonly settings: unknown;
  readonly apiKey: string;
  /** What the source's base address has behind its host. */
  readonly prefix: string;
  readonly resource: string;
  readonly dialect: Dialect;
  /** It can be asked for changes only. */
  readonly asksForChanges: boolean;
  /** Every fault is played, not only one of each kind: the rest of its family reads answers in the same way. */
  readonly everyFault: boolean;
  /** Its records do not say when they changed. */
  readonly isTimeless?: boolean;
  /** Failures that its source reports with a status of 200, and what each must become. */
  readonly failures?: readonly (readonly [code: string, body: object])[];
}

const iso = (ms: number) => new Date(ms).toISOString();
const plain = ({ id, changedMs }: SourceRow) => ({
  id,
  name: `Row ${id}`,
  updated_at: iso(changedMs),
  extra: { kept: true },
});
const since = (name: string) => (query: URLSearchParams) => {
  const text = query.get(name);
  return text === null ? null : Date.parse(text.replace(/^[^0-9]*/, ''));
};

function restSubject(
  name: string,
  page: { style: Dialect['style'] } & Record<string, unknown>,
  dialect: Partial<Dialect>,
  more: { resource?: object; recipe?: object; failures?: Subject['failures'] } = {},
): Subject {
  const recipe = {
    recipe: 1,
    id: 'things',
    title: 'Things',
    documentation: 'https://things.example/docs',
    auth: { type: 'query', name: 'api_key' },
    ...more.recipe,
    resources: {
      things: {
        path: '/things',
        items: 'data',
        page,
        changes: { from: { parameter: 'since', format: 'iso_ms' } },
        id: 'id',
        updatedAt: { value: 'updated_at', format: 'iso' },
        fields: { title: 'name' },
        ...more.resource,
      },
    },
  };
  return {
    name: `a recipe, ${name}`,
    manifest: rest,
    settings: { recipe },
    apiKey: 'key-in-the-query',
    prefix: '/api',
    resource: 'things',
    asksForChanges: true,
    everyFault: page.style === 'link' || more.failures !== undefined,
    ...(more.failures ? { failures: more.failures } : {}),
    dialect: {
      path: '/api/things',
      style: page.style,
      size: 10,
      place: page.style,
      sizeName: 'size',
      row: plain,
      page: (items, { total, nextAddress, lastId, hasMore }) => ({
        body: { data: items, total, next: nextAddress, cursor: lastId, more: hasMore },
        headers: nextAddress === null ? {} : { link: `<${nextAddress}>; rel="next", </api>; rel="index"` },
      }),
      since: since('since'),
      ...dialect,
    },
  };
}

const size = { size: 10, sizeParameter: 'size' };

const RECIPES: readonly Subject[] = [
  restSubject('offset', { style: 'offset', offset: 'offset', ...size }, {}),
  restSubject('offset with a total', { style: 'offset', offset: 'offset', total: 'total', ...size }, {}),
  restSubject('page', { style: 'page', page: 'page', ...size }, {}),
  restSubject(
    'cursor in the answer',
    { style: 'cursor', cursor: 'cursor', next: 'cursor', hasMore: 'more', ...size },
    {},
  ),
  restSubject('cursor of the last id', { style: 'cursor', cursor: 'cursor', ...size }, {}),
  restSubject('link in the header', { style: 'link', ...size }, { place: 'page' }),
  restSubject('link in the answer', { style: 'link', next: 'next', ...size }, { place: 'page' }),
  restSubject('whole', { style: 'whole' }, {}),
];

const POSTED: readonly Subject[] = [
  restSubject(
    'GraphQL, the cursor of a connection',
    {
      style: 'cursor',
      cursor: 'after',
      next: 'data.things.pageInfo.endCursor',
      hasMore: 'data.things.pageInfo.hasNextPage',
      size: 10,
      sizeParameter: 'first',
    },
    {
      place: 'after',
      sizeName: 'first',
      asked: (body) => JSON.parse(body).variables,
      page: (items, { lastId, hasMore }) => ({
        body: { data: { things: { nodes: items, pageInfo: { hasNextPage: hasMore, endCursor: lastId } } } },
      }),
    },
    {
      recipe: {
        auth: { type: 'header', name: 'X-Token' },
        failure: {
          when: 'errors',
          code: 'errors[0].extensions.code',
          codes: {
            THROTTLED: 'rate_limited',
            UNAUTHENTICATED: 'unauthorised',
            ACCESS_DENIED: 'forbidden',
            BAD_USER_INPUT: 'refused',
          },
        },
      },
      resource: {
        items: 'data.things.nodes',
        body: {
          as: 'graphql',
          query: [
            'query ($first: Int!, $after: String, $since: DateTime) {',
            '  things(first: $first, after: $after, since: $since) { nodes { id name } pageInfo { hasNextPage endCursor } }',
            '}',
          ],
        },
      },
      failures: [
        ['SOURCE_RATE_LIMITED', { errors: [{ message: 'Throttled', extensions: { code: 'THROTTLED' } }] }],
        [
          'SOURCE_UNAUTHORISED',
          { errors: [{ message: 'no', extensions: { code: 'UNAUTHENTICATED' } }], data: null },
        ],
        ['SOURCE_FORBIDDEN', { errors: [{ message: 'no', extensions: { code: 'ACCESS_DENIED' } }] }],
        [
          'SOURCE_REFUSED',
          { errors: [{ message: 'no such field', extensions: { code: 'BAD_USER_INPUT' } }] },
        ],
        ['SOURCE_UNAVAILABLE', { errors: [{ message: 'Internal' }] }],
        // Some data beside an error: what is missing would count as deleted.
        [
          'SOURCE_UNAVAILABLE',
          {
            errors: [{ message: 'one node failed', path: ['things', 'nodes', 3] }],
            data: { things: { nodes: [], pageInfo: { hasNextPage: false, endCursor: null } } },
          },
        ],
      ],
    },
  ),
  restSubject(
    'JSON-RPC, the key and an offset in lists',
    { style: 'offset', offset: 'params.args.3.offset', size: 10, sizeParameter: 'params.args.3.limit' },
    {
      place: 'offset',
      sizeName: 'limit',
      asked: (body) => {
        const { params } = JSON.parse(body);
        const [, , domain, { offset, limit }] = params.args;
        return { offset, limit, since: domain[1]?.[2] };
      },
      page: (items) => ({ body: { jsonrpc: '2.0', id: 1, result: items } }),
    },
    {
      recipe: {
        auth: { type: 'body', place: 'params.args.1' },
        values: { user: '7' },
        failure: {
          when: 'error',
          code: 'error.data.name',
          message: 'error.data.message',
          codes: { AccessDenied: 'unauthorised' },
        },
      },
      resource: {
        items: 'result',
        body: {
          as: 'json',
          value: {
            jsonrpc: '2.0',
            id: 1,
            params: { args: [{ $number: 'user' }, '', [['active', '=', true]], { offset: 0 }] },
          },
        },
        changes: {
          from: { parameter: 'params.args.2', template: ['updated_at', '>=', '{time}'], format: 'iso_ms' },
        },
      },
      failures: [
        [
          'SOURCE_UNAUTHORISED',
          {
            error: {
              code: 200,
              message: 'Server Error',
              data: { name: 'AccessDenied', message: 'Access Denied' },
            },
          },
        ],
        [
          'SOURCE_UNAVAILABLE',
          { error: { code: 200, message: 'Server Error', data: { name: 'Other', message: 'Lock' } } },
        ],
      ],
    },
  ),
  restSubject(
    'a form, pages',
    { style: 'page', page: 'page', ...size },
    { asked: (body) => Object.fromEntries(new URLSearchParams(body)) },
    { resource: { body: { as: 'form', fields: { kind: 'all' } } } },
  ),
  restSubject(
    'a statement, positions from 1',
    { style: 'offset', offset: 'start', first: 1, total: 'total', size: 10, sizeParameter: 'size' },
    {
      asked: (_, query) => {
        const [, time, start, most] =
          /^select \* from things(?: where updated_at >= '(.*)')? order by id from (\d+) most (\d+)$/.exec(
            query.get('q') ?? '',
          ) ?? [];
        return { since: time, offset: Number(start) - 1, size: most };
      },
      page: (items, { total }) => ({ body: { total, answer: items.length === 0 ? {} : { data: items } } }),
    },
    {
      resource: {
        items: 'answer.data',
        empty: 'missing',
        statement: {
          parameter: 'q',
          text: 'select * from things {changes} order by id from {start} most {size}',
        },
        changes: {
          from: { parameter: 'changes', template: "where updated_at >= '{time}'", format: 'iso_ms' },
        },
      },
    },
  ),
];

const WORKED: readonly Subject[] = [
  {
    name: 'the recipe of Cliniko',
    manifest: rest,
    settings: { recipe: 'cliniko' },
    apiKey: 'MS0xLWl4SzYYYYdtR3V2HNOTAREALKEY-au2',
    prefix: '/v1',
    resource: 'customers',
    asksForChanges: true,
    everyFault: false,
    dialect: {
      path: '/v1/patients',
      style: 'link',
      size: 100,
      place: 'page',
      sizeName: 'per_page',
      row: ({ id, changedMs }) => ({
        id: String(id),
        first_name: 'Peter',
        last_name: `Patientman ${id}`,
        email: 'peter@example.com',
        deleted_at: '',
        updated_at: iso(changedMs).replace('.000', ''),
        patient_phone_numbers: [{ phone_type: 'Mobile', number: '61444444444' }],
        links: { self: `https://api.au1.cliniko.com/v1/patients/${id}` },
      }),
      page: (items, { total, nextAddress }) => ({
        body: {
          patients: items,
          total_entries: total,
          links: nextAddress === null ? {} : { next: nextAddress },
        },
      }),
      since: since('q[]'),
    },
  },
  {
    name: 'the recipe of WooCommerce',
    manifest: rest,
    settings: { recipe: 'woocommerce' },
    apiKey: 'ck_0123456789:cs_9876543210',
    prefix: '/wp-json/wc/v3',
    resource: 'products',
    asksForChanges: true,
    everyFault: false,
    dialect: {
      path: '/wp-json/wc/v3/products',
      style: 'link',
      size: 100,
      place: 'page',
      sizeName: 'per_page',
      row: ({ id, changedMs }) => ({
        id,
        name: 'Premium Quality',
        sku: `SKU-${id}`,
        status: 'publish',
        price: '21.99',
        date_modified_gmt: iso(changedMs).slice(0, 19),
        _links: {},
      }),
      page: (items, { nextAddress }) => ({
        body: items,
        headers: nextAddress === null ? {} : { link: `<${nextAddress}>; rel="next"` },
      }),
      since: (query) => {
        const text = query.get('modified_after');
        return text === null ? null : Date.parse(`${text}Z`) + 1;
      },
    },
  },
];

function serviceSubject(
  resource: string,
  style: 'offset' | 'page' | 'cursor',
  shape: 'list object' | 'pagination block',
): Subject {
  return {
    name: `the billing service's ${resource}, ${style}, ${shape}`,
    manifest: service,
    settings: {},
    apiKey: 'rk_sandbox_secret',
    prefix: '/v2',
    resource,
    asksForChanges: false,
    everyFault: resource === 'invoices',
    dialect: {
      path: `/v2/${resource}`,
      style,
      size: 100,
      place: style === 'cursor' ? 'starting_after' : style,
      sizeName: 'limit',
      row: plain,
      page: (items, { hasMore, total }) => ({
        body:
          shape === 'list object'
            ? { object: 'list', data: items, has_more: hasMore, url: `/v2/${resource}` }
            : { data: items, pagination: { limit: 100, total, ...(style === 'offset' ? {} : { hasMore }) } },
      }),
      since: () => null,
    },
  };
}

const SERVICE: readonly Subject[] = [
  serviceSubject('invoices', 'offset', 'list object'),
  serviceSubject('customers', 'offset', 'pagination block'),
  serviceSubject('products', 'page', 'list object'),
  serviceSubject('prices', 'cursor', 'list object'),
  serviceSubject('prices', 'cursor', 'pagination block'),
];

function subjectOf(one: Documented): Subject {
  const { recipe, settings, apiKey, prefix, main, isTimeless = false, failures, since } = one;
  const list = one.lists[main];
  if (!list) throw new Error(`${recipe} has no list of ${main}`);
  return {
    name: `the recipe ${recipe}`,
    manifest: rest,
    settings,
    apiKey,
    prefix,
    resource: main,
    asksForChanges: since !== undefined,
    everyFault: false,
    isTimeless,
    ...(failures ? { failures } : {}),
    dialect: {
      path: prefix + list.path,
      style: one.style,
      size: 100,
      place: one.place,
      sizeName: one.sizeName,
      row: one.row,
      page: (items, facts) => one.page(items, facts, list.key),
      ...(one.asked ? { asked: one.asked } : {}),
      since: since ?? (() => null),
    },
  };
}

const CATALOGUE_SUBJECTS = CATALOGUE.map(subjectOf);

/** Every connector that reads over HTTP, in every way in which it reads. */
export const SUBJECTS: readonly Subject[] = [
  ...RECIPES,
  ...POSTED,
  ...WORKED,
  ...CATALOGUE_SUBJECTS,
  ...SERVICE,
];
