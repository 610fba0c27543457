import { z } from 'zod';
import { CurrencyCode, Cursor, listOf, Timestamp } from './primitives.ts';

// Resources of the service as they are mirrored. The fields that the interface names, and every other field that the service sends. It does not say
// which of them may be absent or null, so only the id is required; a field of another type than the interface's is left out.

const text = z.string().nullish();
const whole = z.int().nullish();
const flag = z.boolean().nullish();
const id = z.string().nullish();
const at = z.string().nullish();
const open = z.record(z.string(), z.json()).nullish();
const many = z.array(z.json()).nullish();

/** A customer. */
export const Customer = z.looseObject({
  id: z.string(),
  object: text,
  email: text,
  name: text,
  phone: text,
  company_name: text,
  default_currency: text,
  locale: text,
  created_at: at,
});

/** A product. */
export const Product = z.looseObject({
  id: z.string(),
  object: text,
  product_id: text,
  name: text,
  description: text,
  kind: text,
  pricing_model: text,
  amount_minor: whole,
  currency: text,
  interval: text,
  interval_count: whole,
  trial_days: whole,
  fulfillment_type: text,
  track_inventory: flag,
  stock_quantity: whole,
  tags: many,
  slug: text,
  is_active: flag,
  is_archived: flag,
  image_url: text,
  images: many,
  store_visibility: text,
  tax_behavior: text,
  tax_code: text,
  metadata: open,
  created_at: at,
  updated_at: at,
});

/** A price of a product. The interface does not show its fields. */
export const Price = z.looseObject({
  id: z.string(),
  product_id: id,
  currency: text,
  unit_amount_minor: whole,
  active: flag,
});

/** A subscription. */
export const Subscription = z.looseObject({
  id: z.string(),
  customer_id: id,
  price_id: id,
  status: text,
  current_period_start: text,
  current_period_end: text,
  cancel_at_period_end: flag,
  canceled_at: at,
  trial_end: text,
  created_at: at,
  updated_at: at,
});

/** An order. */
export const Order = z.looseObject({
  id: z.string(),
  object: text,
  public_id: text,
  customer_id: id,
  status: text,
  billing_type: text,
  fulfillment_status: text,
  currency: text,
  subtotal: whole,
  discount: whole,
  tax: whole,
  total: whole,
  amount_paid: whole,
  amount_refunded: whole,
  amount_due: whole,
  line_items: many,
  metadata: open,
  notes: text,
  invoice_id: id,
  subscription_id: id,
  created_at: at,
  updated_at: at,
  paid_at: at,
  canceled_at: at,
  fulfilled_at: at,
  expires_at: at,
});

/** A payment intent. The interface does not show its fields. */
export const PaymentIntent = z.looseObject({
  id: z.string(),
  object: text,
  customer_id: id,
  amount_minor: whole,
  currency: text,
  status: text,
  created_at: at,
});

/** A dispute. */
export const Dispute = z.looseObject({
  id: z.string(),
  public_id: text,
  payment_id: id,
  parent_transaction_id: id,
  gateway: text,
  payment_rail: text,
  dispute_kind: text,
  gateway_dispute_id: text,
  gateway_transaction_id: text,
  amount_minor: whole,
  currency: text,
  reason_code: text,
  reason: text,
  network_reason_code: text,
  network_reason_description: text,
  customer_name: text,
  card_brand: text,
  card_last4: text,
  evidence_due_by: text,
  evidence_submitted: flag,
  evidence_submitted_at: at,
  status: text,
  resolution: text,
  resolved_at: at,
  disputed_at: at,
  created_at: at,
  days_until_due: whole,
  is_overdue: flag,
});

/** A payout. The interface does not show its fields. */
export const Payout = z.looseObject({
  id: z.string(),
  public_id: text,
  amount_minor: whole,
  currency: text,
  status: text,
  paid_at: at,
  created_at: at,
});

/** A direct debit mandate; account numbers are masked. */
export const Mandate = z.looseObject({
  id: z.string(),
  object: text,
  customer_id: id,
  status: text,
  account_holder_name: text,
  account_number_last4: text,
  bank_name: text,
  mandate_reference: text,
  next_collection_date: text,
  created_at: at,
});

/** An entitlement: what a customer may use. */
export const Entitlement = z.looseObject({
  id: z.string(),
  customer_id: id,
  benefit_id: id,
  benefit: open,
  granted_at: at,
  expires_at: at,
  metadata: open,
  status: text,
  has_access: flag.describe('As the service said it at `fresh_at`; the check computes it anew.'),
  access_level: text,
  subscription_id: id,
  subscription_status: text,
});

/** A movement of money. The interface does not show its fields. */
export const Transaction = z.looseObject({
  id: z.string(),
  amount_minor: whole,
  currency: text,
  status: text,
  created_at: at,
});

export const FreshAt = Timestamp.nullable().describe(
  'Until when the mirror is complete; null: nothing was mirrored yet.',
);

/** The list object of version 2026-05-01, with the age of the mirror. */
export function mirroredListOf<T extends z.ZodType>(resource: T) {
  return listOf(resource).extend({ fresh_at: FreshAt });
}

/** A list under version 2026-01-15. */
export function mirroredPageOf<T extends z.ZodType>(resource: T) {
  return z.object({
    data: z.array(resource),
    pagination: z.object({
      limit: z.int(),
      offset: z.int(),
      total: z.int().describe('Of a filtered or searched list at most 100,000: there may be more.'),
      hasMore: z.boolean(),
    }),
    fresh_at: FreshAt,
  });
}

