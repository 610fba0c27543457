import { INTERNAL, REFUSALS, type Refusal, type RefusalCode } from '../reply/refusals.ts';

const REQUEST_ID = 'req_0199c0de-0000-7000-8000-00000000000a';
const EARLIER_REQUEST_ID = 'req_0199c0de-0000-7000-8000-000000000009';
const PAYMENT_ID = '0199c0de-0000-7000-8000-000000000101';

type Details = Readonly<Record<string, unknown>>;

/** `details` of an error response, where a program can use them. */
const DETAILS: Readonly<Record<string, Details>> = {
  VALIDATION_FAILED: { issues: [{ path: 'amount_minor', message: 'must be more than 0' }] },
  FIELD_MISSING: { issues: [{ path: 'device_id', message: 'is required' }] },
  SCOPE_MISSING: { required: ['payments:write'] },
  RATE_LIMITED: { retry_after: 2 },
  TERMINAL_IN_DOUBT: { in_doubt_attempt_id: PAYMENT_ID },
  PAYMENT_ALREADY_OPEN: { payment_id: PAYMENT_ID, status: 'in_progress' },
  PAYMENT_ALREADY_PAID: { payment_id: PAYMENT_ID, status: 'succeeded' },
  INVOICE_ALREADY_PAID: { payment_id: PAYMENT_ID, amount_due_minor: 0 },
  AMOUNT_EXCEEDS_DUE: { amount_due_minor: 1000 },
  CURRENCY_NOT_ACCEPTED: { accepted: 'EUR' },
  AMOUNT_OUT_OF_RANGE: { min: 1, max: 99_999_999 },
  REFUND_EXCEEDS_AMOUNT: { payment_id: PAYMENT_ID, refundable_minor: 1000 },
  SLOT_MANAGED: { provider: 'provider_a', managed_by: 'service' },
  SLOT_NOT_ACTIVE: { provider: 'provider_a' },
  SLOT_NOT_CONFIGURED: { provider: 'provider_a', configured: false },
  CREDENTIALS_MISSING: { provider: 'provider_a' },
  PROVIDER_FAILED: { cause: 'source_unavailable' },
  LIST_NOT_MIRRORED: { list: 'orders' },
  OPERATION_NOT_SUPPORTED: { instead: 'refund' },
} satisfies Partial<Record<RefusalCode, Details>>;

const PARAMS: Readonly<Record<string, string>> = {
  VALIDATION_FAILED: 'amount_minor',
  FIELD_MISSING: 'device_id',
  VERSION_UNSUPPORTED: 'Service-Version',
  CURSORS_CONFLICT: 'ending_before',
} satisfies Partial<Record<RefusalCode, string>>;

/** Every error response as it is sent, by its component name. */
export function refusalExamples(): Readonly<Record<string, object>> {
  const rows = Object.entries(REFUSALS).map(([name, row]) => [exampleName(name), exampleOf(name, row)]);
  return Object.fromEntries([...rows, [exampleName('INTERNAL'), exampleOf('INTERNAL', INTERNAL)]]);
}

/** `PAYMENT_UNKNOWN` → `payment-unknown` */
export function exampleName(code: string): string {
  return code.toLowerCase().replaceAll('_', '-');
}

function exampleOf(name: string, row: Refusal) {
  return { summary: `${row.status} ${row.code}`, value: bodyOf(name, row) };
}

function bodyOf(name: string, { type, code, shape, param = PARAMS[name] }: Refusal) {
  const words = 'In words, for people: branch on the code.';
  if (shape === 'unknown_route') return { error: words };
  if (shape === 'issues') {
    const issues = [{ path: ['invoiceLookbackDays'], message: 'must be at least 1' }];
    return { success: false, error: { name: 'ValidationError', issues } };
  }
  if (shape === 'idempotency') return { error: words, code, originalRequestId: EARLIER_REQUEST_ID };
  const details = DETAILS[name];
  return {
    error: {
      type,
      code,
      message: words,
      ...(param === undefined ? {} : { param }),
      ...(details === undefined ? {} : { details }),
      request_id: REQUEST_ID,
    },
  };
}
