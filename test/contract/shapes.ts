import { z } from 'zod';
import {
  ENDS,
  EVENT_ID_PREFIX,
  FLAT_ISSUES,
  type LIST_OBJECT,
  type MAPPING_FIELDS,
  PAGINATION_BLOCK,
  PAGINATION_EXTRA,
  PROVIDERS,
  STATES,
  TERMINAL_PAYMENT,
} from './interface.ts';

// Shapes of answers, written from the interface. Envelopes and wrappers are strict; a resource may have more fields than the interface
// names, because new ones may come at any time, but never fewer. Which may be null is not shown: those that a payment has from its
// creation may not.

const FIELD = {
  uuid: z.uuid(),
  string: z.string(),
  integer: z.int(),
  timestamp: z.iso.datetime({ offset: true }),
} as const;
const FROM_CREATION = ['id', 'device_id', 'type', 'status', 'amount_minor', 'currency', 'created_at'];

const paymentFields: Record<string, z.ZodType> = Object.fromEntries(
  Object.entries(TERMINAL_PAYMENT).map(([name, type]) => [
    name,
    FROM_CREATION.includes(name) ? FIELD[type] : FIELD[type].nullable(),
  ]),
);

/** Resources: Terminal payment. */
export const Payment = z.looseObject({
  ...paymentFields,
  id: z.uuid(),
  device_id: z.uuid(),
  type: z.enum(['sale', 'refund', 'void']),
  status: z.enum([...STATES, ...ENDS]),
  amount_minor: z.int().positive(),
  currency: z.string().regex(/^[A-Z]{3}$/),
  completed_at: FIELD.timestamp.nullable(),
});
export type Payment = z.output<typeof Payment>;

/** tilld's own: the address of a receipt for the customer's phone. */
export const ReceiptLink = z.strictObject({
  url: z.url({ protocol: /^https$/ }),
  expires_at: FIELD.timestamp,
  certificate: z.enum(['shop', 'configured']),
});

const Sum = z.strictObject({ count: z.int().nonnegative(), amount_minor: z.int() });

/** tilld's own: what the payments of a span moved. */
export const PaymentTotals = z.strictObject({
  created_gte: FIELD.timestamp.nullable(),
  created_lt: FIELD.timestamp.nullable(),
  time_zone: z.string().min(1),
  currencies: z.array(
    z.strictObject({
      currency: z.string().regex(/^[A-Z]{3}$/),
      sales: Sum,
      refunds: Sum,
      voids: Sum,
      net_minor: z.int(),
      unknown: Sum,
    }),
  ),
});

const Counted = z.strictObject({ count: z.int().nonnegative(), amount_minor: z.int().nonnegative() });
const SUMS = {
  sales: Counted,
  refunds: Counted,
  voids: Counted,
  tips_minor: z.int().nullable(),
  net_minor: z.int(),
};
const DAY = {
  day: z.string().regex(/^\d{4}-\d\d-\d\d$/),
  from: FIELD.timestamp,
  to: FIELD.timestamp,
  open: z.int().nonnegative(),
};

/** tilld's own: what a day has taken. */
export const DayReport = z.strictObject({
  object: z.literal('day_report'),
  ...DAY,
  time_zone: z.string().min(1),
  week_before: z.strictObject(DAY),
  currencies: z.array(
    z.strictObject({
      currency: z.string().regex(/^[A-Z]{3}$/),
      total: z.strictObject(SUMS),
      week_before: z.strictObject(SUMS),
      terminals: z.array(z.strictObject({ device_id: z.uuid(), name: z.string().nullable(), ...SUMS })),
      schemes: z.array(z.strictObject({ scheme: z.string().nullable(), ...SUMS })),
      hours: z.array(
        z.strictObject({ at: FIELD.timestamp, ...SUMS, week_before_net_minor: z.int().nullable() }),
      ),
    }),
  ),
});

/** `{data: …}` and nothing beside it. */
export function dataOf<S extends z.ZodType>(resource: S) {
  return z.strictObject({ data: resource });
}

