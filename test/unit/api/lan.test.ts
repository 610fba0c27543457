import { X509Certificate } from 'node:crypto';
import { type IncomingHttpHeaders, request as plainRequest } from 'node:http';
import { request } from 'node:https';
import { connect as connectTcp } from 'node:net';
import { connect } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { pageFiles } from '../../../src/agent/pages.ts';
import type { RunningLan } from '../../../src/api/lan/listen-lan.ts';
import { silentLog } from '../../../src/base/log.ts';
import { makeAuthority, type PemPair } from '../../../src/certificates/authority.ts';
import { ShopCertificate, type ShopTls } from '../../../src/certificates/shop-certificate.ts';
import { HookWakeup } from '../../../src/service/hook-wakeup.ts';
import { ServiceHooks } from '../../../src/service/hooks.ts';
import { SqlitePeopleStore } from '../../../src/store/people/sqlite-people-store.ts';
import { SqliteSessionStore } from '../../../src/store/people/sqlite-session-store.ts';
import { SqliteSignInStore } from '../../../src/store/people/sqlite-sign-in-store.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';
import { Authenticator } from './authenticator.ts';
import { ask as askPage } from './page-request.ts';
import { KEYS, openShop, startShop } from './shop.ts';

type Started = Awaited<ReturnType<typeof startShop>>;
const DAY_MS = 86_400_000;
const FILES = pageFiles();
const LIMITS = { headersTimeoutMs: 1_000, requestTimeoutMs: 1_500, checkEveryMs: 20 };

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of many shapes
  readonly json: any;
}

interface Ask {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Address of the client. */
  readonly from?: string;
}

