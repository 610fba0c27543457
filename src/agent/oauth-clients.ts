import { z } from 'zod';
import type { Clock } from '../base/clock.ts';
import { messageOf } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import type { OAuthClient, ProviderCredentials, SourceAccess } from '../integration/connector.ts';
import type { ProviderName } from '../integration/integration.ts';
import type { IntegrationSettings, StoredTokens } from '../integration/settings/integration-settings.ts';
import {
  type AccessTokens,
  createAccessTokens,
  type SharedTokens,
  type TokenStore,
} from '../net/oauth-tokens.ts';
import { digest } from '../runtime/digest.ts';

const Stored = z.object({
  tokens: z
    .object({
      of: z.string(),
      accessToken: z.string(),
      renewAt: z.number().nullable(),
      refreshToken: z.string().nullable(),
    })
    .optional(),
});

/** How an integration reads its stored credential, and which access that gives. */
export interface OAuthIntegration {
  readonly name: ProviderName;
  readonly allowPlainHttp: boolean;
  readonly read: (text: string) => ProviderCredentials;
  /** @throws SOURCE_REFUSED */
  readonly accessOf: (credentials: ProviderCredentials) => SourceAccess | null;
}

export interface OAuthClientsDeps {
  readonly settings: IntegrationSettings;
  readonly clock: Clock;
  readonly log: Log;
}

/** The OAuth clients of all integrations. Each has its tokens once, whatever sends requests for it: its runs, a test, a recipe that is tried. */
export class OAuthClients {
  readonly #deps: OAuthClientsDeps;
  readonly #clients = new Map<string, { readonly tokens: SharedTokens; readonly store: TokenStore }>();

  constructor(deps: OAuthClientsDeps) {
    this.#deps = deps;
  }

  /** For {@link createSourceHttp}; empty where the access has no authorisation server. @throws SOURCE_REFUSED when its address cannot be used */
  tokensOf(integration: OAuthIntegration, access: SourceAccess): { readonly tokens?: AccessTokens } {
    const { oauth: client, secrets } = access;
    if (!client) return {};
    const { clock, log } = this.#deps;
    const of = fingerprintOf(client);
    const key = `${integration.name} ${of}`;
    const known = this.#clients.get(key);
    const requester = { client, secrets, allowPlainHttp: integration.allowPlainHttp };
    if (known) return { tokens: known.tokens.by(requester) };
    const store = this.#storeOf(integration, of);
    const tokens = createAccessTokens({ ...requester, store, now: () => clock.now(), log });
    this.#clients.set(key, { tokens, store });
    return { tokens };
  }

  /** Keeps what a test of the credential got that is stored now: its refresh token may be the only one that is still good. */
  keep(name: ProviderName): void {
    for (const [key, { store }] of this.#clients) {
      if (!key.startsWith(`${name} `)) continue;
      try {
        store.read();
      } catch (error) {
        this.#deps.log.error({ slot: name, error: messageOf(error) }, 'tokens of a test cannot be stored');
      }
    }
  }

  /** Tokens of a credential that is not stored (it is being tested) are kept in memory alone. */
  #storeOf({ name, read, accessOf }: OAuthIntegration, of: string): TokenStore {
    const { settings } = this.#deps;
    let inMemory: StoredTokens | null = null;
    const isTheirs = (credentials: ProviderCredentials) => {
      const client = clientOf(accessOf, credentials);
      return client !== undefined && fingerprintOf(client) === of;
    };
    return {
      read: () => {
        const stored = settings.tokensOf(name, readTokens);
        if (stored?.of === of) return stored;
        // They are of a credential that was tested, and may be stored by now.
        if (inMemory) settings.keepTokens(name, { read, isTheirs }, inMemory);
        return inMemory;
      },
      keep: (tokens) => {
        inMemory = { ...tokens, of };
        settings.keepTokens(name, { read, isTheirs }, inMemory);
      },
    };
  }
}

/** Undefined: a credential that lacks a part is of no client. */
function clientOf(
  accessOf: OAuthIntegration['accessOf'],
  credentials: ProviderCredentials,
): OAuthClient | undefined {
  try {
    return accessOf(credentials)?.oauth;
  } catch {
    return undefined;
  }
}

function readTokens(text: string): StoredTokens | null {
  return Stored.parse(JSON.parse(text)).tokens ?? null;
}

/** The same for the same client at the same server with the same authorisation. */
export function fingerprintOf({
  tokenUrl,
  grant,
  id,
  secret,
  scope,
  parameters,
  refreshToken,
}: OAuthClient): string {
  return digest(JSON.stringify([tokenUrl, grant, id, secret, scope, parameters, refreshToken]));
}
