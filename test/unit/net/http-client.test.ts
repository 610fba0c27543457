import type { ServerResponse } from 'node:http';
import { createServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { AppError } from '../../../src/base/errors.ts';
import { silentLog } from '../../../src/base/log.ts';
import {
  createHttpClient,
  type HttpClient,
  type HttpClientOptions,
  type Retried,
} from '../../../src/net/http-client.ts';
import { answer, type Seen, startPeer } from './peer.ts';

const FAST = { minDelayMs: 1, maxDelayMs: 3, factor: 1 };
const never = new AbortController().signal;
const cleanUp: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const end of cleanUp.splice(0).reverse()) await end();
});

async function peerAnd(
  handler: (response: ServerResponse, seen: Seen, count: number) => void,
  options: Partial<HttpClientOptions> = {},
) {
  const peer = await startPeer(handler);
  const client = clientOf(`${peer.url}/v2/`, options);
  cleanUp.unshift(peer.close);
  return { peer, client };
}

function clientOf(baseUrl: string, options: Partial<HttpClientOptions> = {}): HttpClient {
  const client = createHttpClient({
    baseUrl,
    log: silentLog,
    retry: FAST,
    breaker: { minRequests: 1_000 },
    ...options,
  });
  cleanUp.push(() => client.close());
  return client;
}

async function failureOf(promise: Promise<unknown>): Promise<AppError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(AppError);
  return error as AppError;
}

const keyed = {
  method: 'POST',
  path: '/x',
  headers: { 'Idempotency-Key': 'k' },
  body: '{}',
  signal: never,
} as const;
const get = { method: 'GET', path: '/x', signal: never } as const;

