// The interface as data: what it names for terminals, events, webhooks, pagination, idempotency, versions, rate limits, authentication
// and errors. `section` is the heading it stands under. Nothing here is taken from src: it is what src is held against.

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
export type ScopeName = (typeof SCOPES)[number];
export type ListStyle = keyof typeof LIST_STYLES;

/** One operation that both sides serve. */
export interface Operation {
  readonly method: Method;
  /** With its version prefix; `{id}` is a UUID. */
  readonly path: string;
  readonly section: string;
  readonly scope: ScopeName;
  /** Status of its success. */
  readonly status: 200 | 201;
  /** How its list is read. */
  readonly list?: ListStyle;
  /** A POST that takes no body. */
  readonly bodyless?: true;
}

const TERMINAL = 'Endpoints: Terminal';
const EVENTS = 'Pagination';
const REGISTRATION = 'Events: Registration';
/** The interface says that these exist and not where: the paths are the ones that both sides agree on. */
const NOT_SHOWN = 'Webhooks and events (paths not shown)';

export const OPERATIONS = [
  { method: 'POST', path: '/v2/terminal-payments', section: TERMINAL, scope: 'payments:write', status: 201 },
  {
    method: 'GET',
    path: '/v2/terminal-payments',
    section: TERMINAL,
    scope: 'payments:read',
    status: 200,
    list: 'cursor',
  },
  {
    method: 'GET',
    path: '/v2/terminal-payments/{id}',
    section: TERMINAL,
    scope: 'payments:read',
    status: 200,
  },
  {
    method: 'POST',
    path: '/v2/terminal-payments/{id}/cancel',
    section: TERMINAL,
    scope: 'payments:write',
    status: 200,
    bodyless: true,
  },
  {
    method: 'POST',
    path: '/v2/terminal-payments/{id}/refund',
    section: TERMINAL,
    scope: 'payments:write',
    status: 201,
  },
  {
    method: 'POST',
    path: '/v2/terminal-payments/{id}/void',
    section: TERMINAL,
    scope: 'payments:write',
    status: 201,
    bodyless: true,
  },
  {
    method: 'GET',
    path: '/v2/terminal-devices',
    section: TERMINAL,
    scope: 'payments:read',
    status: 200,
    list: 'offset',
  },
  {
    method: 'GET',
    path: '/v2/terminal-devices/{id}',
    section: TERMINAL,
    scope: 'payments:read',
    status: 200,
  },
  { method: 'GET', path: '/v2/events', section: EVENTS, scope: 'webhooks:read', status: 200, list: 'cursor' },
  { method: 'POST', path: '/v2/webhook-endpoints', section: NOT_SHOWN, scope: 'webhooks:write', status: 201 },
  { method: 'POST', path: '/v1/webhooks', section: REGISTRATION, scope: 'webhooks:write', status: 201 },
  {
    method: 'GET',
    path: '/v2/webhook-endpoints',
    section: EVENTS,
    scope: 'webhooks:read',
    status: 200,
    list: 'offset',
  },
  {
    method: 'GET',
    path: '/v2/webhook-endpoints/{id}',
    section: NOT_SHOWN,
    scope: 'webhooks:read',
    status: 200,
  },
  {
    method: 'PATCH',
    path: '/v2/webhook-endpoints/{id}',
    section: NOT_SHOWN,
    scope: 'webhooks:write',
    status: 200,
  },
  {
    method: 'DELETE',
    path: '/v2/webhook-endpoints/{id}',
    section: NOT_SHOWN,
    scope: 'webhooks:write',
    status: 200,
  },
  {
    method: 'POST',
    path: '/v2/webhook-endpoints/{id}/roll-secret',
    section: NOT_SHOWN,
    scope: 'webhooks:write',
    status: 200,
    bodyless: true,
  },
  {
    method: 'GET',
    path: '/v2/webhook-deliveries',
    section: EVENTS,
    scope: 'webhooks:read',
    status: 200,
    list: 'cursor',
  },
  {
    method: 'POST',
    path: '/v2/webhook-deliveries/{id}/redeliver',
    section: NOT_SHOWN,
    scope: 'webhooks:write',
    status: 201,
    bodyless: true,
  },
] as const satisfies readonly Operation[];

