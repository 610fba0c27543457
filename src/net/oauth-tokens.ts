import * as oauth from 'oauth4webapi';
import { messageOf } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import type { OAuthClient, OAuthTokens } from '../integration/connector.ts';
import { type Asking, askTokenEndpoint, checkTokenAddress } from './oauth-endpoint.ts';

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

export interface SharedTokens extends AccessTokens {
  /** The same tokens for a line that asks for them in another way. @throws SOURCE_REFUSED when the address cannot be used */
  by(requester: TokenRequester): AccessTokens;
}

/** Where the tokens of one client are kept, sealed. */
export interface TokenStore {
  /** Null: there are none. @throws SEAL_BROKEN, SEAL_KEY_UNUSABLE */
  read(): OAuthTokens | null;
  /** @throws STORAGE_FULL, STORAGE_FAILED */
  keep(tokens: OAuthTokens): void;
}

/** How a line asks for tokens. */
export interface TokenRequester {
  readonly client: OAuthClient;
  /** The secret texts of the credential. */
  readonly secrets: readonly string[];
  readonly allowPlainHttp: boolean;
}

export interface AccessTokensOptions extends TokenRequester {
  readonly store: TokenStore;
  readonly now: () => number;
  readonly log: Log;
}

/** A token is renewed this long before it ends, or a tenth of its life if that is less. */
const EARLY_MS = 60_000;
const EARLY_SHARE = 0.1;

/**
 * Fetches tokens when they are needed, one request at a time; nothing is sent before the first one is.
 * Its errors are those of {@link askTokenEndpoint}.
 * @throws SOURCE_REFUSED when the address cannot be used
 */
export function createAccessTokens(options: AccessTokensOptions): SharedTokens {
  checkTokenAddress(options.client, options.allowPlainHttp);
  return new Tokens(options, { unkept: null, refreshing: null, seen: [] });
}

/** What all lines of a client share. */
interface Shared {
  /** Tokens that could not be stored yet: they count, for a refresh token may have been used up. */
  unkept: OAuthTokens | null;
  refreshing: Promise<OAuthTokens> | null;
  seen: readonly string[];
}

class Tokens implements SharedTokens {
  readonly #options: AccessTokensOptions;
  readonly #shared: Shared;

  constructor(options: AccessTokensOptions, shared: Shared) {
    this.#options = options;
    this.#shared = shared;
  }

  by(requester: TokenRequester): AccessTokens {
    checkTokenAddress(requester.client, requester.allowPlainHttp);
    return new Tokens({ ...this.#options, ...requester }, this.#shared);
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
    return [...this.#options.secrets, ...this.#shared.seen];
  }

  async idle(): Promise<void> {
    await this.#shared.refreshing?.catch(() => {});
  }

  #known(): OAuthTokens | null {
    const { unkept } = this.#shared;
    if (unkept) this.#keep(unkept);
    const known = this.#shared.unkept ?? this.#options.store.read();
    if (known) this.#see(...secretsIn(known));
    return known;
  }

  /** The request itself is not stopped by a signal: its answer may be the only one that has the next refresh token. */
  #refreshed(signal: AbortSignal): Promise<OAuthTokens> {
    signal.throwIfAborted();
    this.#shared.refreshing ??= this.#refresh().finally(() => {
      this.#shared.refreshing = null;
    });
    return untilAborted(this.#shared.refreshing, signal);
  }

  async #refresh(): Promise<OAuthTokens> {
    const tokens = await this.#asked(this.#known()?.refreshToken ?? this.#options.client.refreshToken);
    this.#see(...secretsIn(tokens));
    this.#keep(tokens);
    return tokens;
  }

  /** Those that cannot be stored are tried again with the next request. */
  #keep(tokens: OAuthTokens): void {
    const isTriedAgain = this.#shared.unkept === tokens;
    this.#shared.unkept = tokens;
    try {
      this.#options.store.keep(tokens);
      this.#shared.unkept = null;
    } catch (error) {
      if (isTriedAgain) return;
      this.#options.log.error({ error: messageOf(error) }, 'tokens of a provider cannot be stored yet');
    }
  }

  async #asked(refreshToken: string): Promise<OAuthTokens> {
    const { client, now, log } = this.#options;
    const before = now();
    const secrets = { all: () => this.secrets(), add: (text: string) => this.#see(text) };
    const given = await askTokenEndpoint({ client, secrets, log }, (asking) =>
      tokenOf(client, refreshToken, asking),
    );
    return {
      accessToken: given.access_token,
      renewAt: renewAtOf(given.expires_in, before),
      refreshToken: given.refresh_token ?? (refreshToken === client.refreshToken ? null : refreshToken),
    };
  }

  #see(...texts: readonly string[]): void {
    this.#shared.seen = [...new Set([...texts, ...this.#shared.seen])].slice(0, MOST_SEEN);
  }
}

function secretsIn({ accessToken, refreshToken }: OAuthTokens): readonly string[] {
  return [accessToken, ...(refreshToken === null ? [] : [refreshToken])];
}

/** Tokens that answers may still repeat. */
const MOST_SEEN = 8;

async function tokenOf(
  client: OAuthClient,
  refreshToken: string,
  { server, who, proof, options }: Asking,
): Promise<oauth.TokenEndpointResponse> {
  const { grant, scope, parameters } = client;
  if (grant === 'client_credentials') {
    const asked = { ...parameters, ...(scope === '' ? {} : { scope }) };
    const reply = await oauth.clientCredentialsGrantRequest(server, who, proof, asked, options);
    return oauth.processClientCredentialsResponse(server, who, reply);
  }
  const more = { ...options, additionalParameters: parameters };
  const reply = await oauth.refreshTokenGrantRequest(server, who, proof, refreshToken, more);
  return oauth.processRefreshTokenResponse(server, who, reply);
}

/** Counted from before the request: the server's clock plays no part. */
function renewAtOf(expiresInS: number | undefined, askedAt: number): number | null {
  if (expiresInS === undefined) return null;
  const lifeMs = expiresInS * 1_000;
  return askedAt + lifeMs - Math.min(EARLY_MS, Math.round(lifeMs * EARLY_SHARE));
}

/** The work goes on; only this caller stops waiting for it. @throws the signal's reason */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
