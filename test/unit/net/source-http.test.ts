import { createServer as createTcpServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { AppError } from '../../../src/base/errors.ts';
import { type Log, silentLog } from '../../../src/base/log.ts';
import type { SourceAccess } from '../../../src/integration/connector.ts';
import { createSourceHttp, type SourceHttp, type SourceHttpOptions } from '../../../src/net/source-http.ts';
import { answer, startPeer } from './peer.ts';

const BOMB = gzipSync(Buffer.alloc(32 * 1024 * 1024));
const SECRET = 'sk_live_do-not-show-me';
const running: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of running.splice(0)) await one.close();
});

type Handler = Parameters<typeof startPeer>[0];

async function source(handler: Handler, options: Partial<SourceHttpOptions> = {}) {
  const peer = await startPeer(handler);
  running.push(peer);
  const http = sourceAt(peer.url, options);
  return { peer, http };
}

function sourceAt(url: string, options: Partial<SourceHttpOptions> = {}): SourceHttp {
  const access: SourceAccess = {
    baseUrl: `${url}/api`,
    headers: { 'X-Api-Key': SECRET },
    query: {},
    secrets: [SECRET],
  };
  const http = createSourceHttp({
    log: silentLog,
    requestTimeoutMs: 1_000,
    retry: { retries: 0 },
    ...options,
    access,
  });
  // Clients are closed before the servers that they hang on.
  running.unshift(http);
  return http;
}

const never = new AbortController().signal;