/** A list of the merchant's account, and one of it by its id. Both sides agree on scopes, and on styles that the interface does not state. */
export interface MerchantList {
  readonly path: string;
  readonly list: ListStyle;
  readonly scope: ScopeName;
  /** Absent: the interface has none. `flat`: `{error}` where there is no such one. */
  readonly one?: 'wrapped' | 'unwrapped';
  readonly absent?: 'flat' | 'resource_missing';
}

export const MERCHANT_LISTS: readonly MerchantList[] = [
  { path: '/v2/invoices', list: 'offset', scope: 'invoices:read', one: 'wrapped' },
  { path: '/v2/customers', list: 'offset', scope: 'customers:read', one: 'wrapped', absent: 'flat' },
  { path: '/v2/products', list: 'page', scope: 'products:read', one: 'wrapped' },
  { path: '/v2/prices', list: 'cursor', scope: 'products:read', one: 'wrapped' },
  { path: '/v2/subscriptions', list: 'page', scope: 'subscriptions:read', one: 'wrapped' },
  { path: '/v2/orders', list: 'offset', scope: 'payments:read', one: 'unwrapped' },
  {
    path: '/v2/payment-intents',
    list: 'cursor',
    scope: 'payments:read',
    one: 'wrapped',
    absent: 'resource_missing',
  },
  { path: '/v2/disputes', list: 'offset', scope: 'finance:read', one: 'wrapped' },
  { path: '/v2/disputes/open', list: 'offset', scope: 'finance:read' },
  { path: '/v2/payouts', list: 'offset', scope: 'finance:read', one: 'wrapped' },
  { path: '/v2/mandates', list: 'offset', scope: 'payments:read', one: 'wrapped' },
  { path: '/v2/entitlements', list: 'offset', scope: 'customers:read' },
  { path: '/v2/transactions', list: 'cursor', scope: 'finance:read', one: 'wrapped' },
];

/** Lists of one customer: `/v2/customers/{customerId}/…`. */
export const CUSTOMER_LISTS = [
  { name: 'invoices', list: 'offset', scope: 'invoices:read' },
  { name: 'orders', list: 'offset', scope: 'payments:read' },
  { name: 'payments', list: 'offset', scope: 'payments:read' },
  { name: 'subscriptions', list: 'cursor', scope: 'subscriptions:read' },
  { name: 'entitlements', list: 'offset', scope: 'customers:read' },
] as const satisfies readonly {
  readonly name: string;
  readonly list: ListStyle;
  readonly scope: ScopeName;
}[];

/** Other reads of the account. */
export const MERCHANT_READS = [
  '/v2/customers/{id}/state',
  '/v2/customers/{customerId}/entitlements/check',
  '/v2/entitlements/check',
  '/v2/payouts/{id}/payments',
] as const;

/** The scopes that guard them besides those of terminals. */
export const READING = [
  'customers:read',
  'products:read',
  'subscriptions:read',
  'invoices:read',
  'finance:read',
] as const;

/** Endpoints: Integrations. `provider_d` has memberships alone, and none of the settings. */
export const PROVIDERS = ['provider_a', 'provider_b', 'terminal', 'provider_d'] as const;
export type Provider = (typeof PROVIDERS)[number];
export const SETTABLE = ['provider_a', 'provider_b', 'terminal'] as const;

/** An operation on a provider slot. `unshown`: the interface says that it exists and not where; both sides agree on the path. */
export interface IntegrationOperation {
  readonly method: Method;
  readonly path: string;
  readonly scope: 'settings:read' | 'settings:write';
  readonly status: 200 | 202;
  readonly unshown?: true;
}

const [SEE, SET] = ['settings:read', 'settings:write'] as const;
const INTEGRATION = '/v2/integrations/{provider}';

