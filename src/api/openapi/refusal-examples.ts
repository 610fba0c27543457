import { INTERNAL, REFUSALS, type Refusal } from '../reply/refusals.ts';
import { ADVICE, adviceText } from './refusal-advice.ts';
import { type DescribedCode, MESSAGES } from './refusal-messages.ts';

const REQUEST_ID = 'req_0199c0de-0000-7000-8000-00000000000a';
const EARLIER_REQUEST_ID = 'req_0199c0de-0000-7000-8000-000000000009';
const DEVICE_ID = '0199c0de-0000-7000-8000-000000000001';
const PAYMENT_ID = '0199c0de-0000-7000-8000-000000000101';
const INVOICE_ID = '0199c0de-0000-7000-8000-000000000a01';
const RUNNING = { payment_id: PAYMENT_ID, status: 'in_progress', in_doubt: false } as const;
const WAIT = 'wait for the end of this payment';
const AT_DEVICE = { device_id: DEVICE_ID, device_status: 'ready', reason: null } as const;

type Details = Readonly<Record<string, unknown>>;

/** `details` of the same case as the message, where the error has them. */
export const DETAILS: Readonly<Partial<Record<DescribedCode, Details>>> = {
  VALIDATION_FAILED: { issues: [{ path: 'amount_minor', message: 'must be more than 0' }] },
  FIELD_MISSING: { issues: [{ path: 'device_id', message: 'is required' }] },
  BODY_TOO_LARGE: { max_bytes: 65_536 },
  SCOPE_MISSING: { required: ['payments:write'] },
  RATE_LIMITED: { retry_after: 2 },
  TERMINAL_NOT_READY: { ...AT_DEVICE, device_status: 'offline' },
  TERMINAL_IN_DOUBT: { ...AT_DEVICE, device_status: 'recovering', in_doubt_attempt_id: PAYMENT_ID },
  WRONG_TERMINAL: {
    ...AT_DEVICE,
    device_status: 'wrong_terminal',
    what_to_do: `put the known terminal back, or: tillctl devices adopt ${DEVICE_ID} --by NAME`,
  },
  LANE_FULL: AT_DEVICE,
  TERMINAL_BUSY: { device_id: DEVICE_ID },
  PAYMENT_ALREADY_OPEN: { ...RUNNING, what_to_do: WAIT },
  PAYMENT_ALREADY_PAID: {
    payment_id: PAYMENT_ID,
    status: 'succeeded',
    in_doubt: false,
    what_to_do: 'send "after" with this id to pay again',
  },
  PAYMENT_RETRIED: {
    payment_id: PAYMENT_ID,
    status: 'declined',
    in_doubt: false,
    what_to_do: 'look at this payment; if it charged nothing, send "retry_of" with its id',
  },
  INVOICE_ALREADY_PAID: {
    invoice_id: INVOICE_ID,
    amount_due_minor: 0,
    payment_id: PAYMENT_ID,
    what_to_do: 'look at the payment that paid it',
  },
  INVOICE_ALREADY_VOIDED: { invoice_id: INVOICE_ID },
  INVOICE_NOT_FINALIZED: { invoice_id: INVOICE_ID },
  AMOUNT_EXCEEDS_DUE: { amount_due_minor: 1000 },
  SPLIT_EXCEEDED: { amount_due_minor: 1800 },
  ENTITLEMENT_MISSING: {
    entitlement: 'gym',
    customer_id: '0199c0de-0002-7000-8000-00000000000c',
    fresh_at: '2026-11-02T09:25:00.000Z',
  },
  CURRENCY_NOT_ACCEPTED: { accepted: 'EUR' },
  AMOUNT_OUT_OF_RANGE: { min: 1, max: 99_999_999 },
  PAYMENT_NOT_CANCELLABLE: { payment_id: PAYMENT_ID, status: 'succeeded', in_doubt: false },
  PAYMENT_NOT_IN_DOUBT: RUNNING,
  DECISION_TOO_EARLY: { ...RUNNING, in_doubt: true },
  PAYMENT_NOT_REFUNDABLE: { payment_id: PAYMENT_ID, status: 'declined', in_doubt: false, type: 'sale' },
  REFUND_EXCEEDS_AMOUNT: { payment_id: PAYMENT_ID, refundable_minor: 1000 },
  REFUND_BLOCKED: { ...RUNNING, what_to_do: WAIT },
  VOID_NOT_POSSIBLE: { payment_id: PAYMENT_ID, instead: 'refund' },
  OPERATION_NOT_SUPPORTED: { device_id: DEVICE_ID, instead: 'refund' },
  END_OF_DAY_BLOCKED: {
    device_id: DEVICE_ID,
    in_doubt_attempt_id: PAYMENT_ID,
    what_to_do: `answer the question about this payment: tillctl resolve ${PAYMENT_ID} --as succeeded|not_charged --by NAME --reason TEXT --shown TEXT`,
  },
  MEMORY_LOST: { device_id: DEVICE_ID, task_id: null, what_to_do: 'try again in a minute' },
  ADOPT_BLOCKED: { in_doubt_attempt_id: PAYMENT_ID, ...RUNNING },
  TASK_DONE: { done_by: 'Anna' },
  TASK_NOT_ANSWERED: { payment_id: PAYMENT_ID, what_to_do: WAIT },
  REPORT_HELD: { report_status: 'held' },
  REPORT_NOT_PARKED: { report_status: 'pending' },
  KEY_ENDED: { key_status: 'revoked' },
  WEBHOOK_ENDPOINTS_FULL: { most: 16 },
  WEBHOOK_ENDPOINT_GONE: {
    endpoint_id: '0199c0de-0000-7000-8000-000000000601',
    endpoint_status: 'disabled',
  },
  SLOT_MANAGED: { provider: 'provider_a', managed_by: 'service' },
  SLOT_NOT_ACTIVE: { provider: 'provider_a' },
  SLOT_NOT_CONFIGURED: { provider: 'provider_a', configured: false },
  CREDENTIALS_MISSING: { provider: 'provider_a' },
  PROVIDER_FAILED: { cause: 'source_unavailable' },
  LIST_NOT_MIRRORED: { list: 'orders' },
  STORAGE_FULL: { reason: 'disk_full' },
  STORAGE_FAILED: { reason: 'storage_failed' },
};

