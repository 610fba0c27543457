import { customerOperations, type ListAnswer } from './customer-operations.ts';
import type { Answer } from './errors.ts';
import type { ImportedRecords } from './imported-records.ts';
import type { Merchant } from './merchant.ts';
import type { Operation } from './operation.ts';
import { CURSOR_PARAMETERS, OFFSET_PARAMETERS, offsetPage, PAGE_PARAMETERS } from './pagination.ts';
import { type CatalogueKind, LIMITS } from './settings.ts';

/** Every list of the account: its path, its scope and its pagination style. */
const LISTS: readonly {
  readonly kind: CatalogueKind;
  readonly path: string;
  readonly scope: string;
  readonly style: 'offset' | 'page' | 'cursor';
  /** Absent: oldest first. */
  readonly newestBy?: string;
  readonly hasPublicId?: true;
}[] = [
  { kind: 'invoices', path: '/v2/invoices', scope: 'invoices:read', style: 'offset' },
  { kind: 'customers', path: '/v2/customers', scope: 'customers:read', style: 'offset' },
  { kind: 'products', path: '/v2/products', scope: 'products:read', style: 'page' },
  { kind: 'prices', path: '/v2/prices', scope: 'products:read', style: 'cursor' },
  { kind: 'subscriptions', path: '/v2/subscriptions', scope: 'subscriptions:read', style: 'page' },
  { kind: 'orders', path: '/v2/orders', scope: 'payments:read', style: 'offset' },
  { kind: 'payment_intents', path: '/v2/payment-intents', scope: 'payments:read', style: 'cursor' },
  {
    kind: 'disputes',
    path: '/v2/disputes',
    scope: 'finance:read',
    style: 'offset',
    newestBy: 'disputed_at',
    hasPublicId: true,
  },
  {
    kind: 'payouts',
    path: '/v2/payouts',
    scope: 'finance:read',
    style: 'offset',
    newestBy: 'created_at',
    hasPublicId: true,
  },
  { kind: 'mandates', path: '/v2/mandates', scope: 'payments:read', style: 'offset' },
  { kind: 'entitlements', path: '/v2/entitlements', scope: 'customers:read', style: 'offset' },
  { kind: 'transactions', path: '/v2/transactions', scope: 'finance:read', style: 'cursor' },
];

const PARAMETERS = { offset: OFFSET_PARAMETERS, page: PAGE_PARAMETERS, cursor: CURSOR_PARAMETERS };

/** The account's lists besides terminals that an agent reads, and the batch of customers that it writes. */
export function merchantOperations(merchant: Merchant, list: ListAnswer): readonly Operation[] {
  return [
    openDisputes(merchant, list),
    ...customerOperations(merchant, list),
    ...LISTS.flatMap(({ kind, path, scope, style, newestBy, hasPublicId }): readonly Operation[] => [
      {
        method: 'GET',
        path,
        scope,
        query: PARAMETERS[style],
        handle: (call) =>
          list(
            call,
            newestBy === undefined
              ? merchant.list(kind, style, call.query)
              : offsetPage(merchant.ordered(kind, newestBy, true), call.query),
          ),
      },
      {
        method: 'GET',
        path: `${path}/:id`,
        scope,
        ...(hasPublicId ? { hasPublicId } : {}),
        handle: ({ params }) => one(kind, merchant.view(kind, params['id'] ?? '')),
      },
    ]),
    {
      method: 'PUT',
      path: '/v2/customers/external/batch',
      scope: 'customers:write',
      bodyLimit: LIMITS.customersBody,
      handle: ({ body }) => merchant.takeCustomers(body),
    },
    ...importOperations(merchant.imported),
  ];
}

/** Disputes that need evidence, most urgent first. */
function openDisputes(merchant: Merchant, list: ListAnswer): Operation {
  return {
    method: 'GET',
    path: '/v2/disputes/open',
    scope: 'finance:read',
    query: OFFSET_PARAMETERS,
    handle: (call) => {
      const open = merchant
        .ordered('disputes', 'evidence_due_by', false)
        .filter(({ status }) => status === 'needs_response');
      return list(call, offsetPage(open, call.query));
    },
  };
}

/** Invoices and entitlements that a client creates. */
function importOperations(imported: ImportedRecords): readonly Operation[] {
  const scope = 'invoices:write';
  const move = (name: 'finalize' | 'send' | 'void'): Operation => ({
    method: 'POST',
    path: `/v2/invoices/:id/${name}`,
    scope,
    handle: ({ params, body }) => imported.moveInvoice(params['id'] ?? '', name, body),
  });
  const entitlements = '/v2/customers/:customerId/entitlements';
  return [
    { method: 'POST', path: '/v2/invoices', scope, handle: ({ body }) => imported.createInvoice(body) },
    {
      method: 'PATCH',
      path: '/v2/invoices/:id',
      scope,
      handle: ({ params, body }) => imported.changeInvoice(params['id'] ?? '', body),
    },
    move('finalize'),
    move('send'),
    move('void'),
    {
      method: 'POST',
      path: entitlements,
      scope: 'customers:write',
      handle: ({ params, body }) => imported.grant(params['customerId'] ?? '', body),
    },
    {
      method: 'DELETE',
      path: `${entitlements}/:entitlementId`,
      scope: 'customers:write',
      handle: ({ params }) => imported.revoke(params['customerId'] ?? '', params['entitlementId'] ?? ''),
    },
  ];
}

/** Orders have no wrapper. */
function one(kind: CatalogueKind, resource: unknown): Answer {
  return { status: 200, body: kind === 'orders' ? resource : { data: resource } };
}
