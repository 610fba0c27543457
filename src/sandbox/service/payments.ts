import type { Ids } from '../../base/ids.ts';
import type { BehaviourSwitch } from './behaviour.ts';
import { type Answer, invalid, notFound, parseBody, type Refusal, refuse } from './errors.ts';
import type { Events } from './events.ts';
import type { Ledger } from './ledger.ts';
import { cursorPage, type Page, type Query, single, uuids } from './pagination.ts';
import {
  Asked,
  BackOfficeBody,
  type BackOfficeFields,
  BackOfficeRefund,
  BackOfficeVoid,
  type Bodies,
  type BodyRules,
  bodiesOf,
  type OwnFields,
  type ResultBody,
} from './payment-body.ts';
import { paymentView, RESULT_TEXTS } from './payment-view.ts';
import { type PaymentRecord, PaymentStatus, type PaymentType } from './records.ts';
import { refundable, voidable } from './refunds-and-voids.ts';
import type { ServiceClock } from './service-clock.ts';
import { deviceOf, type SandboxSettings } from './settings.ts';

type Kind = keyof PaymentRecord['calls'];
/** Calls that change the payment they name. */
type Move = NonNullable<Answer['call']>['kind'];
type RefundOrVoid = Exclude<PaymentType, 'sale'>;

/** The initial fields of a new payment. */
type CreatedPayment = Pick<
  PaymentRecord,
  | 'type'
  | 'parentId'
  | 'deviceId'
  | 'amountMinor'
  | 'currency'
  | 'invoiceId'
  | 'reference'
  | 'metadata'
  | 'askedBy'
  | 'asked'
> & {
  /** Null: the service chooses the id. */
  readonly id: string | null;
  readonly agoMs: number;
};

/** The source of a refund or void request, and its own fields. */
type Asking = Pick<CreatedPayment, 'id' | 'metadata' | 'askedBy' | 'asked' | 'agoMs'>;

const StatusFilter = PaymentStatus.optional();
const NO_CALLS = { applied: 0, replayed: 0, refused: 0 };

/**
 * The terminal payments of the merchant's account.
 *
 * INVARIANTS:
 * - `requested` → `in_progress` → one of the four final states, never back, a final state never twice;
 * - every change emits its event (none where the interface names none: for `in_progress`, and for a requested refund or void)
 *   and waits for the caller's commit;
 * - the refunds and voids of a sale that succeeded or have not ended never exceed the sale;
 * - every call that names a payment is counted: applied, replayed or refused.
 */
