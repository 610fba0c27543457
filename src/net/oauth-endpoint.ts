import * as oauth from 'oauth4webapi';
import { AppError, messageOf } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import type { OAuthClient } from '../integration/connector.ts';
import { sourceError } from '../integration/failure/source-error.ts';
import { createHttpClient, type HttpReply } from './http-client.ts';
import { ownOrigin } from './own-origin.ts';
import { retryAfterMs } from './retry-after.ts';
import { asSourceError, withoutSecrets } from './source-failure.ts';

/** What oauth4webapi needs for a request to the token endpoint. */
export interface Asking {
  readonly server: oauth.AuthorizationServer;
  readonly who: oauth.Client;
  readonly proof: oauth.ClientAuth;
  readonly options: oauth.TokenEndpointRequestOptions;
}

export interface EndpointDeps {
  readonly client: OAuthClient;
  /** What no error may hold; `add` gets what the request shows beside. */
  readonly secrets: { all(): readonly string[]; add(text: string): void };
  readonly log: Log;
}

const LARGEST_ANSWER = 65_536;
/** Characters of a server's own words. */
const LONGEST_MESSAGE = 200;
const LINE = { requestTimeoutMs: 20_000, connections: 1, maxBodyBytes: LARGEST_ANSWER };

/** @throws SOURCE_REFUSED when the address cannot be used, or a secret would travel unencrypted over a network */
export function checkTokenAddress({ tokenUrl, id }: OAuthClient, allowPlainHttp: boolean): void {
  const { origin } = new URL(tokenUrl);
  ownOrigin({ baseUrl: origin, headers: {}, query: {}, secrets: [id] }, allowPlainHttp);
}

export function serverOf({ tokenUrl, authorizeUrl, issuer }: OAuthClient): oauth.AuthorizationServer {
  return {
    issuer: issuer || new URL(tokenUrl).origin,
    token_endpoint: tokenUrl,
    ...(authorizeUrl === '' ? {} : { authorization_endpoint: authorizeUrl }),
  };
}

/**
 * One request to the token endpoint, never repeated. `ask` makes it with oauth4webapi.
 * @throws SOURCE_UNAUTHORISED where the server refuses client, code or refresh token, SOURCE_REFUSED where it refuses the request itself,
 *   SOURCE_RATE_LIMITED, SOURCE_LINE_DOWN, SOURCE_UNAVAILABLE, SOURCE_MALFORMED (also for a redirect, which is not followed)
 */
export async function askTokenEndpoint<T>(
  deps: EndpointDeps,
  ask: (asking: Asking) => Promise<T>,
): Promise<T> {
  const { client } = deps;
  const answer: Answer = { status: 0, retryAfterMs: null };
  try {
    return await ask({
      server: serverOf(client),
      who: { client_id: client.id },
      proof: proofOf(client),
      options: {
        [oauth.customFetch]: (_url, init) => fetched(deps, init, answer),
        // The address is checked before, by the rule for every source.
        [oauth.allowInsecureRequests]: true,
      },
    });
  } catch (error) {
    throw failureOf(deps, error, answer);
  }
}

interface Answer {
  /** 0: there is none. */
  status: number;
  retryAfterMs: number | null;
}

async function fetched(
  { client, secrets, log }: EndpointDeps,
  { headers, body }: oauth.CustomFetchOptions<'POST', URLSearchParams>,
  answer: Answer,
): Promise<Response> {
  const { origin, pathname, search } = new URL(client.tokenUrl);
  const proof = headers['authorization']?.split(' ')[1];
  if (proof) secrets.add(proof);
  const http = createHttpClient({ ...LINE, baseUrl: origin, log });
  try {
    const asked = {
      method: 'POST',
      path: pathname + search,
      headers,
      body: String(body),
      once: true,
    } as const;
    // No signal stops it: its answer may be the only one that has the next refresh token.
    const reply = await http.request({ ...asked, signal: new AbortController().signal });
    const { status, text } = regular(reply);
    answer.status = status;
    answer.retryAfterMs = retryAfterMs(reply.headers['retry-after'], reply.dateMs ?? Date.now());
    const hasBody = status !== 204 && status !== 304;
    return new Response(hasBody ? text : null, { status, headers: reply.headers });
  } finally {
    await http.close();
  }
}

