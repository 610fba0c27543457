import type { z } from 'zod';
import { AppError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import type { HttpClient, HttpReply } from '../net/http-client.ts';
import type { Answer, GivingBack } from '../outbox/report-port.ts';
import type { ReportBody } from '../outbox/reports.ts';
import { answerOf, answerOfFailure, jsonOf } from './answer.ts';
import {
  HEADERS,
  ListReply,
  PATHS,
  PaymentReply,
  pathOf,
  SERVICE_VERSION,
  ServiceEvent,
  type ServicePaths,
  ServicePayment,
} from './contract.ts';
import type { Access } from './link-state.ts';

/** An answer, and the service's clock when it was given. */
export interface Answered {
  readonly answer: Answer;
  readonly dateMs: number | null;
}

/** A payment in an answer, unknown fields kept; null when the answer shows none. */
export interface AnsweredPayment extends Answered {
  readonly payment: ServicePayment | null;
}

/** Payments that could be read; `unreadable` counts those that could not. */
export interface AnsweredList extends Answered {
  readonly payments: readonly ServicePayment[];
  readonly unreadable: number;
  readonly hasMore: boolean;
}

/** A page of events, oldest first; `unreadable` counts those that could not be read. */
export interface AnsweredEvents extends Answered {
  readonly events: readonly ServiceEvent[];
  readonly unreadable: number;
  readonly hasMore: boolean;
}

/** Hears of every exchange, for the link's state, the service's clock and the budget. */
export interface ExchangeListener {
  answered(answer: Answer, reply: HttpReply, access: Access): void;
  failed(answer: Answer, error: AppError, access: Access): void;
  /** Nothing was sent: there is no key that may be. */
  withheld?(answer: Answer, access: Access): void;
}

export interface ServiceClientOptions {
  readonly http: HttpClient;
  /** Read for each request, so that a rolled key needs no restart; null: there is none. */
  readonly credential: () => string | null;
  readonly log: Log;
  readonly listener?: ExchangeListener;
  readonly paths?: Partial<ServicePaths>;
  /** `result`: for a service without `POST …/claim`, an `in_progress` result with the same key. */
  readonly claimBy?: 'claim' | 'result';
}

/**
 * The calls of the service that the agent makes, typed.
 * No call throws for what the service or the line does; each rejects with the signal's reason when it is aborted.
 */
export class ServiceClient {
  readonly #options: ServiceClientOptions;
  readonly #paths: ServicePaths;
  #warnedOfVersion = false;
  /** Lists in a row that came to nothing. */
  #timeouts = 0;

  constructor(options: ServiceClientOptions) {
    this.#options = options;
    this.#paths = { ...PATHS, ...options.paths };
  }

  /** The key in use now; {@link get} and {@link getDevice} take it back, so that two answers are of one key. */
  credential(): string | null {
    return this.#options.credential();
  }

  /** Payments that wait for one of these devices, one page of 100 for all of them. */
  listRequested(deviceIds: readonly string[], signal: AbortSignal): Promise<AnsweredList> {
    return this.#list('requested', deviceIds, signal);
  }

  /** The 100 newest payments of these devices, whatever became of them. */
  listNewest(deviceIds: readonly string[], signal: AbortSignal): Promise<AnsweredList> {
    return this.#list(null, deviceIds, signal);
  }

  /** The 100 newest payments of these devices that were cancelled. */
  listCancelled(deviceIds: readonly string[], signal: AbortSignal): Promise<AnsweredList> {
    return this.#list('cancelled', deviceIds, signal);
  }

  /** What happened after the event with this id, or from the beginning; one page of 100. A key may lack the scope for it. */
  async events(startingAfter: string | null, signal: AbortSignal): Promise<AnsweredEvents> {
    const query = { limit: '100', ...(startingAfter === null ? {} : { starting_after: startingAfter }) };
    const call: Call = { method: 'GET', path: this.#paths.events, query, access: 'feed', signal };
    const { body, ...answered } = await this.#exchange(call);
    const { items, ...page } = pageOf(body, answered.answer, ServiceEvent);
    return { ...answered, ...page, events: items };
  }

  /** Takes a requested payment for this agent. `agent` must be different for every installation. */
  claim(id: string, agent: string, key: string, signal: AbortSignal): Promise<AnsweredPayment> {
    const byResult = this.#options.claimBy === 'result';
    const path = pathOf(byResult ? this.#paths.result : this.#paths.claim, id);
    const body = byResult ? { status: 'in_progress', metadata: { tilld: { agent } } } : { agent };
    return this.#payment({ method: 'POST', path, body, key, signal });
  }

  /** `traceparent` says in whose trace a report stands; a service that knows no such header passes over it. */
  create(body: ReportBody, key: string, signal: AbortSignal, traceparent?: string): Promise<AnsweredPayment> {
    return this.#payment({ method: 'POST', path: this.#paths.payments, body, key, traceparent, signal });
  }

  /** Starts a refund or a void of a payment; the answer shows the new one. */
  giveBack(
    operation: GivingBack,
    id: string,
    body: ReportBody,
    key: string,
    signal: AbortSignal,
    traceparent?: string,
  ): Promise<AnsweredPayment> {
    const path = pathOf(this.#paths[operation], id);
    return this.#payment({ method: 'POST', path, body, key, traceparent, signal });
  }

  result(
    id: string,
    body: ReportBody,
    key: string,
    signal: AbortSignal,
    traceparent?: string,
  ): Promise<AnsweredPayment> {
    const path = pathOf(this.#paths.result, id);
    return this.#payment({ method: 'POST', path, body, key, traceparent, signal });
  }

  get(id: string, signal: AbortSignal, credential = this.credential()): Promise<AnsweredPayment> {
    return this.#payment({ method: 'GET', path: pathOf(this.#paths.payment, id), credential, signal });
  }

  getDevice(id: string, signal: AbortSignal, credential = this.credential()): Promise<Answered> {
    return this.#exchange({ method: 'GET', path: pathOf(this.#paths.device, id), credential, signal });
  }

  /** A harmless read. */
  ping(signal: AbortSignal): Promise<Answered> {
    const query = { limit: '1' };
    return this.#exchange({ method: 'GET', path: this.#paths.devices, query, withinMs: PING_MS, signal });
  }

  async #list(
    status: string | null,
    deviceIds: readonly string[],
    signal: AbortSignal,
  ): Promise<AnsweredList> {
    const query = { ...(status === null ? {} : { status }), limit: '100', device_id: deviceIds };
    const withinMs = this.#timeouts % PATIENT_EVERY === PATIENT_EVERY - 1 ? PATIENT_MS : POLL_MS;
    const call: Call = { method: 'GET', path: this.#paths.payments, query, withinMs, signal };
    const { body, ...answered } = await this.#exchange(call);
    this.#timeouts = answered.answer.kind === 'unavailable' ? this.#timeouts + 1 : 0;
    const { items, ...page } = pageOf(body, answered.answer, ServicePayment);
    return { ...answered, ...page, payments: items };
  }

  async #payment(call: Call): Promise<AnsweredPayment> {
    const { body, ...answered } = await this.#exchange(call);
    const parsed = answered.answer.kind === 'applied' ? PaymentReply.safeParse(body) : null;
    return { ...answered, payment: parsed?.success ? parsed.data.data : null };
  }

  /** One call; a 401 is asked once more when the key was rolled meanwhile, unless the call insists on its key. */
  async #exchange(call: Call): Promise<Answered & { readonly body: unknown }> {
    const used = call.credential === undefined ? this.credential() : call.credential;
    if (used === null) {
      this.#options.listener?.withheld?.(NO_KEY, accessOf(call));
      return { answer: NO_KEY, dateMs: null, body: undefined };
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

  async #once(call: Call, credential: string): Promise<Answered & { readonly body: unknown }> {
    const { http, listener } = this.#options;
    const access = accessOf(call);
    try {
      const reply = await http.request(requestOf(call, credential));
      const body = jsonOf(reply.text);
      const answer = answerOf(reply, body);
      this.#warnOfVersion(reply);
      listener?.answered(answer, reply, access);
      return { answer, dateMs: reply.dateMs, body };
    } catch (error) {
      if (call.signal.aborted || !(error instanceof AppError)) throw error;
      const answer = answerOfFailure(error);
      listener?.failed(answer, error, access);
      return { answer, dateMs: null, body: undefined };
    }
  }

  #warnOfVersion(reply: HttpReply): void {
    const {
      [HEADERS.deprecation]: deprecation,
      [HEADERS.sunset]: sunset,
      [HEADERS.version]: version,
    } = reply.headers;
    if (this.#warnedOfVersion || (deprecation === undefined && sunset === undefined)) return;
    this.#warnedOfVersion = true;
    this.#options.log.warn({ version, deprecation, sunset }, 'the service will stop serving this version');
  }
}

/** A sign of life, and a poll: asked again within seconds, so a silent peer is not waited for longer. */
const PING_MS = 2_500;
const POLL_MS = 3_000;
/** A service that is always slower than that is given time by each fourth poll. */
const PATIENT_MS = 8_000;
const PATIENT_EVERY = 4;

interface Call {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly query?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: ReportBody;
  readonly key?: string;
  readonly traceparent?: string | undefined;
  readonly credential?: string | null;
  /** A read that the caller repeats by himself, given up after this long; absent: as the HTTP client thinks fit. */
  readonly withinMs?: number;
  /** Absent: what the method says. */
  readonly access?: Access;
  readonly signal: AbortSignal;
}

function accessOf({ access, method }: Call): Access {
  return access ?? (method === 'GET' ? 'read' : 'write');
}

const NO_KEY: Answer = {
  kind: 'unauthorised',
  refusal: { status: 401, code: 'no_credential', message: 'no API key is configured; nothing was sent' },
};

function requestOf(
  { method, path, query, body, key, traceparent, withinMs, signal }: Call,
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

interface ReadPage<T> {
  readonly items: readonly T[];
  readonly unreadable: number;
  readonly hasMore: boolean;
}

function pageOf<T extends z.ZodType>(body: unknown, answer: Answer, schema: T): ReadPage<z.infer<T>> {
  const list = answer.kind === 'applied' ? ListReply.safeParse(body) : null;
  if (!list?.success) return { items: [], unreadable: 0, hasMore: false };
  const parsed = list.data.data.map((item) => schema.safeParse(item));
  const items = parsed.flatMap((item) => (item.success ? [item.data] : []));
  const hasMore = list.data.has_more ?? list.data.pagination?.hasMore ?? false;
  return { items, unreadable: parsed.length - items.length, hasMore };
}
