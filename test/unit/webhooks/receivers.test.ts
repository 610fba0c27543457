import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Clock } from '../../../src/base/clock.ts';
import { silentLog } from '../../../src/base/log.ts';
import { postOnce } from '../../../src/net/post-once.ts';
import { reachOf } from '../../../src/net/reach.ts';
import { hmacSha256 } from '../../../src/runtime/hmac.ts';
import { systemClock } from '../../../src/runtime/system-clock.ts';
import { systemIds } from '../../../src/runtime/system-ids.ts';
import { SqliteWebhookStore } from '../../../src/store/webhooks/sqlite-webhook-store.ts';
import { WebhookDispatcher } from '../../../src/webhooks/webhook-dispatcher.ts';
import { eventually } from '../../support/daemon.ts';
import { lackOfLocalhost } from '../../support/localhost.ts';
import { aFolder, aMoneyDatabase } from '../../support/money-database.ts';
import { aSealer, aWebhookService } from '../../support/webhooks.ts';
import { type Seen, startPeer } from '../net/peer.ts';
import { PAID } from './hooks.ts';

const HAS_OPENSSL = spawnSync('openssl', ['version']).status === 0;
const lackOfOpenssl = HAS_OPENSSL ? '' : ' (skipped: this machine has no openssl)';
const BODY = JSON.stringify({ id: 'evt_1', data: { text: 'Zażółć 10 €', quote: '"' } });

const NOTHING: Seen = { method: '', url: '', headers: {}, body: '' };

/** Its ten seconds are one. */
const hastyClock: Clock = {
  ...systemClock,
  timer: (name, ms, fn) => systemClock.timer(name, ms / 10, fn),
};

/** The real dispatcher, store and sender before one receiver; gives what became of the event. */
async function sentTo(url: string, allowPrivate = ['127.0.0.0/8', '::1'], clock = systemClock) {
  const database = aMoneyDatabase();
  const sealer = aSealer();
  const service = aWebhookService(database, clock, systemIds, sealer);
  const dispatcher = new WebhookDispatcher({
    store: new SqliteWebhookStore(database),
    bodyOf: () => BODY,
    sealer,
    hmac: hmacSha256,
    post: (post) => postOnce(post, reachOf(allowPrivate)),
    userAgent: 'tilld/0.1.0',
    mayWrite: () => true,
    clock,
    ids: systemIds,
    log: silentLog,
  });
  onTestFinished(() => dispatcher.stop());
  const { secret } = service.create({ url, events: [PAID] });
  database.run("INSERT INTO events (id, type, at, snapshot) VALUES ('evt_1', ?, 1, '{}')", PAID);
  dispatcher.start();
  const delivery = await eventually(() => {
    const [one] = service.deliveries({ limit: 1 }).items;
    return one && one.attempts > 0 ? one : undefined;
  }, 60_000);
  return { secret, delivery };
}

async function peer(handler: (response: ServerResponse, seen: Seen, count: number) => void) {
  const started = await startPeer(handler);
  onTestFinished(() => started.close());
  return started;
}

/** A server below HTTP: `talk` says what it does with each connection. */
async function rawPeer(talk: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    talk(socket);
  });
  await listening(server);
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

function listening(server: Server): Promise<void> {
  return new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
}

describe('a receiver that keeps to the rules', () => {
  it.skipIf(lackOfOpenssl !== '')(
    `gets the event as JSON from tilld, with a signature that openssl confirms${lackOfOpenssl}`,
    async () => {
      const { url, seen } = await peer((response) => response.writeHead(200).end());
      const { secret, delivery } = await sentTo(`${url}/hooks?shop=1`);
      expect(delivery).toMatchObject({ responseStatus: 200, status: { name: 'delivered' }, lastError: null });
      const { method, url: path, headers, body } = seen[0] ?? NOTHING;
      expect([method, path, body]).toEqual(['POST', '/hooks?shop=1', BODY]);
      expect(headers).toMatchObject({ 'content-type': 'application/json', 'user-agent': 'tilld/0.1.0' });
      const [, seconds = '', v1] =
        /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['x-service-signature'])) ?? [];
      expect(Math.abs(Date.now() / 1000 - Number(seconds))).toBeLessThan(300);
      const signed = join(aFolder(), 'signed');
      writeFileSync(signed, `${seconds}.${body}`);
      const out = execFileSync('openssl', ['dgst', '-sha256', '-hmac', secret, signed]).toString().trim();
      expect(out.split(' ').at(-1)).toBe(v1);
    },
  );
});

describe('a receiver on this machine', () => {
  it.skipIf(lackOfLocalhost !== '')(
    `is reached under plain http by the name localhost${lackOfLocalhost}`,
    async () => {
      const { url } = await peer((response) => response.writeHead(204).end());
      const { delivery } = await sentTo(url.replace('127.0.0.1', 'localhost'));
      expect(delivery).toMatchObject({ responseStatus: 204, status: { name: 'delivered' } });
    },
  );
});

describe('a receiver that is not of the internet', () => {
  it.each(['127.0.0.1', 'localhost'])('gets nothing at %s unless its range is allowed', async (host) => {
    const { url, seen } = await peer((response) => response.writeHead(200).end());
    const { delivery } = await sentTo(url.replace('127.0.0.1', host), ['192.168.0.0/16']);
    expect(delivery).toMatchObject({
      responseStatus: null,
      lastError: expect.stringContaining('webhooks.allow_private'),
      status: { name: 'pending' },
    });
    expect(seen).toHaveLength(0);
  });

  it('gets nothing at an address that a name server gives, under https either', async () => {
    const { delivery } = await sentTo('https://localhost:9/', []);
    expect(delivery.lastError).toMatch(/^localhost is .*(127\.0\.0\.1|::1).*webhooks\.allow_private/);
  });
});

