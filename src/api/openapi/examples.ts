import type { Event } from '../contract/event.ts';
import type {
  CreatedKey,
  CreateKey,
  KeyAudit,
  KeySummary,
  RevokeKey,
  RolledKey,
  RollKey,
} from '../contract/key.ts';
import type { OutboxReport } from '../contract/outbox-report.ts';
import type { Health } from '../contract/status.ts';
import type { TerminalActivity, UsualAmount } from '../contract/terminal-activity.ts';
import type { TerminalDevice } from '../contract/terminal-device.ts';
import type {
  CreateTerminalPayment,
  RefundTerminalPayment,
  ResolveTerminalPayment,
  TerminalPayment,
} from '../contract/terminal-payment.ts';
import type { RequestEndOfDay, TerminalSettlement } from '../contract/terminal-settlement.ts';
import type { FinishTerminalTask, TerminalTask } from '../contract/terminal-task.ts';
import type { WebhookDelivery } from '../contract/webhook-delivery.ts';
import type { CreateWebhookEndpoint, WebhookEndpoint } from '../contract/webhook-endpoint.ts';
import { MIRROR_EXAMPLES } from './mirror-examples.ts';
import type { NAMED } from './schemas.ts';

const DEVICE_ID = '0199c0de-0000-7000-8000-000000000001';
const PAYMENT_ID = '0199c0de-0000-7000-8000-000000000101';
const KEY_ID = '0199c0de-0000-7000-8000-000000000401';
const STARTED = '2026-11-02T09:30:12.163Z';
const ENDED = '2026-11-02T09:30:19.939Z';

const payment: TerminalPayment = {
  id: PAYMENT_ID,
  invoice_id: null,
  device_id: DEVICE_ID,
  type: 'sale',
  status: 'succeeded',
  amount_minor: 1234,
  currency: 'EUR',
  reference: 'order 1042',
  terminal_serial: '17F00001',
  uti: null,
  auth_code: '112648',
  response_code: '00',
  rrn: null,
  card_scheme: 'Mastercard',
  masked_pan: '512345******2346',
  entry_mode: 'contactless',
  error_message: null,
  created_at: STARTED,
  completed_at: ENDED,
  service_id: null,
  parent_id: null,
  corrects: null,
  corrects_type: null,
  corrected_by: null,
  retry_of: null,
  cause: null,
  approved_amount_minor: 1234,
  amount_confirmed: true,
  tip_minor: null,
  surcharge_minor: null,
  cashback_minor: null,
  given_back_minor: 0,
  giving_back_minor: 0,
  had_approval: false,
  error_code: null,
  in_doubt: false,
  in_doubt_since: null,
  cancel_requested_at: null,
  needs_person: false,
  tasks: [],
  charged: 'yes',
  reported: 'pending',
  message: 'The customer HAS paid 12.34 EUR. Hand over the goods.',
  progress: null,
  receipt_number: '0001',
  trace: '000001',
  trace_id: '0199c0de000070008000000000000101',
  terminal_id: '52500038',
  cardholder_verification: 'none',
  online: 'yes',
  receipts: { merchant: '** Zahlung erfolgt **', customer: '** Zahlung erfolgt **' },
  metadata: { till: 3 },
};

const device: TerminalDevice = {
  id: DEVICE_ID,
  name: 'Counter 1',
  driver: 'zvt',
  currency: 'EUR',
  min_amount_minor: 1,
  max_amount_minor: 500_000,
  ask_above_minor: 100_000,
  tip: 'none',
  terminal_serial: '17F00001',
  terminal_id: '52500038',
  model: 'Example 3000',
  firmware: '1.0',
  status: 'ready',
  status_reason: null,
  last_seen_at: ENDED,
  in_doubt_attempt_id: null,
  identity_grade: 'serial',
  capabilities: { refund: true, void: 'any', end_of_day: true },
  answering_serial: null,
  answering_terminal_id: null,
  shared_use: false,
  needs: null,
  is_connected: true,
  waiting: 0,
};