async function failure(http: SourceHttp, path = '/list'): Promise<AppError> {
  const error = await http.request({ path }, never).then(
    (reply) => new Error(`answered ${reply.status}`),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(AppError);
  return error as AppError;
}

/** What a source does, and what it becomes. */
const TROUBLE: readonly [what: string, code: string, handler: Handler][] = [
  ['a connection that breaks before the answer', 'SOURCE_UNAVAILABLE', (response) => response.destroy()],
  [
    'a body that is cut in the middle',
    'SOURCE_UNAVAILABLE',
    (response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('[{"id":1},');
      setImmediate(() => response.destroy());
    },
  ],
  [
    'a packed body that is cut in the middle',
    'SOURCE_UNAVAILABLE',
    (response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      response.end(
        gzipSync(JSON.stringify(Array.from({ length: 2_000 }, (_, id) => ({ id })))).subarray(0, 900),
      );
    },
  ],
  ['silence', 'SOURCE_UNAVAILABLE', () => undefined],
  [
    'a body that never ends',
    'SOURCE_UNAVAILABLE',
    (response) => {
      response.writeHead(200);
      response.write('[');
    },
  ],
  [
    'a packed body that unpacks to more than is taken',
    'SOURCE_MALFORMED',
    (response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      response.end(BOMB);
    },
  ],
  [
    'a body that is too large as it is',
    'SOURCE_MALFORMED',
    (response) => response.end(Buffer.alloc(3 * 1024 * 1024)),
  ],
  [
    'damaged packing',
    'SOURCE_MALFORMED',
    (response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      response.end('this is not gzip at all');
    },
  ],
  [
    'packing that nobody asked for',
    'SOURCE_MALFORMED',
    (response) => {
      response.writeHead(200, { 'content-encoding': 'br' });
      response.end('[]');
    },
  ],
  ['a redirect without an address', 'SOURCE_MALFORMED', (response) => answer(response, 302, '')],
  [
    'a redirect to another origin',
    'SOURCE_MALFORMED',
    (response) => answer(response, 307, '', { location: 'https://elsewhere.example/steal' }),
  ],
  [
    'redirects without end',
    'SOURCE_MALFORMED',
    (response, _seen, count) => answer(response, 302, '', { location: `/api/${count}` }),
  ],
];

describe('requests to a source', () => {
  it.each(TROUBLE)('%s is %s', async (_what, code, handler) => {
    const { http } = await source(handler, { maxBodyBytes: 2 * 1024 * 1024 });
    const error = await failure(http);
    expect(error.code).toBe(code);
    expect(JSON.stringify([error.message, error.context, String(error.stack)])).not.toContain(SECRET);
    expect(error.cause).toBeUndefined();
  });

  it('a name that does not exist is the line, and a closed port is the source', async () => {
    expect((await failure(sourceAt('https://does-not-exist.invalid'))).code).toBe('SOURCE_LINE_DOWN');
    expect((await failure(sourceAt('http://127.0.0.1:1'))).code).toBe('SOURCE_UNAVAILABLE');
  });

  it('an answer that is no HTTP is the source', async () => {
    const server = createTcpServer((socket) =>
      socket
        .on('error', () => undefined)
        .resume()
        .end('SSH-2.0-OpenSSH_9.6\r\n'),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    running.push({ close: () => new Promise<void>((resolve) => server.close(() => resolve())) });
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    expect((await failure(sourceAt(`http://127.0.0.1:${address.port}`))).code).toBe('SOURCE_UNAVAILABLE');
  });

  it.each([200, 204, 400, 401, 404, 422, 429])('a status of %i is given to the connector', async (status) => {
    const { http } = await source((response) => answer(response, status, status === 204 ? '' : '[]'));
    expect((await http.request({ path: '/list' }, never)).status).toBe(status);
  });

  it('a 5xx is tried again, and given to the connector when it stays', async () => {
    const { http, peer } = await source(
      (response, _seen, count) => answer(response, count < 3 ? 503 : 200, '[]'),
      {
        retry: { retries: 2, minDelayMs: 1, maxDelayMs: 2 },
      },
    );
    expect((await http.request({ path: '/list' }, never)).status).toBe(200);
    expect(peer.seen).toHaveLength(3);
  });

  it('a POST that only reads is tried again and follows a redirect that keeps the method; any other POST does neither', async () => {
    const retry = { retries: 2, minDelayMs: 1, maxDelayMs: 2 };
    const { http, peer } = await source(
      (response, seen, count) => {
        if (seen.url.endsWith('/list')) return answer(response, 307, '', { location: '/api/moved' });
        if (seen.url.endsWith('/old')) return answer(response, 302, '', { location: '/api/moved' });
        return answer(response, count % 2 === 0 ? 503 : 200, '[]');
      },
      { retry },
    );
    const body = { page: 1 };
    expect((await http.request({ path: '/list', body, isRead: true }, never)).status).toBe(200);
    expect(peer.seen.map(({ method, url, body: sent }) => [method, url, sent])).toEqual([
      ['POST', '/api/list', '{"page":1}'],
      ['POST', '/api/moved', '{"page":1}'],
      ['POST', '/api/moved', '{"page":1}'],
    ]);
    const before = peer.seen.length;
    const moved = { path: '/old', body, isRead: true };
    await expect(http.request(moved, never)).rejects.toThrow('redirects a POST (status 302)');
    await expect(http.request({ path: '/list', body }, never)).rejects.toThrow(
      'redirects a POST (status 307)',
    );
    expect(peer.seen).toHaveLength(before + 2);
  });

  it.each([
    [true, 3],
    [false, 1],
  ])('a 503 to a POST, isRead %s, is seen %i times', async (isRead, times) => {
    const { http, peer } = await source((response) => answer(response, 503, '{}'), {
      retry: { retries: 2, minDelayMs: 1, maxDelayMs: 2 },
    });
    expect((await http.request({ path: '/list', body: {}, isRead }, never)).status).toBe(503);
    expect(peer.seen).toHaveLength(times);
  });

  it('the credential takes its place in the body, and is hidden where the answer repeats it', async () => {
    const peer = await startPeer((response, seen) => answer(response, 200, seen.body));
    running.push(peer);
    const access: SourceAccess = {
      baseUrl: peer.url,
      headers: {},
      query: {},
      body: { 'a.1': SECRET },
      secrets: [SECRET],
    };
    const http = createSourceHttp({ log: silentLog, access });
    running.unshift(http);
    const reply = await http.request({ path: '/rpc', body: { a: [0, '', 2] }, isRead: true }, never);
    expect(reply.text).toBe(JSON.stringify({ a: [0, SECRET, 2] }));
    expect(reply.withoutCredential?.(reply.text)).toBe('{"a":[0,"[credential]",2]}');
    const form = { kind: ['x', 'y z'], 'a.1': 'of the recipe' };
    await http.request({ path: '/rpc', form, isRead: true }, never);
    expect(peer.seen[1]?.body).toBe(`kind=x&kind=y+z&a.1=${SECRET}`);
    expect(peer.seen[1]?.headers['content-type']).toBe('application/x-www-form-urlencoded');
  });

  it('the pause that a source asks for is given in ms, whole seconds or a date by its own clock', async () => {
    const { http } = await source((response, _seen, count) =>
      answer(response, 429, '{}', {
        date: 'Sun, 01 Mar 2026 10:00:00 GMT',
        'retry-after': count === 1 ? '7' : 'Sun, 01 Mar 2026 10:00:30 GMT',
      }),
    );
    expect((await http.request({ path: '/list' }, never)).retryAfterMs).toBe(7_000);
    expect((await http.request({ path: '/list' }, never)).retryAfterMs).toBe(30_000);
  });

  it('packed answers are unpacked, in the encoding that they name', async () => {
    const { http } = await source((response) => {
      response.writeHead(200, {
        'content-type': 'application/json; charset=ISO-8859-1',
        'content-encoding': 'gzip',
      });
      response.end(gzipSync(Buffer.from('["Müller"]', 'latin1')));
    });
    expect((await http.request({ path: '/list' }, never)).text).toBe('["Müller"]');
  });

  it('the credential goes to every address of the own origin, and over a redirect within it', async () => {
    const { http, peer } = await source((response, seen) =>
      seen.url.startsWith('/api/list')
        ? answer(response, 301, '', { location: '/moved?page=2' })
        : answer(response, 200, '[]'),
    );
    await http.request({ path: '/list', query: { tag: ['a b', 'c'] } }, never);
    await http.request({ path: `${peer.url}/other?x=1` }, never);
    expect(peer.seen.map(({ url }) => url)).toEqual([
      '/api/list?tag=a+b&tag=c',
      '/moved?page=2',
      '/other?x=1',
    ]);
    expect(peer.seen.every(({ headers }) => headers['x-api-key'] === SECRET)).toBe(true);
  });

  it.each([
    'https://elsewhere.example/list',
    '//elsewhere.example/list',
    'ftp://elsewhere.example/list',
    '@elsewhere.example/list',
    '\\\\elsewhere.example\\list',
    '/../../list',
  ])('no address leads away from the origin: %s', async (path) => {
    const { http, peer } = await source((response) => answer(response, 200, '[]'));
    await http
      .request({ path }, never)
      .catch((error: unknown) => expect(error).toMatchObject({ code: 'SOURCE_MALFORMED' }));
    for (const { headers } of peer.seen) expect(headers.host).toBe(new URL(peer.url).host);
  });

  it('a redirect to another origin is not followed, not even to its path here', async () => {
    const { http, peer } = await source((response) =>
      answer(response, 307, '', { location: 'https://elsewhere.example/steal' }),
    );
    expect((await failure(http)).message).toContain('https://elsewhere.example');
    expect(peer.seen).toHaveLength(1);
  });

  it('a key in the query is sent, and cut out of an error that repeats it', async () => {
    const other = await startPeer((response, seen) =>
      answer(response, 403, JSON.stringify({ message: seen.url })),
    );
    running.push(other);
    const keyed = createSourceHttp({
      log: silentLog,
      access: { baseUrl: other.url, headers: {}, query: { key: SECRET }, secrets: [SECRET] },
    });
    running.push(keyed);
    const reply = await keyed.request({ path: '/list' }, never);
    expect(other.seen[0]?.url).toBe(`/list?key=${SECRET}`);
    expect(reply.text).toBe('{"message":"/list?key=[credential]"}');
  });

  it('a credential never travels unencrypted to another machine unless the settings allow it', () => {
    const access = { baseUrl: 'http://192.0.2.7/api', headers: {}, query: {}, secrets: [SECRET] };
    expect(() => createSourceHttp({ log: silentLog, access })).toThrow('not encrypted');
    running.push(createSourceHttp({ log: silentLog, access, allowPlainHttp: true }));
    expect(() =>
      createSourceHttp({ log: silentLog, access: { ...access, baseUrl: 'https://u:p@h/' } }),
    ).toThrow('base address');
  });

  it('an aborted request gives the reason of its signal, and logs never hold a credential or a path', async () => {
    const lines: string[] = [];
    const write = (fields: object, message: string) => void lines.push(JSON.stringify([fields, message]));
    const log: Log = { ...silentLog, debug: write, info: write, warn: write, error: write, child: () => log };
    const { http } = await source((response) => response.destroy(), { log, breaker: { minRequests: 1 } });
    await failure(http, '/very-private-path');
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.join()).not.toMatch(/do-not-show-me|very-private/);
    const aborted = new AbortController();
    const reason = new Error('the shop closes');
    const { http: slow } = await source(() => aborted.abort(reason));
    await expect(slow.request({ path: '/list' }, aborted.signal)).rejects.toBe(reason);
  });
});
