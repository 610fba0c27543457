import type { Currency, Money } from '../base/money.ts';
import type { Page, PageQuery } from '../base/page.ts';
import type { ProcessMoment } from '../base/process-moment.ts';
import type { Trace } from '../base/trace.ts';
import type { Attempt, EvidenceSource } from './attempt/attempt.ts';
import type { PublicStatus, Resolution } from './attempt/state-machine.ts';
import type { Settlement } from './batch/settlement.ts';
import type { Task } from './tasks/task.ts';

/** The request of a caller for a sale. */
export interface SaleRequest {
  readonly deviceId: string;
  /** `minor` null: what is due of the invoice; then the currency may be null too, for the invoice's. */
  readonly amount: Money | { readonly minor: null; readonly currency: Currency | null };
  readonly invoiceId: string | null;
  readonly reference: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** A final attempt that a person has seen and overrides (guard "one sale, one charge"). */
  readonly after: string | null;
  /** A sale that ended without a charge, which is tried again; absent or null: it is a sale of its own. */
  readonly retryOf?: string | null;
  /** The caller: an API key's id, or `socket`. */
  readonly caller: string;
  /** The trace that the caller began. */
  readonly trace?: Trace | null;
}

/** The request of a caller for a refund. */
export interface RefundRequest {
  readonly parentId: string;
  /** Minor units of the parent's currency; null: all that is left. */
  readonly amountMinor: number | null;
  /** A final attempt that a person has seen and overrides. */
  readonly after: string | null;
  readonly caller: string;
  readonly trace?: Trace | null;
}

export interface VoidRequest {
  readonly parentId: string;
  readonly caller: string;
  readonly trace?: Trace | null;
}

/** An answer that was given under an idempotency key, byte for byte. */
export interface StoredAnswer {
  readonly fingerprint: string;
  readonly requestId: string;
  readonly status: number;
  readonly body: string;
}

/** The idempotency key of a create; its row is written in the transaction that creates the attempt. */
export interface KeyUse {
  readonly key: string;
  /** Hash of method, path and body: another request under the same key is refused. */
  readonly fingerprint: string;
  readonly requestId: string;
  /** The answer to store and to give again. */
  readonly answer: (view: AttemptView) => { readonly status: number; readonly body: string };
}

/** An attempt with related facts. */
export interface AttemptView {
  readonly attempt: Attempt;
  /** `off`: no service is configured. */
  readonly reported: 'yes' | 'pending' | 'rejected' | 'off';
  /** What the service answered to a report that it refused; null: none is refused. */
  readonly refusedBecause: string | null;
  /** The newest text of the terminal while the dialogue runs; never stored. */
  readonly progress: string | null;
  /** Whether money moved, by the newest evidence: a correction overrides the attempt's own end. */
  readonly charged: 'yes' | 'no' | 'unknown';
  /** The newest attempt that was recorded because evidence contradicted this one's end, or what this one corrected. */
  readonly correctedBy: string | null;
  /** Of a correction: the type of the payment that it corrects, directly or through other corrections. */
  readonly correctsType: Attempt['type'] | null;
  /** Given back by refunds and voids that succeeded, in minor units. */
  readonly refundedMinor: number;
  /** Refunds and voids that are open or in doubt, in minor units: the money may be going back right now. */
  readonly refundingMinor: number;
  /** The open tasks for a person. */
  readonly tasks: readonly Task[];
}

/** What this database knows of an invoice, beside an earlier copy of it. */
export interface InvoiceHere {
  /** Its sale that is open or in doubt. */
  readonly openPaymentId: string | null;
  /**
   * Minor units that were charged for it and not given back, as far as the copy cannot contain them; tips and cashback left out. Negative: the copy
   * contains a sale, and not yet what was given back of it.
   */
  readonly unseenMinor: number;
}

export interface AttemptFilter extends PageQuery {
  readonly status?: PublicStatus;
  readonly deviceId?: string;
  readonly inDoubt?: boolean;
}

/** A span of creation times by the wall clock, epoch milliseconds UTC. */
export interface CreatedSpan {
  /** Inclusive. */
  readonly createdFrom?: number;
  /** Exclusive. */
  readonly createdBefore?: number;
}

/** What a person knows of a payment that is looked for; every field that is there must fit. */
export interface AttemptSearch extends AttemptFilter, CreatedSpan {
  /** Minor units, as requested or as the terminal charged it. */
  readonly amountMinor?: number;
  /** Four digits. */
  readonly cardLast4?: string;
  /** The terminal's own running number; leading zeros do not count. */
  readonly receiptNumber?: string;
  /** Letters may be capital or small. */
  readonly reference?: string;
  readonly invoiceId?: string;
  /** The reference has this text in it, or the payment is of one of these invoices. */
  readonly part?: { readonly text: string; readonly invoiceIds: readonly string[] };
}

/** A number of payments and their sum in minor units. */
export interface PaymentSum {
  readonly count: number;
  readonly amountMinor: number;
}

/** What moved in one currency, as the terminals charged it and gave it back; corrections included. */
export interface PaymentTotals {
  readonly currency: Currency;
  readonly sales: PaymentSum;
  readonly refunds: PaymentSum;
  readonly voids: PaymentSum;
  /** Of any type: in doubt, or written off; not in the other sums. */
  readonly unknown: PaymentSum;
}

export type { PublicStatus } from './attempt/state-machine.ts';

/** A committed change, with its subject at that time. */
export interface PaymentEvent {
  /** `evt_` and a UUID v7. */
  readonly id: string;
  /** `terminal_payment.succeeded`, `terminal_refund.declined`, `settlement.created` … an open set. */
  readonly type: string;
  readonly at: number;
  readonly subject: EventSubject;
}

