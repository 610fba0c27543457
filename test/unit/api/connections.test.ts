import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { lackOfOpenssl, makeCertificate } from '../../security/certificate.ts';
import { RawClient, rawRequest } from './raw.ts';
import { ask, KEYS, keyId, sale, startShop } from './shop.ts';

const CAP = 4;
const lack = lackOfOpenssl();
const DEVICES = '/v2/terminal-devices';
const STREAM = '/v2/events/stream';
const withKey = (key: string) => [`x-api-key: ${key}`];
const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

async function shop() {
  const { api } = await startShop({ limits: { maxConnections: CAP } });
  stops.push(api.stop);
  return api.url;
}

function client(url: string): RawClient {
  const made = new RawClient(url);
  stops.push(() => made.leave());
  return made;
}

function certificate() {
  const folder = mkdtempSync(join(tmpdir(), 'tilld-tls-'));
  stops.push(() => rmSync(folder, { recursive: true, force: true }));
  const { pem, keyPath } = makeCertificate(folder);
  return { cert: pem, key: readFileSync(keyPath, 'utf8') };
}

/** Whether it still answers. */
async function isAlive(one: RawClient, lines: readonly string[] = []): Promise<boolean> {
  return (await one.say(rawRequest('/healthz', lines))).startsWith('HTTP/1.1 200');
}

describe('when every place is taken', () => {
  it('the longest idle stranger goes, and the till gets in', async () => {
    const url = await shop();
    const strangers = Array.from({ length: CAP }, () => client(url));
    for (const one of strangers) expect(await isAlive(one)).toBe(true);
    const till = client(url);
    expect(await till.say(rawRequest(DEVICES, withKey(KEYS.full)))).toMatch(/^HTTP\/1\.1 200/);
    await strangers[0]?.closed;
    for (const one of strangers.slice(1)) expect(await isAlive(one)).toBe(true);
  });

  it('whoever has shown a key stays, however many strangers come', async () => {
    const url = await shop();
    const till = client(url);
    await till.say(rawRequest(DEVICES, withKey(KEYS.full)));
    for (let index = 0; index < 5 * CAP; index += 1) expect(await isAlive(client(url))).toBe(true);
    expect(await isAlive(till)).toBe(true);
  });

  it('whoever was refused is a stranger still', async () => {
    const url = await shop();
    const thief = client(url);
    await thief.say(rawRequest(DEVICES, withKey(KEYS.expired)));
    for (let index = 0; index < CAP; index += 1) expect(await isAlive(client(url))).toBe(true);
    await thief.closed;
  });

  it('one whose event stream has ended can go like any other', async () => {
    const { api, shop: started, socketPath } = await startShop({ limits: { maxConnections: CAP } });
    stops.push(api.stop);
    const reader = client(api.url);
    await reader.say(rawRequest(STREAM, withKey(KEYS.full)), 'retry: 2000');

    started.keys.endNow(keyId('full'));
    await ask(socketPath, { method: 'POST', path: '/v2/terminal-payments', body: sale(), key: null });
    await vi.waitUntil(() => reader.heard.endsWith('0\r\n\r\n'), { timeout: 15_000 });
    for (let index = 0; index < CAP; index += 1)
      expect(await client(api.url).say(rawRequest(DEVICES, withKey(KEYS.other)))).toMatch(/^HTTP\/1\.1 200/);
    await reader.closed;
  });

  it('an idle one with a key goes before one that still sends its body', async () => {
    const url = await shop();
    const slow = client(url);
    slow.socket.write(
      `${rawRequest('/v2/terminal-payments', [...withKey(KEYS.full), 'Content-Type: application/json', 'Content-Length: 9'], 'POST')}{`,
    );
    const idle = Array.from({ length: CAP - 1 }, () => client(url));
    for (const one of idle) await one.say(rawRequest(DEVICES, withKey(KEYS.full)));
    await client(url).say(rawRequest(DEVICES, withKey(KEYS.full)));
    await idle[0]?.closed;
    expect(await slow.say('"device"')).toContain('HTTP/1.1 400');
  });

  it('one that is at work is never closed; the newcomer is, when all are', async () => {
    const url = await shop();
    const readers = Array.from({ length: CAP }, () => client(url));
    for (const [index, one] of readers.entries()) {
      const key = [KEYS.full, KEYS.other, KEYS.here][index % 3] ?? '';
      expect(await one.say(rawRequest(STREAM, withKey(key)), 'retry:')).toContain('200 OK');
    }
    const newcomer = client(url);
    await newcomer.closed;
    expect(newcomer.heard).toBe('');
    expect(readers.every(({ socket }) => !socket.destroyed)).toBe(true);
  });
});

describe('requests that do not wait for answers', () => {
  it('end their connection when they are more than eight; those beyond are not carried out', async () => {
    const { api, shop: inside } = await startShop({ rateLimit: { perMinute: 600, burst: 100 } });
    stops.push(api.stop);
    const till = client(api.url);
    const one = rawRequest('/v2/terminal-payments', withKey(KEYS.full), 'POST', sale());
    till.socket.write(one.repeat(50));
    await till.closed;
    expect(inside.payments.attempts.length).toBeLessThanOrEqual(8);
    const steady = client(api.url);
    for (let index = 0; index < 20; index += 1) expect(await isAlive(steady)).toBe(true);
  });
});

describe('bytes that are no request, behind one that waits for its answer', () => {
  it('end the connection without a word, which the till would take for the answer', async () => {
    const url = await shop();
    const till = client(url);
    till.socket.write(`${rawRequest(DEVICES, withKey(KEYS.full))}GARBAGE\r\n\r\n`);
    await till.closed;
    expect(till.heard).not.toContain('HTTP/1.1 400');
  });

  it('get their own answer where nothing is waited for', async () => {
    const url = await shop();
    const till = client(url);
    expect(await isAlive(till)).toBe(true);
    expect(await till.say('GARBAGE\r\n\r\n')).toContain('HTTP/1.1 400');
    await till.closed;
  });
});

describe.skipIf(lack !== null)(
  `a TLS handshake that does not end${lack ? ` (skipped: ${lack})` : ''}`,
  () => {
    it('is cut within the time for headers, and its place is free again', async () => {
      const { api } = await startShop({
        tls: certificate(),
        limits: { maxConnections: CAP, headersTimeoutMs: 100 },
      });
      stops.push(api.stop);
      const unfinished = Array.from({ length: CAP }, () => client(api.url));
      for (const { socket } of unfinished) socket.write(Buffer.from('160301020001', 'hex'));
      await Promise.all(unfinished.map(({ closed }) => closed));
      expect(unfinished.map(({ heard }) => heard)).toEqual(['', '', '', '']);
    });

    it('does not keep the agent from stopping', async () => {
      const { api } = await startShop({
        tls: certificate(),
        limits: { headersTimeoutMs: 120_000, requestTimeoutMs: 120_000 },
      });
      const half = client(api.url);
      await new Promise<void>((resolve) =>
        half.socket.write(Buffer.from('160301020001', 'hex'), () => resolve()),
      );
      await api.stop();
      await half.closed;
    });
  },
);
