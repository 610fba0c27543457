import { createHmac } from 'node:crypto';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { request } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { schemeOf, webhookSchema } from '../../../../drivers/providers/rest/webhook.ts';
import { listenForWebhooks, type WebhookLimits } from '../../../../src/api/provider-webhooks/listener.ts';
import { type LogFields, silentLog } from '../../../../src/base/log.ts';
import type { ProviderName } from '../../../../src/integration/integration.ts';
import { ProviderWebhooks } from '../../../../src/integration/provider-webhooks.ts';
import { systemClock as clock } from '../../../../src/runtime/system-clock.ts';
import { SqliteIntegrationStore } from '../../../../src/store/integrations/sqlite-integration-store.ts';
import { aMoneyDatabase } from '../../../support/money-database.ts';
import { aSealer } from '../../../support/webhooks.ts';

const SECRET = 'hush-0123456789abcdef';
const SCHEME = schemeOf(
  webhookSchema.parse({
    signature: { type: 'hmac', header: 'X-Signature', encoding: 'hex' },
    event: { in: { body: 'type' }, resources: { invoice: ['invoices'] } },
  }),
);

async function listening(limits: Partial<WebhookLimits> = {}) {
  const woken: string[] = [];
  const logged: string[] = [];
  const note = (fields: LogFields, words: string) => logged.push(`${words} ${JSON.stringify(fields)}`);
  const log = { ...silentLog, info: note, warn: note, error: note };
  const database = aMoneyDatabase();
  let made = 0;
  const webhooks = new ProviderWebhooks({
    store: new SqliteIntegrationStore(database, () => {
      made += 1;
      return `0199c0de-00f2-7000-8000-00000000000${made}`;
    }),
    sealer: aSealer(),
    schemes: new Map<ProviderName, typeof SCHEME>([
      ['provider_a', SCHEME],
      ['provider_b', SCHEME],
    ]),
    wake: (name, resources) => woken.push(`${name} ${resources?.join() ?? 'all'}`),
    count: () => undefined,
    clock,
  });
  webhooks.setSecret('provider_a', SECRET, 0);
  const options = { host: '127.0.0.1', port: 0, tls: null, limits };
  const running = await listenForWebhooks(options, { webhooks, now: clock.now, clock, log });
  onTestFinished(() => running.stop());
  return { ...running, webhooks, woken, logged, database };
}

function signed(body: string, secret = SECRET): Record<string, string> {
  return { 'x-signature': createHmac('sha256', secret).update(body).digest('hex') };
}

async function post(url: string, path: string, body: string | Buffer, headers: Record<string, string> = {}) {
  const reply = await request(`${url}${path}`, { method: 'POST', body, headers });
  return { status: reply.statusCode, text: await reply.body.text(), headers: reply.headers };
}

/** What a raw socket is answered. */
function spoken(url: string, text: string, withinMs = 5_000): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    let heard = '';
    const end = () => {
      socket.destroy();
      resolve(heard);
    };
    socket.on('data', (chunk) => {
      heard += chunk.toString();
    });
    socket.on('error', end);
    socket.on('close', end);
    setTimeout(end, withinMs);
    socket.write(text);
  });
}