/** `param` where the error names it, and the table of refusals does not. */
const PARAMS: Readonly<Partial<Record<DescribedCode, string>>> = {
  VALIDATION_FAILED: 'amount_minor',
  FIELD_MISSING: 'device_id',
  VERSION_UNSUPPORTED: 'Service-Version',
  CURSORS_CONFLICT: 'ending_before',
};

/** Every error response as it is sent, by its component name, with what a till does about it. */
export function refusalExamples(): Readonly<Record<string, object>> {
  return Object.fromEntries(
    Object.keys(MESSAGES)
      .filter(isDescribed)
      .map((code) => [exampleName(code), exampleOf(code)]),
  );
}

/** `PAYMENT_UNKNOWN` → `payment-unknown` */
export function exampleName(code: string): string {
  return code.toLowerCase().replaceAll('_', '-');
}

/** The row of the table of refusals. */
export function rowOf(code: DescribedCode): Refusal {
  return code === 'INTERNAL' ? INTERNAL : REFUSALS[code];
}

function isDescribed(code: string): code is DescribedCode {
  return Object.hasOwn(MESSAGES, code);
}

function exampleOf(code: DescribedCode) {
  const row = rowOf(code);
  return {
    summary: `${row.status} ${row.code}`,
    description: adviceText(ADVICE[code]),
    value: bodyOf(code, row),
  };
}

function bodyOf(name: DescribedCode, { type, code, shape, param = PARAMS[name] }: Refusal) {
  const message = MESSAGES[name];
  if (shape === 'unknown_route') return { error: message, request_id: REQUEST_ID };
  if (shape === 'issues') {
    const issues = [{ path: ['invoiceLookbackDays'], message }];
    return { success: false, error: { name: 'ValidationError', issues, request_id: REQUEST_ID } };
  }
  if (shape === 'idempotency') return { error: message, code, originalRequestId: EARLIER_REQUEST_ID };
  const details = DETAILS[name];
  return {
    error: {
      type,
      code,
      message,
      ...(param === undefined ? {} : { param }),
      ...(details === undefined ? {} : { details }),
      request_id: REQUEST_ID,
    },
  };
}