const settlement: TerminalSettlement = {
  id: '0199c0de-0000-7000-8000-000000000201',
  object: 'terminal_settlement',
  device_id: DEVICE_ID,
  source: 'request',
  status: 'succeeded',
  forced: null,
  created_at: '2026-11-02T19:00:00.000Z',
  completed_at: '2026-11-02T19:00:04.120Z',
  terminal_serial: '17F00001',
  terminal_id: '52500038',
  currency: 'EUR',
  totals: {
    count: 1,
    amount_minor: 1234,
    currency: 'EUR',
    first_number: '0001',
    last_number: '0001',
    by_scheme: [{ scheme: 'Mastercard', count: 1, amount_minor: 1234 }],
  },
  ours: {
    sales: { count: 1, amount_minor: 1234 },
    refunds: { count: 0, amount_minor: 0 },
    voids: { count: 0, amount_minor: 0 },
    net_minor: 1234,
  },
  differs: false,
  comparison: {
    verdict: 'agrees',
    lines: [
      { what: 'sum', scheme: null, terminal: 1234, ours: 1234, difference: 0 },
      { what: 'count', scheme: null, terminal: 1, ours: 1, difference: 0 },
      { what: 'scheme', scheme: 'Mastercard', terminal: 1234, ours: 1234, difference: 0 },
    ],
  },
  receipts: { merchant: null, customer: null },
  error_code: null,
  error_message: null,
  message:
    'The day is closed. An end of day charges no customer: every payment stands as it was. The terminal’s sum is the same as ours: 12.34 EUR. Nothing else is to be done.',
};

const task: TerminalTask = {
  id: '0199c0de-0000-7000-8000-000000000301',
  object: 'terminal_task',
  kind: 'settlement_differs',
  payment_id: null,
  settlement_id: settlement.id,
  device_id: null,
  message: 'The sum of the terminal is not ours: compare its receipt with the list of the day.',
  created_at: '2026-11-02T19:00:04.120Z',
  asked: null,
  done: null,
};

const event: Event = {
  id: 'evt_0199c0de-0000-7000-8000-000000000501',
  type: 'terminal_payment.succeeded',
  created: ENDED,
  data: payment,
};

const endpoint: WebhookEndpoint = {
  id: '0199c0de-0000-7000-8000-000000000601',
  object: 'webhook_endpoint',
  url: 'https://shop.example/hooks',
  events: ['terminal_payment.succeeded', 'terminal_payment.declined'],
  status: 'enabled',
  needs_new_secret: false,
  created_at: STARTED,
  updated_at: STARTED,
};

const delivery: WebhookDelivery = {
  id: '0199c0de-0000-7000-8000-000000000701',
  object: 'webhook_delivery',
  event_id: event.id,
  event_type: event.type,
  endpoint_id: endpoint.id,
  status: 'delivered',
  attempts: 1,
  next_attempt_at: null,
  response_status: 200,
  last_error: null,
  created_at: ENDED,
  delivered_at: ENDED,
};

const report: OutboxReport = {
  id: '0199c0de-0000-7000-8000-000000000801',
  object: 'outbox_report',
  payment_id: PAYMENT_ID,
  parent_id: null,
  device_id: DEVICE_ID,
  amount_minor: 1234,
  currency: 'EUR',
  kind: 'result',
  type: 'sale',
  status: 'parked',
  attempts: 1,
  last_error: 'refused: 422 card_data The card data is not accepted.',
  created_at: ENDED,
  key_first_used_at: ENDED,
  decision: null,
};

