import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import { foreignPackage } from './foreign-package.ts';

export const MACHINE = { id: 'till-machine', secret: 'secret-of-the-machine-0123456789' };
export const PERSON = { id: 'till-person', secret: 'secret-of-the-person-0123456789' };
/** Of access tokens, s. */
export const LIFE_S = 3;

interface Token {
  readonly isExpired: boolean;
  destroy(): Promise<void>;
}

/** What is used of it. */
interface OidcProvider {
  callback(): (request: IncomingMessage, response: ServerResponse) => void;
  readonly AccessToken: { find(value: string): Promise<Token | undefined> };
  readonly ClientCredentials: { find(value: string): Promise<Token | undefined> };
  readonly Grant: { adapter: unknown };
  on(event: string, listener: (...args: readonly unknown[]) => void): void;
}

type MakeProvider = new (issuer: string, configuration: object) => OidcProvider;
const Module = z.object({ default: z.custom<MakeProvider>((value) => typeof value === 'function') });

export interface ForeignAuthorisation {
  readonly url: string;
  /** Grants by their kind, as the server counts them. */
  readonly grants: readonly string[];
  /** Errors that it answered with. */
  readonly errors: readonly string[];
  /** Ends the access token that was used last. */
  forget(): Promise<void>;
}

/** oidc-provider, and a list of five people behind its access tokens; gone when the test is over. */
export async function startOidcProvider(): Promise<ForeignAuthorisation> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const Provider = Module.parse(foreignPackage('oidc-provider')).default;
  const provider = new Provider(url, configurationOf());
  const [grants, errors]: [string[], string[]] = [[], []];
  const Context = z.object({ oidc: z.object({ params: z.object({ grant_type: z.string() }) }) });
  provider.on('grant.success', (context) => void grants.push(Context.parse(context).oidc.params.grant_type));
  provider.on('grant.error', (_, error) => void errors.push(String(error)));
  const answer = provider.callback();
  let used: Token | undefined;
  server.on('request', async (request, response) => {
    if (!request.url?.startsWith('/people')) return answer(request, response);
    const value = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
    const token = (await provider.AccessToken.find(value)) ?? (await provider.ClientCredentials.find(value));
    const isValid = token !== undefined && !token.isExpired;
    if (isValid) used = token;
    const page = Number(new URL(request.url, url).searchParams.get('page'));
    const all = Array.from({ length: 5 }, (_, index) => ({ id: `${index}`, name: `Person ${index}` }));
    response.writeHead(isValid ? 200 : 401, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify(isValid ? { data: all.slice((page - 1) * 2, page * 2) } : { error: 'invalid_token' }),
    );
  });
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url, grants, errors, forget: async () => used?.destroy() };
}

function configurationOf(): object {
  return {
    clients: [
      {
        client_id: MACHINE.id,
        client_secret: MACHINE.secret,
        grant_types: ['client_credentials'],
        redirect_uris: [],
        response_types: [],
      },
      {
        client_id: PERSON.id,
        client_secret: PERSON.secret,
        application_type: 'native',
        grant_types: ['authorization_code', 'refresh_token'],
        redirect_uris: ['http://127.0.0.1/callback'],
        response_types: ['code'],
      },
    ],
    features: { clientCredentials: { enabled: true }, devInteractions: { enabled: true } },
    cookies: { keys: ['a key of a test'] },
    pkce: { required: () => true },
    scopes: ['people', 'offline_access'],
    issueRefreshToken: () => true,
    // Each refresh gives another refresh token; an older one that comes again ends the authorisation.
    rotateRefreshToken: true,
    ttl: {
      AccessToken: LIFE_S,
      ClientCredentials: LIFE_S,
      RefreshToken: 3_600,
      Grant: 3_600,
      Interaction: 600,
      Session: 600,
    },
    findAccount: (_: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id }) }),
  };
}

/** A person at a browser: follows, signs in, agrees. @returns the text of the page at the end */
export async function authoriseAsPerson(address: string): Promise<string> {
  const cookies = new Map<string, string>();
  let url = new URL(address);
  let form: URLSearchParams | null = null;
  for (let steps = 0; steps < 20; steps += 1) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const reply: Response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie },
      ...(form === null ? {} : { method: 'POST', body: form }),
    });
    for (const line of reply.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const location = reply.headers.get('location');
    form = null;
    if (location !== null) {
      url = new URL(location, url);
      continue;
    }
    const text = await reply.text();
    const action = /<form[^>]* action="([^"]+)"/.exec(text)?.[1];
    const prompt = /name="prompt" value="([^"]+)"/.exec(text)?.[1];
    if (action === undefined || prompt === undefined) return text;
    url = new URL(action, url);
    form = new URLSearchParams({ prompt, ...(prompt === 'login' ? { login: 'anna', password: 'x' } : {}) });
  }
  throw new Error(`no end at ${url.href}`);
}
