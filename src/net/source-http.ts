import { AppError, hasCode } from '../base/errors.ts';
import { invariant } from '../base/invariant.ts';
import type { Log } from '../base/log.ts';
import type { Json, SourceAccess, SourceReply, SourceRequest } from '../integration/connector.ts';
import { sourceError } from '../integration/failure/source-error.ts';
import { placed } from '../integration/mapping/json-place.ts';
import {
  createHttpClient,
  type HttpClient,
  type HttpClientOptions,
  type HttpReply,
  type Retried,
} from './http-client.ts';
import type { AccessTokens } from './oauth-tokens.ts';
import { type OwnOrigin, ownOrigin } from './own-origin.ts';
import { unpackingReader } from './packed-body.ts';
import { retryAfterMs } from './retry-after.ts';
import { asSourceError, withoutSecrets } from './source-failure.ts';

/** Requests to one source: of its own origin, with its credential, bounded; what only reads is retried where that can help, any other POST never. */
export interface SourceHttp {
  /**
   * Returns the answer of any status; a 5xx only after the retries. Redirects within the origin are followed, three at most: of a GET, and those that keep the method (307, 308) of a POST that only reads.
   * @throws SOURCE_LINE_DOWN, SOURCE_UNAVAILABLE, SOURCE_MALFORMED; the signal's reason when it is aborted. No log line holds a path;
   *   none of them, and no log line, holds the credential or a query.
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
  /** Needed where the access has an authorisation server. */
  readonly tokens?: AccessTokens;
}

const LARGEST_BODY = 16 * 1024 * 1024;
const MOST_REDIRECTS = 3;
const UNAUTHORISED = 401;
const KEEPS_METHOD = [307, 308];
const REQUEST_MS = 30_000;
const LINE = { requestTimeoutMs: REQUEST_MS, connections: 2 };

/** Opens no connection before the first request. @throws SOURCE_REFUSED when the base address cannot be used */
export function createSourceHttp(options: SourceHttpOptions): SourceHttp {
  const { access, maxBodyBytes = LARGEST_BODY, allowPlainHttp = false, tokens = null, ...rest } = options;
  invariant((tokens === null) === (access.oauth === undefined), 'tokens come with their server');
  const own = ownOrigin(access, allowPlainHttp);
  const failures = new LastFailure();
  const client = createHttpClient({
    ...LINE,
    ...rest,
    onRetry: (retried) => {
      failures.note(retried);
      options.onRetry?.(retried);
    },
    baseUrl: own.origin,
    maxBodyBytes,
    readBody: unpackingReader(maxBodyBytes),
  });
  return {
    request: async (request, signal) => {
      const reply = await authorised({ client, own, access, failures, tokens }, request, signal);
      const secrets = tokens?.secrets() ?? access.secrets;
      return {
        ...reply,
        retryAfterMs: pauseOf(reply),
        withoutCredential: (text) => withoutSecrets(text, secrets),
      };
    },
    close: async () => {
      await Promise.all([tokens?.idle(), client.close()]);
    },
  };
}

interface Line {
  readonly client: HttpClient;
  readonly own: OwnOrigin;
  readonly access: SourceAccess;
  readonly failures: LastFailure;
  readonly tokens: AccessTokens | null;
}

/** An answer, and the address that gave it, without its query. */
type Found = HttpReply & { readonly url: string };

/**
 * What the source last failed with. Why: while the circuit breaker is open no request is sent, and its own error says nothing of the cause; so the
 * failure that opened it is reported again.
 */
class LastFailure {
  #last: Retried | null = null;

  note(failure: Retried): void {
    if (!('error' in failure) || failure.error.code !== 'NET_BREAKER_OPEN') this.#last = failure;
  }

