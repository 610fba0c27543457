import { AppError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import type { SourceAccess, SourceReply, SourceRequest } from '../integration/connector.ts';
import { sourceError } from '../integration/source-error.ts';
import { createHttpClient, type HttpClient, type HttpClientOptions, type HttpReply } from './http-client.ts';
import { type OwnOrigin, ownOrigin } from './own-origin.ts';
import { unpackingReader } from './packed-body.ts';
import { retryAfterMs } from './retry-after.ts';

/** Requests to one source: of its own origin, with its credential, bounded; GETs are retried where that can help, a POST never. */
export interface SourceHttp {
  /**
   * Returns the answer of any status; a 5xx only after the retries. Redirects of a GET within the origin are followed, three at most.
   * @throws SOURCE_LINE_DOWN, SOURCE_UNAVAILABLE, SOURCE_MALFORMED; the signal's reason when it is aborted. None of them, and no log line,
   *   holds the credential, a path or a query.
   */
  request(request: SourceRequest, signal: AbortSignal): Promise<SourceReply>;
  /** Aborts running requests; idempotent. */
  close(): Promise<void>;
}

export interface SourceHttpOptions
  extends Pick<
    HttpClientOptions,
    'log' | 'connectTimeoutMs' | 'requestTimeoutMs' | 'retry' | 'breaker' | 'onRetry'
  > {
  readonly log: Log;
  readonly access: SourceAccess;
  /** Limit of one answer after unpacking; default 16 MiB. */
  readonly maxBodyBytes?: number;
  /** True where a credential may be sent unencrypted to a machine of the shop's own network. */
  readonly allowPlainHttp?: boolean;
}

const LARGEST_BODY = 16 * 1024 * 1024;
const MOST_REDIRECTS = 3;
const REQUEST_MS = 30_000;
const LINE = { requestTimeoutMs: REQUEST_MS, connections: 2 };

/** Opens no connection before the first request. @throws SOURCE_REFUSED when the base address cannot be used */
export function createSourceHttp(options: SourceHttpOptions): SourceHttp {
  const { access, maxBodyBytes = LARGEST_BODY, allowPlainHttp = false, ...rest } = options;
  const own = ownOrigin(access, allowPlainHttp);
  const client = createHttpClient({
    ...LINE,
    ...rest,
    baseUrl: own.origin,
    maxBodyBytes,
    readBody: unpackingReader(maxBodyBytes),
  });
  return {
    request: async (request, signal) => {
      const reply = await followed(client, own, access, request, signal);
      return { ...withoutSecrets(reply, access), retryAfterMs: pauseOf(reply) };
    },
    close: () => client.close(),
  };
}

async function followed(
  client: HttpClient,
  own: OwnOrigin,
  access: SourceAccess,
  request: SourceRequest,
  signal: AbortSignal,
): Promise<HttpReply> {
  let url = own.urlOf(request);
  for (let redirects = 0; ; redirects += 1) {
    const reply = await once(client, url, access, request, signal);
    if (!isRedirect(reply.status)) return reply;
    if (request.body)
      throw sourceError('SOURCE_MALFORMED', 'the source redirects a request that must not be sent twice');
    if (redirects === MOST_REDIRECTS)
      throw sourceError('SOURCE_MALFORMED', 'the source redirects without end');
    url = own.redirected(url, reply.headers['location']);
  }
}

async function once(
  client: HttpClient,
  url: URL,
  access: SourceAccess,
  request: SourceRequest,
  signal: AbortSignal,
): Promise<HttpReply> {
  const asked = new URL(url);
  for (const [name, value] of Object.entries(access.query)) asked.searchParams.set(name, value);
  const headers = {
    accept: 'application/json',
    ...lowerCase(request.headers ?? {}),
    ...lowerCase(access.headers),
    'accept-encoding': 'gzip',
  };
  const path = asked.pathname + asked.search;
  try {
    if (!request.body) return await client.request({ method: 'GET', path, headers, signal });
    const body = JSON.stringify(request.body);
    const typed = { ...headers, 'content-type': 'application/json' };
    return await client.request({ method: 'POST', path, headers: typed, body, signal });
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw asSourceError(error);
  }
}

/** The system's codes for "this machine has no route". */
const NO_WAY_OUT = new Set(['ENETUNREACH', 'EHOSTUNREACH', 'ENETDOWN', 'EADDRNOTAVAIL']);

/** Errors of this folder as the engine's codes. Their texts name the system's cause, never the request. */
function asSourceError(error: unknown): AppError {
  if (!(error instanceof AppError)) {
    return sourceError('SOURCE_UNAVAILABLE', 'the request could not be made: something in it cannot be sent');
  }
  const { code, context, message } = error;
  if (code === 'NET_NAME_RESOLUTION') {
    return sourceError('SOURCE_LINE_DOWN', `the source's name was not found: ${message}`);
  }
  if (code === 'NET_BODY_TOO_LARGE' || code === 'NET_BODY_UNREADABLE')
    return sourceError('SOURCE_MALFORMED', message);
  if (code === 'NET_UNREACHABLE' && NO_WAY_OUT.has(String(context['cause']))) {
    return sourceError('SOURCE_LINE_DOWN', `there is no way to the source: ${message}`);
  }
  return sourceError('SOURCE_UNAVAILABLE', message);
}

function isRedirect(status: number): boolean {
  return [301, 302, 303, 307, 308].includes(status);
}

/** An answer that reports a failure may repeat the request; an answer with data stays unchanged. */
function withoutSecrets(reply: HttpReply, { secrets }: SourceAccess): HttpReply {
  if (reply.status < 400) return reply;
  const text = secrets
    .filter((secret) => secret.length > 0)
    .reduce((words, secret) => words.replaceAll(secret, '[credential]'), reply.text);
  return { ...reply, text };
}

function pauseOf({ headers, dateMs }: HttpReply): number | null {
  return retryAfterMs(headers['retry-after'], dateMs ?? Date.now());
}

function lowerCase(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
