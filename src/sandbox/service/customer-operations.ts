import type { Answer } from './errors.ts';
import type { Merchant } from './merchant.ts';
import type { Call, Operation } from './operation.ts';
import {
  CURSOR_PARAMETERS,
  cursorPage,
  OFFSET_PARAMETERS,
  offsetPage,
  type Page,
  single,
} from './pagination.ts';
import type { CatalogueKind } from './settings.ts';

/** Answers a call with a page, in the shape of its version. */
export type ListAnswer = (call: Call, page: Page<unknown>) => Answer;

/** Lists of one customer: their names in the path, and what they list. */
const OF_CUSTOMERS: readonly {
  readonly name: string;
  readonly kind: CatalogueKind;
  readonly scope: string;
}[] = [
  { name: 'invoices', kind: 'invoices', scope: 'invoices:read' },
  { name: 'orders', kind: 'orders', scope: 'payments:read' },
  { name: 'payments', kind: 'payment_intents', scope: 'payments:read' },
  { name: 'subscriptions', kind: 'subscriptions', scope: 'subscriptions:read' },
  { name: 'entitlements', kind: 'entitlements', scope: 'customers:read' },
];

/** What the account has of one customer. */
export function customerOperations(merchant: Merchant, list: ListAnswer): readonly Operation[] {
  return [...OF_CUSTOMERS.map((one) => customerList(merchant, list, one)), ...checkOperations(merchant)];
}

/** Subscriptions by cursor and with a status, the others by offset. */
function customerList(
  merchant: Merchant,
  list: ListAnswer,
  { name, kind, scope }: (typeof OF_CUSTOMERS)[number],
): Operation {
  const isByCursor = kind === 'subscriptions';
  return {
    method: 'GET',
    path: `/v2/customers/:customerId/${name}`,
    scope,
    query: isByCursor ? [...CURSOR_PARAMETERS, 'status'] : OFFSET_PARAMETERS,
    handle: (call) => {
      const all = merchant.ofCustomer(kind, call.params['customerId'] ?? '');
      if (!isByCursor) return list(call, offsetPage(all, call.query));
      const status = single(call.query, 'status');
      const items = all.map((one) => ({ ...one, id: String(one['id']) }));
      const isWanted = (one: Readonly<Record<string, unknown>>) =>
        status === undefined || one['status'] === status;
      return list(call, cursorPage(items, call.query, { isWanted }));
    },
  };
}

/** Whether a customer has a benefit. The interface shows neither the parameters nor the answer: a few fields of the entitlement. */
function checkOperations(merchant: Merchant): readonly Operation[] {
  const check = (customerId: string, key: string | undefined): Answer => {
    const held = merchant.ofCustomer('entitlements', customerId).filter(({ benefit }) => {
      const known = typeof benefit === 'object' && benefit !== null && 'benefit_key' in benefit;
      return known && benefit.benefit_key === key;
    });
    const entitlement = held.find(({ has_access }) => has_access === true) ?? held.at(-1) ?? null;
    const has_access = entitlement?.['has_access'] === true;
    return {
      status: 200,
      body: { data: { customer_id: customerId, benefit_key: key, has_access, entitlement } },
    };
  };
  const scope = 'customers:read';
  return [
    {
      method: 'GET',
      path: '/v2/entitlements/check',
      scope,
      query: ['customerId', 'benefitKey'],
      handle: ({ query }) => check(single(query, 'customerId') ?? '', single(query, 'benefitKey')),
    },
    {
      method: 'GET',
      path: '/v2/customers/:customerId/entitlements/check',
      scope,
      query: ['benefitKey'],
      handle: ({ params, query }) => check(params['customerId'] ?? '', single(query, 'benefitKey')),
    },
  ];
}
