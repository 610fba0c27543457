import type { RefusalCode } from '../reply/refusals.ts';

/** Errors of the service's webhooks and of the pages: no till sees them, the document leaves them out. */
type OfOthers =
  | Extract<RefusalCode, `HOOK_${string}` | `PERSON_${string}`>
  | 'SYSTEM_USER_TAKEN'
  | 'PEOPLE_EXHAUSTED'
  | 'SIGN_IN_PAUSED'
  | 'PIN_WEAK'
  | 'SIGN_IN_NOT_FRESH'
  | 'PASSKEY_REFUSED'
  | 'PASSKEY_UNKNOWN'
  | 'PASSKEYS_EXHAUSTED'
  | 'PAIRED_DEVICE_UNKNOWN'
  | 'DEVICES_EXHAUSTED'
  | 'FLEET_JOINED'
  | 'FLEET_NOT_JOINED'
  | 'HUB_URL_INVALID'
  | 'INVITATION_INVALID'
  | 'HUB_UNREACHABLE'
  | 'SIGN_IN_REFUSED'
  | 'SESSION_ENDED'
  | 'ROLE_MISSING'
  | 'VIRTUAL_TERMINAL_UNKNOWN'
  | 'VIRTUAL_TERMINAL_REFUSED';

/** The errors that the document describes. */
export type DescribedCode = Exclude<RefusalCode, OfOthers> | 'INTERNAL';