  /** The answer that opened the breaker. @throws the error of the connection that did; `error` where none is known */
  insteadOf(error: unknown): HttpReply {
    if (!hasCode(error, 'NET_BREAKER_OPEN') || this.#last === null) throw error;
    if ('error' in this.#last) throw this.#last.error;
    return this.#last.reply;
  }
}

/**
 * With a token of the authorisation server, where there is one. A token that the source refuses is renewed once, and the request sent again; also a POST,
 * for what was refused was not done.
 */
async function authorised(line: Line, request: SourceRequest, signal: AbortSignal): Promise<Found> {
  const { tokens, access } = line;
  if (tokens === null) return masked(await followed(line, request, signal), access.secrets);
  const token = await tokens.current(signal);
  const reply = await followed(line, withToken(request, token), signal);
  if (reply.status !== UNAUTHORISED) return masked(reply, tokens.secrets());
  const renewed = await tokens.renewed(token, signal);
  return masked(await followed(line, withToken(request, renewed), signal), tokens.secrets());
}

function withToken(request: SourceRequest, token: string): SourceRequest {
  return { ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } };
}

async function followed(line: Line, request: SourceRequest, signal: AbortSignal): Promise<Found> {
  const { own } = line;
  let url = own.urlOf(request);
  for (let redirects = 0; ; redirects += 1) {
    const reply = await once(line, url, request, signal);
    if (!isRedirect(reply.status)) return reply;
    if (isPost(request) && !(request.isRead && KEEPS_METHOD.includes(reply.status)))
      throw sourceError(
        'SOURCE_MALFORMED',
        `the source redirects a POST (status ${reply.status}): it is not sent twice`,
      );
    if (redirects === MOST_REDIRECTS)
      throw sourceError('SOURCE_MALFORMED', 'the source redirects without end');
    url = own.redirected(url, reply.headers['location']);
  }
}

async function once(
  { client, access, failures, tokens }: Line,
  url: URL,
  request: SourceRequest,
  signal: AbortSignal,
): Promise<Found> {
  const asked = new URL(url);
  for (const [name, value] of Object.entries(access.query)) asked.searchParams.set(name, value);
  const headers = {
    accept: 'application/json',
    ...lowerCase(request.headers ?? {}),
    ...lowerCase(access.headers),
    'accept-encoding': 'gzip',
  };
  const path = asked.pathname + asked.search;
  const shown = withoutSecrets(url.origin + url.pathname, tokens?.secrets() ?? access.secrets);
  try {
    const posted = postedOf(request, access);
    const asking = {
      method: posted === null ? 'GET' : 'POST',
      path,
      headers: posted === null ? headers : { ...headers, 'content-type': posted.type },
      ...(posted === null ? {} : { body: posted.text, isRead: request.isRead ?? false }),
      signal,
    } as const;
    const reply = await client.request(asking).catch((error: unknown) => failures.insteadOf(error));
    if (reply.status >= 500) failures.note({ reply });
    return { ...reply, url: shown };
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (error instanceof AppError) failures.note({ error });
    throw asSourceError(error, shown);
  }
}

function isPost({ body, form }: SourceRequest): boolean {
  return body !== undefined || form !== undefined;
}

/** The body as it is sent, with the credential where the source reads it there; null: there is none. */
function postedOf(
  { body, form }: SourceRequest,
  access: SourceAccess,
): { readonly type: string; readonly text: string } | null {
  const own = Object.entries(access.body ?? {});
  if (body !== undefined) {
    const whole = own.reduce<Json>((tree, [place, value]) => placed(tree, place, value), body);
    return { type: 'application/json', text: JSON.stringify(whole) };
  }
  if (form === undefined) return null;
  const fields = new URLSearchParams();
  for (const [name, values] of Object.entries({ ...form, ...access.body }))
    for (const value of [values].flat()) fields.append(name, value);
  return { type: 'application/x-www-form-urlencoded', text: String(fields) };
}

function isRedirect(status: number): boolean {
  return [301, 302, 303, 307, 308].includes(status);
}

/** An answer that reports a failure may repeat the request; an answer with data stays unchanged. */
function masked<Reply extends HttpReply>(reply: Reply, secrets: readonly string[]): Reply {
  return reply.status < 400 ? reply : { ...reply, text: withoutSecrets(reply.text, secrets) };
}

function pauseOf({ headers, dateMs }: HttpReply): number | null {
  return retryAfterMs(headers['retry-after'], dateMs ?? Date.now());
}

function lowerCase(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