export type EventSubject =
  | { readonly kind: 'payment'; readonly view: AttemptView }
  | { readonly kind: 'settlement'; readonly settlement: Settlement };

export interface ProgressNote {
  readonly attemptId: string;
  readonly deviceId: string;
  readonly text: string;
  readonly at: number;
}

/** The decision of a named person about a payment in doubt, or its correction. */
export interface Decision {
  readonly as: Resolution;
  readonly by: string;
  readonly reason: string;
  /** What the terminal or its receipt showed: receipt number, authorisation code. */
  readonly shown: string;
  /** Where it was seen; absent: on the terminal that took the payment. */
  readonly source?: EvidenceSource;
  /** The charged (or refunded) amount on the receipt, in minor units; absent: as requested, or as the terminal reported. */
  readonly amountMinor?: number;
  /** True for a lead, who may say "not charged" at once after the settle time; others wait ten minutes. */
  readonly lead: boolean;
}

/** One line of an attempt's timeline. */
export interface TimelineEntry {
  readonly at: number;
  readonly kind: 'state' | 'decision' | 'frame' | 'evidence' | 'report';
  readonly text: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/**
 * Payments as the local interface and the pages see them; everything behind it has one writer.
 * Refusals are thrown as AppError and have written nothing:
 * DEVICE_UNKNOWN, PAYMENT_UNKNOWN, CURRENCY_NOT_ACCEPTED, AMOUNT_OUT_OF_RANGE, TERMINAL_NOT_READY, TERMINAL_IN_DOUBT,
 * WRONG_TERMINAL, LANE_FULL, PAYMENT_ALREADY_OPEN, PAYMENT_ALREADY_PAID, PAYMENT_RETRIED, INVOICE_UNKNOWN, INVOICE_ALREADY_PAID,
 * INVOICE_ALREADY_VOIDED, INVOICE_NOT_FINALIZED, AMOUNT_EXCEEDS_DUE, SPLIT_EXCEEDED, AMOUNT_DUE_UNKNOWN, FIELD_MISSING (the currency, where neither the caller nor the invoice
 * names one), MEMORY_LOST, STORAGE_FULL, STORAGE_FAILED, DRAINING, SHUTTING_DOWN.
 * `context.details` names the cause, `context.param` the input.
 */
export interface Payments {
  /**
   * Asks the service for its record of an invoice, within a second, for the following `create`. Returns at once without an invoice, a service or
   * a connection. Never throws.
   */
  askInvoice(invoiceId: string | null): Promise<void>;
  create(request: SaleRequest, key?: KeyUse): AttemptView;
  /**
   * Resolves once every created attempt is on disk, within 200 ms: the caller gets its answer then. The sync of the sale's dispatch covers it,
   * so that both cost one sync. @throws STORAGE_FAILED
   */
  durable(): Promise<void>;
  /**
   * Refunds money of a sale, as an attempt of its own. @throws besides what `create` lists: PAYMENT_UNKNOWN,
   * PAYMENT_NOT_REFUNDABLE (no sale, or not charged), REFUND_EXCEEDS_AMOUNT, REFUND_BLOCKED (another one is open or in doubt, or the same one
   * was made just now), OPERATION_NOT_SUPPORTED.
   */
  refund(request: RefundRequest, key?: KeyUse): AttemptView;
  /**
   * Reverses a sale of the open batch as a whole, as an attempt of its own. @throws besides what `refund` lists: VOID_NOT_POSSIBLE (already
   * partly given back, or not proved to be in the open batch: `context.details.instead` is `refund`).
   */
  void(request: VoidRequest, key?: KeyUse): AttemptView;
  storedAnswer(caller: string, key: string): StoredAnswer | null;
  /** @throws PAYMENT_UNKNOWN */
  get(id: string): AttemptView;
  /** What this database knows of an invoice beside a copy of it that began at `copied`; null: there is no whole copy, or its moment is unknown. */
  ofInvoice(invoiceId: string, copied: ProcessMoment | null): InvoiceHere;
  /** @throws CURSOR_UNKNOWN */
  list(filter: AttemptFilter): Page<AttemptView>;
  /** Like `list`; the first search of a process reads the database for it, a few hundred payments at a time. @throws CURSOR_UNKNOWN */
  search(search: AttemptSearch): Promise<Page<AttemptView>>;
  /** Sums of the payments that were created in a span, by currency; none where nothing moved. */
  totals(span: CreatedSpan): Promise<readonly PaymentTotals[]>;
  /**
   * Requests the cancellation of a payment; returns its present state. Not yet sent: cancelled. Running: the terminal is asked, and decides.
   * In doubt: only recorded. @throws PAYMENT_UNKNOWN, PAYMENT_NOT_CANCELLABLE when it is final.
   */
  cancel(id: string): AttemptView;
  /**
   * A person ends a doubt, or corrects an earlier decision of a person.
   * @throws PAYMENT_UNKNOWN, PAYMENT_NOT_IN_DOUBT, DECISION_TOO_EARLY, FIELD_MISSING
   */
  resolve(id: string, decision: Decision): AttemptView;
  /** @throws PAYMENT_UNKNOWN */
  timeline(id: string): readonly TimelineEntry[];
  /** Oldest first. @throws CURSOR_UNKNOWN when `startingAfter` or `endingBefore` names no event. */
  events(page: PageQuery): Page<PaymentEvent>;
  /** Calls the listener after each commit; the returned function ends it. */
  subscribe(listener: { event?(event: PaymentEvent): void; progress?(note: ProgressNote): void }): () => void;
}