describe('a receiver that lies', () => {
  it('with a redirect is not followed, and has not acknowledged', async () => {
    const target = await peer((response) => response.writeHead(200).end());
    const { url, seen } = await peer((response) => response.writeHead(307, { location: target.url }).end());
    const { delivery } = await sentTo(url);
    expect(delivery).toMatchObject({
      responseStatus: 307,
      lastError: expect.stringContaining('not followed'),
    });
    expect([seen.length, target.seen.length]).toEqual([1, 0]);
  });

  it('with an answer that never ends is cut off, and has acknowledged by its 200', async () => {
    const { url } = await peer((response) => {
      response.writeHead(200);
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
      };
      response.on('drain', more).on('error', () => undefined);
      more();
    });
    expect((await sentTo(url)).delivery).toMatchObject({
      responseStatus: 200,
      status: { name: 'delivered' },
    });
  });

  it.each([
    ['too long', 'HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nshort'],
    ['too short', 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nmuch longer than that'],
    ['broken', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\nno chunk'],
  ])(
    'about the length of its answer (%s) has acknowledged by its 200 all the same',
    async (_name, answer) => {
      const url = await rawPeer((socket) => void socket.once('data', () => socket.end(answer)));
      expect((await sentTo(url)).delivery).toMatchObject({
        responseStatus: 200,
        status: { name: 'delivered' },
      });
    },
  );

  it.each([
    ['resets the connection', (socket: Socket) => void socket.once('data', () => socket.resetAndDestroy())],
    ['hangs up without a word', (socket: Socket) => void socket.once('data', () => socket.end())],
    ['speaks no HTTP', (socket: Socket) => void socket.once('data', () => socket.end('SSH-2.0-x\r\n'))],
    [
      'sends headers without end',
      (socket: Socket) =>
        void socket.once('data', () => socket.write(`HTTP/1.1 200 OK\r\nx: ${'a'.repeat(100_000)}`)),
    ],
    [
      'cuts the head of its answer off',
      (socket: Socket) => void socket.once('data', () => socket.end('HTTP/1.1 200')),
    ],
  ])('and %s has not acknowledged', async (_name, talk) => {
    const { delivery } = await sentTo(await rawPeer(talk));
    expect(delivery).toMatchObject({ attempts: 1, responseStatus: null, status: { name: 'pending' } });
    expect(delivery.lastError?.length).toBeGreaterThan(5);
  });

  it.skipIf(lackOfOpenssl !== '' || lackOfLocalhost !== '')(
    `under TLS with a certificate of its own making (by openssl) gets nothing${lackOfOpenssl || lackOfLocalhost}`,
    async () => {
      const folder = aFolder();
      const [key, cert] = [join(folder, 'key'), join(folder, 'cert')];
      const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
      execFileSync(
        'openssl',
        [
          'req',
          '-x509',
          '-newkey',
          'ec',
          '-pkeyopt',
          'ec_paramgen_curve:prime256v1',
          '-nodes',
          '-keyout',
          key,
          '-out',
          cert,
          ...subject,
        ],
        { stdio: 'ignore' },
      );
      let asked = 0;
      const server = createTlsServer(
        { key: readFileSync(key), cert: readFileSync(cert) },
        (_request, response) => {
          asked += 1;
          response.end();
        },
      );
      await listening(server);
      onTestFinished(() => void server.close());
      const { delivery } = await sentTo(`https://localhost:${(server.address() as AddressInfo).port}/`);
      expect(delivery).toMatchObject({
        status: { name: 'pending' },
        lastError: expect.stringContaining('SELF_SIGNED'),
      });
      expect(asked).toBe(0);
    },
  );
});

describe('a receiver that is not there', () => {
  it('fails the attempt: nobody listens', async () => {
    const { url, close } = await startPeer(() => undefined);
    await close();
    expect((await sentTo(url)).delivery).toMatchObject({
      status: { name: 'pending' },
      lastError: expect.stringContaining('ECONNREFUSED'),
    });
  });

  it('fails the attempt: its name leads nowhere', async () => {
    expect((await sentTo('https://nobody.invalid/')).delivery).toMatchObject({
      attempts: 1,
      status: { name: 'pending' },
      responseStatus: null,
    });
  });

  it('is broken off after ten seconds, however slowly it drips the head of its answer', async () => {
    const url = await rawPeer((socket) => {
      let sent = 0;
      const drip = setInterval(() => {
        socket.write('HTTP/1.1 200 OK\r\n'[sent] ?? 'x');
        sent += 1;
      }, 40);
      socket.on('close', () => clearInterval(drip));
    });
    expect((await sentTo(url, undefined, hastyClock)).delivery).toMatchObject({
      lastError: 'no answer within 10 s',
      status: { name: 'pending' },
    });
  });

  it('is broken off after ten seconds, when it takes the event and says nothing', async () => {
    const url = await rawPeer((socket) => void socket.resume());
    expect((await sentTo(url, undefined, hastyClock)).delivery).toMatchObject({
      lastError: 'no answer within 10 s',
    });
  });
});
