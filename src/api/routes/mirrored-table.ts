import type { z } from 'zod';
import type { MirrorOrder } from '../../integration/views/mirror.ts';
import { Invoice } from '../contract/invoice.ts';
import type { Scope } from '../contract/key.ts';
import {
  Customer,
  Dispute,
  Entitlement,
  type Filter,
  type ListStyle,
  Mandate,
  Order,
  PaymentIntent,
  Payout,
  Price,
  Product,
  Subscription,
  Transaction,
} from '../contract/mirrored.ts';
import type { RefusalCode } from '../reply/refusals.ts';

/** A list of the service that the mirror serves. */
export interface MirroredList {
  /** Its name in `mirror.lists` of the configuration, and in the mirror. */
  readonly name: string;
  readonly path: string;
  readonly style: ListStyle;
  readonly scope: Scope;
  readonly tag: string;
  /** `list…` and `get…` of the operation ids, and of the summaries. */
  readonly words: { readonly many: string; readonly one: string };
  readonly resource: z.ZodObject;
  readonly filters: readonly Filter[];
  /** Absent: in the order in which the rows were first read. */
  readonly order?: MirrorOrder & { readonly inWords: string };
  /** Fixed filters of a list that shows a part of another one. */
  readonly where?: Readonly<Record<string, string>>;
  /** The id may be a public id. */
  readonly hasPublicId?: true;
  /** One resource is `{data}`, or the resource itself. */
  readonly isUnwrapped?: true;
  /** Absent: one resource has no address. */
  readonly unknown?: RefusalCode;
}

/** The lists of the interface, with its styles; where it is silent, see DESIGN.md, The mirror. */
export const MIRRORED_LISTS = [
  {
    name: 'invoices',
    path: '/v2/invoices',
    style: 'offset',
    scope: 'invoices:read',
    tag: 'Invoices',
    words: { many: 'Invoices', one: 'Invoice' },
    resource: Invoice,
    filters: ['status', 'currency'],
    unknown: 'MIRRORED_UNKNOWN',
  },
  {
    name: 'customers',
    path: '/v2/customers',
    style: 'offset',
    scope: 'customers:read',
    tag: 'Customers',
    words: { many: 'Customers', one: 'Customer' },
    resource: Customer,
    filters: [],
    unknown: 'CUSTOMER_UNKNOWN',
  },
  {
    name: 'products',
    path: '/v2/products',
    style: 'page',
    scope: 'products:read',
    tag: 'Products',
    words: { many: 'Products', one: 'Product' },
    resource: Product,
    filters: ['currency'],
    unknown: 'MIRRORED_UNKNOWN',
  },
  {
    name: 'prices',
    path: '/v2/prices',
    style: 'cursor',
    scope: 'products:read',
    tag: 'Products',
    words: { many: 'Prices', one: 'Price' },
    resource: Price,
    filters: ['currency'],
    unknown: 'MIRRORED_UNKNOWN',
  },
  {
    name: 'subscriptions',
    path: '/v2/subscriptions',
    style: 'page',
    scope: 'subscriptions:read',
    tag: 'Subscriptions',
    words: { many: 'Subscriptions', one: 'Subscription' },
    resource: Subscription,
    filters: ['status'],
    unknown: 'MIRRORED_UNKNOWN',
  },
  {
    name: 'orders',
    path: '/v2/orders',
    style: 'offset',
    scope: 'payments:read',
    tag: 'Orders',
    words: { many: 'Orders', one: 'Order' },
    resource: Order,
    filters: ['status', 'currency'],
    isUnwrapped: true,
    unknown: 'MIRRORED_UNKNOWN',
  },
  {
    name: 'payments',
    path: '/v2/payment-intents',
    style: 'cursor',
    scope: 'payments:read',
    tag: 'Payment intents',
    words: { many: 'PaymentIntents', one: 'PaymentIntent' },
    resource: PaymentIntent,
    filters: ['status', 'currency'],
    unknown: 'MIRRORED_MISSING',
  },
  {
    name: 'disputes',
    path: '/v2/disputes',
    style: 'offset',
    scope: 'finance:read',
    tag: 'Disputes',
    words: { many: 'Disputes', one: 'Dispute' },
    resource: Dispute,
    filters: ['status', 'currency'],
    order: { field: 'disputed_at', descending: true, inWords: 'newest disputed date first' },
    hasPublicId: true,
    unknown: 'MIRRORED_UNKNOWN',
  },
  {
    name: 'disputes',
    path: '/v2/disputes/open',
    style: 'offset',
    scope: 'finance:read',
    tag: 'Disputes',
    words: { many: 'OpenDisputes', one: 'Dispute' },
    resource: Dispute,
    filters: ['currency'],
    order: { field: 'evidence_due_by', descending: false, inWords: 'most urgent due date first' },
    where: { status: 'needs_response' },
  },
  {
    name: 'payouts',
    path: '/v2/payouts',
    style: 'offset',
    scope: 'finance:read',
    tag: 'Payouts',
    words: { many: 'Payouts', one: 'Payout' },
    resource: Payout,
    filters: ['status', 'currency'],
    order: { field: 'created_at', descending: true, inWords: 'newest first' },
    hasPublicId: true,
    unknown: 'MIRRORED_UNKNOWN',
  },
  {
    name: 'mandates',
    path: '/v2/mandates',
    style: 'offset',
    scope: 'payments:read',
    tag: 'Mandates',
    words: { many: 'Mandates', one: 'Mandate' },
    resource: Mandate,
    filters: ['status'],
    unknown: 'MIRRORED_UNKNOWN',
  },
  {
    name: 'entitlements',
    path: '/v2/entitlements',
    style: 'offset',
    scope: 'customers:read',
    tag: 'Entitlements',
    words: { many: 'Entitlements', one: 'Entitlement' },
    resource: Entitlement,
    filters: ['status'],
  },
  {
    name: 'transactions',
    path: '/v2/transactions',
    style: 'cursor',
    scope: 'finance:read',
    tag: 'Transactions',
    words: { many: 'Transactions', one: 'Transaction' },
    resource: Transaction,
    filters: ['status', 'currency'],
    unknown: 'MIRRORED_UNKNOWN',
  },
] as const satisfies readonly MirroredList[];

/** Lists of one customer, with the scope of what they list: `/v2/customers/{customerId}/NAME`. */
export const LISTS_OF_CUSTOMERS = [
  { name: 'invoices', style: 'offset' },
  { name: 'orders', style: 'offset' },
  { name: 'payments', style: 'offset' },
  { name: 'subscriptions', style: 'cursor' },
  { name: 'entitlements', style: 'offset' },
] as const satisfies readonly { readonly name: string; readonly style: ListStyle }[];

/** The list of this name that shows all of its rows. */
export function mirroredList(name: string): MirroredList {
  const found: MirroredList | undefined = MIRRORED_LISTS.find((list) => list.name === name);
  if (!found) throw new Error(`${name} is no list of the service`);
  return found;
}