describe('HTTP client', () => {
  it('sends path, repeated query, headers and body as asked and gives status, headers, text and date', async () => {
    const date = 'Mon, 05 Jan 2026 09:00:00 GMT';
    const { peer, client } = await peerAnd((response) =>
      answer(response, 201, '{"ä":1}', { date, 'X-Two': 'b' }),
    );
    const query = { device_id: ['a b', 'c'], limit: '1' };
    const reply = await client.request({ ...keyed, query });
    expect(peer.seen).toMatchObject([
      {
        method: 'POST',
        url: '/v2/x?device_id=a+b&device_id=c&limit=1',
        headers: { 'idempotency-key': 'k' },
        body: '{}',
      },
    ]);
    expect(reply).toMatchObject({ status: 201, text: '{"ä":1}', dateMs: Date.UTC(2026, 0, 5, 9) });
    expect(reply.headers).toMatchObject({ 'x-two': 'b' });
  });

  it.each([500, 502, 503, 504])('repeats a GET after %i until it is answered', async (status) => {
    const { peer, client } = await peerAnd((response, _, count) =>
      answer(response, count < 3 ? status : 200, '{}'),
    );
    expect((await client.request(get)).status).toBe(200);
    expect(peer.seen).toHaveLength(3);
  });

  it('repeats a POST with an idempotency key, always with the same key and body', async () => {
    const { peer, client } = await peerAnd((response, _, count) =>
      answer(response, count < 2 ? 503 : 200, '{}'),
    );
    expect((await client.request(keyed)).status).toBe(200);
    expect(peer.seen.map((seen) => [seen.headers['idempotency-key'], seen.body])).toEqual([
      ['k', '{}'],
      ['k', '{}'],
    ]);
  });

  it('sends a POST without a key once, whatever happens', async () => {
    const { peer, client } = await peerAnd((response) => answer(response, 503, '{}'));
    expect((await client.request({ ...keyed, headers: {} })).status).toBe(503);
    expect(peer.seen).toHaveLength(1);
  });

  it.each([200, 302, 400, 401, 404, 409, 422, 429, 501])(
    'takes %i as an answer and repeats nothing',
    async (status) => {
      const { peer, client } = await peerAnd((response) => answer(response, status, '{}'));
      expect((await client.request(get)).status).toBe(status);
      expect(peer.seen).toHaveLength(1);
    },
  );

  it('gives the last 5xx when the retries are used up, and tells of each repeat', async () => {
    const retried: Retried[] = [];
    const { peer, client } = await peerAnd((response) => answer(response, 503, '"no"'), {
      onRetry: (one) => retried.push(one),
    });
    expect(await client.request(get)).toMatchObject({ status: 503, text: '"no"' });
    expect(peer.seen).toHaveLength(4);
    expect(retried).toHaveLength(3);
  });

  it('waits for Retry-After before it repeats', async () => {
    const at: number[] = [];
    const { client } = await peerAnd((response, _, count) => {
      at.push(performance.now());
      answer(response, count === 1 ? 503 : 200, '{}', count === 1 ? { 'Retry-After': '1' } : {});
    });
    expect((await client.request(get)).status).toBe(200);
    expect((at[1] ?? 0) - (at[0] ?? 0)).toBeGreaterThanOrEqual(950);
  });

  it('does not wait for a Retry-After that is longer than its time limit: the caller gets the 503', async () => {
    const { peer, client } = await peerAnd((response) =>
      answer(response, 503, '{}', { 'Retry-After': '3000' }),
    );
    expect(await client.request(get)).toMatchObject({ status: 503, headers: { 'retry-after': '3000' } });
    expect(peer.seen).toHaveLength(1);
  });

  it('says that a refused connection cannot have reached the peer', async () => {
    const { peer, client } = await peerAnd((response) => answer(response, 200, '{}'));
    await peer.close();
    const error = await failureOf(client.request(keyed));
    expect(error).toMatchObject({
      code: 'NET_UNREACHABLE',
      retry: 'safe',
      context: { reached: 'no', cause: 'ECONNREFUSED' },
    });
  });

  it('says that a connection lost after sending may have reached the peer, also when later tries are refused', async () => {
    const { peer, client } = await peerAnd((response) => {
      response.destroy();
      void peer.close();
    });
    expect(await failureOf(client.request(keyed))).toMatchObject({
      code: 'NET_UNREACHABLE',
      context: { reached: 'unknown' },
    });
  });

  it('says that a name could not be resolved', async () => {
    const error = await failureOf(clientOf('http://no-such-name.invalid').request(get));
    expect(error).toMatchObject({ code: 'NET_NAME_RESOLUTION', context: { reached: 'no' } });
  });

  it('ends a request whose answer does not come in time', async () => {
    const { client } = await peerAnd(() => undefined, { requestTimeoutMs: 40, retry: { retries: 0 } });
    expect(await failureOf(client.request(keyed))).toMatchObject({
      code: 'NET_TIMEOUT',
      context: { reached: 'unknown' },
    });
  });

  it('ends a request whose answer stops in the middle', async () => {
    const { client } = await peerAnd(
      (response) => {
        response.writeHead(200, { 'content-length': '10' });
        response.write('{');
      },
      { requestTimeoutMs: 60, retry: { retries: 0 } },
    );
    expect(await failureOf(client.request(get))).toMatchObject({ code: 'NET_TIMEOUT' });
  });

  it('refuses an answer larger than its limit, announced or not', async () => {
    const { peer, client } = await peerAnd(
      (response, { url }) => {
        if (url.endsWith('announced')) return answer(response, 200, 'x'.repeat(2_000));
        response.writeHead(200);
        for (let index = 0; index < 20; index += 1) response.write('x'.repeat(100));
        response.end();
      },
      { maxBodyBytes: 1_000 },
    );
    for (const path of ['/announced', '/chunked']) {
      expect(await failureOf(client.request({ ...get, path }))).toMatchObject({
        code: 'NET_BODY_TOO_LARGE',
        retry: 'never',
      });
    }
    expect(peer.seen).toHaveLength(2);
  });

  it('takes an answer that speaks no HTTP for a broken connection', async () => {
    const server = createServer((socket) => socket.resume().end('SSH-2.0-OpenSSH\r\n'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    cleanUp.push(() => new Promise((resolve) => server.close(() => resolve())));
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const error = await failureOf(clientOf(`http://127.0.0.1:${port}`).request(keyed));
    expect(error).toMatchObject({ code: 'NET_UNREACHABLE', context: { reached: 'unknown' } });
  });

  it('rejects with the reason of the signal, while waiting for an answer and while waiting to repeat', async () => {
    const { client } = await peerAnd(
      (response, { url }) => {
        if (url.endsWith('busy')) answer(response, 503, '{}');
      },
      { retry: { minDelayMs: 60_000, maxDelayMs: 60_000, maxTimeMs: 120_000 } },
    );
    for (const path of ['/silent', '/busy']) {
      const stop = new AbortController();
      const request = client.request({ ...get, path, signal: stop.signal });
      setTimeout(() => stop.abort(new Error('enough')), 50);
      await expect(request).rejects.toThrow('enough');
    }
  });

  it('breaks off running requests when it is closed, and closes twice without harm', async () => {
    const { client } = await peerAnd(() => undefined);
    const request = failureOf(client.request(get));
    setTimeout(() => void client.close(), 20);
    expect(await request).toMatchObject({ code: 'NET_CLOSED' });
    await client.close();
  });

  it.each(['ftp://x', 'x', 'http://u:p@x', 'http://x?y', ''])('refuses %s as base address', (baseUrl) => {
    expect(() => clientOf(baseUrl)).toThrow(expect.objectContaining({ code: 'NET_ADDRESS_INVALID' }));
  });
});

describe('Breaker', () => {
  const breaker = { minRequests: 3, errorPercentage: 50, windowMs: 10_000, resetMs: 80 };

  it('opens on a failing peer, sends nothing while open, and closes after one good trial', async () => {
    let status = 503;
    const { peer, client } = await peerAnd((response) => answer(response, status, '{}'), {
      breaker,
      retry: { retries: 0 },
    });
    for (let count = 0; count < 3; count += 1) await client.request(get);
    expect(await failureOf(client.request(get))).toMatchObject({
      code: 'NET_BREAKER_OPEN',
      context: { reached: 'no' },
    });
    expect(peer.seen).toHaveLength(3);
    status = 200;
    await new Promise((resolve) => setTimeout(resolve, 120));
    expect((await client.request(get)).status).toBe(200);
    expect((await client.request(get)).status).toBe(200);
  });

  it('opens when nobody answers in time', async () => {
    const { client } = await peerAnd(() => undefined, {
      breaker,
      retry: { retries: 0 },
      requestTimeoutMs: 20,
    });
    for (let count = 0; count < 3; count += 1) await failureOf(client.request(get));
    expect(await failureOf(client.request(get))).toMatchObject({ code: 'NET_BREAKER_OPEN' });
  });

  it.each([400, 404, 409, 429, 501])('stays closed on %i: the peer works', async (status) => {
    const { peer, client } = await peerAnd((response) => answer(response, status, '{}'), {
      breaker,
      retry: { retries: 0 },
    });
    for (let count = 0; count < 6; count += 1) await client.request(get);
    expect(peer.seen).toHaveLength(6);
  });

  it('stays closed when callers give up', async () => {
    const { client } = await peerAnd(
      (response, { url }) => {
        if (url.endsWith('good')) answer(response, 200, '{}');
      },
      { breaker, retry: { retries: 0 } },
    );
    for (let count = 0; count < 6; count += 1) {
      await expect(client.request({ ...get, signal: AbortSignal.timeout(10) })).rejects.toThrow();
    }
    expect((await client.request({ ...get, path: '/good' })).status).toBe(200);
  });

  it('does not hide that an earlier try of the same request may have arrived', async () => {
    const { client } = await peerAnd((response) => response.destroy(), {
      breaker,
      retry: { ...FAST, retries: 5 },
    });
    const error = await failureOf(client.request(keyed));
    expect(error).toMatchObject({ code: 'NET_BREAKER_OPEN', context: { reached: 'unknown' } });
  });
});