/** A single resource, with the age of the mirror. */
export function mirroredDataOf<T extends z.ZodType>(resource: T) {
  return z.object({ data: resource, fresh_at: FreshAt });
}

const limit = z.coerce.number().int().min(1).max(100).default(20);

/** The filters that some of the lists have, all of them additions of tilld but the status of subscriptions. */
const FILTERS = {
  status: z.string().min(1).max(64).optional().describe('Exactly this status.'),
  currency: CurrencyCode.optional(),
} as const;
export type Filter = keyof typeof FILTERS;

const common = {
  limit,
  search: z
    .string()
    .max(200)
    .optional()
    .describe(
      'An addition of tilld. Each of its words, eight at most, must begin a word of the names, numbers, references or amounts (`12,34`); ' +
        'case and accents do not matter. An id finds its resource.',
    ),
  version: z.string().optional(),
} as const;

const PLACES = {
  offset: z.strictObject({ ...common, offset: z.coerce.number().int().min(0).default(0) }),
  page: z.strictObject({
    ...common,
    page: z.coerce
      .number()
      .int()
      .min(1)
      .max(1_000_000_000)
      .default(1)
      .describe('The number of the page, from 1 on.'),
  }),
  cursor: z.strictObject({
    ...common,
    starting_after: Cursor.max(256).optional(),
    ending_before: Cursor.max(256).optional(),
  }),
} as const;
export type ListStyle = keyof typeof PLACES;

const QUERIES = {
  offset: withFilters(PLACES.offset),
  page: withFilters(PLACES.page),
  cursor: withFilters(PLACES.cursor),
} as const;

function withFilters<T extends (typeof PLACES)[ListStyle]>(plain: T) {
  const { status, currency } = FILTERS;
  return {
    plain,
    byStatus: plain.extend({ status }),
    byCurrency: plain.extend({ currency }),
    byBoth: plain.extend(FILTERS),
  };
}

/** The query of a mirrored list. */
export function mirroredQueryOf(style: ListStyle, filters: readonly Filter[]): z.ZodType<MirroredQuery> {
  const { plain, byStatus, byCurrency, byBoth } = QUERIES[style];
  if (filters.includes('status')) return filters.includes('currency') ? byBoth : byStatus;
  return filters.includes('currency') ? byCurrency : plain;
}

/** A query of any style: which fields it can have depends on the style of the list. */
export interface MirroredQuery {
  readonly limit: number;
  readonly search?: string | undefined;
  readonly status?: string | undefined;
  readonly currency?: string | undefined;
  readonly offset?: number;
  readonly page?: number;
  readonly starting_after?: string | undefined;
  readonly ending_before?: string | undefined;
}

/** Query of the check of an entitlement of one customer. The interface names the parameter of the revocation only: `benefitKey`. */
export const CheckOfCustomer = z.strictObject({
  benefitKey: z.string().min(1).max(256).describe('The key of the benefit that the entitlement must give.'),
  version: z.string().optional(),
});

/** Query of `GET /v2/entitlements/check`. */
export const CheckEntitlement = CheckOfCustomer.extend({
  customerId: z.string().min(1).max(256).describe('The id of the customer.'),
});

/** Whether a customer has access to a benefit now, by the clock of this machine. */
export const EntitlementCheck = z.object({
  object: z.literal('entitlement_check'),
  customer_id: z.string(),
  benefit_key: z.string(),
  has_access: z
    .boolean()
    .describe(
      'The entitlement is `active`, has not expired by `checked_at`, and the service did not take its access away.',
    ),
  entitlement: Entitlement.nullable().describe(
    'The one that decided; null: the customer has none for this key.',
  ),
  checked_at: Timestamp,
});
export type EntitlementCheck = z.infer<typeof EntitlementCheck>;

/** What stands between a customer and the till: open invoices, rights, subscriptions, and what was paid last. */
const part = <T extends z.ZodType>(resource: T, words: string) =>
  z
    .object({ data: z.array(resource), has_more: z.boolean(), fresh_at: FreshAt })
    .nullable()
    .describe(`${words} null: the list is not mirrored, or the key lacks its scope.`);

export function customerStateOf<T extends z.ZodType>(invoice: T) {
  return z.object({
    object: z.literal('customer_state'),
    customer: Customer,
    open_invoices: part(invoice, 'Invoices of which something is due, newest first, 100 at most.'),
    entitlements: part(
      Entitlement.extend({
        has_access: z.boolean().describe('Computed by the clock of this machine, as the check does.'),
      }),
      'Entitlements, 100 at most.',
    ),
    subscriptions: part(Subscription, 'Subscriptions, 100 at most.'),
    payments: part(PaymentIntent, 'The last ten payments, newest first.'),
  });
}

/** An entry of `GET /v2/payouts/{id}/payments`. */
export const PayoutPayment = z.looseObject({
  id: z.string(),
  public_id: text,
  amount_minor: whole,
  currency: text,
  status: text,
  kind: text,
  paid_at: at,
  created_at: at,
});

/** Query of `GET /v2/payouts/{id}/payments`. */
export const ListPayoutPayments = z.strictObject({
  limit: z.coerce.number().int().min(1).max(100).default(50),
  offset: z.coerce.number().int().min(0).default(0),
  version: z.string().optional(),
});

/** What is mirrored of one list of the service. */
export const MirroredListSummary = z.object({
  object: z.literal('mirrored_list'),
  list: z.string().describe('Its name in `mirror.lists` of the configuration.'),
  path: z.string(),
  rows: z.int(),
  fresh_at: FreshAt,
});
export type MirroredListSummary = z.infer<typeof MirroredListSummary>;
