import type { ErrorType } from '../contract/error.ts';

/** One error response. `shape`: the envelope, unless the API uses another one there. */
export interface Refusal {
  readonly status: number;
  readonly type: ErrorType;
  readonly code: string;
  readonly shape?: 'unknown_route' | 'idempotency' | 'issues';
  /** The invalid input, where the error does not name it. */
  readonly param?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const CHALLENGE = { 'www-authenticate': 'Bearer realm="tilld"' } as const;
const SOON = { 'retry-after': '2' } as const;

/** Every AppError code with its own error response; every other code is `internal_error`. */
export const REFUSALS = {
  VALIDATION_FAILED: invalid(400, 'validation_error'),
  FIELD_MISSING: invalid(400, 'missing_required_field'),
  BODY_UNREADABLE: invalid(400, 'invalid_request_error'),
  BODY_TOO_LARGE: invalid(413, 'payload_too_large'),
  CONTENT_TYPE_UNSUPPORTED: invalid(415, 'invalid_request_error'),
  REQUEST_MALFORMED: invalid(400, 'invalid_request_error'),
  REQUEST_TOO_SLOW: invalid(408, 'invalid_request_error'),
  HEADERS_TOO_LARGE: invalid(431, 'invalid_request_error'),
  VERSION_UNSUPPORTED: invalid(400, 'invalid_request_error'),
  CURSORS_CONFLICT: invalid(400, 'parameter_invalid'),
  CURSOR_UNKNOWN: { ...invalid(400, 'resource_missing'), param: 'starting_after' },
  ROUTE_UNKNOWN: { ...invalid(404, 'route_unknown'), shape: 'unknown_route' },
  HOST_FOREIGN: invalid(421, 'misdirected_request'),
  ORIGIN_FOREIGN: forbidden('origin_not_allowed'),
  CREDENTIAL_MISSING: unauthenticated('authentication_failed'),
  CREDENTIAL_UNKNOWN: unauthenticated('invalid_api_key'),
  CREDENTIAL_EXPIRED: unauthenticated('expired_api_key'),
  CREDENTIAL_REVOKED: unauthenticated('api_key_revoked'),
  HOOK_SIGNATURE_MISSING: unauthenticated('authentication_failed'),
  HOOK_SIGNATURE_INVALID: unauthenticated('signature_invalid'),
  HOOK_TIMESTAMP_INVALID: unauthenticated('timestamp_invalid'),
  HOOK_UNREADABLE: invalid(400, 'invalid_request_error'),
  HOOK_SECRET_MISSING: unavailable('service_unavailable'),
  SIGN_IN_REFUSED: unauthenticated('sign_in_code_invalid'),
  SIGN_IN_PAUSED: { status: 429, type: 'rate_limit_error', code: 'sign_in_paused' },
  PIN_WEAK: { ...invalid(400, 'pin_weak'), param: 'pin' },
  PASSKEY_REFUSED: invalid(400, 'passkey_refused'),
  PASSKEY_UNKNOWN: { ...invalid(404, 'resource_not_found'), param: 'id' },
  PASSKEYS_EXHAUSTED: invalid(422, 'passkey_limit_reached'),
  PAIRED_DEVICE_UNKNOWN: { ...invalid(404, 'resource_not_found'), param: 'id' },
  DEVICES_EXHAUSTED: invalid(422, 'paired_device_limit_reached'),
  SESSION_ENDED: unauthenticated('session_invalid'),
  ROLE_MISSING: forbidden('insufficient_permissions'),
  PERSON_MISSING: forbidden('person_required'),
  SIGN_IN_NOT_FRESH: forbidden('sign_in_not_fresh'),
  SCOPE_MISSING: forbidden('insufficient_permissions'),
  ADDRESS_NOT_ALLOWED: forbidden('ip_not_allowed'),
  SOCKET_ONLY: forbidden('internal_only'),
  RATE_LIMITED: { status: 429, type: 'rate_limit_error', code: 'rate_limit_exceeded' },
  IDEMPOTENCY_KEY_INVALID: idempotency(400, 'IDEMPOTENCY_KEY_INVALID'),
  IDEMPOTENCY_KEY_IN_PROGRESS: idempotency(409, 'IDEMPOTENCY_KEY_IN_PROGRESS'),
  IDEMPOTENCY_KEY_MISMATCH: idempotency(422, 'IDEMPOTENCY_KEY_MISMATCH'),
  DEVICE_UNKNOWN: { ...invalid(404, 'resource_not_found'), param: 'device_id' },
  PAYMENT_UNKNOWN: { ...invalid(404, 'resource_not_found'), param: 'id' },
  CURRENCY_NOT_ACCEPTED: { ...invalid(422, 'currency_not_accepted'), param: 'currency' },
  AMOUNT_OUT_OF_RANGE: { ...invalid(422, 'amount_out_of_range'), param: 'amount_minor' },
  TERMINAL_NOT_READY: invalid(409, 'terminal_not_ready'),
  TERMINAL_IN_DOUBT: invalid(409, 'terminal_in_doubt'),
  WRONG_TERMINAL: invalid(409, 'wrong_terminal'),
  LANE_FULL: invalid(409, 'terminal_busy'),
  PAYMENT_ALREADY_OPEN: invalid(409, 'payment_already_open'),
  PAYMENT_ALREADY_PAID: invalid(409, 'payment_already_paid'),
  PAYMENT_RETRIED: invalid(409, 'payment_retried'),
  INVOICE_UNKNOWN: { ...invalid(404, 'resource_missing'), param: 'invoice_id' },
  AMOUNT_DUE_UNKNOWN: { ...invalid(422, 'amount_due_unknown'), param: 'amount_minor' },
  INVOICE_ALREADY_PAID: invalid(409, 'invoice_already_paid'),
  INVOICE_ALREADY_VOIDED: invalid(409, 'invoice_already_voided'),
  INVOICE_NOT_FINALIZED: invalid(409, 'invoice_not_finalized'),
  AMOUNT_EXCEEDS_DUE: { ...invalid(422, 'amount_exceeds_due'), param: 'amount_minor' },
  SPLIT_EXCEEDED: { ...invalid(422, 'split_exceeded'), param: 'amount_minor' },
  ENTITLEMENT_MISSING: { ...invalid(422, 'entitlement_missing'), param: 'metadata.entitlement' },
  PAYMENT_NOT_CANCELLABLE: invalid(409, 'payment_not_cancellable'),
  PAYMENT_NOT_IN_DOUBT: invalid(409, 'payment_not_in_doubt'),
  DECISION_TOO_EARLY: invalid(409, 'decision_too_early'),
  RECEIPT_UNAVAILABLE: invalid(409, 'receipt_unavailable'),
  RECEIPTS_NOT_SERVED: invalid(409, 'receipts_not_served'),
  PAYMENT_NOT_REFUNDABLE: { ...invalid(422, 'payment_not_refundable'), param: 'id' },
  REFUND_EXCEEDS_AMOUNT: { ...invalid(422, 'refund_exceeds_amount'), param: 'amount_minor' },
  REFUND_BLOCKED: invalid(409, 'payment_already_open'),
  VOID_NOT_POSSIBLE: { ...invalid(422, 'void_not_possible'), param: 'id' },
  OPERATION_NOT_SUPPORTED: invalid(422, 'operation_not_supported'),
  TERMINAL_BUSY: invalid(409, 'terminal_busy'),
  END_OF_DAY_BLOCKED: invalid(409, 'terminal_in_doubt'),
  MEMORY_LOST: invalid(409, 'memory_lost'),
  ADOPT_BLOCKED: invalid(409, 'terminal_in_doubt'),
  SETTLEMENT_UNKNOWN: { ...invalid(404, 'resource_not_found'), param: 'id' },
  TASK_UNKNOWN: { ...invalid(404, 'resource_not_found'), param: 'id' },
  TASK_DONE: invalid(409, 'task_done'),
  TASK_NOT_ANSWERED: invalid(409, 'task_not_answered'),
  TASK_TO_PERFORM: invalid(409, 'task_to_perform'),
  REPORT_UNKNOWN: { ...invalid(404, 'resource_not_found'), param: 'id' },
  REPORT_HELD: invalid(400, 'invalid_status'),
  REPORT_NOT_PARKED: invalid(400, 'invalid_status'),
  PERSON_UNKNOWN: { ...invalid(404, 'resource_not_found'), param: 'person' },
  PERSON_NAME_TAKEN: { ...invalid(409, 'name_taken'), param: 'name' },
  SYSTEM_USER_TAKEN: { ...invalid(409, 'name_taken'), param: 'system_user' },
  PEOPLE_EXHAUSTED: invalid(422, 'people_limit_reached'),
  KEY_UNKNOWN: { ...invalid(404, 'resource_not_found'), param: 'id' },
  KEY_ENDED: invalid(400, 'invalid_status'),
  KEYS_EXHAUSTED: invalid(422, 'api_key_limit_reached'),
  WEBHOOK_ENDPOINT_UNKNOWN: { ...invalid(404, 'resource_not_found'), param: 'id' },
  WEBHOOK_ENDPOINTS_FULL: invalid(422, 'too_many_webhook_endpoints'),
  WEBHOOK_DELIVERY_UNKNOWN: { ...invalid(404, 'resource_not_found'), param: 'id' },
  WEBHOOK_ENDPOINT_GONE: invalid(400, 'invalid_status'),
  PROVIDER_UNKNOWN: { ...invalid(404, 'resource_not_found'), param: 'provider' },
  SLOT_NOT_CONFIGURED: invalid(400, 'invalid_status'),
  SLOT_MANAGED: invalid(400, 'invalid_status'),
  SLOT_NOT_ACTIVE: invalid(400, 'integration_not_active'),
  CREDENTIALS_MISSING: invalid(400, 'invalid_status'),
  RESOURCE_UNKNOWN: { ...invalid(400, 'validation_error'), param: 'resource' },
  SETTINGS_INVALID: { ...invalid(400, 'validation_error'), shape: 'issues' },
  MAPPING_POLICY_UNAVAILABLE: { ...invalid(404, 'resource_not_found'), shape: 'unknown_route' },
  MAPPING_UNKNOWN: { ...invalid(404, 'resource_not_found'), shape: 'unknown_route' },
  INVOICE_REFRESH_UNKNOWN: { ...invalid(404, 'resource_not_found'), param: 'externalInvoiceId' },
  NOTHING_HELD: invalid(400, 'invalid_status'),
  DRY_RUN_BUSY: invalid(409, 'dry_run_busy'),
  DRY_RUN_TOO_LONG: { status: 504, type: 'api_error', code: 'gateway_error' },
  PROVIDER_FAILED: { status: 502, type: 'api_error', code: 'gateway_error' },
  LIST_NOT_MIRRORED: { status: 501, type: 'api_error', code: 'not_implemented' },
  MIRRORED_UNKNOWN: { ...invalid(404, 'resource_not_found'), param: 'id' },
  MIRRORED_MISSING: { ...invalid(404, 'resource_missing'), param: 'id' },
  CUSTOMER_UNKNOWN: { ...invalid(404, 'resource_not_found'), shape: 'unknown_route' },
  SYNC_STATS_UNKNOWN: { ...invalid(404, 'resource_not_found'), param: 'id' },
  FLEET_JOINED: invalid(409, 'fleet_joined'),
  FLEET_NOT_JOINED: invalid(400, 'invalid_status'),
  HUB_URL_INVALID: { ...invalid(400, 'validation_error'), param: 'hub_url' },
  INVITATION_INVALID: { ...invalid(422, 'invitation_invalid'), param: 'code' },
  HUB_UNREACHABLE: { status: 502, type: 'api_error', code: 'gateway_error' },
  VIRTUAL_TERMINAL_UNKNOWN: { ...invalid(404, 'resource_not_found'), param: 'name' },
  VIRTUAL_TERMINAL_REFUSED: invalid(400, 'invalid_status'),
  SEAL_KEY_UNUSABLE: unavailable('service_unavailable'),
  STORAGE_FULL: unavailable('storage_full'),
  STORAGE_FAILED: unavailable('service_unavailable'),
  STREAMS_EXHAUSTED: { ...unavailable('service_unavailable'), headers: SOON },
  DRAINING: { ...unavailable('draining'), headers: SOON },
  SHUTTING_DOWN: { ...unavailable('shutting_down'), headers: SOON },
} as const satisfies Record<string, Refusal>;

export type RefusalCode = keyof typeof REFUSALS;

/** The response to an error without a row: its text stays in the log. */
export const INTERNAL: Refusal = { status: 500, type: 'api_error', code: 'internal_error' };

/** The row of an AppError code. */
export function refusalOf(code: string): Refusal | undefined {
  return Object.hasOwn(REFUSALS, code) ? REFUSALS[code as RefusalCode] : undefined;
}

function invalid(status: number, code: string) {
  return { status, type: 'invalid_request_error', code } as const;
}

function forbidden(code: string) {
  return { status: 403, type: 'authorization_error', code } as const;
}

function unauthenticated(code: string) {
  return { status: 401, type: 'authentication_error', code, headers: CHALLENGE } as const;
}

function unavailable(code: string) {
  return { status: 503, type: 'api_error', code } as const;
}

function idempotency(status: number, code: string) {
  return { status, type: 'idempotency_error', code, shape: 'idempotency' } as const;
}
