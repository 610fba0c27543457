import * as oauth from 'oauth4webapi';
import { AppError, messageOf } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import type { OAuthClient, OAuthTokens } from '../integration/connector.ts';
import { sourceError } from '../integration/source-error.ts';
import { createHttpClient } from './http-client.ts';
import { ownOrigin } from './own-origin.ts';
import { retryAfterMs } from './retry-after.ts';
import { asSourceError, withoutSecrets } from './source-failure.ts';

/** The tokens of one client. All its lines share one: a refresh token may be good for one refresh only. */
export interface AccessTokens {
  /** A token that is valid for a while. @throws SOURCE_*, see {@link createAccessTokens} */
  current(signal: AbortSignal): Promise<string>;
  /** Another token than the one that the source refused. @throws SOURCE_* */
  renewed(refused: string, signal: AbortSignal): Promise<string>;
  /** Everything that no log line and no error may hold. */
  secrets(): readonly string[];
  /** When no refresh is under way: its answer may be the only one that has the next refresh token. */
  idle(): Promise<void>;
}

/** Where the tokens of one client are kept, sealed. */
export interface TokenStore {
  /** Null: there are none. @throws SEAL_BROKEN, SEAL_KEY_UNUSABLE */
  read(): OAuthTokens | null;
  /** @throws STORAGE_FULL, STORAGE_FAILED */
  keep(tokens: OAuthTokens): void;
}

export interface AccessTokensOptions {
  readonly client: OAuthClient;
  /** The secret texts of the credential. */
  readonly secrets: readonly string[];
  readonly store: TokenStore;
  readonly allowPlainHttp: boolean;
  readonly now: () => number;
  readonly log: Log;
}

/** A token is renewed this long before it ends, or a tenth of its life if that is less. */
const EARLY_MS = 60_000;
const EARLY_SHARE = 0.1;
const LARGEST_ANSWER = 65_536;
const LINE = { requestTimeoutMs: 20_000, connections: 1, maxBodyBytes: LARGEST_ANSWER };

/**
 * Fetches tokens when they are needed, one request at a time; nothing is sent before the first one is.
 * Its errors: SOURCE_UNAUTHORISED where the server refuses client or refresh token, SOURCE_REFUSED where it refuses the request itself,
 * SOURCE_RATE_LIMITED, SOURCE_LINE_DOWN, SOURCE_UNAVAILABLE, SOURCE_MALFORMED (also a redirect, which is not followed).
 * @throws SOURCE_REFUSED when the address cannot be used
 */
export function createAccessTokens(options: AccessTokensOptions): AccessTokens {
  const { client, secrets, allowPlainHttp } = options;
  const { origin } = new URL(client.tokenUrl);
  ownOrigin({ baseUrl: origin, headers: {}, query: {}, secrets }, allowPlainHttp);
  return new Tokens(options);
}

class Tokens implements AccessTokens {
  readonly #options: AccessTokensOptions;
  /** Tokens that could not be stored yet: they count, for a refresh token may have been used up. */
  #unkept: OAuthTokens | null = null;
  #refreshing: Promise<OAuthTokens> | null = null;
  #seen: readonly string[] = [];

  constructor(options: AccessTokensOptions) {
    this.#options = options;
  }

  async current(signal: AbortSignal): Promise<string> {
    const { now } = this.#options;
    const known = this.#known();
    if (known && (known.renewAt === null || now() < known.renewAt)) return known.accessToken;
    return (await this.#refreshed(signal)).accessToken;
  }

  async renewed(refused: string, signal: AbortSignal): Promise<string> {
    const known = this.#known();
    if (known && known.accessToken !== refused) return known.accessToken;
    return (await this.#refreshed(signal)).accessToken;
  }

  secrets(): readonly string[] {
    return [...this.#options.secrets, ...this.#seen];
  }

  async idle(): Promise<void> {
    await this.#refreshing?.catch(() => {});
  }

  #known(): OAuthTokens | null {
    const known = this.#unkept ?? this.#options.store.read();
    if (known) this.#see(...secretsIn(known));
    return known;
  }

  /** The request itself is not stopped by a signal: its answer may be the only one that has the next refresh token. */
  #refreshed(signal: AbortSignal): Promise<OAuthTokens> {
    signal.throwIfAborted();
    this.#refreshing ??= this.#refresh().finally(() => {
      this.#refreshing = null;
    });
    return untilAborted(this.#refreshing, signal);
  }