/** One example for each named schema that readers use first; `test/unit/api` checks each against its schema. */
export const EXAMPLES: Readonly<Record<string, unknown>> = {
  ...MIRROR_EXAMPLES,
  CreateTerminalPayment: {
    device_id: DEVICE_ID,
    amount_minor: 1234,
    currency: 'EUR',
    reference: 'order 1042',
    metadata: { till: 3 },
  } satisfies CreateTerminalPayment,
  RefundTerminalPayment: { amount_minor: 500 } satisfies RefundTerminalPayment,
  ResolveTerminalPayment: {
    as: 'succeeded',
    by: 'Anna',
    reason: 'The customer has the receipt.',
    shown: 'receipt 0001',
  } satisfies ResolveTerminalPayment,
  RequestEndOfDay: {
    force: { by: 'Anna', reason: 'The shop closes.' },
  } satisfies RequestEndOfDay,
  FinishTerminalTask: { by: 'Anna', note: 'Compared: one slip was missing.' } satisfies FinishTerminalTask,
  AdoptTerminal: { by: 'Anna' },
  CreateKey: {
    name: 'till 3',
    scopes: ['payments:read', 'payments:write'],
    allow: ['192.0.2.0/24'],
  } satisfies CreateKey,
  CreatedKey: {
    id: KEY_ID,
    key: 'rk_sandbox_00000000000000000000000000000000',
    name: 'till 3',
    scopes: ['payments:read', 'payments:write'],
    created_at: STARTED,
    expires_at: null,
  } satisfies CreatedKey,
  RollKey: { overlap_hours: 48, by: 'Anna' } satisfies RollKey,
  RolledKey: {
    id: KEY_ID,
    key: 'rk_sandbox_11111111111111111111111111111111',
    name: 'till 3',
    scopes: ['payments:read', 'payments:write'],
    created_at: STARTED,
    expires_at: null,
    overlap_ends_at: '2026-11-04T09:30:12.163Z',
  } satisfies RolledKey,
  RevokeKey: { by: 'Anna' } satisfies RevokeKey,
  KeySummary: {
    id: KEY_ID,
    object: 'api_key',
    name: 'till 3',
    scopes: ['payments:read', 'payments:write'],
    allow: ['192.0.2.0/24'],
    status: 'active',
    stale: false,
    created_at: STARTED,
    expires_at: null,
    overlap_ends_at: null,
    revoked_at: null,
    last_used_at: ENDED,
  } satisfies KeySummary,
  KeyAudit: {
    object: 'api_key_audit',
    key_id: KEY_ID,
    event: 'rolled',
    at: STARTED,
    caller: 'socket',
    by: 'Anna',
    overlap_ends_at: '2026-11-04T09:30:12.163Z',
  } satisfies KeyAudit,
  TerminalPayment: payment,
  TerminalDevice: device,
  TerminalActivity: {
    object: 'terminal_activity',
    device_id: DEVICE_ID,
    from: '2026-10-28T09:30:12.163Z',
    to: '2026-11-04T09:30:12.163Z',
    connected_s: 599_400,
    known_s: 604_800,
    uptime: 0.9911,
    payments: {
      since: '2026-10-28T09:30:12.163Z',
      succeeded: 412,
      declined: 9,
      decline_rate: 0.0214,
      mean_ms: 6_400,
    },
    connections: [
      { state: 'connected', since: '2026-11-03T13:30:00.000Z', until: null, reason: null },
      {
        state: 'not_connected',
        since: '2026-11-03T12:00:00.000Z',
        until: '2026-11-03T13:30:00.000Z',
        reason: 'the terminal does not answer',
      },
    ],
  } satisfies TerminalActivity,
  UsualAmount: {
    object: 'usual_amount',
    device_id: DEVICE_ID,
    currency: 'EUR',
    sales: 385,
    at_most_minor: 8_400,
  } satisfies UsualAmount,
  TerminalSettlement: settlement,
  TerminalTask: task,
  OutboxReport: report,
  DropReport: { reason: 'entered there by hand', by: 'Anna' },
  RetryReport: { by: 'Anna' },
  Event: event,
  CreateWebhookEndpoint: {
    url: endpoint.url,
    events: ['terminal_payment.succeeded', 'terminal_payment.declined'],
  } satisfies CreateWebhookEndpoint,
  WebhookEndpoint: endpoint,
  WebhookDelivery: delivery,
  Health: { can_sell: true, can_report: true, is_fresh: true, reasons: [] } satisfies Health,
  CurrencyCode: 'EUR',
  Timestamp: STARTED,
  Uuid: PAYMENT_ID,
} satisfies Partial<Record<keyof typeof NAMED, unknown>>;
