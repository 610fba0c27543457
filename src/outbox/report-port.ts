import type { Operation } from './ports.ts';
import type { ReportBody } from './reports.ts';

/** A payment as the service shows it, as far as reporting needs it. `status` is an open set. */
export interface PaymentAtService {
  readonly id: string;
  readonly status: string;
  readonly authCode: string | null;
}

/**
 * Why there is no usable answer: no route to the peer, no name, a peer that fails, or a peer that is not the service: the sign-in page of a
 * network (`captive_portal`), another host or a proxy (`wrong_host`).
 */
export type Trouble = 'line' | 'name_resolution' | 'service' | 'captive_portal' | 'wrong_host';

/** The service's answer to a request, in any wording. `value`: the requested data in the requested shape. */
export type Answer<T = unknown> = { readonly kind: 'applied'; readonly value: T } | NotApplied;

/** Every answer but a 2xx of the service. */
export type NotApplied =
  /** The first request with this key is still running there. */
  | { readonly kind: 'conflict_in_progress'; readonly retryAfterMs: number | null }
  /** The key was used with another request: a bug of tilld, or another agent's claim. */
  | { readonly kind: 'key_mismatch'; readonly refusal: Refusal }
  | { readonly kind: 'already_exists'; readonly refusal: Refusal }
  | { readonly kind: 'not_found'; readonly refusal: Refusal }
  /** A final refusal of another kind; repeating it cannot help. */
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | { readonly kind: 'unauthorised'; readonly refusal: Refusal }
  | { readonly kind: 'forbidden'; readonly refusal: Refusal }
  | { readonly kind: 'rate_limited'; readonly retryAfterMs: number | null }
  /** 5xx, an answer that is not the service's, or none at all. `reached: no` is proof that the request never left. */
  | {
      readonly kind: 'unavailable';
      readonly trouble: Trouble;
      readonly reached: 'no' | 'unknown';
      readonly retryAfterMs: number | null;
      readonly words: string;
    };

export interface Refusal {
  readonly status: number;
  /** The service's code; null where the body has none. Open set. */
  readonly code: string | null;
  readonly message: string;
}

/** What the service shows of a payment that is looked up before it is sent again. */
export type LookUp =
  | { readonly kind: 'found'; readonly payment: PaymentAtService }
  /** 404, while a resource known to exist is visible with the same key: the payment does not exist there. */
  | { readonly kind: 'absent' }
  /** 404, and nothing that must exist is visible either: this key proves nothing. */
  | { readonly kind: 'hidden' }
  | { readonly kind: 'no_answer'; readonly answer: NotApplied };

/**
 * The connection to the service for reports. No method throws for what the service or the line does; all reject with the signal's reason when
 * it is aborted. `traceparent` is the header that names the trace of a report. One call costs one request of the budget, unless it says
 * otherwise.
 */
export interface ReportPort {
  create(
    body: ReportBody,
    key: string,
    signal: AbortSignal,
    traceparent: string,
  ): Promise<Answer<PaymentAtService>>;
  /** Reports a refund or a void below its sale; the answer shows the new payment, never the sale. */
  giveBack(
    operation: RefundOrVoid,
    parent: ReportedParent,
    body: ReportBody,
    key: string,
    signal: AbortSignal,
    traceparent: string,
  ): Promise<Answer<PaymentAtService>>;
  /** `paymentId`: the service's own id of the payment. */
  result(
    paymentId: string,
    body: ReportBody,
    key: string,
    signal: AbortSignal,
    traceparent: string,
  ): Promise<Answer<PaymentAtService>>;
  /** Further requests that a 404 needs are taken from the budget by the port. */
  lookUp(paymentId: string, signal: AbortSignal): Promise<LookUp>;
  /** A harmless read: shows that the service answers, and its clock. */
  ping(signal: AbortSignal): Promise<Answer>;
}

export type RefundOrVoid = Exclude<Operation, 'sale'>;

/** A sale under both its ids. */
export interface ReportedParent {
  readonly attemptId: string;
  /** The service's own id of it. */
  readonly paymentId: string;
}

/** The service's own clock, learned from its answers: epoch ms, or null before the first. */
export interface ServiceTime {
  now(): number | null;
}