/** What each error really says, in one of its cases. `test/unit/api/refusal-messages` holds every text against what the code throws. */
export const MESSAGES: Readonly<Record<DescribedCode, string>> = {
  VALIDATION_FAILED: 'amount_minor must be more than 0',
  FIELD_MISSING: 'device_id is required',
  BODY_UNREADABLE: 'The body is not valid JSON',
  BODY_TOO_LARGE: 'The body is larger than 65536 bytes',
  CONTENT_TYPE_UNSUPPORTED: 'The body must be sent as content-type: application/json',
  REQUEST_MALFORMED: 'This is not an HTTP request',
  REQUEST_TOO_SLOW: 'The request took too long to arrive',
  HEADERS_TOO_LARGE: 'The request headers are too large',
  VERSION_UNSUPPORTED: 'Service-Version must be a date, 2026-01-15 or later (YYYY-MM-DD)',
  CURSORS_CONFLICT: 'Send starting_after or ending_before, not both',
  CURSOR_UNKNOWN: 'starting_after names nothing that is kept here',
  ROUTE_UNKNOWN: 'There is nothing at this address',
  HOST_FOREIGN:
    'This host name does not lead to this agent: use 127.0.0.1 or localhost, or a name of its configuration',
  ORIGIN_FOREIGN: 'Pages of another origin may not call this agent',
  CREDENTIAL_MISSING: 'Send one API key, as x-api-key or as Authorization: Bearer',
  CREDENTIAL_UNKNOWN: 'This API key is not known here: the keys of this agent begin with rk_live_',
  CREDENTIAL_EXPIRED: 'This API key has expired',
  CREDENTIAL_REVOKED: 'This API key was revoked',
  SCOPE_MISSING: 'This API key lacks the scope payments:write',
  ADDRESS_NOT_ALLOWED: 'This API key may not be used from this address',
  SOCKET_ONLY: 'This is answered through the unix socket only',
  RATE_LIMITED: 'Too many requests: wait 2 s',
  IDEMPOTENCY_KEY_INVALID: 'Idempotency-Key must be 1 to 255 printable characters',
  IDEMPOTENCY_KEY_IN_PROGRESS: 'A request with this key is still running',
  IDEMPOTENCY_KEY_MISMATCH: 'This key was used for another request',
  DEVICE_UNKNOWN: 'no device has this id',
  PAYMENT_UNKNOWN: 'no payment has this id',
  CURRENCY_NOT_ACCEPTED: 'Counter 1 takes EUR only',
  AMOUNT_OUT_OF_RANGE: 'Counter 1 takes amounts from 0.01 EUR to 999999.99 EUR',
  TERMINAL_NOT_READY: 'Counter 1 cannot take a card: it does not answer',
  TERMINAL_IN_DOUBT: 'Counter 1 is finding out how its last payment ended. Nothing was charged now.',
  WRONG_TERMINAL:
    'Another terminal is connected as Counter 1. Nothing was started: put the known terminal back, or adopt the one that answers.',
  LANE_FULL: '3 payments are waiting for Counter 1 already',
  PAYMENT_ALREADY_OPEN:
    'This request charged the customer NOTHING: it was not started. Payment 0199c0de-0000-7000-8000-000000000101, 2 Nov 2026, 09:30, stands in its way: It is not known yet whether the customer was charged. The same payment is running or unclear already. Look at that one; do not start a second.',
  PAYMENT_ALREADY_PAID:
    'This request charged the customer NOTHING: it was not started. Payment 0199c0de-0000-7000-8000-000000000101, 2 Nov 2026, 09:30, stands in its way: The customer HAS paid 12.34 EUR. Do not take it again. Only if the customer really pays a second time: look at that payment first, and confirm that you have.',
  PAYMENT_RETRIED:
    'This request charged the customer NOTHING: it was not started. Payment 0199c0de-0000-7000-8000-000000000101, 2 Nov 2026, 09:30, stands in its way: The customer was NOT charged. It was tried again already, here or at another till. Do not try this one again: look at that payment, and do what it says.',
  INVOICE_UNKNOWN:
    'The billing service has no invoice of this id. Nothing was charged. Look for the invoice again; without one, leave invoice_id out.',
  AMOUNT_DUE_UNKNOWN:
    'What is due on this invoice is not known here: it is not mirrored, and the billing service did not say. Nothing was charged. Send amount_minor and currency.',
  INVOICE_ALREADY_PAID:
    'This request charged the customer NOTHING: it was not started. Payment 0199c0de-0000-7000-8000-000000000101, 2 Nov 2026, 09:30, stands in its way: The customer HAS paid 12.34 EUR. Do not take it again. Only if the customer really pays a second time: look at that payment first, and confirm that you have.',
  INVOICE_ALREADY_VOIDED:
    'This invoice was voided. Nothing was charged. Do not take money for it: ask the office for a new invoice.',
  INVOICE_NOT_FINALIZED:
    'This invoice is a draft. Nothing was charged. Finalize it at the billing service, then take the payment.',
  ENTITLEMENT_MISSING:
    'The customer has no access to what this sale needs. Nothing was charged. Look at the entitlements of the customer; grant one at the billing service, or sell without it.',
  AMOUNT_EXCEEDS_DUE: 'Only 10.00 EUR of this invoice is due. Nothing was charged. Take 10.00 EUR or less.',
  SPLIT_EXCEEDED:
    'Only 18.00 EUR of the 30.00 EUR of this bill is left. Nothing was charged. Take 18.00 EUR or less.',
  PAYMENT_NOT_CANCELLABLE: 'this payment has ended: refund it instead if it was charged',
  PAYMENT_NOT_IN_DOUBT: 'The outcome of this payment is known, or it is still running.',
  DECISION_TOO_EARLY: 'The terminal may still be charging: wait 5 more minutes, and look again then.',
  RECEIPT_UNAVAILABLE: 'Only a payment that succeeded has a receipt for the customer.',
  RECEIPTS_NOT_SERVED: "No customer's phone can reach this till: listen.lan or tls is not configured.",
  PAYMENT_NOT_REFUNDABLE: 'Nothing can be given back of this payment: it is declined, not charged.',
  REFUND_EXCEEDS_AMOUNT:
    'No more than 10.00 EUR is left to give back of this payment. Nothing was given back now.',
  REFUND_BLOCKED:
    'This request gave NO money back: it was not started. Payment 0199c0de-0000-7000-8000-000000000101, 2 Nov 2026, 09:30, stands in its way: It is not known yet whether money was given back. The same payment is running or unclear already. Look at that one; do not start a second.',
  VOID_NOT_POSSIBLE:
    'This sale cannot be undone: some or all of it was given back already. Nothing was given back; refund it instead.',
  OPERATION_NOT_SUPPORTED:
    'The terminal of Counter 1 cannot void for the till. Nothing was given back: refund it instead.',
  TERMINAL_BUSY: 'A payment or a close runs on Counter 1. Try again afterwards.',
  END_OF_DAY_BLOCKED:
    'The outcome of a payment on Counter 1 is not known. Resolve it first: once the day is closed the terminal may no longer show it.',
  MEMORY_LOST:
    'Nothing was charged or given back. tilld does not know whether its books are the newest, and reads the terminals first. Try again in a minute.',
  ADOPT_BLOCKED: 'A payment on this device is not finished. Wait for its end, or cancel it, and try again.',
  SETTLEMENT_UNKNOWN: 'no settlement has this id',
  TASK_UNKNOWN: 'no task has this id',
  TASK_DONE: 'Anna has done this already',
  TASK_NOT_ANSWERED:
    'It is not known yet whether the customer was charged by this payment. Say first what its slip, the statement or the journal shows; this task ends with that answer.',
  TASK_TO_PERFORM:
    'An operator of the fleet asks for this. Do it, or decline it with a reason: that ends the task. No customer was charged by it.',
  REPORT_UNKNOWN: 'The service has this report already, or no report has this id',
  REPORT_HELD: 'It is kept back until the payment it belongs to is decided',
  REPORT_NOT_PARKED: 'It is pending: only a parked report waits for a person',
  KEY_UNKNOWN: 'There is no API key with this id',
  KEY_ENDED: 'This API key is revoked, which nothing undoes: create another one',
  KEYS_EXHAUSTED:
    'There are 256 API keys in use, which is the most there may be: revoke one that is not needed',
  WEBHOOK_ENDPOINT_UNKNOWN: 'There is no such webhook endpoint',
  WEBHOOK_ENDPOINTS_FULL: 'There are 16 webhook endpoints already: delete one first',
  WEBHOOK_DELIVERY_UNKNOWN: 'There is no such webhook delivery',
  WEBHOOK_ENDPOINT_GONE: 'The endpoint of this delivery is disabled: enable it first',
  PROVIDER_UNKNOWN: 'There is no such provider: it is one of provider_a, provider_b, terminal, provider_d',
  SLOT_NOT_CONFIGURED:
    'No connector serves provider_a: name one under integrations.provider_a in the config, and restart',
  SLOT_MANAGED:
    'provider_a follows the settings of the service: change them there, or set managed_by to local in the config. Nothing was changed.',
  SLOT_NOT_ACTIVE: 'provider_a is not active: activate it first',
  CREDENTIALS_MISSING: 'There is no credential for provider_a yet: send one',
  RESOURCE_UNKNOWN: 'provider_a has no resource of this name: customers, invoices',
  SETTINGS_INVALID: 'must be at least 1',
  MAPPING_POLICY_UNAVAILABLE: 'No connector is configured for provider_a',
  MAPPING_UNKNOWN: 'This provider has no mapping of that package',
  INVOICE_REFRESH_UNKNOWN: 'No refresh of this invoice was asked for',
  NOTHING_HELD: 'Nothing of provider_a/customers waits for an approval',
  DRY_RUN_BUSY: 'A dry run of provider_a is under way',
  DRY_RUN_TOO_LONG: 'provider_a was read for 120 s and there is still more: name one resource',
  PROVIDER_FAILED: 'no answer within 120 s',
  LIST_NOT_MIRRORED:
    'The list "orders" is not mirrored here. To mirror it, set "mirror": {"lists": ["invoices","orders"]} in the configuration of tilld.',
  MIRRORED_UNKNOWN: 'No product has this id, as far as the mirror knows',
  MIRRORED_MISSING: 'No payment intent has this id, as far as the mirror knows',
  CUSTOMER_UNKNOWN: 'No customer has this id, as far as the mirror knows',
  SYNC_STATS_UNKNOWN: 'This integration has no sync stats with this id',
  SEAL_KEY_UNUSABLE: 'The key that seals secrets is not usable: it cannot be read or written',
  STORAGE_FULL:
    'Nothing was charged. The disk is full: no payment is started. Free at least 17 MB where /var/lib/tilld is; tilld then sells on by itself.',
  STORAGE_FAILED:
    'Nothing was charged. The disk failed: no payment is started (disk I/O error). tilld starts anew by itself.',
  STREAMS_EXHAUSTED: 'There are 56 of your event streams open, 60 in all',
  DRAINING: 'Nothing was charged. tilld is about to be restarted. Wait a moment, then try again.',
  SHUTTING_DOWN: 'The agent is stopping: try again in a moment',
  INTERNAL:
    'Something went wrong here and it is not known whether a payment has started. Look at the payments of this terminal before you try again.',
};
