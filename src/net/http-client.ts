import { setTimeout as wait } from 'node:timers/promises';
import pRetry, { type RetryContext } from 'p-retry';
import { Pool } from 'undici';
import { AppError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import {
  type Breaker,
  type BreakerPolicy,
  CallerGaveUp,
  createBreaker,
  isOfBreaker,
} from './circuit-breaker.ts';
import { type BodyReader, exchange, type HttpReply, type HttpRequest, PeerFailure } from './exchange.ts';
import { breakerOpen, netError, type Reached, reachedOf } from './net-error.ts';
import { retryAfterMs } from './retry-after.ts';

export type { HttpReply, HttpRequest } from './exchange.ts';

/** The only HTTP client: one peer, bounded bodies, timeouts, retries and a circuit breaker. */
export interface HttpClient {
  /**
   * Returns the peer's answer of any status; a 5xx only after the retries.
   * GETs, POSTs that only read and requests with an `Idempotency-Key` are retried on 500, 502, 503, 504 and failed connections.
   * @throws NET_UNREACHABLE, NET_NAME_RESOLUTION, NET_TIMEOUT, NET_BREAKER_OPEN, NET_BODY_TOO_LARGE, NET_BODY_UNREADABLE:
   *   `context.reached` is `no` only when none of the tries can have reached the peer.
   * @throws the signal's reason when it is aborted: the request may have reached the peer.
   */
  request(request: HttpRequest): Promise<HttpReply>;
  /** Aborts running requests; idempotent. */
  close(): Promise<void>;
}

/** A failed try before a retry. */
export type Retried = { readonly reply: HttpReply } | { readonly error: AppError };

export interface HttpClientOptions {
  /** Scheme, host and path prefix: `https://api.example/v2`. */
  readonly baseUrl: string;
  readonly log: Log;
  readonly connectTimeoutMs?: number;
  /** From the start of one try to the last byte of its answer. */
  readonly requestTimeoutMs?: number;
  readonly maxBodyBytes?: number;
  /** Absent: the body is UTF-8 and not compressed. */
  readonly readBody?: BodyReader;
  readonly connections?: number;
  readonly retry?: Partial<RetryPolicy>;
  readonly breaker?: Partial<BreakerPolicy>;
  /** Gets every failed try before a retry: it cost budget, too, and shows the state of the line. */
  readonly onRetry?: (retried: Retried) => void;
}

/** `retries` after the first try; waits grow from `minDelayMs` by `factor` times a random 1–2; no new try after `maxTimeMs`. */
export interface RetryPolicy {
  readonly retries: number;
  readonly minDelayMs: number;
  readonly maxDelayMs: number;
  readonly factor: number;
  readonly maxTimeMs: number;
}

const RETRY: RetryPolicy = { retries: 3, minDelayMs: 500, maxDelayMs: 5_000, factor: 2, maxTimeMs: 25_000 };

/** Opens no connection before the first request. @throws NET_ADDRESS_INVALID when `baseUrl` is not an http(s) address. */
export function createHttpClient(options: HttpClientOptions): HttpClient {
  const base = parseBase(options.baseUrl);
  const pool = createPool(base.origin, options);
  const closing = new AbortController();
  const breaker = createBreaker(tryOf(pool, options), options.breaker, options.log);
  const policy = { ...RETRY, ...options.retry };

  return {
    request: (request) => {
      const signal = AbortSignal.any([request.signal, closing.signal]);
      return requestWithRetries(
        { ...request, path: base.prefix + request.path, signal },
        breaker,
        policy,
        options,
      );
    },
    close: async () => {
      if (closing.signal.aborted) return;
      closing.abort(new AppError('NET_CLOSED', 'the HTTP client was closed'));
      breaker.shutdown();
      await pool.destroy();
    },
  };
}

function createPool(origin: string, options: HttpClientOptions): Pool {
  const { connections = 6, connectTimeoutMs = 3_000, maxBodyBytes = 1_048_576 } = options;
  return new Pool(origin, {
    connections,
    connect: { timeout: connectTimeoutMs },
    maxResponseSize: maxBodyBytes,
    allowH2: false,
  });
}

/** Records over all tries of one call whether any of them can have reached the peer. */
async function requestWithRetries(
  request: HttpRequest,
  breaker: Breaker,
  policy: RetryPolicy,
  options: HttpClientOptions,
): Promise<HttpReply> {
  const endsAt = performance.now() + policy.maxTimeMs;
  let reached: Reached = 'no';
  const single = async () => {
    try {
      return await breaker.fire(request);
    } catch (error) {
      const failure = failureOf(error);
      if (reachedOf(failure) !== 'no') reached = 'unknown';
      throw failure;
    }
  };
  try {
    return await pRetry(single, {
      retries: isRepeatable(request) ? policy.retries : 0,
      minTimeout: policy.minDelayMs,
      maxTimeout: policy.maxDelayMs,
      factor: policy.factor,
      maxRetryTime: policy.maxTimeMs,
      randomize: true,
      signal: request.signal,
      shouldRetry: async (context) => {
        const pauseMs = pauseBefore(context);
        if (!mayRepeat(context) || performance.now() + pauseMs > endsAt) return false;
        options.onRetry?.(retriedOf(context.error));
        if (pauseMs > context.retryDelay) {
          await wait(pauseMs - context.retryDelay, undefined, { signal: request.signal });
        }
        return true;
      },
    });
  } catch (error) {
    if (request.signal.aborted) throw request.signal.reason;
    if (error instanceof PeerFailure) return error.reply;
    throw withReached(error, reached);
  }
}

/** One try, which only its caller or its timeout ends early. */
function tryOf(pool: Pool, options: HttpClientOptions): (request: HttpRequest) => Promise<HttpReply> {
  const timeoutMs = options.requestTimeoutMs ?? 8_000;
  return async (request) => {
    try {
      const withinMs = request.withinMs ?? timeoutMs;
      return await exchange(pool, request, request.signal, withinMs, options.readBody);
    } catch (error) {
      throw request.signal.aborted ? new CallerGaveUp() : error;
    }
  };
}

function failureOf(error: unknown): Error {
  if (error instanceof PeerFailure || error instanceof CallerGaveUp) return error;
  if (isOfBreaker(error)) return breakerOpen();
  return netError(error);
}

/** A retry only does harm where the peer cannot distinguish it from a second request. */
function isRepeatable(request: HttpRequest): boolean {
  if (request.once) return false;
  if (request.method === 'GET' || request.isRead) return true;
  return Object.keys(request.headers ?? {}).some((name) => name.toLowerCase() === 'idempotency-key');
}

function mayRepeat({ error }: RetryContext): boolean {
  if (error instanceof PeerFailure) return [500, 502, 503, 504].includes(error.reply.status);
  return (
    error instanceof AppError &&
    ['NET_UNREACHABLE', 'NET_NAME_RESOLUTION', 'NET_TIMEOUT'].includes(error.code)
  );
}

function pauseBefore({ error, retryDelay }: RetryContext): number {
  const asked =
    error instanceof PeerFailure ? retryAfterMs(error.reply.headers['retry-after'], Date.now()) : null;
  return Math.max(asked ?? 0, retryDelay);
}

function retriedOf(error: Error): Retried {
  return error instanceof PeerFailure ? { reply: error.reply } : { error: netError(error) };
}

function withReached(error: unknown, reached: Reached): AppError {
  const failure = netError(error);
  if (reachedOf(failure) === reached) return failure;
  const { code, message, retry, context, cause } = failure;
  return new AppError(code, message, { retry, context: { ...context, reached }, cause });
}

function parseBase(text: string): { readonly origin: string; readonly prefix: string } {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (
    !url ||
    !/^https?:$/.test(url.protocol) ||
    url.username !== '' ||
    url.search !== '' ||
    url.hash !== ''
  ) {
    throw new AppError(
      'NET_ADDRESS_INVALID',
      `"${text}" is not an http or https address without user, query and fragment`,
    );
  }
  return { origin: url.origin, prefix: url.pathname.replace(/\/+$/, '') };
}
