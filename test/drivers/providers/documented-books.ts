import { RECIPES } from '../../../drivers/providers/rest/settings.ts';
import { type Documented, found, iso, msOf, utc } from './documented.ts';

/** OAuth is tested beside: here its token is given. */
const withToken = (name: string) => ({ ...(RECIPES[name] as object), auth: { type: 'bearer' } });

/** Sources of bookkeeping. */
export const BOOKS: readonly Documented[] = [
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
