import { z } from 'zod';
import { AppError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import type { HttpClient, HttpReply } from '../net/http-client.ts';
import type { Answer, NotApplied, RefundOrVoid, ReportedParent } from '../outbox/report-port.ts';
import type { ReportBody } from '../outbox/reports.ts';
import { answerOf, answerOfFailure } from './answer.ts';
import {
  HEADERS,
  PATHS,
  pathOf,
  SERVICE_VERSION,
  ServiceEvent,
  type ServiceInvoice,
  type ServicePaths,
  ServicePayment,
} from './contract.ts';
import {
  claimReply,
  invoiceReply,
  listReply,
  paymentReply,
  type ReadPage,
  type Reply,
  refundOrVoidReply,
  resourceReply,
  type ShownPayment,
  saleReply,
} from './replies.ts';
import type { Access } from './service-health.ts';

/** An answer, and the service's clock at that time. */
export interface Answered<T = unknown> {
  readonly answer: Answer<T>;
  readonly dateMs: number | null;
}

/** A payment, unknown fields kept. */
export type AnsweredPayment = Answered<ShownPayment>;
/** A page of payments. */
export type AnsweredList = Answered<ReadPage<ServicePayment>>;
/** A page of events, oldest first. */
export type AnsweredEvents = Answered<ReadPage<ServiceEvent>>;

/** Which payments a list shows; absent or null: all. */
export interface PaymentFilter {
  readonly status?: string | null;
  readonly deviceIds?: readonly string[];
  /** The page behind the payment with this id. */
  readonly startingAfter?: string;
}

/** Gets every exchange, for the link's state, the service's clock and the budget. */
export interface ExchangeListener {
  answered(answer: Answer, reply: HttpReply, access: Access): void;
  failed(answer: Answer, error: AppError, access: Access): void;
  /** Nothing was sent: there is no key that may be sent. */
  withheld?(answer: Answer, access: Access): void;
}

export interface ServiceClientOptions {
  readonly http: HttpClient;
  /** Read for each request, so that a rotated key needs no restart; null: there is none. */
  readonly credential: () => string | null;
  readonly log: Log;
  readonly listener?: ExchangeListener;
  readonly paths?: Partial<ServicePaths>;
  /** `result`: for a service without `POST …/claim`, an `in_progress` result with the same key. */
  readonly claimBy?: 'claim' | 'result';
}

/**
 * The calls of the service that the agent makes, typed.
 * No call throws for an error of the service or the line; each rejects with the signal's reason when it is aborted.
 */
export class ServiceClient {
  readonly #options: ServiceClientOptions;
  readonly #paths: ServicePaths;
  /** Failed lists in a row. */
  #timeouts = 0;

  constructor(options: ServiceClientOptions) {
    this.#options = options;
    this.#paths = { ...PATHS, ...options.paths };
  }

  /** The key in use now; {@link get} and {@link getDevice} accept it, so that two answers belong to one key. */
  credential(): string | null {
    return this.#options.credential();
  }

  /** A page of 100 payments, newest first; a service may ignore or refuse the filters. */
  async listPayments(filter: PaymentFilter, signal: AbortSignal): Promise<AnsweredList> {
    const { status = null, deviceIds, startingAfter } = filter;
    const query = {
      ...(status === null ? {} : { status }),
      limit: '100',
      ...(deviceIds === undefined ? {} : { device_id: deviceIds }),
      ...(startingAfter === undefined ? {} : { starting_after: startingAfter }),
    };
    const withinMs = this.#timeouts % SLOW_POLL_EVERY === SLOW_POLL_EVERY - 1 ? SLOW_POLL_MS : POLL_MS;
    const call = { method: 'GET', path: this.#paths.payments, query, reads: PAYMENTS } as const;
    const answered = await this.#exchange({ ...call, withinMs, signal });
    this.#timeouts = answered.answer.kind === 'unavailable' ? this.#timeouts + 1 : 0;
    return answered;
  }

  /** The events after the one with this id, or from the beginning; one page of 100. A key may lack the scope for it. */
  events(startingAfter: string | null, signal: AbortSignal): Promise<AnsweredEvents> {
    const query = { limit: '100', ...(startingAfter === null ? {} : { starting_after: startingAfter }) };
    const path = this.#paths.events;
    return this.#exchange({ method: 'GET', path, query, reads: EVENTS, access: 'feed', signal });
  }

  /** Claims a requested payment for this agent. `agent` must be different for every installation. */
  claim(id: string, agent: string, key: string, signal: AbortSignal): Promise<AnsweredPayment> {
    const byResult = this.#options.claimBy === 'result';
    const path = pathOf(byResult ? this.#paths.result : this.#paths.claim, id);
    const body = byResult ? { status: 'in_progress', metadata: { tilld: { agent } } } : { agent };
    return this.#exchange({ method: 'POST', path, body, reads: claimReply(id, agent), key, signal });
  }

  /** `traceparent` names the trace of a report; a service that does not know this header ignores it. */
  create(body: ReportBody, key: string, signal: AbortSignal, traceparent?: string): Promise<AnsweredPayment> {
    const path = this.#paths.payments;
    return this.#exchange({ method: 'POST', path, body, reads: saleReply(body), key, traceparent, signal });
  }

  /** Starts a refund or a void of a payment; the answer shows the new one. */
  giveBack(
    operation: RefundOrVoid,
    { attemptId, paymentId }: ReportedParent,
    body: ReportBody,
    key: string,
    signal: AbortSignal,
    traceparent?: string,
  ): Promise<AnsweredPayment> {
    const path = pathOf(this.#paths[operation], paymentId);
    const reads = refundOrVoidReply(operation, body, [attemptId, paymentId]);
    return this.#exchange({ method: 'POST', path, body, reads, key, traceparent, signal });
  }

  result(
    id: string,
    body: ReportBody,
    key: string,
    signal: AbortSignal,
    traceparent?: string,
  ): Promise<AnsweredPayment> {
    const path = pathOf(this.#paths.result, id);
    return this.#exchange({ method: 'POST', path, body, reads: paymentReply(id), key, traceparent, signal });
  }

  get(id: string, signal: AbortSignal, credential = this.credential()): Promise<AnsweredPayment> {
    const path = pathOf(this.#paths.payment, id);
    return this.#exchange({ method: 'GET', path, reads: paymentReply(id), credential, signal });
  }

  getDevice(id: string, signal: AbortSignal, credential = this.credential()): Promise<Answered> {
    const path = pathOf(this.#paths.device, id);
    return this.#exchange({ method: 'GET', path, reads: resourceReply(id), credential, signal });
  }

  /** The current state of an invoice. A key may lack the scope for it. */
  invoice(id: string, signal: AbortSignal): Promise<Answered<ServiceInvoice>> {
    const path = pathOf(this.#paths.invoice, id);
    return this.#exchange({ method: 'GET', path, reads: invoiceReply(id), ...OF_INVOICE, signal });
  }

  /** The newest 100 payments of an invoice; a service that does not know the filter may list others, or refuse it. */
  paymentsOfInvoice(invoiceId: string, signal: AbortSignal): Promise<AnsweredList> {
    const query = { invoice_id: invoiceId, limit: '100' };
    const path = this.#paths.payments;
    return this.#exchange({ method: 'GET', path, query, reads: PAYMENTS, ...OF_INVOICE, signal });
  }

  /** A read without side effects. */
  ping(signal: AbortSignal): Promise<Answered> {
    const call = { method: 'GET', path: this.#paths.devices, query: { limit: '1' }, reads: DEVICES } as const;
    return this.#exchange({ ...call, withinMs: PING_MS, signal });
  }

  /** One call; a 401 is repeated once when the key was rotated meanwhile, unless the call requires its own key. */
  async #exchange<T>(call: Call<T>): Promise<Answered<T>> {
    const used = call.credential === undefined ? this.credential() : call.credential;
    if (used === null) {
      this.#options.listener?.withheld?.(NO_KEY, accessOf(call));
      return { answer: NO_KEY, dateMs: null };
    }
    const answered = await this.#once(call, used);
    const now = this.credential();
    if (
      answered.answer.kind !== 'unauthorised' ||
      call.credential !== undefined ||
      now === null ||
      now === used
    )
      return answered;
    return this.#once(call, now);
  }

  async #once<T>(call: Call<T>, credential: string): Promise<Answered<T>> {
    const { http, listener } = this.#options;
    const access = accessOf(call);
    try {
      const reply = await http.request(requestOf(call, credential));
      const answer = answerOf(reply, call.reads);
      listener?.answered(answer, reply, access);
      return { answer, dateMs: reply.dateMs };
    } catch (error) {
      if (call.signal.aborted || !(error instanceof AppError)) throw error;
      const answer = answerOfFailure(error);
      listener?.failed(answer, error, access);
      return { answer, dateMs: null };
    }
  }
}

/** A sale waits for it; a missing scope says nothing of the line. */
const OF_INVOICE = { withinMs: 900, access: 'feed' } as const;
/** For a ping and a poll: both are repeated within seconds, so a silent peer is not waited for longer. */
const PING_MS = 2_500;
const POLL_MS = 3_000;
/** Each fourth poll gives more time to a service that is always slow. */
const SLOW_POLL_MS = 8_000;
const SLOW_POLL_EVERY = 4;

const PAYMENTS = listReply(ServicePayment);
const EVENTS = listReply(ServiceEvent);
const DEVICES = listReply(z.unknown());

interface Call<T> {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly query?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: ReportBody;
  /** The schema of the contract's 2xx. */
  readonly reads: Reply<T>;
  readonly key?: string;
  readonly traceparent?: string | undefined;
  readonly credential?: string | null;
  /** The timeout of a read that the caller repeats; absent: the HTTP client's own. */
  readonly withinMs?: number;
  /** Absent: derived from the method. */
  readonly access?: Access;
  readonly signal: AbortSignal;
}

function accessOf({ access, method }: Call<unknown>): Access {
  return access ?? (method === 'GET' ? 'read' : 'write');
}

const NO_KEY: NotApplied = {
  kind: 'unauthorised',
  refusal: { status: 401, code: 'no_credential', message: 'no API key is configured; nothing was sent' },
};

function requestOf(
  { method, path, query, body, key, traceparent, withinMs, signal }: Call<unknown>,
  credential: string,
) {
  return {
    method,
    path,
    signal,
    ...(withinMs === undefined ? {} : { withinMs, once: true }),
    ...(query === undefined ? {} : { query }),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    headers: {
      accept: 'application/json',
      [HEADERS.key]: credential,
      [HEADERS.version]: SERVICE_VERSION,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(key === undefined ? {} : { [HEADERS.idempotencyKey]: key }),
      ...(traceparent === undefined ? {} : { traceparent }),
    },
  };
}
