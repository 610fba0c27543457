import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** What the token endpoint does next, instead of what it should. */
export type Fault =
  /** It gives a token, and the answer is lost. */
  | 'lost'
  /** It gives a token, and the answer does not come. */
  | 'held'
  | { readonly status: number; readonly body?: string; readonly headers?: Readonly<Record<string, string>> };

export interface OAuthServerOptions {
  readonly id: string;
  readonly secret: string;
  readonly lifeS?: number;
  /** Its refresh tokens, one at a time: an older one that comes again ends the authorisation. Absent: it takes and gives none. */
  readonly refreshToken?: string;
  readonly people?: number;
  /** Requests that one access token is good for; absent: any number. */
  readonly uses?: number;
}

interface Given {
  readonly endsAt: number;
  usesLeft: number;
}

type Answer = readonly [status: number, body: object, headers?: object];

/** An authorisation server (RFC 6749) that takes nothing but what the RFC says, and a list of people behind its tokens. */
export class OAuthServer {
  url = '';
  /** Requests for a token, and how many at a time. */
  readonly asked = { count: 0, most: 0 };
  /** Every secret text that it ever saw or gave. */
  readonly texts: Set<string>;
  readonly faults: Fault[] = [];
  readonly #options: OAuthServerOptions;
  readonly #codes = new Map<string, { readonly challenge: string; readonly redirectUri: string }>();
  #valid = new Map<string, Given>();
  #refresh: string | null;
  #made = 0;
  #busy = 0;

  constructor(options: OAuthServerOptions) {
    this.#options = options;
    this.#refresh = options.refreshToken ?? null;
    this.texts = new Set([options.secret, ...(this.#refresh === null ? [] : [this.#refresh])]);
  }

  async start(): Promise<void> {
    const server = createServer((request, response) => {
      if (request.url?.startsWith('/people')) send(response, this.#list(request));
      else void this.#token(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      server.close();
      server.closeAllConnections();
    });
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  /** No access token that was given is valid any more. */
  expire(): void {
    this.#valid = new Map();
  }

  /** No refresh token is valid any more, either. */
  revoke(): void {
    this.expire();
    this.#refresh = null;
  }

  /** A person authorised it again. @returns the refresh token */
  authorise(): string {
    this.#made += 1;
    this.#refresh = `refresh-token-${this.#made}-${'y'.repeat(20)}`;
    this.texts.add(this.#refresh);
    return this.#refresh;
  }

  /**
   * A person agrees at the address of an authorisation request.
   * @returns where the browser is led @throws where RFC 7636 or RFC 8252 is not kept
   */
  agree(address: string): URL {
    const { searchParams: asked, origin } = new URL(address);
    const redirect = new URL(asked.get('redirect_uri') ?? '');
    const isAsked = asked.get('response_type') === 'code' && asked.get('client_id') === this.#options.id;
    const isProven = asked.get('code_challenge_method') === 'S256' && redirect.hostname === '127.0.0.1';
    if (origin !== this.url || !isAsked || !isProven) throw new Error(`no authorisation request: ${address}`);
    const code = `code-${this.#codes.size + 1}-${'z'.repeat(20)}`;
    this.texts.add(code);
    this.#codes.set(code, { challenge: asked.get('code_challenge') ?? '', redirectUri: redirect.href });
    redirect.search = new URLSearchParams({ code, state: asked.get('state') ?? '' }).toString();
    return redirect;
  }

  async #token(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.asked.count += 1;
    this.#busy += 1;
    this.asked.most = Math.max(this.asked.most, this.#busy);
    const form = new URLSearchParams(await bodyOf(request));
    await new Promise((resolve) => setTimeout(resolve, 20));
    this.#busy -= 1;
    const fault = this.faults.shift();
    if (typeof fault === 'object') {
      response.writeHead(fault.status, { 'content-type': 'application/json', ...fault.headers });
      response.end(fault.body ?? '{}');
      return;
    }
    const answer = this.#granted(request, form);
    if (fault === 'lost') request.socket.destroy();
    else if (fault !== 'held') send(response, answer);
  }

  #granted(request: IncomingMessage, form: URLSearchParams): Answer {
    const isForm = request.headers['content-type']?.startsWith('application/x-www-form-urlencoded');
    if (request.method !== 'POST' || !isForm) return [400, { error: 'invalid_request' }];
    if (!this.#isClient(request))
      return [401, { error: 'invalid_client' }, { 'www-authenticate': 'Basic realm="x"' }];
    const grant = form.get('grant_type');
    if (grant === 'authorization_code') return this.#byCode(form);
    if (grant !== (this.#options.refreshToken === undefined ? 'client_credentials' : 'refresh_token'))
      return [400, { error: 'unsupported_grant_type' }];
    return grant === 'refresh_token' ? this.#byRefreshToken(form) : [200, this.#give()];
  }

  #byCode(form: URLSearchParams): Answer {
    const code = this.#codes.get(form.get('code') ?? '');
    this.#codes.clear();
    const shown = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const isTheirs = code?.challenge === shown && code.redirectUri === form.get('redirect_uri');
    return isTheirs ? [200, this.#give()] : [400, { error: 'invalid_grant' }];
  }

  #byRefreshToken(form: URLSearchParams): Answer {
    const sent = form.get('refresh_token');
    if (this.#refresh !== null && sent === this.#refresh) return [200, this.#give()];
    this.revoke();
    return [400, { error: 'invalid_grant', error_description: `${sent} is not known` }];
  }

  #give(): object {
    const { lifeS = 3_600, uses = Number.MAX_SAFE_INTEGER } = this.#options;
    const token = `access-token-${this.#made + 1}-${'x'.repeat(20)}`;
    this.#valid.set(token, { endsAt: Date.now() + lifeS * 1_000, usesLeft: uses });
    this.texts.add(token);
    const given = { access_token: token, token_type: 'Bearer', expires_in: lifeS };
    if (this.#refresh === null) {
      this.#made += 1;
      return given;
    }
    return { ...given, refresh_token: this.authorise() };
  }

  #isClient({ headers }: IncomingMessage): boolean {
    const packed = /^Basic (.+)$/.exec(headers.authorization ?? '')?.[1] ?? '';
    if (packed !== '') this.texts.add(packed);
    const [id = '', secret = ''] = Buffer.from(packed, 'base64')
      .toString()
      .split(':')
      .map((part) => decodeURIComponent(part.replaceAll('+', ' ')));
    return id === this.#options.id && secret === this.#options.secret;
  }

  #list({ headers, url = '' }: IncomingMessage): Answer {
    const bearer = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? '';
    const given = this.#valid.get(bearer);
    if (!given || given.endsAt <= Date.now() || given.usesLeft === 0)
      return [401, { error: 'invalid_token', seen: bearer }, { 'www-authenticate': 'Bearer' }];
    given.usesLeft -= 1;
    const page = Number(new URL(url, this.url).searchParams.get('page'));
    const { people = 3 } = this.#options;
    const data = Array.from({ length: people }, (_, index) => ({ id: `${index}`, name: `Person ${index}` }));
    return [200, { data: data.slice((page - 1) * 2, page * 2) }];
  }
}

/** Gone when the test is over. */
export async function anOAuthServer(options: OAuthServerOptions): Promise<OAuthServer> {
  const server = new OAuthServer(options);
  await server.start();
  return server;
}

function send(response: ServerResponse, [status, body, headers = {}]: Answer): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers });
  response.end(JSON.stringify(body));
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