  async #refresh(): Promise<OAuthTokens> {
    const { store, log } = this.#options;
    const tokens = await this.#asked(this.#known()?.refreshToken ?? this.#options.client.refreshToken);
    this.#see(...secretsIn(tokens));
    this.#unkept = tokens;
    try {
      store.keep(tokens);
      this.#unkept = null;
    } catch (error) {
      log.error({ error: messageOf(error) }, 'tokens of a provider cannot be stored; the next ones are tried');
    }
    return tokens;
  }

  async #asked(refreshToken: string): Promise<OAuthTokens> {
    const { client, now } = this.#options;
    const answer: Answer = { status: 0, retryAfterMs: null };
    try {
      const before = now();
      const given = await tokenOf(client, refreshToken, {
        [oauth.customFetch]: (_url, init) => this.#fetch(init, answer),
        [oauth.allowInsecureRequests]: true,
      });
      return {
        accessToken: given.access_token,
        renewAt: renewAtOf(given.expires_in, before),
        refreshToken: given.refresh_token ?? (refreshToken === client.refreshToken ? null : refreshToken),
      };
    } catch (error) {
      throw this.#failure(error, answer);
    }
  }

  async #fetch(
    { headers, body }: oauth.CustomFetchOptions<'POST', URLSearchParams>,
    answer: Answer,
  ): Promise<Response> {
    const { client, log } = this.#options;
    const { origin, pathname, search } = new URL(client.tokenUrl);
    const proof = headers['authorization']?.split(' ')[1];
    if (proof) this.#see(proof);
    const http = createHttpClient({ ...LINE, baseUrl: origin, log });
    try {
      const asked = { method: 'POST', path: pathname + search, headers, body: String(body), once: true } as const;
      const reply = await http.request({ ...asked, signal: new AbortController().signal });
      answer.status = reply.status;
      answer.retryAfterMs = retryAfterMs(reply.headers['retry-after'], reply.dateMs ?? Date.now());
      const hasBody = reply.status !== 204 && reply.status !== 304;
      return new Response(hasBody ? reply.text : null, { status: reply.status, headers: reply.headers });
    } finally {
      await http.close();
    }
  }

  #failure(error: unknown, { status, retryAfterMs: waitMs }: Answer): AppError {
    const { tokenUrl } = this.#options.client;
    const { origin, pathname } = new URL(tokenUrl);
    const where = `the authorisation server ${origin}${pathname}`;
    if (error instanceof AppError) return asSourceError(error, origin + pathname);
    const said = withoutSecrets(wordsOf(error), this.secrets());
    if (status === 429) return sourceError('SOURCE_RATE_LIMITED', `${where} limits requests`, { status, retryAfterMs: waitMs });
    if (status >= 500) return sourceError('SOURCE_UNAVAILABLE', `${where} answers ${status}`, { status });
    if (status >= 300 && status < 400)
      return sourceError('SOURCE_MALFORMED', `${where} redirects (${status}); nothing was sent there`, { status });
    if (isRefusal(error))
      return sourceError('SOURCE_UNAUTHORISED', `${where} refuses: ${said}${afterwards(error)}`, { status });
    if (status >= 400) return sourceError('SOURCE_REFUSED', `${where} refuses: ${said}`, { status });
    return sourceError('SOURCE_MALFORMED', `${where} gives an answer that is no token: ${said}`, { status });
  }

  #see(...texts: readonly string[]): void {
    this.#seen = [...new Set([...texts, ...this.#seen])].slice(0, MOST_SEEN);
  }
}

function secretsIn({ accessToken, refreshToken }: OAuthTokens): readonly string[] {
  return [accessToken, ...(refreshToken === null ? [] : [refreshToken])];
}

interface Answer {
  /** 0: there is none. */
  status: number;
  retryAfterMs: number | null;
}

/** Tokens that answers may still repeat. */
const MOST_SEEN = 8;

async function tokenOf(
  client: OAuthClient,
  refreshToken: string,
  options: oauth.TokenEndpointRequestOptions,
): Promise<oauth.TokenEndpointResponse> {
  const server = { issuer: new URL(client.tokenUrl).origin, token_endpoint: client.tokenUrl };
  const who = { client_id: client.id };
  const proof = proofOf(client);
  const parameters = { ...client.parameters, ...(client.scope === '' ? {} : { scope: client.scope }) };
  if (client.grant === 'client_credentials') {
    const reply = await oauth.clientCredentialsGrantRequest(server, who, proof, parameters, options);
    return oauth.processClientCredentialsResponse(server, who, reply);
  }
  const asked = { ...options, additionalParameters: client.parameters };
  const reply = await oauth.refreshTokenGrantRequest(server, who, proof, refreshToken, asked);
  return oauth.processRefreshTokenResponse(server, who, reply);
}

function proofOf({ secret, sends }: OAuthClient): oauth.ClientAuth {
  if (secret === '') return oauth.None();
  return sends === 'basic' ? oauth.ClientSecretBasic(secret) : oauth.ClientSecretPost(secret);
}

/** Counted from before the request: the server's clock plays no part. */
function renewAtOf(expiresInS: number | undefined, askedAt: number): number | null {
  if (expiresInS === undefined) return null;
  const lifeMs = expiresInS * 1_000;
  return askedAt + lifeMs - Math.min(EARLY_MS, Math.round(lifeMs * EARLY_SHARE));
}

/** Errors of RFC 6749 that say: this client, or what it was given, is not accepted. */
const REFUSALS = new Set(['invalid_client', 'invalid_grant', 'unauthorized_client', 'access_denied']);

function isRefusal(error: unknown): boolean {
  if (error instanceof oauth.WWWAuthenticateChallengeError) return true;
  return error instanceof oauth.ResponseBodyError && (error.status === 401 || REFUSALS.has(error.error));
}

function afterwards(error: unknown): string {
  return error instanceof oauth.ResponseBodyError && error.error === 'invalid_grant'
    ? '. The authorisation was withdrawn, has ended, or an answer with its next token was lost: authorise tilld again'
    : '';
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

/** The work goes on; only this caller stops waiting for it. @throws the signal's reason */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
