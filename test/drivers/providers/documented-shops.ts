import { type Documented, found, iso, msOf, sql, utc } from './documented.ts';

/** Sources of shops and of software that a shop hosts itself. */
export const SHOPS: readonly Documented[] = [
  {
    recipe: 'stripe',
    settings: { recipe: 'stripe' },
    apiKey: 'sk_test_0123456789',
    prefix: '/v1',
    style: 'cursor',
    place: 'starting_after',
    sizeName: 'limit',
    lists: {
      customers: { path: '/customers', key: 'customers' },
      products: { path: '/products', key: 'products' },
      invoices: { path: '/invoices', key: 'invoices' },
    },
    main: 'customers',
    isTimeless: true,
    row: ({ id, changedMs }) => ({
      id: String(id),
      object: 'customer',
      name: `Jenny ${id}`,
      email: null,
      created: changedMs / 1_000,
    }),
    page: (items, { hasMore }, key) => ({
      body: { object: 'list', url: `/v1/${key}`, has_more: hasMore, data: items },
    }),
    carries: ['authorization: Bearer sk_test_0123456789', 'stripe-version: 2025-03-31.basil'],
    refusals: [
      [
        401,
        { error: { message: 'Invalid API Key provided', type: 'invalid_request_error' } },
        'SOURCE_UNAUTHORISED',
        'Invalid API Key provided',
      ],
      [
        429,
        { error: { code: 'rate_limit', message: 'Request rate limit exceeded' } },
        'SOURCE_RATE_LIMITED',
        'rate limit exceeded',
      ],
    ],
  },
  {
    recipe: 'shopify',
    settings: { recipe: 'shopify' },
    apiKey: 'shpat_0123456789',
    prefix: '',
    style: 'cursor',
    place: 'after',
    sizeName: 'first',
    lists: {
      customers: { path: '/admin/api/2026-10/graphql.json', key: 'customers' },
      products: { path: '/admin/api/2026-10/graphql.json', key: 'products' },
      invoices: { path: '/admin/api/2026-10/graphql.json', key: 'orders' },
    },
    main: 'customers',
    row: ({ id, changedMs }) => ({
      legacyResourceId: String(id),
      updatedAt: iso(changedMs),
      firstName: 'Jenny',
      lastName: `Test ${id}`,
      defaultEmailAddress: null,
      defaultPhoneNumber: null,
      defaultAddress: null,
    }),
    asked: (body) => JSON.parse(body).variables,
    since: (query) => msOf(found(/^updated_at:>='(.+)'$/, query.get('search'))),
    page: (items, { hasMore, lastId }, key) => ({
      body: {
        data: { [key]: { nodes: items, pageInfo: { hasNextPage: hasMore, endCursor: lastId } } },
        extensions: { cost: { requestedQueryCost: 12, throttleStatus: { currentlyAvailable: 988 } } },
      },
    }),
    failures: [
      [
        'SOURCE_RATE_LIMITED',
        {
          errors: [{ message: 'Throttled', extensions: { code: 'THROTTLED' } }],
          extensions: { cost: { actualQueryCost: null } },
        },
      ],
      [
        'SOURCE_FORBIDDEN',
        {
          errors: [
            {
              message: 'Access denied for customers field.',
              extensions: { code: 'ACCESS_DENIED' },
              path: ['customers'],
            },
          ],
          data: null,
        },
      ],
      [
        'SOURCE_REFUSED',
        {
          errors: [
            { message: "Field 'x' doesn't exist on type 'Customer'", extensions: { code: 'undefinedField' } },
          ],
        },
      ],
      [
        'SOURCE_UNAVAILABLE',
        {
          errors: [
            {
              message: 'Internal error. Looks like something went wrong',
              extensions: { code: 'INTERNAL_SERVER_ERROR' },
            },
          ],
        },
      ],
    ],
    carries: ['x-shopify-access-token: shpat_0123456789', 'content-type: application/json'],
    refusals: [
      [
        401,
        { errors: '[API] Invalid API key or access token' },
        'SOURCE_UNAUTHORISED',
        'Invalid API key or access token',
      ],
      [402, { errors: 'Unavailable Shop' }, 'SOURCE_REFUSED', 'Unavailable Shop'],
    ],
  },
  {
    recipe: 'odoo',
    settings: { recipe: 'odoo', values: { database: 'shop', user_id: '2' } },
    apiKey: 'odoo-key-0123456789',
    prefix: '',
    style: 'offset',
    place: 'offset',
    sizeName: 'limit',
    lists: {
      customers: { path: '/jsonrpc', key: 'res.partner' },
      products: { path: '/jsonrpc', key: 'product.template' },
      invoices: { path: '/jsonrpc', key: 'account.move' },
    },
    main: 'customers',
    row: ({ id, changedMs }) => ({
      id,
      name: `Anna ${id}`,
      email: false,
      phone: false,
      is_company: false,
      commercial_company_name: false,
      active: true,
      write_date: sql(changedMs),
    }),
    asked: (body) => {
      const { service, method, args } = JSON.parse(body).params;
      const [database, user, , , call, [domain], { offset, limit }] = args;
      if (`${service} ${method} ${call} ${database} ${user}` !== 'object execute_kw search_read shop 2')
        return {};
      return { offset, limit, since: domain.find(([field]: [string]) => field === 'write_date')?.[2] };
    },
    since: (query) => utc(query.get('since')),
    page: (items) => ({ body: { jsonrpc: '2.0', id: 1, result: items } }),
    failures: [
      [
        'SOURCE_UNAUTHORISED',
        {
          jsonrpc: '2.0',
          id: 1,
          error: {
            code: 200,
            data: { name: 'odoo.exceptions.AccessDenied', message: 'Access Denied' },
            message: 'Odoo Server Error',
          },
        },
      ],
      [
        'SOURCE_FORBIDDEN',
        {
          jsonrpc: '2.0',
          id: 1,
          error: {
            code: 200,
            message: 'Odoo Server Error',
            data: { name: 'odoo.exceptions.AccessError', message: 'Access Denied: no right to res.partner' },
          },
        },
      ],
    ],
    carries: ['"args":["shop",2,"odoo-key-0123456789",'],
    refusals: [
      [
        200,
        {
          error: {
            code: 200,
            message: 'Odoo Server Error',
            data: { name: 'builtins.ValueError', message: 'Invalid field on model' },
          },
        },
        'SOURCE_REFUSED',
        'Invalid field on model',
      ],
      [
        200,
        {
          error: {
            code: 200,
            message: 'Odoo Server Error',
            data: { name: 'psycopg2.OperationalError', message: 'database is down' },
          },
        },
        'SOURCE_UNAVAILABLE',
        'database is down',
      ],
    ],
  },
  {
    recipe: 'erpnext',
    settings: { recipe: 'erpnext', timeZone: 'UTC' },
    apiKey: 'api-key-1:api-secret-1',
    prefix: '',
    style: 'offset',
    place: 'limit_start',
    sizeName: 'limit_page_length',
    lists: {
      customers: { path: '/api/resource/Customer', key: 'data' },
      products: { path: '/api/resource/Item', key: 'data' },
      invoices: { path: '/api/resource/Sales%20Invoice', key: 'data' },
    },
    main: 'customers',
    row: ({ id, changedMs }) => ({
      name: String(id),
      customer_name: `Anna ${id}`,
      customer_type: 'Individual',
      email_id: null,
      mobile_no: null,
      disabled: 0,
      modified: `${sql(changedMs)}.000000`,
    }),
    since: (query) => utc(found(/^\[\["modified",">=","(.+)"\]\]$/, query.get('filters'))),
    page: (items, _, key) => ({ body: { [key]: items } }),
    carries: ['authorization: token api-key-1:api-secret-1'],
    refusals: [
      [
        401,
        { exc_type: 'AuthenticationError', exception: 'frappe.exceptions.AuthenticationError' },
        'SOURCE_UNAUTHORISED',
        'AuthenticationError',
      ],
      [
        403,
        { exception: 'frappe.exceptions.PermissionError', exc_type: 'PermissionError' },
        'SOURCE_FORBIDDEN',
        'PermissionError',
      ],
      [
        417,
        { exception: 'frappe.exceptions.DataError: Field not permitted in query' },
        'SOURCE_REFUSED',
        'Field not permitted',
      ],
    ],
  },
];