/** Resources: a terminal device has at least an id and a name. */
export const Device = z.looseObject({ id: z.uuid(), name: z.string().min(1) });

const Share = z.number().min(0).max(1).nullable();

/** tilld's own: how well a terminal works. */
export const TerminalActivity = z.strictObject({
  object: z.literal('terminal_activity'),
  device_id: z.uuid(),
  from: FIELD.timestamp,
  to: FIELD.timestamp,
  connected_s: z.int().nonnegative(),
  known_s: z.int().nonnegative(),
  uptime: Share,
  payments: z.strictObject({
    since: FIELD.timestamp,
    succeeded: z.int().nonnegative(),
    declined: z.int().nonnegative(),
    decline_rate: Share,
    mean_ms: z.int().nonnegative().nullable(),
  }),
  connections: z.array(
    z.strictObject({
      state: z.enum(['connected', 'not_connected', 'wrong_terminal']),
      since: FIELD.timestamp,
      until: FIELD.timestamp.nullable(),
      reason: z.string().nullable(),
    }),
  ),
});

/** Events: Envelope. */
export const Event = z.strictObject({
  id: z
    .string()
    .startsWith(EVENT_ID_PREFIX)
    .min(EVENT_ID_PREFIX.length + 8),
  type: z.string().regex(/^[a-z_]+(\.[a-z_]+)+$/),
  created: FIELD.timestamp,
  data: z.looseObject({}),
});
export type Event = z.output<typeof Event>;

const SECRET_PREFIX = 'whsec_';

const endpoint = {
  id: z.uuid(),
  object: z.literal('webhook_endpoint'),
  url: z.string(),
  events: z.array(z.string()).min(1),
  status: z.enum(['enabled', 'disabled']),
  created_at: FIELD.timestamp,
  updated_at: FIELD.timestamp,
};

/** A webhook endpoint, with nothing in it that is or holds its secret. */
export const Endpoint = z
  .looseObject(endpoint)
  .refine(
    (given) => !('secret' in given) && !JSON.stringify(given).includes(SECRET_PREFIX),
    'shows the secret',
  );
/** The answer that shows the secret, once. */
export const EndpointWithSecret = z.looseObject({
  ...endpoint,
  secret: z
    .string()
    .startsWith(SECRET_PREFIX)
    .regex(/^[\x21-\x7e]{24,}$/),
});
export const DeletedEndpoint = z.strictObject({
  id: z.uuid(),
  object: z.literal('webhook_endpoint'),
  deleted: z.literal(true),
});

export const Delivery = z.looseObject({
  id: z.uuid(),
  object: z.literal('webhook_delivery'),
  event_id: z.string().startsWith(EVENT_ID_PREFIX),
  event_type: z.string(),
  endpoint_id: z.uuid(),
  status: z.enum(['pending', 'delivered', 'failed']),
  attempts: z.int().min(0).max(6),
  next_attempt_at: FIELD.timestamp.nullable(),
  response_status: z.int().nullable(),
  last_error: z.string().nullable(),
  created_at: FIELD.timestamp,
  delivered_at: FIELD.timestamp.nullable(),
});
export type Delivery = z.output<typeof Delivery>;

const instant = FIELD.timestamp.nullable();

/** The status snapshot of an integration; which names its fields have both sides have agreed. */
export const Integration = z.looseObject({
  id: z.uuid(),
  object: z.literal('integration'),
  provider: z.enum(PROVIDERS),
  connector: z.string().nullable(),
  title: z.string().nullable().optional(),
  configured: z.boolean(),
  refused_reason: z.string().nullable().optional(),
  missing_credentials: z.array(z.string()).optional(),
  authorised_by: z.enum(['key', 'person']).optional(),
  webhook: z.looseObject({}).nullable().optional(),
  active: z.boolean(),
  sync_enabled: z.boolean(),
  last_sync_at: instant,
  complete_until: instant.optional(),
  next_sync_at: instant,
  sync_interval_s: z.int().positive(),
  auto_send: z.boolean(),
  invoice_lookback_days: z.int().min(1),
  error_count: z.int().min(0),
  max_errors: z.int().positive(),
  paused_reason: z.string().nullable(),
  managed_by: z.string(),
  changed_recipe: z.string().nullable().optional(),
  product_mapping_mode: z.string(),
  require_product_mappings: z.boolean(),
});
export type Integration = z.output<typeof Integration>;

