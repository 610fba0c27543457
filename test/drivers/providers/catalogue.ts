import { RECIPES } from '../../../drivers/providers/rest/settings.ts';
import type { Dialect, PageFacts, SourceRow } from './hostile-source.ts';

/** A source that answers as the documentation of a real one shows; it is not the real one. */
export interface Documented {
  readonly recipe: string;
  readonly settings: object;
  readonly apiKey: string;
  readonly prefix: string;
  readonly style: Dialect['style'];
  /** Names of its parameters, as `asked` or the query has them. */
  readonly place: string;
  readonly sizeName: string;
  /** Where each resource is, and its name in the answer. */
  readonly lists: Readonly<Record<string, { readonly path: string; readonly key: string }>>;
  /** The resource that all guarantees are tested with, and one of its records. */
  readonly main: string;
  row(row: SourceRow): object;
  page(items: readonly unknown[], facts: PageFacts, key: string): ReturnType<Dialect['page']>;
  readonly asked?: NonNullable<Dialect['asked']>;
  readonly since?: Dialect['since'];
  readonly isTimeless?: boolean;
  readonly failures?: readonly (readonly [code: string, body: object])[];
  /** What a request must carry, in the form in which it is sent. */
  readonly carries: readonly string[];
  /** Its own refusals: the status, the body, what they become, and the words that stay. */
  readonly refusals: readonly (readonly [status: number, body: object, code: string, words: string])[];
}

const iso = (ms: number) => new Date(ms).toISOString().replace('.000Z', 'Z');
const sql = (ms: number) => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
const msOf = (text: string | null | undefined) => (text ? Date.parse(text) : null);
const utc = (text: string | null | undefined) => (text ? Date.parse(`${text.replace(' ', 'T')}Z`) : null);
const found = (pattern: RegExp, text: string | null) => pattern.exec(text ?? '')?.[1];

/** OAuth is tested beside: here its token is given. */
const withToken = (name: string) => ({ ...(RECIPES[name] as object), auth: { type: 'bearer' } });

