import type { Ids } from '../../base/ids.ts';
import type { BehaviourSwitch } from './behaviour.ts';
import { type Answer, invalid, notFound, parseBody, type Refusal, refuse } from './errors.ts';
import type { Events } from './events.ts';
import type { Ledger } from './ledger.ts';
import { cursorPage, many, type Page, type Query, single } from './pagination.ts';
import {
  Asked,
  BackOfficeBody,
  type BodyRules,
  type CreateBody,
  claimBody,
  createBody,
  noBody,
  type ResultBody,
  resultBody,
} from './payment-body.ts';
import { paymentView, RESULT_TEXTS } from './payment-view.ts';
import { type PaymentRecord, PaymentStatus } from './records.ts';
import type { ServiceClock } from './service-clock.ts';
import type { SandboxSettings } from './settings.ts';

type Kind = keyof PaymentRecord['calls'];

const NO_CALLS = { applied: 0, replayed: 0, refused: 0 };

/**
 * Terminal payments as the merchant's account at the service knows them.
 *
 * INVARIANTS:
 * - `requested` → `in_progress` → one of the four ends, never back, an end never twice;
 * - every change emits its event (none for `in_progress`: the interface names none) and waits for the caller's commit;
 * - every call that names a payment is counted: applied, replayed or refused.
 */
export class Payments {
  readonly #settings: SandboxSettings;
  readonly #ledger: Ledger;
  readonly #events: Events;
  readonly #clock: ServiceClock;
  readonly #ids: Ids;
  readonly #behaviour: BehaviourSwitch;

  constructor(parts: {
    readonly settings: SandboxSettings;
    readonly ledger: Ledger;
    readonly events: Events;
    readonly clock: ServiceClock;
    readonly ids: Ids;
    readonly behaviour: BehaviourSwitch;
  }) {
    this.#settings = parts.settings;
    this.#ledger = parts.ledger;
    this.#events = parts.events;
    this.#clock = parts.clock;
    this.#ids = parts.ids;
    this.#behaviour = parts.behaviour;
  }