export class Payments {
  readonly #settings: SandboxSettings;
  readonly #ledger: Ledger;
  readonly #events: Events;
  readonly #clock: ServiceClock;
  readonly #ids: Ids;
  readonly #behaviour: BehaviourSwitch;
  readonly #honouring: Bodies;
  readonly #ignoring: Bodies;

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
    this.#honouring = bodiesOf(rulesOf(parts.settings, 'honoured'));
    this.#ignoring = bodiesOf(rulesOf(parts.settings, 'ignored'));
  }

  /** `POST /terminal-payments`. */
  create(body: unknown): Answer {
    const fields = parseBody(this.#bodies.create, body);
    return this.#add({ ...sale(fields), ...this.#client(fields, body) });
  }

  /** `POST …/refund`: a payment of its own below the sale, requested for the sale's terminal. */
  refund(id: string, body: unknown): Answer {
    const parent = this.#get(id);
    const fields = parseBody(this.#bodies.refund, body ?? {});
    return this.#giveBack(parent, 'refund', fields.amount_minor ?? null, this.#client(fields, body));
  }

  /** `POST …/void`: as {@link refund}, for the whole sale, if it has no refund or void. */
  void(id: string, body: unknown): Answer {
    const parent = this.#get(id);
    const fields = parseBody(this.#bodies.void, body ?? {});
    return this.#giveBack(parent, 'void', null, this.#client(fields, body));
  }

  /** `POST /sandbox/payments`: the merchant's back office requests a payment. */
  request(body: unknown): Answer {
    const fields = parseBody(BackOfficeBody, body);
    return this.#add({ ...sale(fields), ...this.#backOffice(fields) });
  }

  /** `POST /sandbox/payments/{id}/refund` and `/void`: the merchant's back office requests them. */
  requestBack(id: string, type: RefundOrVoid, body: unknown): Answer {
    const parent = this.#get(id);
    if (type === 'void') {
      const asking = this.#backOffice(parseBody(BackOfficeVoid, body));
      return this.#giveBack(parent, type, null, asking);
    }
    const fields = parseBody(BackOfficeRefund, body);
    return this.#giveBack(parent, type, fields.amount_minor ?? null, this.#backOffice(fields));
  }

  /** `GET /terminal-payments/{id}`. @throws Refusal 404. */
  view(id: string): Record<string, unknown> {
    return paymentView(this.#get(id), this.#settings.keepsMetadata);
  }

  /** `GET /terminal-payments`: newest first, by `status`, `device_id` and `invoice_id` (the ids may repeat). */
  list(asked: Query): Page<Record<string, unknown>> {
    const { status: wanted, device_id: device, ...plain } = asked;
    const filters = this.#behaviour.now.payment_filters;
    if (filters === 'refused' && (wanted ?? device) !== undefined)
      throw invalid(wanted === undefined ? 'device_id' : 'status', 'This list has no such filter.');
    const query = filters === 'honoured' ? asked : plain;
    const status = StatusFilter.safeParse(single(query, 'status'));
    if (!status.success) throw invalid('status', 'status is not a state of a terminal payment.');
    const devices = uuids(query, 'device_id');
    const invoices = uuids(query, 'invoice_id');
    const page = cursorPage([...this.#ledger.payments.values()], query, {
      isWanted: (payment) =>
        (status.data === undefined || payment.status === status.data) &&
        (devices.size === 0 || devices.has(payment.deviceId.toLowerCase())) &&
        (invoices.size === 0 || invoices.has(payment.invoiceId ?? '')),
      inOrder: (found) => found.reverse().sort((a, b) => b.createdAt - a.createdAt),
    });
    return { ...page, data: page.data.map((payment) => paymentView(payment, this.#settings.keepsMetadata)) };
  }

  /** `POST …/claim`: from `requested` only, for one agent. */
  claim(id: string, body: unknown): Answer {
    const payment = this.#get(id);
    const { agent } = parseBody(this.#bodies.claim, body);
    if (payment.status !== 'requested') throw this.#refused(payment, 'claim');
    return this.#move(payment, 'claim', { status: 'in_progress', agent });
  }

  /** `POST …/result`: the final state, once; or `in_progress`, which claims an unclaimed payment. */
  result(id: string, body: unknown): Answer {
    const payment = this.#get(id);
    const fields = parseBody(this.#bodies.result, body);
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
    parseBody(this.#bodies.none, body ?? {});
    if (payment.completedAt !== null) throw this.#refused(payment, 'cancel');
    return this.#move(payment, 'cancel', { status: 'cancelled', completedAt: this.#clock.now() });
  }

  /** Counts a replayed answer. */
  countReplay(call: NonNullable<Answer['call']>): void {
    const payment = this.#ledger.payments.get(call.paymentId);
    if (payment) this.#count(payment, call.kind, 'replayed');
    const parent = this.#ledger.payments.get(payment?.parentId ?? '');
    if (parent && payment && payment.type !== 'sale' && call.kind === 'create')
      this.#count(parent, payment.type, 'replayed');
  }

  #giveBack(parent: PaymentRecord, type: RefundOrVoid, asked: number | null, asking: Asking): Answer {
    const known = asking.id === null ? undefined : this.#ledger.payments.get(asking.id);
    if (known) throw this.#exists(known);
    const below = [...this.#ledger.payments.values()].filter((one) => one.parentId === parent.id);
    const amount = type === 'refund' ? refundable(parent, below, asked) : voidable(parent, below);
    if (typeof amount !== 'number') {
      this.#count(parent, type, 'refused');
      throw amount;
    }
    this.#count(parent, type, 'applied');
    const { deviceId, currency, invoiceId } = parent;
    const own = { type, parentId: parent.id, deviceId, amountMinor: amount, currency, invoiceId };
    return this.#add({ ...own, reference: null, ...asking });
  }

  #add({ agoMs, id, ...created }: CreatedPayment): Answer {
    const device = deviceOf(this.#settings.devices, created.deviceId);
    if (!device) throw notFound('terminal device', 'device_id');
    const existing = id === null ? undefined : this.#ledger.payments.get(id);
    if (existing) throw this.#exists(existing);
    const payment: PaymentRecord = {
      ...created,
      deviceId: device.id,
      id: id ?? this.#ids.uuid(),
      status: 'requested',
      result: {},
      createdAt: this.#clock.now() - agoMs,
      completedAt: null,
      agent: null,
      calls: {
        create: NO_CALLS,
        claim: NO_CALLS,
        result: NO_CALLS,
        cancel: NO_CALLS,
        refund: NO_CALLS,
        void: NO_CALLS,
      },
    };
    return this.#move(payment, 'create', {}, 201);
  }

  /** Over /v2: id and metadata as far as this service knows them; the ledger keeps what was sent in any case. */
  #client({ id, metadata }: OwnFields, body: unknown): Asking {
    const asked = Asked.safeParse(body).data ?? { id: null, metadata: null };
    return { id: id ?? null, metadata: metadata ?? {}, askedBy: 'client', asked, agoMs: 0 };
  }

  #backOffice(fields: BackOfficeFields): Asking {
    const metadata = this.#settings.keepsMetadata ? (fields.metadata ?? {}) : {};
    const asked = { id: null, metadata: fields.metadata ?? null };
    return { id: null, metadata, askedBy: 'back_office', asked, agoMs: fields.created_ago_ms };
  }

  #move(before: PaymentRecord, kind: Move, change: Partial<PaymentRecord>, status = 200): Answer {
    const payment = counted({ ...before, ...change }, kind, 'applied');
    this.#ledger.payments.set(payment.id, payment);
    const view = paymentView(payment, this.#settings.keepsMetadata);
    const isNamed = payment.type === 'sale' || payment.status !== 'requested';
    if (isNamed && payment.status !== 'in_progress')
      this.#events.emit(`${EVENTS[payment.type]}.${payment.status}`, view);
    return { status, body: { data: view }, call: { paymentId: payment.id, kind } };
  }

  #refused(payment: PaymentRecord, kind: Kind): Refusal {
    this.#count(payment, kind, 'refused');
    return refuse(409, 'invalid_status', `Not possible while the payment is ${payment.status}.`, {
      details: { status: payment.status },
    });
  }

  #exists(payment: PaymentRecord): Refusal {
    this.#count(payment, 'create', 'refused');
    return refuse(409, 'resource_already_exists', 'A payment with this id exists.', { param: 'id' });
  }

  #count(payment: PaymentRecord, kind: Kind, what: keyof PaymentRecord['calls'][Kind]): void {
    this.#ledger.payments.set(payment.id, counted(payment, kind, what));
  }

  #get(id: string): PaymentRecord {
    const payment = this.#ledger.payments.get(id.toLowerCase());
    if (!payment) throw notFound('terminal payment');
    return payment;
  }

  get #bodies(): Bodies {
    return this.#behaviour.now.ignores_our_id ? this.#ignoring : this.#honouring;
  }
}

function rulesOf(settings: SandboxSettings, id: 'honoured' | 'ignored'): BodyRules {
  return {
    id: settings.honoursOurId ? id : 'unknown',
    metadata: settings.keepsMetadata ? 'kept' : 'unknown',
    strict: settings.refusesUnknownFields,
  };
}

const EVENTS = { sale: 'terminal_payment', refund: 'terminal_refund', void: 'terminal_void' } as const;

function sale(fields: {
  readonly device_id: string;
  readonly amount_minor: number;
  readonly currency: string;
  readonly invoice_id?: string | null | undefined;
  readonly reference?: string | null | undefined;
}) {
  return {
    type: 'sale' as const,
    parentId: null,
    deviceId: fields.device_id,
    amountMinor: fields.amount_minor,
    currency: fields.currency,
    invoiceId: fields.invoice_id ?? null,
    reference: fields.reference ?? null,
  };
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
