import { restSubject, type Subject } from './rest-subject.ts';

const size = { size: 10, sizeParameter: 'size' };

/** Recipes that ask by POST, or in a language of the source. */
export const POSTED: readonly Subject[] = [
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