export const INTEGRATIONS: readonly IntegrationOperation[] = [
  { method: 'GET', path: '/v2/integrations', scope: SEE, status: 200 },
  { method: 'GET', path: INTEGRATION, scope: SEE, status: 200 },
  { method: 'POST', path: `${INTEGRATION}/activate`, scope: SET, status: 200 },
  { method: 'POST', path: `${INTEGRATION}/deactivate`, scope: SET, status: 200 },
  { method: 'POST', path: `${INTEGRATION}/rotate`, scope: SET, status: 200 },
  { method: 'POST', path: `${INTEGRATION}/test`, scope: SET, status: 200 },
  { method: 'POST', path: `${INTEGRATION}/sync`, scope: SET, status: 202 },
  { method: 'PUT', path: `${INTEGRATION}/sync-toggle`, scope: SET, status: 200 },
  { method: 'PUT', path: `${INTEGRATION}/invoice-lookback`, scope: SET, status: 200 },
  { method: 'PUT', path: `${INTEGRATION}/product-mapping-policy`, scope: SET, status: 200 },
  { method: 'GET', path: `${INTEGRATION}/product-mappings`, scope: SEE, status: 200 },
  { method: 'PUT', path: `${INTEGRATION}/product-mappings`, scope: SET, status: 200 },
  {
    method: 'DELETE',
    path: `${INTEGRATION}/product-mappings/{externalId}`,
    scope: SET,
    status: 200,
    unshown: true,
  },
  { method: 'POST', path: `${INTEGRATION}/invoices/{externalInvoiceId}/refresh`, scope: SET, status: 202 },
  {
    method: 'GET',
    path: `${INTEGRATION}/invoices/{externalInvoiceId}/refresh-status`,
    scope: SEE,
    status: 200,
  },
  { method: 'GET', path: `${INTEGRATION}/sync-stats/{id}`, scope: SEE, status: 200 },
  { method: 'GET', path: `${INTEGRATION}/sync-stats/{id}/resources`, scope: SEE, status: 200, unshown: true },
  { method: 'POST', path: `${INTEGRATION}/resume-sync`, scope: SET, status: 202, unshown: true },
];

/** Integration credentials, and a product mapping entry. */
export const CREDENTIAL_FIELDS = ['apiKey', 'baseUrl', 'appName', 'appEmail'] as const;
export const MAPPING_FIELDS = ['externalId', 'internalId', 'ignored', 'metadata'] as const;
/** Bodies and answers of these operations, word for word. */
export const INTEGRATION_WORDS = [
  'credentials',
  'fullResync',
  'enabled',
  'invoiceLookbackDays',
  'productMappingMode',
  'import_only',
  'requireProductMappings',
  'mappings',
] as const;
/** Errors: Responses outside the envelope: the PUTs of integrations. */
export const FLAT_ISSUES = { name: 'ValidationError', status: 400 } as const;

/** Resources and their fields: Terminal payment. */
export const TERMINAL_PAYMENT = {
  id: 'uuid',
  invoice_id: 'uuid',
  device_id: 'uuid',
  type: 'string',
  status: 'string',
  amount_minor: 'integer',
  currency: 'string',
  reference: 'string',
  terminal_serial: 'string',
  uti: 'string',
  auth_code: 'string',
  response_code: 'string',
  rrn: 'string',
  card_scheme: 'string',
  masked_pan: 'string',
  entry_mode: 'string',
  error_message: 'string',
  created_at: 'timestamp',
  completed_at: 'timestamp',
} as const;

/** Resources and their fields: List wrappers. */
export const LIST_OBJECT = ['object', 'data', 'has_more', 'url'] as const;
export const PAGINATION_BLOCK = ['limit', 'offset', 'total'] as const;
/** "in some" */
export const PAGINATION_EXTRA = ['hasMore'] as const;

/** States and transitions: Terminal payment. */
export const STATES = ['requested', 'in_progress', 'cancelled'] as const;
export const CANCELLABLE = ['requested', 'in_progress'] as const;
/** Ends that the event types imply. */
export const ENDS = ['succeeded', 'declined', 'cancelled', 'error'] as const;
export type End = (typeof ENDS)[number];

/** Endpoints: Pagination. */
export const LIST_STYLES = {
  offset: ['limit', 'offset'],
  page: ['limit', 'page'],
  cursor: ['limit', 'starting_after', 'ending_before'],
} as const;
export const LIST_LIMIT = { least: 1, most: 100, usual: 20 } as const;

