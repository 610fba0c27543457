import { z } from 'zod';
import { canonicalId } from '../base/ids.ts';

/** The version of the service's interface that tilld speaks. */
export const SERVICE_VERSION = '2026-05-01';

/** Header names, lower case as in replies. */
export const HEADERS = {
  key: 'x-api-key',
  idempotencyKey: 'idempotency-key',
  version: 'service-version',
  deprecation: 'deprecation',
  sunset: 'sunset',
  retryAfter: 'retry-after',
  rateLimit: 'x-ratelimit-limit',
  rateRemaining: 'x-ratelimit-remaining',
} as const;

/** Paths relative to the base address that ends in `/v2`; `{id}` is replaced. Overridable in the config. */
export interface ServicePaths {
  readonly payments: string;
  readonly payment: string;
  readonly claim: string;
  readonly result: string;
  readonly refund: string;
  readonly void: string;
  readonly events: string;
  readonly devices: string;
  readonly device: string;
  readonly invoice: string;
}

/** The interface does not define `claim` and `result`: these paths are tilld's decision. */
export const PATHS: ServicePaths = {
  payments: '/terminal-payments',
  payment: '/terminal-payments/{id}',
  claim: '/terminal-payments/{id}/claim',
  result: '/terminal-payments/{id}/result',
  refund: '/terminal-payments/{id}/refund',
  void: '/terminal-payments/{id}/void',
  events: '/events',
  devices: '/terminal-devices',
  device: '/terminal-devices/{id}',
  invoice: '/invoices/{id}',
};

/** A path with its id filled in. */
export function pathOf(template: string, id: string): string {
  return template.replace('{id}', encodeURIComponent(id));
}

/** The states of a payment. A payment in another state cannot be processed. */
export const PaymentStatus = z.enum([
  'requested',
  'in_progress',
  'succeeded',
  'declined',
  'cancelled',
  'error',
]);

/** A UUID in upper or lower case; in canonical form from here on. */
const Id = z.string().overwrite(canonicalId);
/** The id of a resource. */
const ResourceId = Id.min(1).max(200);

/** The interface does not show which fields may be absent or null, so only `id` is required; enums are open sets; unknown fields stay. */
export const ServicePayment = z.looseObject({
  id: ResourceId,
  device_id: Id.nullish(),
  invoice_id: Id.nullish(),
  type: z.string().nullish(),
  parent_id: Id.max(200).nullish(),
  status: z.string().nullish(),
  amount_minor: z.int().nullish(),
  currency: z.string().nullish(),
  reference: z.string().trim().nullish(),
  auth_code: z.string().nullish(),
  created_at: z.string().nullish(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
});
export type ServicePayment = z.infer<typeof ServicePayment>;

/** The interface shows these fields only in lists: a value of another type counts as absent. */
const Lenient = <T extends z.ZodType>(type: T) => type.nullish().catch(null);
/** The fields of an invoice that tilld reads. */
export const ServiceInvoice = z.looseObject({
  id: ResourceId,
  status: Lenient(z.string().max(64)),
  currency: Lenient(z.string().max(8)),
  total_minor: Lenient(z.int().min(0)),
  amount_due_minor: Lenient(z.int()),
});
export type ServiceInvoice = z.infer<typeof ServiceInvoice>;

/** `{data: {…}}`, or the invoice itself. */
export const InvoiceReply = z.union([
  z.looseObject({ data: ServiceInvoice }).transform(({ data }) => data),
  ServiceInvoice,
]);

/** One line of `GET /events`; `data` depends on the type, and is parsed only for the types that tilld uses. */
export const ServiceEvent = z.looseObject({
  id: z.string().min(1).max(200),
  type: z.string(),
  data: z.unknown(),
});
export type ServiceEvent = z.infer<typeof ServiceEvent>;

/** `data` of an event about a payment: the payment as GET returns it. */
export const EventOfPayment = z.looseObject({ id: ResourceId });

/** The list object of 2026-05-01, or `data` with a `pagination` block; items are parsed one by one. */
export const ListReply = z.looseObject({
  object: z.literal('list').optional(),
  data: z.array(z.unknown()).max(1_000),
  has_more: z.boolean().optional(),
  pagination: z.looseObject({ hasMore: z.boolean().optional() }).optional(),
});

/** `{error: {type, code, message, …}}`. */
export const EnvelopeError = z.looseObject({
  error: z.looseObject({
    type: z.string().optional(),
    code: z.string().min(1),
    message: z.string().optional(),
    param: z.string().nullish(),
    details: z.looseObject({ retry_after: z.number().nonnegative().optional() }).nullish(),
  }),
});

/** `{success: false, error: {name, issues: [{path, message}]}}`. */
export const ValidationError = z.looseObject({
  success: z.literal(false),
  error: z.looseObject({
    name: z.string().optional(),
    issues: z.array(z.looseObject({ path: z.unknown(), message: z.string().optional() })).optional(),
  }),
});

/** `{error, code?, originalRequestId?}`: idempotency, unknown routes, some look-ups. */
export const FlatError = z.looseObject({ error: z.string(), code: z.string().optional() });