export const Mapping = z.looseObject({
  externalId: z.string().min(1),
  internalId: z.uuid().nullable(),
  ignored: z.boolean(),
  metadata: z.strictObject({
    name: z.string().optional(),
    type: z.string().optional(),
    charge_type: z.string().optional(),
  }),
  product: z.looseObject({ id: z.uuid(), name: z.string().nullable() }).nullable(),
  priceOverride: z.int().min(0).nullable(),
} satisfies Record<(typeof MAPPING_FIELDS)[number] | 'product' | 'priceOverride', z.ZodType>);

export const InvoiceRefresh = z.looseObject({
  object: z.literal('invoice_refresh'),
  external_invoice_id: z.string(),
  status: z.enum(['queued', 'running', 'succeeded', 'failed']),
  requested_at: FIELD.timestamp,
  finished_at: instant,
  error: z.string().nullable(),
});

const windows = z.strictObject({ '1h': z.int().min(0), '24h': z.int().min(0), '7d': z.int().min(0) });
const counters = {
  runs: windows,
  success: windows,
  failure: windows,
  conflict: windows,
  average_duration_ms: z.int().min(0).nullable(),
  next_run_at: instant,
  last_run_at: instant,
  freshness_s: z.int().min(0).nullable(),
  lateness_s: z.int().min(0).nullable(),
};
export const SyncStats = z.strictObject({
  success: z.literal(true),
  data: z.looseObject({ id: z.uuid(), provider: z.enum(PROVIDERS), ...counters }),
});
export const SyncStatsByResource = z.strictObject({
  success: z.literal(true),
  data: z.record(z.string().min(1), z.looseObject(counters)),
});

/**
 * Errors: Responses outside the envelope: an unknown route, some look-ups. `request_id` is an addition of ours, as the interface allows it
 * ("Non-breaking at any time: … response fields"): `error` stays the text that it shows.
 */
export const FlatWords = z.strictObject({
  error: z.string().min(1),
  request_id: z.string().min(1).optional(),
});

/** Errors: Responses outside the envelope: the PUTs of integrations. */
export const IssueList = z.strictObject({
  success: z.literal(false),
  error: z.strictObject({
    name: z.literal(FLAT_ISSUES.name),
    issues: z
      .array(
        z.strictObject({
          path: z.array(z.union([z.string(), z.int().min(0)])),
          message: z.string().min(1),
        }),
      )
      .min(1),
    // An addition of ours: new response fields may come at any time.
    request_id: z.string().min(1).optional(),
  }),
});

const listFields = { object: z.literal('list'), has_more: z.boolean(), url: z.string() };
/** Whether offset and total are there is held by a row of its own. */
const blockFields = Object.fromEntries(PAGINATION_BLOCK.map((name) => [name, z.int().min(0).optional()]));
const blockExtras = Object.fromEntries(PAGINATION_EXTRA.map((name) => [name, z.boolean().optional()]));

/** The list object of the current version. */
export function listOf<S extends z.ZodType>(item: S) {
  return z.strictObject({ ...listFields, data: z.array(item) } satisfies Record<
    (typeof LIST_OBJECT)[number],
    z.ZodType
  >);
}

/** `data` and `pagination`: other endpoints, and all lists under 2026-01-15. */
export function pageOf<S extends z.ZodType>(item: S) {
  return z.strictObject({
    data: z.array(item),
    pagination: z.strictObject({ ...blockFields, ...blockExtras }),
  });
}
