import type { DescribedCode } from './refusal-messages.ts';

/** What the author of till software needs to know of an error, each one sentence or two. */
export interface Advice {
  /** Whether money may have moved. */
  readonly money: string;
  /** Whether to send it again, and under which Idempotency-Key. */
  readonly retry: string;
  /** What to show. */
  readonly show: string;
}

const NONE = 'This request moved no money.';
const MESSAGE = 'Show staff `error.message`.';
const FAULT = 'A fault of the till software: log `error.message` and `request_id`.';

const WRONG: Advice = {
  money: NONE,
  retry: 'Not as it is. The corrected request may have the same Idempotency-Key.',
  show: FAULT,
};
const ABSENT: Advice = {
  money: NONE,
  retry: 'Not as it is: there is nothing of this id.',
  show: FAULT,
};
const KEY: Advice = {
  money: NONE,
  retry: 'With the same Idempotency-Key, once the till has the right API key.',
  show: 'Show staff that the till is not allowed to do this, and call the person who looks after it.',
};
const SOON: Advice = {
  money: NONE,
  retry: 'With the same Idempotency-Key, after `Retry-After`.',
  show: 'Show nothing: wait.',
};
const TERMINAL: Advice = {
  money: NONE,
  retry:
    'With the same Idempotency-Key, once the terminal is ready; a sale also now, with another `device_id`.',
  show: MESSAGE,
};
const DOUBT: Advice = {
  money: `${NONE} The payment in \`details.in_doubt_attempt_id\` may have: it is not known yet.`,
  retry:
    'With the same Idempotency-Key, once that payment has ended; a sale also now, with another `device_id`.',
  show: MESSAGE,
};
const OTHER_OPEN: Advice = {
  money: `${NONE} The payment in \`details.payment_id\` may have: GET it. One of another till is in \`details.service_payment_id\`.`,
  retry: 'Not while that payment is open. Its end decides whether this one is still wanted.',
  show: MESSAGE,
};
const OTHER_PAID: Advice = {
  money: `${NONE} The payment in \`details.payment_id\` stands: GET it.`,
  retry: 'Only for a second payment on purpose, with `after: <that id>`; the Idempotency-Key is free.',
  show: MESSAGE,
};
const INVOICE: Advice = { money: NONE, retry: 'Not for this invoice as it is.', show: MESSAGE };
const AMOUNT: Advice = {
  money: NONE,
  retry: 'With another amount, as `details` says; the Idempotency-Key is free.',
  show: MESSAGE,
};
const NOT_BACK: Advice = {
  money: NONE,
  retry: 'Not as it is: `error.message` says what can be done instead.',
  show: MESSAGE,
};
const STATE: Advice = {
  money: `${NONE} The payment says in \`charged\` whether it did: GET it.`,
  retry: 'Not as it is: the state of the payment does not allow it.',
  show: MESSAGE,
};
const TASK: Advice = { money: NONE, retry: 'Once what `error.message` asks for is done.', show: MESSAGE };
const SERVER: Advice = {
  money: 'Not known from this answer: a payment may have started.',
  retry:
    'With the same Idempotency-Key, after `Retry-After` or a second: a payment that started is answered, none is started twice.',
  show: 'Show staff that it is not known yet whether the customer was charged: wait, and take the money in no other way.',
};

const STORAGE: Advice = {
  ...SERVER,
  money: 'None, where `error.message` says so; otherwise it is not known from this answer.',
};