/** Authentication. */
export const CREDENTIAL_HEADERS = ['x-api-key', 'x-service-key', 'Authorization'] as const;
export const KEY_PREFIXES = { live: 'rk_live_', sandbox: 'rk_sandbox_' } as const;
export const SCOPES = [
  'customers:read',
  'customers:write',
  'products:read',
  'products:write',
  'subscriptions:read',
  'subscriptions:write',
  'invoices:read',
  'invoices:write',
  'webhooks:read',
  'webhooks:write',
  'checkout:write',
  'payments:read',
  'payments:write',
  'finance:read',
  'settings:read',
  'settings:write',
] as const;
/** The scopes that guard a path of these areas. */
export const GUARDING = ['payments:read', 'payments:write', 'webhooks:read', 'webhooks:write'] as const;

/** Events: Envelope, Signature, Delivery, Registration. */
export const EVENT_ENVELOPE = ['id', 'type', 'created', 'data'] as const;
export const EVENT_ID_PREFIX = 'evt_';
export const SIGNATURE = {
  header: 'X-Service-Signature',
  form: /^t=(\d{10}),v1=([0-9a-f]{64})$/,
  toleranceS: 300,
} as const;
export const DELIVERY_MINUTES = [0, 5, 30, 120, 480, 1440] as const;
export const REGISTRATION_BODY = ['url', 'events'] as const;

/** Events: Event types, a line of the list each. `subscription.cancelled` and `entitlement.revoked` are named outside the count. */
export const EVENT_TYPES = [
  'payment.succeeded payment.failed',
  'invoice.created invoice.paid invoice.overdue',
  'subscription.created subscription.activated subscription.canceled subscription.renewed subscription.paused subscription.cancelled',
  'customer.created customer.updated',
  'refund.created refund.succeeded',
  'void.created void.succeeded void.failed',
  'credit_note.created credit_note.issued credit_note.voided',
  'checkout.session.completed checkout.session.expired',
  'order.created order.paid order.fulfilled',
  'terminal_payment.requested terminal_payment.succeeded terminal_payment.declined terminal_payment.cancelled terminal_payment.error',
  'terminal_refund.succeeded terminal_void.succeeded',
  'usage.threshold.reached usage.period_finalized usage.invoice.created usage.event.ingested usage.event.rejected ' +
    'usage.event.excluded usage.event.quarantined usage.cap.exceeded',
  'meter.created meter.updated meter.archived',
  'meter_price.created meter_price.updated meter_price.deactivated',
  'mandate.signed mandate.created mandate.activated mandate.auddis_rejected mandate.suspended mandate.cancelled',
  'collection.scheduled collection.notice_sent collection.succeeded collection.failed collection.indemnity_claimed',
  'settlement.created',
  'entitlement.revoked',
].map((line) => line.split(' '));

/** Errors: Envelope. */
export const ERROR_ENVELOPE = [
  'type',
  'code',
  'message',
  'param',
  'details',
  'request_id',
  'doc_url',
] as const;
export const ERROR_TYPES = [
  'invalid_request_error',
  'authentication_error',
  'authorization_error',
  'card_error',
  'rate_limit_error',
  'idempotency_error',
  'api_error',
] as const;
export type ErrorType = (typeof ERROR_TYPES)[number];

/** Errors: Status codes. */
export const ERROR_STATUSES = [400, 401, 402, 403, 404, 409, 422, 429, 500, 501, 502, 503, 504] as const;

/** Errors: 401 codes. */
export const CODES_401 = [
  'authentication_failed',
  'invalid_api_key',
  'expired_api_key',
  'api_key_revoked',
  'session_invalid',
  'merchant_required',
] as const;

/** Errors: 403 codes. */
export const CODES_403 = [
  'insufficient_permissions',
  'forbidden',
  'ip_not_allowed',
  'merchant_mismatch',
  'tenant_scope_mismatch',
  'no_organization',
  'no_merchant',
  'origin_not_allowed',
  'cart_disabled',
  'verification_required',
  'publishable_key_restricted',
  'read_only_impersonation_blocked',
  'internal_only',
] as const;