/**
 * What servers send beside the RFC. An error with status 200 is an error. A life of a token that is no time is left out: the token is used until it is
 * refused, and the refresh token beside it is not lost.
 */
function regular({ status, text }: Pick<HttpReply, 'status' | 'text'>): Pick<HttpReply, 'status' | 'text'> {
  const body = status === 200 ? objectIn(text) : null;
  if (body === null) return { status, text };
  if (typeof body['error'] === 'string' && body['access_token'] === undefined) return { status: 400, text };
  const { expires_in: life, ...rest } = body;
  const isTime = (typeof life === 'number' || typeof life === 'string') && Number(life) > 0;
  return { status, text: isTime ? text : JSON.stringify(rest) };
}

function objectIn(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}

function proofOf({ secret, sends }: OAuthClient): oauth.ClientAuth {
  if (secret === '') return oauth.None();
  return sends === 'basic' ? oauth.ClientSecretBasic(secret) : oauth.ClientSecretPost(secret);
}

function failureOf({ client, secrets }: EndpointDeps, error: unknown, answer: Answer): AppError {
  const { status, retryAfterMs: waitMs } = answer;
  const { origin, pathname } = new URL(client.tokenUrl);
  const where = `the authorisation server ${origin}${pathname}`;
  if (error instanceof AppError) return asSourceError(error, origin + pathname);
  // Long words of a server must not push out what is to be done.
  const message = withoutSecrets(wordsOf(error), secrets.all()).slice(0, LONGEST_MESSAGE);
  if (status === 429)
    return sourceError('SOURCE_RATE_LIMITED', `${where} limits requests`, { status, retryAfterMs: waitMs });
  if (status >= 500) return sourceError('SOURCE_UNAVAILABLE', `${where} answers ${status}`, { status });
  if (status >= 300 && status < 400)
    return sourceError('SOURCE_MALFORMED', `${where} redirects (${status}); nothing was sent there`, {
      status,
    });
  if (isRefusal(error))
    return sourceError('SOURCE_UNAUTHORISED', `${where} refuses: ${message}${afterwards(client, error)}`, {
      status,
    });
  if (status >= 400) return sourceError('SOURCE_REFUSED', `${where} refuses: ${message}`, { status });
  return sourceError('SOURCE_MALFORMED', `${where} gives an answer that is no token: ${message}`, { status });
}

/** Errors of RFC 6749 that say: this client, or what it was given, is not accepted. */
const REFUSALS = new Set(['invalid_client', 'invalid_grant', 'unauthorized_client', 'access_denied']);

function isRefusal(error: unknown): boolean {
  if (error instanceof oauth.WWWAuthenticateChallengeError) return true;
  return error instanceof oauth.ResponseBodyError && (error.status === 401 || REFUSALS.has(error.error));
}

function afterwards({ authorizeUrl }: OAuthClient, error: unknown): string {
  if (!(error instanceof oauth.ResponseBodyError && error.error === 'invalid_grant')) return '';
  const next =
    authorizeUrl === ''
      ? 'it needs a new refresh token of the provider: tillctl rotate PROVIDER --api-key-file FILE'
      : 'authorise tilld again: tillctl authorize PROVIDER --api-key-file FILE';
  return `. The authorisation was withdrawn, has ended, or an answer with its next token was lost; ${next}`;
}

function wordsOf(error: unknown): string {
  if (error instanceof oauth.ResponseBodyError)
    return [error.error, error.error_description].filter((text) => text !== undefined).join(': ');
  if (error instanceof oauth.WWWAuthenticateChallengeError) {
    const { error: code, error_description: words } = error.cause[0]?.parameters ?? {};
    return [code ?? 'this client', words].filter((text) => text !== undefined).join(': ');
  }
  return messageOf(error);
}
