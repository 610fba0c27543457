import { STATUS_CODES } from 'node:http';
import type { Dispatcher, Pool } from 'undici';
import { netError, timedOut } from './net-error.ts';

/** One request; `path` begins with `/` and is relative to the base address. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** A list becomes a repeated parameter. */
  readonly query?: Readonly<Record<string, string | readonly string[]>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent unchanged; the caller sets its `content-type`. */
  readonly body?: string;
  /** The timeout of one try, from the start to the last byte of the answer, ms; absent: the client's own. */
  readonly withinMs?: number;
  /** The client never retries it: the caller does. */
  readonly once?: boolean;
  /** True for a POST that only reads: it is retried like a GET. */
  readonly isRead?: boolean;
  readonly signal: AbortSignal;
}

/** A complete answer of any status. */
export interface HttpReply {
  readonly status: number;
  /** Names in lower case; repeated ones joined by `, `. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as UTF-8. */
  readonly text: string;
  /** The peer's `Date`, epoch ms; null when it sent none that can be parsed. */
  readonly dateMs: number | null;
}

/** Reads the body of one answer to its end. */
export type BodyReader = (response: Dispatcher.ResponseData) => Promise<string>;

const asUtf8: BodyReader = (response) => response.body.text();

/** An answer that reports a failure of the peer (5xx except 501): retried, counted by the circuit breaker, and returned to the caller in the end. */
export class PeerFailure extends Error {
  readonly reply: HttpReply;

  constructor(reply: HttpReply) {
    super(`${reply.status} ${STATUS_CODES[reply.status] ?? ''}`.trim());
    this.reply = reply;
  }
}

/**
 * Sends one request once.
 * @throws PeerFailure for 5xx except 501, the caller's reason when `signal` aborts, else an error of {@link netError}.
 */
export async function exchange(
  pool: Pool,
  request: HttpRequest,
  signal: AbortSignal,
  timeoutMs: number,
  readBody: BodyReader = asUtf8,
): Promise<HttpReply> {
  const timeout = AbortSignal.timeout(timeoutMs);
  let reply: HttpReply;
  try {
    const response = await pool.request(dispatchOptions(request, AbortSignal.any([signal, timeout])));
    reply = replyOf(response, await readBody(response));
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw timeout.aborted ? timedOut(timeoutMs) : netError(error);
  }
  if (reply.status >= 500 && reply.status !== 501) throw new PeerFailure(reply);
  return reply;
}

function dispatchOptions(request: HttpRequest, signal: AbortSignal): Dispatcher.RequestOptions {
  const query = queryOf(request.query ?? {});
  return {
    method: request.method,
    path: query === '' ? request.path : `${request.path}?${query}`,
    headers: { ...request.headers },
    body: request.body ?? null,
    signal,
  };
}

function queryOf(query: Readonly<Record<string, string | readonly string[]>>): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    (typeof value === 'string' ? [value] : value).map((one): [string, string] => [name, one]),
  );
  return new URLSearchParams(pairs).toString();
}

function replyOf(response: Dispatcher.ResponseData, text: string): HttpReply {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(response.headers)) {
    if (value !== undefined) headers[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : value;
  }
  const date = Date.parse(headers['date'] ?? '');
  return { status: response.statusCode, headers, text, dateMs: Number.isNaN(date) ? null : date };
}