/** The advice for each error. */
export const ADVICE: Readonly<Record<DescribedCode, Advice>> = {
  VALIDATION_FAILED: WRONG,
  FIELD_MISSING: WRONG,
  BODY_UNREADABLE: WRONG,
  BODY_TOO_LARGE: WRONG,
  CONTENT_TYPE_UNSUPPORTED: WRONG,
  REQUEST_MALFORMED: WRONG,
  REQUEST_TOO_SLOW: {
    money: NONE,
    retry: 'With the same Idempotency-Key.',
    show: 'Show nothing: send it again.',
  },
  HEADERS_TOO_LARGE: WRONG,
  VERSION_UNSUPPORTED: WRONG,
  CURSORS_CONFLICT: WRONG,
  CURSOR_UNKNOWN: WRONG,
  ROUTE_UNKNOWN: WRONG,
  HOST_FOREIGN: WRONG,
  ORIGIN_FOREIGN: WRONG,
  CREDENTIAL_MISSING: KEY,
  CREDENTIAL_UNKNOWN: KEY,
  CREDENTIAL_EXPIRED: KEY,
  CREDENTIAL_REVOKED: KEY,
  SCOPE_MISSING: KEY,
  ADDRESS_NOT_ALLOWED: KEY,
  SOCKET_ONLY: WRONG,
  RATE_LIMITED: SOON,
  IDEMPOTENCY_KEY_INVALID: WRONG,
  IDEMPOTENCY_KEY_IN_PROGRESS: {
    money: 'Not known yet: the first request with this key still runs.',
    retry: 'With the same Idempotency-Key, after a second: you get its answer.',
    show: 'Show nothing: wait.',
  },
  IDEMPOTENCY_KEY_MISMATCH: {
    money: `${NONE} The first request with this key, \`originalRequestId\`, may have.`,
    retry: 'The stored request of this key, to learn what became of it. Another sale needs a key of its own.',
    show: FAULT,
  },
  DEVICE_UNKNOWN: ABSENT,
  PAYMENT_UNKNOWN: ABSENT,
  CURRENCY_NOT_ACCEPTED: {
    ...AMOUNT,
    retry: 'In the currency that `details` names; the Idempotency-Key is free.',
  },
  AMOUNT_OUT_OF_RANGE: AMOUNT,
  TERMINAL_NOT_READY: TERMINAL,
  TERMINAL_IN_DOUBT: DOUBT,
  WRONG_TERMINAL: TERMINAL,
  LANE_FULL: TERMINAL,
  PAYMENT_ALREADY_OPEN: OTHER_OPEN,
  PAYMENT_ALREADY_PAID: OTHER_PAID,
  PAYMENT_RETRIED: {
    money: `${NONE} The payment in \`details.payment_id\` is the retry: GET it.`,
    retry: 'Not this one. Where the retry charged nothing either, with `retry_of: <its id>`.',
    show: MESSAGE,
  },
  INVOICE_UNKNOWN: INVOICE,
  AMOUNT_DUE_UNKNOWN: {
    money: NONE,
    retry: 'With `amount_minor` and `currency`; the Idempotency-Key is free.',
    show: MESSAGE,
  },
  INVOICE_ALREADY_PAID: {
    ...OTHER_PAID,
    money: `${NONE} The payment in \`details.payment_id\` or \`details.service_payment_id\` paid it.`,
  },
  INVOICE_ALREADY_VOIDED: INVOICE,
  INVOICE_NOT_FINALIZED: INVOICE,
  AMOUNT_EXCEEDS_DUE: {
    ...AMOUNT,
    retry: 'With at most `details.amount_due_minor`, or without an amount; the Idempotency-Key is free.',
  },
  SPLIT_EXCEEDED: {
    ...AMOUNT,
    retry: 'With at most `details.amount_due_minor`; the Idempotency-Key is free.',
  },
  ENTITLEMENT_MISSING: {
    money: NONE,
    retry: 'Once the customer has the entitlement and the mirror shows it; the Idempotency-Key is free.',
    show: MESSAGE,
  },
  PAYMENT_NOT_CANCELLABLE: STATE,
  PAYMENT_NOT_IN_DOUBT: STATE,
  DECISION_TOO_EARLY: {
    money: 'Not known yet: the payment is in doubt.',
    retry: 'Later, as `error.message` says.',
    show: MESSAGE,
  },
  RECEIPT_UNAVAILABLE: STATE,
  RECEIPTS_NOT_SERVED: {
    money: NONE,
    retry: 'Not before the configuration is changed.',
    show: 'Print the receipt instead; call the person who looks after the till.',
  },
  PAYMENT_NOT_REFUNDABLE: NOT_BACK,
  REFUND_EXCEEDS_AMOUNT: {
    ...NOT_BACK,
    retry: 'With at most `details.refundable_minor`; the Idempotency-Key is free.',
  },
  REFUND_BLOCKED: {
    money: `${NONE} The refund or void in \`details.payment_id\` may have: GET it.`,
    retry: 'Once that one has ended. For the same amount once more on purpose with `after: <that id>`.',
    show: MESSAGE,
  },
  VOID_NOT_POSSIBLE: { ...NOT_BACK, retry: 'Not as it is: refund it instead, with a key of its own.' },
  OPERATION_NOT_SUPPORTED: NOT_BACK,
  TERMINAL_BUSY: TERMINAL,
  END_OF_DAY_BLOCKED: { ...DOUBT, retry: 'Once that payment is decided, or with `force`.' },
  MEMORY_LOST: {
    money: `${NONE} An earlier one that tilld does not know may have: staff compare it.`,
    retry:
      'With the same Idempotency-Key, once the task in `details.task_id` is done; without one after a minute.',
    show: MESSAGE,
  },
  ADOPT_BLOCKED: DOUBT,
  SETTLEMENT_UNKNOWN: ABSENT,
  TASK_UNKNOWN: ABSENT,
  TASK_DONE: { ...TASK, retry: 'No: it is done.' },
  TASK_NOT_ANSWERED: { ...TASK, money: 'Not known yet: the payment in `details.payment_id` is in doubt.' },
  TASK_TO_PERFORM: TASK,
  REPORT_UNKNOWN: ABSENT,
  REPORT_HELD: TASK,
  REPORT_NOT_PARKED: { ...TASK, retry: 'No: it is on its way.' },
  KEY_UNKNOWN: ABSENT,
  KEY_ENDED: TASK,
  KEYS_EXHAUSTED: TASK,
  WEBHOOK_ENDPOINT_UNKNOWN: ABSENT,
  WEBHOOK_ENDPOINTS_FULL: TASK,
  WEBHOOK_DELIVERY_UNKNOWN: ABSENT,
  WEBHOOK_ENDPOINT_GONE: TASK,
  PROVIDER_UNKNOWN: ABSENT,
  SLOT_NOT_CONFIGURED: TASK,
  SLOT_MANAGED: TASK,
  SLOT_NOT_ACTIVE: TASK,
  CREDENTIALS_MISSING: TASK,
  RESOURCE_UNKNOWN: WRONG,
  SETTINGS_INVALID: WRONG,
  MAPPING_POLICY_UNAVAILABLE: TASK,
  MAPPING_UNKNOWN: ABSENT,
  INVOICE_REFRESH_UNKNOWN: ABSENT,
  NOTHING_HELD: TASK,
  DRY_RUN_BUSY: { ...TASK, retry: 'Once the other dry run has ended.' },
  DRY_RUN_TOO_LONG: TASK,
  PROVIDER_FAILED: { ...TASK, retry: 'Later: the provider failed.' },
  LIST_NOT_MIRRORED: { ...TASK, retry: 'Not before the configuration is changed.' },
  MIRRORED_UNKNOWN: ABSENT,
  MIRRORED_MISSING: ABSENT,
  CUSTOMER_UNKNOWN: ABSENT,
  SYNC_STATS_UNKNOWN: ABSENT,
  SEAL_KEY_UNUSABLE: TASK,
  STORAGE_FULL: STORAGE,
  STORAGE_FAILED: STORAGE,
  STREAMS_EXHAUSTED: SOON,
  DRAINING: SOON,
  SHUTTING_DOWN: SOON,
  INTERNAL: SERVER,
};

/** The advice as one text. */
export function adviceText({ money, retry, show }: Advice): string {
  return `**Money:** ${money} **Again:** ${retry} **Show:** ${show}`;
}