export const CATALOGUE: readonly Documented[] = [
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
    prefix: '/admin/api/2026-10',
    style: 'cursor',
    place: 'after',
    sizeName: 'first',
    lists: {
      customers: { path: '/graphql.json', key: 'customers' },
      products: { path: '/graphql.json', key: 'products' },
      invoices: { path: '/graphql.json', key: 'orders' },
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
  {
    recipe: 'xero',
    settings: { recipe: withToken('xero'), values: { tenant_id: 'tenant-7' } },
    apiKey: 'an-access-token-1',
    prefix: '/api.xro/2.0',
    style: 'page',
    place: 'page',
    sizeName: 'pageSize',
    lists: {
      customers: { path: '/Contacts', key: 'Contacts' },
      products: { path: '/Items', key: 'Items' },
      invoices: { path: '/Invoices', key: 'Invoices' },
    },
    main: 'customers',
    row: ({ id, changedMs }) => ({
      ContactID: String(id),
      ContactStatus: 'ACTIVE',
      Name: `Anna ${id}`,
      EmailAddress: '',
      Phones: [],
      UpdatedDateUTC: `/Date(${changedMs}+0000)/`,
    }),
    asked: (_, query, headers) => ({ ...Object.fromEntries(query), since: headers['if-modified-since'] }),
    // "Since" may mean "after".
    since: (query) => {
      const since = utc(query.get('since'));
      return since === null ? null : since + 1;
    },
    page: (items, _, key) => ({ body: { Id: 'x', Status: 'OK', ProviderName: 'Shop', [key]: items } }),
    carries: ['authorization: Bearer an-access-token-1', 'xero-tenant-id: tenant-7'],
    refusals: [
      [
        401,
        { Title: 'Unauthorized', Status: 401, Detail: 'TokenExpired: token expired' },
        'SOURCE_UNAUTHORISED',
        'Unauthorized',
      ],
      [
        403,
        { Title: 'Forbidden', Status: 403, Detail: 'AuthenticationUnsuccessful' },
        'SOURCE_FORBIDDEN',
        'Forbidden',
      ],
      [
        400,
        { ErrorNumber: 16, Type: 'QueryParseException', Message: 'No property Typ exists' },
        'SOURCE_REFUSED',
        'No property Typ exists',
      ],
      [200, { Id: 'x', Status: 'ERROR', Message: 'not today' }, 'SOURCE_UNAVAILABLE', 'not today'],
    ],
  },
  {
    recipe: 'quickbooks',
    settings: { recipe: withToken('quickbooks') },
    apiKey: 'an-access-token-2',
    prefix: '/v3/company/4620816365',
    style: 'offset',
    place: 'offset',
    sizeName: 'most',
    lists: {
      customers: { path: '/query', key: 'Customer' },
      products: { path: '/query', key: 'Item' },
      invoices: { path: '/query', key: 'Invoice' },
    },
    main: 'customers',
    row: ({ id, changedMs }) => ({
      Id: String(id),
      DisplayName: `Amy ${id}`,
      Active: true,
      MetaData: { CreateTime: iso(0), LastUpdatedTime: iso(changedMs) },
    }),
    asked: (_, query) => {
      const statement =
        /^select \* from [A-Z][a-z]+(?: where Active in \(true, false\))?(?: (?:and|where) MetaData\.LastUpdatedTime >= '(.+)')? orderby Id startposition (\d+) maxresults (\d+)$/;
      const [, since, start, most] = statement.exec(query.get('query') ?? '') ?? [];
      return { since, offset: Number(start) - 1, most };
    },
    since: (query) => msOf(query.get('since')),
    page: (items, _, key) => ({
      body: {
        QueryResponse: items.length === 0 ? {} : { [key]: items, startPosition: 1, maxResults: items.length },
        time: iso(0),
      },
    }),
    failures: [
      [
        'SOURCE_UNAUTHORISED',
        {
          Fault: { type: 'AUTHENTICATION', Error: [{ message: '', Message: 'Access Denied', code: '3200' }] },
        },
      ],
    ],
    carries: ['authorization: Bearer an-access-token-2', 'minorversion=75'],
    refusals: [
      [
        401,
        {
          Fault: {
            Error: [{ Message: 'message=AuthenticationFailed', code: '3200' }],
            type: 'AUTHENTICATION',
          },
        },
        'SOURCE_UNAUTHORISED',
        'AuthenticationFailed',
      ],
      [
        400,
        {
          Fault: {
            Error: [{ Message: 'Error parsing query', Detail: 'QueryParserError', code: '4000' }],
            type: 'ValidationFault',
          },
        },
        'SOURCE_REFUSED',
        'Error parsing query',
      ],
      [
        200,
        {
          Fault: {
            Error: [{ Message: 'Invalid', Detail: 'the column', code: '4001' }],
            type: 'ValidationFault',
          },
        },
        'SOURCE_REFUSED',
        'Invalid: the column',
      ],
    ],
  },
  {
    recipe: 'dolibarr',
    settings: { recipe: 'dolibarr', timeZone: 'UTC' },
    apiKey: 'dolibarr-key-1',
    prefix: '/api/index.php',
    style: 'page',
    place: 'number',
    sizeName: 'limit',
    lists: {
      customers: { path: '/thirdparties', key: '' },
      products: { path: '/products', key: '' },
      invoices: { path: '/invoices', key: '' },
    },
    main: 'customers',
    row: ({ id, changedMs }) => ({
      id: String(id),
      name: `Anna ${id}`,
      name_alias: '',
      email: null,
      phone: null,
      status: '1',
      date_modification: changedMs / 1_000,
    }),
    asked: (_, query) => ({ number: Number(query.get('page')) + 1 }),
    since: (query) => utc(found(/^\(t\.tms:>=:'(.+)'\)$/, query.get('sqlfilters'))),
    // Behind the last page is 404; a list of nothing at all is empty since version 20.
    page: (items, { total }) =>
      items.length === 0 && total > 0
        ? { status: 404, body: { error: { code: 404, message: 'Not Found: Thirdparties not found' } } }
        : { body: items },
    carries: ['dolapikey: dolibarr-key-1'],
    refusals: [
      [
        401,
        { error: { code: 401, message: 'Unauthorized: Failed to login to API' } },
        'SOURCE_UNAUTHORISED',
        'Failed to login',
      ],
      [404, { error: { code: 404, message: 'Not Found' } }, 'SOURCE_REFUSED', 'Not Found'],
      [
        503,
        { error: { code: 503, message: 'Error when validating parameter sqlfilters' } },
        'SOURCE_UNAVAILABLE',
        'sqlfilters',
      ],
    ],
  },
  {
    recipe: 'lexware',
    settings: { recipe: 'lexware' },
    apiKey: 'lexware-key-1',
    prefix: '/v1',
    style: 'page',
    place: 'number',
    sizeName: 'size',
    lists: {
      customers: { path: '/contacts', key: '' },
      products: { path: '/articles', key: '' },
      invoices: { path: '/voucherlist', key: '' },
    },
    main: 'products',
    row: ({ id, changedMs }) => ({
      id: String(id),
      title: `Thing ${id}`,
      type: 'PRODUCT',
      price: { grossPrice: 11.9 },
      archived: false,
      updatedDate: iso(changedMs),
    }),
    asked: (_, query) => ({ number: Number(query.get('page')) + 1 }),
    page: (items) => ({ body: { content: items, first: false, numberOfElements: items.length } }),
    carries: ['authorization: Bearer lexware-key-1'],
    refusals: [
      [401, { message: 'Unauthorized' }, 'SOURCE_UNAUTHORISED', 'Unauthorized'],
      [
        429,
        { status: 429, error: 'Too Many Requests', message: 'Rate limit exceeded' },
        'SOURCE_RATE_LIMITED',
        'Too Many Requests',
      ],
      [
        406,
        { timestamp: '2026', status: 406, error: 'Not Acceptable', message: 'Validation failed' },
        'SOURCE_REFUSED',
        'Not Acceptable',
      ],
    ],
  },
  {
    recipe: 'sevdesk',
    settings: { recipe: 'sevdesk' },
    apiKey: '0123456789abcdef0123456789abcdef',
    prefix: '/api/v1',
    style: 'offset',
    place: 'offset',
    sizeName: 'limit',
    lists: {
      customers: { path: '/Contact', key: 'objects' },
      products: { path: '/Part', key: 'objects' },
      invoices: { path: '/Invoice', key: 'objects' },
    },
    main: 'customers',
    row: ({ id, changedMs }) => ({
      id: String(id),
      objectName: 'Contact',
      name: null,
      surename: 'Anna',
      familyname: `Muster ${id}`,
      customerNumber: null,
      update: iso(changedMs),
    }),
    page: (items, _, key) => ({ body: { [key]: items } }),
    carries: ['authorization: 0123456789abcdef0123456789abcdef'],
    refusals: [
      [
        401,
        { objects: null, error: { message: 'Authentication required', code: null } },
        'SOURCE_UNAUTHORISED',
        'Authentication required',
      ],
      [
        422,
        { error: { message: 'Model_Contact is missing', exceptionUUID: 'x' } },
        'SOURCE_REFUSED',
        'Model_Contact is missing',
      ],
    ],
  },
];