  /** `POST /terminal-payments`. */
  create(body: unknown): Answer {
    const fields = parseBody(createBody(this.#rules()), body);
    const asked = Asked.safeParse(body).data ?? { id: null, metadata: null };
    const id = fields.id ?? this.#ids.uuid();
    return this.#add({ ...fields, id, metadata: fields.metadata ?? {} }, asked, 'client', 0);
  }

  /** `POST /sandbox/payments`: the merchant's back office asks for a payment. */
  request(body: unknown): Answer {
    const fields = parseBody(BackOfficeBody, body);
    const metadata = this.#settings.keepsMetadata ? (fields.metadata ?? {}) : {};
    const asked = { id: null, metadata: fields.metadata ?? null };
    return this.#add(
      { ...fields, id: this.#ids.uuid(), metadata },
      asked,
      'back_office',
      fields.created_ago_ms,
    );
  }

  /** `GET /terminal-payments/{id}`. @throws Refusal 404. */
  view(id: string): Record<string, unknown> {
    return paymentView(this.#get(id), this.#settings.keepsMetadata);
  }

  /** `GET /terminal-payments`: newest first, by `status` and `device_id` (which may repeat). */
  list(query: Query): Page<Record<string, unknown>> {
    const status = PaymentStatus.optional().safeParse(single(query, 'status'));
    if (!status.success) throw invalid('status', 'status is not a state of a terminal payment.');
    const devices = new Set(many(query, 'device_id'));
    const found = [...this.#ledger.payments.values()]
      .filter((payment) => status.data === undefined || payment.status === status.data)
      .filter((payment) => devices.size === 0 || devices.has(payment.deviceId))
      .reverse()
      .sort((a, b) => b.createdAt - a.createdAt);
    const page = cursorPage(found, query);
    return { ...page, data: page.data.map((payment) => paymentView(payment, this.#settings.keepsMetadata)) };
  }

  /** `POST …/claim`: from `requested` only, for one agent. */
  claim(id: string, body: unknown): Answer {
    const payment = this.#get(id);
    const { agent } = parseBody(claimBody(this.#rules()), body);
    if (payment.status !== 'requested') throw this.#refused(payment, 'claim');
    return this.#move(payment, 'claim', { status: 'in_progress', agent });
  }

  /** `POST …/result`: the end, once; or `in_progress`, which claims where there is no claim. */
  result(id: string, body: unknown): Answer {
    const payment = this.#get(id);
    const fields = parseBody(resultBody(this.#rules()), body);
    const kind = fields.status === 'in_progress' ? 'claim' : 'result';
    const isOpen = payment.status === 'requested' || (payment.status === 'in_progress' && kind === 'result');
    if (!isOpen) throw this.#refused(payment, kind);
    const metadata = { ...payment.metadata, ...fields.metadata };
    if (fields.status === 'in_progress')
      return this.#move(payment, kind, { status: 'in_progress', metadata });
    return this.#move(payment, kind, { ...outcomeOf(fields, this.#clock.now()), metadata });
  }

  /** `POST …/cancel`: from `requested` or `in_progress`. */
  cancel(id: string, body: unknown): Answer {
    const payment = this.#get(id);
    parseBody(noBody(this.#rules()), body ?? {});
    if (payment.completedAt !== null) throw this.#refused(payment, 'cancel');
    return this.#move(payment, 'cancel', { status: 'cancelled', completedAt: this.#clock.now() });
  }

  /** Notes that a stored answer was given again. */
  countReplay(call: NonNullable<Answer['call']>): void {
    const payment = this.#ledger.payments.get(call.paymentId);
    if (payment) this.#ledger.payments.set(payment.id, counted(payment, call.kind, 'replayed'));
  }

  #add(
    fields: CreateBody & { readonly id: string; readonly metadata: Record<string, unknown> },
    asked: PaymentRecord['asked'],
    askedBy: PaymentRecord['askedBy'],
    agoMs: number,
  ): Answer {
    if (!this.#settings.devices.some((device) => device.id === fields.device_id)) {
      throw notFound('terminal device', 'device_id');
    }
    const existing = this.#ledger.payments.get(fields.id);
    if (existing) throw this.#exists(existing);
    const payment: PaymentRecord = {
      id: fields.id,
      invoiceId: fields.invoice_id ?? null,
      deviceId: fields.device_id,
      status: 'requested',
      amountMinor: fields.amount_minor,
      currency: fields.currency,
      reference: fields.reference ?? null,
      result: {},
      createdAt: this.#clock.now() - agoMs,
      completedAt: null,
      metadata: fields.metadata,
      agent: null,
      askedBy,
      asked,
      calls: { create: NO_CALLS, claim: NO_CALLS, result: NO_CALLS, cancel: NO_CALLS },
    };
    return this.#move(payment, 'create', {}, 201);
  }

  #move(before: PaymentRecord, kind: Kind, change: Partial<PaymentRecord>, status = 200): Answer {
    const payment = counted({ ...before, ...change }, kind, 'applied');
    this.#ledger.payments.set(payment.id, payment);
    const view = paymentView(payment, this.#settings.keepsMetadata);
    if (payment.status !== 'in_progress') this.#events.emit(`terminal_payment.${payment.status}`, view);
    return { status, body: { data: view }, call: { paymentId: payment.id, kind } };
  }

  #refused(payment: PaymentRecord, kind: Kind): Refusal {
    this.#ledger.payments.set(payment.id, counted(payment, kind, 'refused'));
    return refuse(409, 'invalid_state', `Not possible while the payment is ${payment.status}.`, {
      details: { status: payment.status },
    });
  }

  #exists(payment: PaymentRecord): Refusal {
    this.#ledger.payments.set(payment.id, counted(payment, 'create', 'refused'));
    return refuse(409, 'resource_already_exists', 'A payment with this id exists.', { param: 'id' });
  }

  #get(id: string): PaymentRecord {
    const payment = this.#ledger.payments.get(id.toLowerCase());
    if (!payment) throw notFound('terminal payment');
    return payment;
  }

  #rules(): BodyRules {
    const honoured = this.#behaviour.now.ignores_our_id ? 'ignored' : 'honoured';
    return {
      id: this.#settings.honoursOurId ? honoured : 'unknown',
      metadata: this.#settings.keepsMetadata ? 'kept' : 'unknown',
      strict: this.#settings.refusesUnknownFields,
    };
  }
}

function outcomeOf(fields: ResultBody, now: number) {
  return {
    status: fields.status,
    completedAt: fields.completed_at ? Date.parse(fields.completed_at) : now,
    result: Object.fromEntries(RESULT_TEXTS.map((name) => [name, fields[name] ?? null])),
  };
}

function counted(
  payment: PaymentRecord,
  kind: Kind,
  what: 'applied' | 'replayed' | 'refused',
): PaymentRecord {
  const count = payment.calls[kind];
  return { ...payment, calls: { ...payment.calls, [kind]: { ...count, [what]: count[what] + 1 } } };
}