describe('the listener of webhooks', () => {
  it('answers a genuine one at once, and wakes what it is about', async () => {
    const { url, woken, webhooks } = await listening();
    const body = '{"type":"invoice"}';
    expect(await post(url, '/hooks/provider_a', body, signed(body))).toMatchObject({ status: 202 });
    expect(await post(url, '/hooks/provider_a?shop=1', 'a=b', signed('a=b'))).toMatchObject({ status: 202 });
    expect(woken).toEqual(['provider_a invoices', 'provider_a all']);
    expect(webhooks.view('provider_a')).toMatchObject({ accepted: 2, refused: 0, isSecretStored: true });
  });

  it('gives one answer to all that is not genuine, whatever is configured', async () => {
    const { url, woken, webhooks } = await listening();
    const answers = [
      await post(url, '/hooks/provider_a', '{}', signed('{}', 'another-secret-0123456789')),
      await post(url, '/hooks/provider_a', '{}'),
      await post(url, '/hooks/provider_b', '{}', signed('{}')),
      await post(url, '/hooks/terminal', '{}', signed('{}')),
      await post(url, '/hooks/provider_d', '{}'),
    ].map(({ headers: { date: _, ...headers }, ...same }) => JSON.stringify({ ...same, headers }));
    expect(new Set(answers).size).toBe(1);
    expect(answers[0]).toContain('"status":401');
    expect(woken).toEqual([]);
    expect(webhooks.view('provider_b')?.lastRefusal).toBe('no_secret');
    expect(webhooks.view('provider_a')?.lastRefusal).toBe('unsigned');
  });

  it('serves nothing else', async () => {
    const { url } = await listening();
    const paths = ['/', '/v2/integrations', '/healthz', '/metrics', '/hooks', '/hooks/', '/hooks/service'];
    const tricks = [
      '/hooks/../v2/status',
      '/hooks/provider_a/',
      '//hooks/provider_a',
      '/hooks/provider_a%00',
    ];
    const names = ['/hooks/provider_A', '/hooks/__proto__', '/hooks/constructor', '/console/index.html'];
    for (const path of [...paths, ...tricks, ...names]) {
      const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`;
      expect(await spoken(url, head), path).toMatch(/^HTTP\/1\.1 404 /);
    }
    for (const method of ['GET', 'PUT', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH'])
      for (const name of ['provider_a', 'provider_d']) {
        const reply = await request(`${url}/hooks/${name}`, { method });
        expect(reply.statusCode, method).toBe(405);
        await reply.body.dump();
      }
  });

  it('does not take a header that came twice', async () => {
    const { url, woken } = await listening();
    const { 'x-signature': value } = signed('{}');
    const head = `POST /hooks/provider_a HTTP/1.1\r\nHost: x\r\nX-Signature: ${value}\r\nX-Signature: ${value}\r\n`;
    expect(await spoken(url, `${head}Content-Length: 2\r\n\r\n{}`)).toMatch(/^HTTP\/1\.1 401 /);
    expect(woken).toEqual([]);
  });

  it('takes 256 KiB and no more, of a declared length and in chunks', async () => {
    const { url, woken } = await listening();
    const most = 'x'.repeat(256 * 1024);
    expect(await post(url, '/hooks/provider_a', most, signed(most))).toMatchObject({ status: 202 });
    const more = `${most}x`;
    expect(await post(url, '/hooks/provider_a', more, signed(more))).toMatchObject({ status: 413 });
    const chunked = await request(`${url}/hooks/provider_a`, {
      method: 'POST',
      headers: signed(more),
      body: Readable.from(more.match(/.{1,65536}/g) ?? []),
    });
    expect(chunked.statusCode).toBe(413);
    await chunked.body.dump();
    expect(woken).toHaveLength(1);
  });

  it('cuts who goes on after 413', async () => {
    const { url } = await listening();
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    let isClosed = false;
    socket.on('error', () => undefined);
    socket.on('close', () => {
      isClosed = true;
    });
    socket.write('POST /hooks/provider_a HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000000\r\n\r\n');
    for (let sent = 0; sent < 2_000 && !isClosed; sent += 1) {
      socket.write(Buffer.alloc(65_536));
      await wait(1);
    }
    expect(isClosed).toBe(true);
  });

  it('cuts who sends slowly, the head and the body', async () => {
    const { url } = await listening({ headersTimeoutMs: 300, requestTimeoutMs: 600 });
    const head = await spoken(url, 'POST /hooks/provider_a HTTP/1.1\r\nHost: x\r\n', 4_000);
    expect(head).toMatch(/^HTTP\/1\.1 408 /);
    const body = 'POST /hooks/provider_a HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nx';
    expect(await spoken(url, body, 4_000)).toMatch(/^HTTP\/1\.1 408 /);
  });

  it('says "go on" only to who may', async () => {
    const { url } = await listening();
    const head = (length: number) =>
      `POST /hooks/provider_a HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: ${length}\r\n\r\n`;
    expect(await spoken(url, head(2), 300)).toMatch(/^HTTP\/1\.1 100 /);
    expect(await spoken(url, head(10_000_000), 300)).toMatch(/^HTTP\/1\.1 413 /);
  });

  it('looks at few of a flood, and is there again when it is over: one line in the log, nothing on the disk', async () => {
    const { url, woken, logged, database, webhooks } = await listening();
    const writes = () => database.get('SELECT total_changes() AS changes');
    const before = writes();
    const statuses = new Map<number, number>();
    for (let round = 0; round < 20; round += 1)
      await Promise.all(
        Array.from({ length: 100 }, async () => {
          const { status } = await post(url, '/hooks/provider_a', '{"type":"x"}').catch(() => ({
            status: 0,
          }));
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
        }),
      );
    expect([...statuses.keys()].every((status) => [0, 401, 429].includes(status))).toBe(true);
    expect(statuses.get(429)).toBeGreaterThan(500);
    expect(writes()).toEqual(before);
    expect(logged.filter((line) => line.includes('refused')).length).toBeLessThanOrEqual(2);
    expect(woken).toEqual([]);
    // Another provider does not pay for it.
    expect(await post(url, '/hooks/provider_b', '{}')).toMatchObject({ status: 401 });
    await wait(1_100);
    expect(await post(url, '/hooks/provider_a', '{}', signed('{}'))).toMatchObject({ status: 202 });
    expect(webhooks.view('provider_a')?.refused).toBeGreaterThan(1_000);
  });

  it('says no secret and no body in its log', async () => {
    const { url, logged } = await listening();
    await post(url, '/hooks/provider_a', 'Anna Muster', signed('Anna Muster'));
    await post(url, '/hooks/provider_a', 'Anna Muster', { 'x-signature': SECRET });
    expect(logged).toHaveLength(2);
    expect(logged.join()).not.toMatch(/Anna|hush/);
  });
});