/** Errors: Other codes, a row of the table each. */
export const OTHER_CODES = [
  { codes: ['validation_error'], statuses: [400] },
  { codes: ['invalid_request_error'], statuses: [400] },
  { codes: ['missing_required_field'], statuses: [400] },
  { codes: ['invalid_status'], statuses: [400] },
  { codes: ['parameter_invalid'], statuses: [400] },
  { codes: ['resource_not_found', 'resource_missing'], statuses: [404] },
  { codes: ['resource_already_exists'], statuses: [409] },
  { codes: ['idempotency_conflict'], statuses: [409] },
  {
    codes: [
      'card_declined',
      'insufficient_funds',
      'expired_card',
      'invalid_card_number',
      'invalid_cvv',
      'invalid_expiry',
      'payment_failed',
      'payment_method_required',
    ],
    statuses: [402],
  },
  {
    codes: [
      'invoice_already_paid',
      'invoice_already_voided',
      'invoice_not_finalized',
      'invoice_already_finalized',
      'invoice_has_payments',
      'invoice_locked',
    ],
    statuses: [400, 409],
  },
  { codes: ['invoice_pdf_not_ready'], statuses: [409] },
  {
    codes: [
      'subscription_already_canceled',
      'subscription_already_paused',
      'subscription_not_paused',
      'subscription_past_due',
    ],
    statuses: [400, 409],
  },
  {
    codes: ['order_already_paid', 'order_already_canceled', 'order_already_fulfilled', 'order_has_payments'],
    statuses: [400, 409],
  },
  { codes: ['rate_limit_exceeded'], statuses: [429] },
  { codes: ['internal_error'], statuses: [500] },
  { codes: ['not_implemented'], statuses: [501] },
  { codes: ['service_unavailable'], statuses: [503] },
  { codes: ['gateway_error'], statuses: [502, 504] },
] as const;

/** Errors: Responses outside the envelope. The code of the 400 is not shown: ours is `IDEMPOTENCY_KEY_INVALID`. */
export const FLAT_IDEMPOTENCY = {
  fields: ['error', 'code', 'originalRequestId'],
  codes: { IDEMPOTENCY_KEY_IN_PROGRESS: 409, IDEMPOTENCY_KEY_MISMATCH: 422 },
  statuses: [400, 409, 422, 503],
} as const;

/** Headers that a client sends, and those that it is sent. */
export const REQUEST_HEADERS = [
  'x-api-key',
  'x-service-key',
  'Authorization',
  'Idempotency-Key',
  'Service-Version',
] as const;
export const RATE_HEADERS = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const;
export const ANSWER_HEADERS = [
  'Service-Version',
  'WWW-Authenticate',
  'Retry-After',
  ...RATE_HEADERS,
  'Sunset',
  'Deprecation',
] as const;

/** Limits. */
export const LIMITS = {
  'Idempotency key lifetime': { hours: 24 },
  'Webhook timestamp tolerance': { minutes: 5 },
  'Webhook delivery attempts': { count: 6 },
  'Key roll overlap': { usualHours: 24, mostHours: 168 },
  'Stale key threshold': { days: 90 },
} as const;

/** Limits: Rate limits, by plan. The other table does not agree; this one is the one that we keep to. */
export const PLANS = {
  starter: { perMinute: 60, burst: 10 },
  growth: { perMinute: 600, burst: 50 },
  enterprise: { perMinute: 6000, burst: 200 },
} as const;
export type Plan = keyof typeof PLANS;

/** Versioning. `sunset` is an HTTP date. */
export const VERSIONS = [
  { version: '2026-05-01', sunset: null },
  { version: '2026-01-15', sunset: 'Sun, 15 Nov 2026 00:00:00 GMT' },
] as const;
export type Version = (typeof VERSIONS)[number]['version'];
export const CURRENT: Version = '2026-05-01';

/** Versioning: 5, what each asked value resolves to; null: 400. */
export const RESOLUTION: readonly (readonly [asked: string, version: Version | null])[] = [
  ['2026-05-01', '2026-05-01'],
  ['2026-01-15', '2026-01-15'],
  ['2026-01-16', '2026-01-15'],
  ['2026-04-30', '2026-01-15'],
  ['2026-05-02', '2026-05-01'],
  ['2099-12-31', '2026-05-01'],
  ['2026-01-14', null],
  ['1999-01-01', null],
  ['latest', null],
  ['2026-5-1', null],
  ['20260501', null],
  ['2026-05-01T00:00:00Z', null],
  ['2026-13-01', null],
  ['2026-02-30', null],
  ['', null],
];
