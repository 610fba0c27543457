import { type Clock, sleep } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import type { HttpClient, HttpReply, HttpRequest } from '../net/http-client.ts';
import type { Budget } from '../outbox/budget.ts';
import type { Answer, NotApplied } from '../outbox/report-port.ts';
import { answerOf, answerOfFailure } from './answer.ts';
import { HEADERS, SERVICE_VERSION } from './contract.ts';
import type { Reply } from './replies.ts';
import type { ExchangeListener } from './service-client.ts';

/** One request of a sync; `path` begins with `/` and is below `/v2`. */
export interface SyncCall<T = unknown> {
  readonly method: HttpRequest['method'];
  readonly path: string;
  readonly query?: HttpRequest['query'];
  readonly body?: unknown;
  /** The `Idempotency-Key`: with one, the HTTP client may repeat the request. */
  readonly key?: string;
  /** The schema of the contract's 2xx. */
  readonly reads: Reply<T>;
}

/** The result; `reply` null: no answer came, or nothing was sent. */
export interface SyncAnswer<T = unknown> {
  readonly answer: Answer<T>;
  readonly reply: HttpReply | null;
}

export interface SyncLineDeps {
  /** Its own, with a circuit breaker of its own: an error of a sync must not delay reports. Created at the first request. */
  readonly connect: () => HttpClient;
  readonly credential: () => string | null;
  readonly budget: Budget;
  readonly clock: Clock;
  readonly listener: ExchangeListener;
}

/** A longer wait ends the run; the next run continues at the same place. */
const MOST_WAIT_MS = 30_000;
/** A hundred records take the service longer than one payment. */
const WITHIN_MS = 30_000;

/**
 * The line of syncs to the service: with the link's key, in the link's budget, behind all requests for payments.
 * No call throws for an error of the service or the line; each rejects with the signal's reason when it is aborted.
 *
 * INVARIANTS:
 * - no request is sent without the budget's permission with the priority `sync`;
 * - no answer that it returns holds the key;
 * - the result of a sync never changes the state of the link.
 */
export class SyncLine {
  readonly #deps: SyncLineDeps;
  #http: HttpClient | null = null;
  #isClosed = false;

  constructor(deps: SyncLineDeps) {
    this.#deps = deps;
  }

  async ask<T>(call: SyncCall<T>, signal: AbortSignal): Promise<SyncAnswer<T>> {
    const used = this.#deps.credential();
    const first = await this.#once(call, used, signal);
    const now = this.#deps.credential();
    const isRolled = now !== null && now !== used;
    return first.answer.kind === 'unauthorised' && isRolled ? this.#once(call, now, signal) : first;
  }

  /** Aborts running requests; idempotent. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#http?.close();
  }

  async #once<T>(call: SyncCall<T>, credential: string | null, signal: AbortSignal): Promise<SyncAnswer<T>> {
    const { listener, budget } = this.#deps;
    if (credential === null) return { answer: NO_KEY, reply: null };
    const retryAfterMs = await this.#turn(signal);
    if (retryAfterMs > 0) return { answer: { kind: 'rate_limited', retryAfterMs }, reply: null };
    try {
      const reply = withoutKey(await this.#client().request(requestOf(call, credential, signal)), credential);
      const answer = answerOf(reply, call.reads);
      listener.answered(answer, reply, 'feed');
      if (answer.kind === 'rate_limited') budget.exhausted(answer.retryAfterMs);
      return { answer, reply };
    } catch (error) {
      if (signal.aborted || !(error instanceof AppError)) throw error;
      return { answer: answerOfFailure(error), reply: null };
    }
  }

  /** @returns 0: the request may be sent. Else the wait that it needs, ms, and the budget is unchanged. */
  async #turn(signal: AbortSignal): Promise<number> {
    const { budget, clock } = this.#deps;
    for (let waited = 0; ; ) {
      signal.throwIfAborted();
      const waitMs = budget.take('sync');
      if (waitMs === 0 || waited + waitMs > MOST_WAIT_MS) return waitMs;
      await sleep(clock, waitMs, signal, 'sync waits for its turn');
      waited += waitMs;
    }
  }

  #client(): HttpClient {
    if (this.#isClosed) throw new AppError('NET_CLOSED', 'the line of the syncs was closed');
    this.#http ??= this.#deps.connect();
    return this.#http;
  }
}

const NO_KEY: NotApplied = {
  kind: 'unauthorised',
  refusal: { status: 401, code: 'no_credential', message: 'no API key is configured; nothing was sent' },
};

function requestOf(call: SyncCall, credential: string, signal: AbortSignal): HttpRequest {
  const { method, path, query, body, key } = call;
  return {
    method,
    path,
    signal,
    withinMs: WITHIN_MS,
    ...(query === undefined ? {} : { query }),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    headers: {
      accept: 'application/json',
      [HEADERS.key]: credential,
      [HEADERS.version]: SERVICE_VERSION,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(key === undefined ? {} : { [HEADERS.idempotencyKey]: key }),
    },
  };
}

/** A peer that repeats the request in its answer must not bring the key into a record, a log or an error. */
function withoutKey(reply: HttpReply, credential: string): HttpReply {
  return { ...reply, text: reply.text.replaceAll(credential, '[credential]') };
}
