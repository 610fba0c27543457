import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** What the token endpoint does next, instead of what it should. */
export type Fault =
  /** It gives a token, and the answer is lost. */
  'lost' | { readonly status: number; readonly body?: string; readonly headers?: Readonly<Record<string, string>> };

export interface OAuthServer {
  readonly url: string;
  /** Requests for a token; `most` at a time. */
  readonly asked: { count: number; most: number };
  /** Every secret text that it ever saw or gave. */
  readonly texts: Set<string>;
  readonly faults: Fault[];
  /** No token that was given is valid any more. */
  expire(): void;
  /** No refresh token is valid any more, either. */
  revoke(): void;
  /** Requests of the list, and of another origin where a redirect led. */
  given(): number;
}

export interface OAuthServerWish {
  readonly id: string;
  readonly secret: string;
  readonly lifeS?: number;
  /** Its refresh tokens, one at a time: an older one that comes again ends the authorisation. Absent: it takes no refresh token. */
  readonly refreshToken?: string;
  readonly people?: number;
}

/** An authorisation server (RFC 6749) that takes nothing but what the RFC says, and a list of people behind its tokens; gone when the test is over. */
export async function anOAuthServer(wish: OAuthServerWish): Promise<OAuthServer> {
  const { id, secret, lifeS = 3_600, people = 3 } = wish;
  const asked = { count: 0, most: 0 };
  const faults: Fault[] = [];
  const texts = new Set([secret]);
  let valid = new Map<string, number>();
  let refresh = wish.refreshToken ?? null;
  if (refresh !== null) texts.add(refresh);
  let [made, given, busy] = [0, 0, 0];

  const answer = (response: ServerResponse, status: number, body: object, headers: object = {}) => {
    response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers });
    response.end(JSON.stringify(body));
  };
  const give = () => {
    made += 1;
    const token = `access-token-${made}-${'x'.repeat(20)}`;
    valid.set(token, Date.now() + lifeS * 1_000);
    texts.add(token);
    if (refresh !== null) {
      refresh = `refresh-token-${made}-${'y'.repeat(20)}`;
      texts.add(refresh);
    }
    return {
      access_token: token,
      token_type: 'Bearer',
      expires_in: lifeS,
      ...(refresh === null ? {} : { refresh_token: refresh }),
    };
  };
  const isClient = ({ headers }: IncomingMessage) => {
    const packed = /^Basic (.+)$/.exec(headers.authorization ?? '')?.[1] ?? '';
    const [who = '', proof = ''] = Buffer.from(packed, 'base64')
      .toString()
      .split(':')
      .map((part) => decodeURIComponent(part.replaceAll('+', ' ')));
    if (packed !== '') texts.add(packed);
    return who === id && proof === secret;
  };
  const token = async (request: IncomingMessage, response: ServerResponse) => {
    asked.count += 1;
    busy += 1;
    asked.most = Math.max(asked.most, busy);
    const form = new URLSearchParams(await bodyOf(request));
    await new Promise((resolve) => setTimeout(resolve, 20));
    busy -= 1;
    const fault = faults.shift();
    if (fault && fault !== 'lost') {
      response.writeHead(fault.status, { 'content-type': 'application/json', ...fault.headers });
      return void response.end(fault.body ?? '{}');
    }
    if (request.method !== 'POST' || !request.headers['content-type']?.startsWith('application/x-www-form-urlencoded'))
      return answer(response, 400, { error: 'invalid_request' });
    if (!isClient(request))
      return answer(response, 401, { error: 'invalid_client' }, { 'www-authenticate': 'Basic realm="x"' });
    const grant = wish.refreshToken === undefined ? 'client_credentials' : 'refresh_token';
    if (form.get('grant_type') !== grant) return answer(response, 400, { error: 'unsupported_grant_type' });
    if (grant === 'refresh_token' && (refresh === null || form.get('refresh_token') !== refresh)) {
      refresh = null;
      valid = new Map();
      const words = `${form.get('refresh_token')} is not known`;
      return answer(response, 400, { error: 'invalid_grant', error_description: words });
    }
    const body = give();
    if (fault === 'lost') return void request.socket.destroy();
    answer(response, 200, body);
  };
  const list = (request: IncomingMessage, response: ServerResponse) => {
    const bearer = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
    if ((valid.get(bearer) ?? 0) <= Date.now())
      return answer(response, 401, { error: 'invalid_token', said: bearer }, { 'www-authenticate': 'Bearer' });
    given += 1;
    const page = Number(new URL(request.url ?? '', 'http://x').searchParams.get('page'));
    const data = Array.from({ length: people }, (_, index) => ({ id: `${index}`, name: `Person ${index}` }));
    answer(response, 200, { data: data.slice((page - 1) * 2, page * 2) });
  };
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/people')) list(request, response);
    else void token(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    texts,
    faults,
    expire: () => {
      valid = new Map();
    },
    revoke: () => {
      valid = new Map();
      refresh = null;
    },
    given: () => given,
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