describe('the listener of the shop’s network', () => {
  const authorities: { ours?: PemPair; theirs?: PemPair } = {};
  let started: Started;
  let lan: RunningLan;
  let shop: ShopTls;
  let certificate: ShopCertificate;
  let world: { now: number; addresses: readonly string[] };
  beforeEach(async () => {
    authorities.ours ??= await makeAuthority('shop', Date.now() - 400 * DAY_MS);
    authorities.theirs ??= await makeAuthority('shop', Date.now());
    // The certificate has another month: that is when it is replaced.
    world = { now: Date.now() - 367 * DAY_MS, addresses: ['192.168.1.20'] };
    certificate = new ShopCertificate({
      name: 'shop',
      place: { read: () => authorities.ours ?? null, keep: () => undefined },
      addresses: () => world.addresses,
      clock: { now: () => world.now },
      log: silentLog,
    });
    shop = (await certificate.renewed()) as ShopTls;
    world.now = Date.now();
    const opened = openShop();
    const pages = { files: FILES, sessions: new SqliteSessionStore(opened.books) };
    const people = new SqlitePeopleStore(opened.books);
    const signIn = new SqliteSignInStore(opened.books);
    const clock = new VirtualClock(Date.now());
    const serviceTime = { now: () => clock.now() };
    const serviceHooks = new ServiceHooks({
      secrets: () => [],
      serviceTime,
      wakeup: new HookWakeup(clock),
      clock,
    });
    const deps = { ...opened.deps, pages, people, signIn, serviceHooks, clock };
    started = await startShop(
      { limits: LIMITS, trustedProxies: ['127.0.0.0/8'], allowedHosts: ['till.example'] },
      { ...opened, deps },
    );
    lan = await started.api.listenLan({ host: '127.0.0.1', port: 0, shop });
  });
  afterEach(() => started.api.stop());

  const port = () => Number(new URL(lan.url).port);
  /** A client that trusts the authority of the shop, and nothing else. */
  const ask = ({ method = 'GET', path, headers = {}, body, from = '127.0.0.1' }: Ask, ca = shop.authority) =>
    new Promise<Answer>((resolve, reject) => {
      const type = body === undefined ? {} : { 'content-type': 'application/json' };
      const at = { host: '127.0.0.1', port: port(), localAddress: from, agent: false };
      const options = { ...at, servername: 'shop.local', ca };
      const all = { host: new URL(lan.url).host, ...type, ...headers };
      const asked = request({ ...options, method, path, headers: all }, (reply) => {
        let text = '';
        reply.on('data', (chunk) => {
          text += chunk;
        });
        reply.on('end', () => {
          const isJson = String(reply.headers['content-type']).startsWith('application/json');
          const json: unknown = isJson ? JSON.parse(text) : null;
          resolve({ status: reply.statusCode ?? 0, headers: reply.headers, text, json });
        });
      });
      asked.once('error', reject).end(body === undefined ? undefined : JSON.stringify(body));
    });
  const plain = (path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
    new Promise<Answer & { readonly bytes: Buffer }>((resolve, reject) => {
      const options = { host: '127.0.0.1', port: port(), agent: false };
      plainRequest({ ...options, method, path, headers }, (reply) => {
        const chunks: Buffer[] = [];
        reply.on('data', (chunk: Buffer) => chunks.push(chunk));
        reply.on('end', () => {
          const bytes = Buffer.concat(chunks);
          const { headers: got, statusCode = 0 } = reply;
          resolve({ status: statusCode, headers: got, text: bytes.toString(), json: null, bytes });
        });
      })
        .once('error', reject)
        .end();
    });
  const socket = async (method: string, path: string, body?: unknown) =>
    askPage(started.socketPath, {
      method,
      path,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const code = ({ status, json }: Answer) => [status, json?.error?.code ?? json?.error ?? null];

  it('serves the pages under the name of the shop, to a client that trusts its authority alone', async () => {
    const page = await ask({ path: '/' });
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    await expect(ask({ path: '/' }, authorities.theirs?.cert)).rejects.toThrow(/certificate|signature/);
  });

  it('promises no browser that TLS stays: the page of trust has the same name', async () => {
    expect((await ask({ path: '/' })).headers['strict-transport-security']).toBeUndefined();
  });

  it.each([
    '/v2/terminal-devices',
    '/v2/terminal-payments',
    '/healthz',
    '/metrics',
    '/v2/openapi.json',
    '/v2/status',
  ])('gives nothing of %s to a caller without a key or a sign-in', async (path) => {
    expect([401, 403]).toContain((await ask({ path })).status);
  });

  it('takes the key of a till, as elsewhere', async () => {
    const reply = await ask({ path: '/v2/terminal-devices', headers: { 'x-api-key': KEYS.reader } });
    expect(reply.status).toBe(200);
  });

  it('has no hooks of the service, which the loopback listener has', async () => {
    const hook = { method: 'POST', path: '/hooks/service' };
    expect((await ask({ ...hook, body: {} })).status).toBe(404);
    expect((await askPage(started.api.url, { ...hook, body: '{}' })).status).not.toBe(404);
  });

  it.each([
    ['localhost', 421],
    ['127.0.0.1', 421],
    ['till.example', 421],
    ['evil.example', 421],
    ['192.168.1.99', 421],
    ['192.168.1.20', 200],
    ['shop.local', 200],
    ['SHOP.LOCAL', 200],
  ])('the host %s is answered with %i', async (host, status) => {
    expect((await ask({ path: '/', headers: { host: `${host}:${port()}` } })).status).toBe(status);
  });

  it('the loopback listener does not take the name of the shop', async () => {
    const reply = await askPage(started.api.url, { path: '/', headers: { host: `shop.local:${port()}` } });
    expect(reply.status).toBe(421);
  });

  it.each(['http', 'https'])('a page of another origin (%s) may not call', async (scheme) => {
    const origin = scheme === 'http' ? `http://shop.local:${port()}` : 'https://shop.local';
    const reply = await ask({ path: '/v2/sign-in-options', headers: { origin } });
    expect(code(reply)).toEqual([403, 'origin_not_allowed']);
  });

  it('a device that guesses codes keeps no other from signing in', async () => {
    const { code: right } = (await socket('POST', '/v2/sign-in-codes', {})).json.data;
    const guess = { method: 'POST', path: '/v2/sessions', body: { code: '00000000' }, from: '127.0.0.9' };
    const statuses: number[] = [];
    for (let tries = 0; tries < 7; tries += 1) statuses.push((await ask(guess)).status);
    expect([statuses[0], statuses.at(-1)]).toEqual([401, 429]);
    expect((await ask({ method: 'POST', path: '/v2/sessions', body: { code: right } })).status).toBe(201);
  });

  it('says the page of trust that TLS stands, and nothing else', async () => {
    const origin = `http://shop.local:${port()}`;
    const { status, text, headers } = await ask({ path: '/trust', headers: { origin } });
    expect([status, text]).toEqual([204, '']);
    expect(headers['cross-origin-resource-policy']).toBe('cross-origin');
    expect(headers['access-control-allow-origin']).toBeUndefined();
    for (const path of ['/trust/', '/trust?x', '/trust/ca.crt', '/trust/../v2/status'])
      expect((await ask({ path, headers: { origin } })).status).toBe(403);
  });

  it('believes no proxy about its clients', async () => {
    const forwarded = { 'x-forwarded-for': '203.0.113.7', 'x-forwarded-proto': 'http' };
    const { json } = await socket('POST', '/v2/pairing-codes');
    const body = { code: json.data.code, name: 'Tablet' };
    const reply = await ask({ method: 'POST', path: '/v2/paired-devices', body, headers: forwarded });
    expect(String(reply.headers['set-cookie'])).toContain('; Secure');
    const { json: audit } = await socket('GET', '/v2/audit');
    expect(audit.data[0].from).toBe('127.0.0.1');
  });

  it('knows a client of version 4 by its own form, also where both versions listen', async () => {
    lan = await started.api.listenLan({ host: '::ffff:127.0.0.1', port: 0, shop });
    const { json } = await socket('POST', '/v2/pairing-codes');
    await ask({ method: 'POST', path: '/v2/paired-devices', body: { code: json.data.code, name: 'Tablet' } });
    expect((await socket('GET', '/v2/audit')).json.data[0].from).toBe('127.0.0.1');
  });

  it('a code names the address of the shop, and what a device must trust before', async () => {
    const { json } = await socket('POST', '/v2/pairing-codes');
    const { url, trust } = json.data;
    expect(url).toBe(`https://shop.local:${port()}/#/pair`);
    expect(trust).toEqual({ url: `http://shop.local:${port()}/trust`, fingerprint: shop.fingerprint });
    expect((await ask({ path: '/v2/sign-in-options' })).json.data.shop_url).toBe(lan.url);
    expect((await socket('GET', '/v2/status')).json.data.urls.lan).toBe(lan.url);
  });

  it('a device pairs with a code, signs in with a PIN, and is refused once it was withdrawn', async () => {
    const anna = (await socket('POST', '/v2/people', { name: 'Anna', role: 'staff' })).json.data.id;
    const signInCode = (await socket('POST', '/v2/sign-in-codes', { person: 'Anna' })).json.data.code;
    const byCode = await ask({ method: 'POST', path: '/v2/sessions', body: { code: signInCode } });
    const credentialsOf = (reply: Answer) => ({
      cookie: String(reply.headers['set-cookie']).split(';')[0] ?? '',
      'x-tilld-page': String(reply.json.data.proof),
    });
    await ask({ method: 'PUT', path: '/v2/pin', body: { pin: '402917' }, headers: credentialsOf(byCode) });
    const withPin = { method: 'POST', path: '/v2/sessions', body: { person: anna, pin: '402917' } };
    expect(code(await ask(withPin))).toEqual([401, 'sign_in_code_invalid']);

    const pairing = (await socket('POST', '/v2/pairing-codes')).json.data.code;
    const body = { code: pairing, name: 'Tablet' };
    const paired = await ask({ method: 'POST', path: '/v2/paired-devices', body });
    const cookie = String(paired.headers['set-cookie']).split(';')[0] ?? '';
    const opened = await ask({ ...withPin, headers: { cookie } });
    expect([opened.status, opened.json.data.person.name]).toEqual([201, 'Anna']);
    const read = { path: '/v2/terminal-devices', headers: credentialsOf(opened) };
    expect((await ask(read)).status).toBe(200);

    await socket('POST', `/v2/paired-devices/${paired.json.data.id}/withdraw`);
    expect((await ask(read)).status).toBe(401);
    expect((await ask({ ...withPin, headers: { cookie } })).status).toBe(401);
  });

  it('a passkey is made and used at the name of the shop, and one of localhost opens nothing here', async () => {
    await socket('POST', '/v2/people', { name: 'Anna', role: 'staff' });
    const signInCode = (await socket('POST', '/v2/sign-in-codes', { person: 'Anna' })).json.data.code;
    const byCode = await ask({ method: 'POST', path: '/v2/sessions', body: { code: signInCode } });
    const headers = {
      cookie: String(byCode.headers['set-cookie']).split(';')[0] ?? '',
      'x-tilld-page': String(byCode.json.data.proof),
    };
    const options = await ask({ method: 'POST', path: '/v2/passkey-challenges', body: {}, headers });
    expect(options.json.data.rp.id).toBe('shop.local');
    const key = new Authenticator();
    const made = key.create(options.json.data.challenge, lan.url);
    expect((await ask({ method: 'POST', path: '/v2/passkeys', body: made, headers })).status).toBe(201);
    const signIn = async (origin: string) => {
      const { json } = await ask({ method: 'POST', path: '/v2/sign-in-challenges', body: {} });
      const body = { passkey: key.get(json.data.challenge, origin) };
      return (await ask({ method: 'POST', path: '/v2/sessions', body })).status;
    };
    expect(await signIn(lan.url)).toBe(201);
    expect(await signIn(`https://localhost:${port()}`)).toBe(401);
  });

  it('serves a certificate that was issued anew to the next connection, under its addresses, and does not stop', async () => {
    const seen = () =>
      new Promise<string>((resolve, reject) => {
        const open = connect({
          host: '127.0.0.1',
          port: port(),
          servername: 'shop.local',
          ca: shop.authority,
        });
        open.once('error', reject);
        open.once('secureConnect', () => {
          resolve(open.getPeerX509Certificate()?.serialNumber ?? '');
          open.destroy();
        });
      });
    const first = await seen();
    const next = (await certificate.renewed()) as ShopTls;
    lan.renew(next);
    expect(await seen()).toBe(new X509Certificate(next.server.cert).serialNumber);
    expect(await seen()).not.toBe(first);
    world.addresses = ['192.168.1.99'];
    lan.renew((await certificate.renewed()) as ShopTls);
    const at = (host: string) => ask({ path: '/', headers: { host: `${host}:${port()}` } });
    expect([(await at('192.168.1.99')).status, (await at('192.168.1.20')).status]).toEqual([200, 421]);
  });

  describe('without TLS, on the same port', () => {
    it.each(['/', '/trust', '/trust?lang=en'])('%s is the page of trust', async (path) => {
      const { status, text, headers } = await plain(path);
      expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
      expect(text.replaceAll('<wbr />', '')).toContain(shop.fingerprint);
      expect(text).toContain(`href="${lan.url}/#/pair"`);
      expect(headers['content-security-policy']).toContain(`default-src 'none'`);
      expect(headers['set-cookie']).toBeUndefined();
    });

    it('speaks the language of the browser, and opens the steps of its device', async () => {
      const german = await plain('/trust', {
        'accept-language': 'de-AT,de;q=0.9,en;q=0.8',
        'user-agent': 'iPad',
      });
      expect(german.text).toContain('<html lang="de">');
      expect(german.text).toMatch(/<details open>\s*<summary>iPhone und iPad/);
      expect((await plain('/trust?lang=fr', { 'accept-language': 'de' })).text).toContain('<html lang="fr">');
      expect((await plain('/trust', { 'accept-language': 'pl' })).text).toContain('<html lang="en">');
    });

    it('nothing of the request comes back in it', async () => {
      const evil = '"><script>alert(1)</script>';
      const headers = { host: 'evil.example', 'user-agent': evil, 'accept-language': evil };
      const { text } = await plain(`/trust?lang=${encodeURIComponent(evil)}`, headers);
      expect(text).not.toMatch(/alert\(|evil/);
    });

    it('gives the certificate of the authority, never a key', async () => {
      const file = await plain('/trust/ca.crt');
      expect(file.headers['content-type']).toBe('application/x-x509-ca-cert');
      expect(new X509Certificate(file.bytes).fingerprint256).toBe(shop.fingerprint);
      const profile = await plain('/trust/ca.mobileconfig');
      expect(profile.headers['content-type']).toBe('application/x-apple-aspen-config');
      const inside = /<data>(.+)<\/data>/.exec(profile.text)?.[1] ?? '';
      expect(new X509Certificate(Buffer.from(inside, 'base64')).fingerprint256).toBe(shop.fingerprint);
      expect(profile.text).toBe((await plain('/trust/ca.mobileconfig')).text);
    });

    it.each(['/trust/theme.css', '/trust/page.css', '/trust/page.js'])('serves %s', async (path) => {
      expect((await plain(path)).status).toBe(200);
    });

    it.each([
      ['GET', '/v2/terminal-devices'],
      ['GET', '/healthz'],
      ['GET', '/console/app/main.js'],
      ['GET', '/trust/../console/app/main.js'],
      ['GET', '/trust/__proto__'],
      ['POST', '/trust'],
      ['POST', '/v2/sessions'],
      ['POST', '/v2/terminal-payments'],
    ])('%s %s is answered that this port speaks TLS', async (method, path) => {
      const { status, text } = await plain(path, { 'x-api-key': KEYS.full }, method);
      expect(status).toBe(426);
      expect(text).toContain(`use ${lan.url}.`);
    });
  });

  it.each([
    ['says nothing', ''],
    ['never ends its head', 'GET /trust HTTP/1.1\r\nx: '],
    ['never ends its handshake', '\x16\x03\x01\x02\x00\x01'],
  ])('a client that %s is let go, and the next one is answered', async (_name, text) => {
    const client = connectTcp(port(), '127.0.0.1', () => text !== '' && client.write(text, 'latin1'));
    client.on('error', () => undefined);
    client.resume();
    await new Promise<void>((resolve) => client.once('close', () => resolve()));
    expect((await ask({ path: '/' })).status).toBe(200);
  });

  it('ends with the other listeners, also under a client that says nothing', async () => {
    const silent = connectTcp(port(), '127.0.0.1');
    silent.on('error', () => undefined);
    await new Promise<void>((resolve) => silent.once('connect', () => resolve()));
    await started.api.stop();
    await expect(ask({ path: '/' })).rejects.toThrow(/ECONNREFUSED/);
    silent.destroy();
  });

  it('a port that is taken fails this listener alone, and it can be tried again', async () => {
    const again = { host: '127.0.0.1', port: port(), shop };
    await expect(started.api.listenLan(again)).rejects.toThrow(/EADDRINUSE/);
    expect((await askPage(started.api.url, { path: '/' })).status).toBe(200);
    expect((await started.api.listenLan({ ...again, port: 0 })).url).toMatch(/^https:\/\/shop\.local:\d+$/);
  });
});
