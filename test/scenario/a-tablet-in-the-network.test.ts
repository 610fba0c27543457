import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { get as plainGet } from 'node:http';
import { request } from 'node:https';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { DEVICE_ID } from '../support/attempts.ts';
import { aWorld, Daemon, eventually, type World } from '../support/daemon.ts';
import { askOver } from '../support/socket.ts';

const ROOT = join(import.meta.dirname, '../..');
const LAN = { listen: { port: 0, lan: { name: 'shop', host: '127.0.0.1', port: 0 } } };
const PIN = '402917';

// biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of many shapes
type Json = any;

interface Answer {
  readonly status: number;
  readonly cookie: string;
  readonly json: Json;
}

/** A client that trusts one certificate, as a tablet does. */
function tablet(url: string, ca: string) {
  const { host, port } = new URL(url);
  return (method: string, path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) =>
    new Promise<Answer>((resolve, reject) => {
      const type = { host, ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
      const options = { host: '127.0.0.1', port, servername: 'shop.local', ca, agent: false };
      const asked = request({ ...options, method, path, headers: { ...type, ...headers } }, async (reply) => {
        const text = (await buffer(reply)).toString();
        const isJson = String(reply.headers['content-type']).startsWith('application/json');
        const cookie = String(reply.headers['set-cookie'] ?? '').split(';')[0] ?? '';
        resolve({ status: reply.statusCode ?? 0, cookie, json: isJson ? JSON.parse(text) : text });
      });
      asked.once('error', reject).end(body === undefined ? undefined : JSON.stringify(body));
    });
}

/** What the page of trust gives a device that trusts nothing yet, as PEM. */
async function certificateAt(trustUrl: string): Promise<string> {
  const { port } = new URL(trustUrl);
  const bytes = await new Promise<Buffer>((resolve, reject) => {
    plainGet({ host: '127.0.0.1', port, path: '/trust/ca.crt', agent: false }, (reply) =>
      resolve(buffer(reply)),
    ).once('error', reject);
  });
  return new X509Certificate(bytes).toString();
}

async function started(world: World) {
  const daemon = await Daemon.start(world);
  const socket = (method: string, path: string, body?: object): Promise<Json> =>
    askOver(daemon.socket, method, path, body);
  const url: string = await eventually(
    async () => (await socket('GET', '/v2/status')).data.urls.lan ?? undefined,
  );
  return { daemon, socket, url };
}

function authorityFileOf({ folder }: World): string {
  return join(folder, 'state/credentials/shop-ca-shop.pem');
}

describe('a tablet in the network of the shop', () => {
  it('comes to trust the shop, pairs by a code, signs in with a PIN, takes a payment, and is refused once it was withdrawn', async () => {
    const world = await aWorld({}, LAN);
    const { socket, url } = await started(world);
    const anna = (await socket('POST', '/v2/people', { name: 'Anna', role: 'staff' })).data.id;
    const first = (await socket('POST', '/v2/sign-in-codes', { person: 'Anna' })).data.code;
    const { code, trust, url: pairing } = (await socket('POST', '/v2/pairing-codes')).data;
    expect(pairing).toBe(`${url}/#/pair`);

    const certificate = await certificateAt(trust.url);
    expect(new X509Certificate(certificate).fingerprint256).toBe(trust.fingerprint);
    const ask = tablet(url, certificate);
    expect((await ask('GET', '/v2/terminal-devices')).status).toBe(401);
    const credentialsOf = ({ cookie, json }: Answer) => ({ cookie, 'x-tilld-page': String(json.data.proof) });
    const byCode = await ask('POST', '/v2/sessions', { code: first });
    expect((await ask('PUT', '/v2/pin', { pin: PIN }, credentialsOf(byCode))).status).toBe(200);

    const paired = await ask('POST', '/v2/paired-devices', { code, name: 'Tablet' });
    expect(paired.status).toBe(201);
    const opened = await ask('POST', '/v2/sessions', { person: anna, pin: PIN }, { cookie: paired.cookie });
    expect([opened.status, opened.json.data.person.name]).toEqual([201, 'Anna']);
    const sale = { device_id: DEVICE_ID, amount_minor: 1234, currency: 'EUR', reference: 'basket' };
    const { json } = await ask('POST', '/v2/terminal-payments', sale, credentialsOf(opened));
    const paid = await eventually(async () => {
      const { data } = (
        await ask('GET', `/v2/terminal-payments/${json.data.id}`, undefined, credentialsOf(opened))
      ).json;
      return data.status === 'succeeded' && data;
    });
    expect([paid.charged, paid.approved_amount_minor]).toEqual(['yes', 1234]);
    expect(world.terminal.snapshot().ledger.filter(({ result }) => result === 'approved')).toHaveLength(1);

    await socket('POST', `/v2/paired-devices/${paired.json.data.id}/withdraw`);
    expect((await ask('GET', '/v2/terminal-devices', undefined, credentialsOf(opened))).status).toBe(401);
    const again = await ask('POST', '/v2/sessions', { person: anna, pin: PIN }, { cookie: paired.cookie });
    expect(again.status).toBe(401);
  });

  it('trusts the shop after a restart and a crash, too: the authority is kept, with its key for the daemon alone', async () => {
    const world = await aWorld({}, LAN);
    const before = await started(world);
    const { trust } = (await before.socket('POST', '/v2/pairing-codes')).data;
    const certificate = await certificateAt(trust.url);
    expect(statSync(authorityFileOf(world)).mode & 0o777).toBe(0o600);
    await before.daemon.kill();
    const after = await started(world);
    expect((await tablet(after.url, certificate)('GET', '/')).status).toBe(200);
  });

  it('no backup, no support bundle, no log and no answer holds the key of the authority', async () => {
    const world = await aWorld({}, LAN);
    const { daemon, socket, url } = await started(world);
    const key = readFileSync(authorityFileOf(world), 'utf8').split('\n').slice(1, 4);
    const tillctl = (...words: readonly string[]) =>
      execFileSync(process.execPath, ['src/cli/tillctl.ts', ...words], { cwd: ROOT, stdio: 'pipe' });
    const place = ['--state-dir', join(world.folder, 'state'), '--config', world.config];
    const kept = join(world.folder, 'kept');
    tillctl('backup', `${kept}.backup`, ...place);
    tillctl('support-bundle', `${kept}.tar.gz`, ...place);
    const bundle = gunzipSync(readFileSync(`${kept}.tar.gz`)).toString('latin1');
    expect(bundle).toContain('tilld-support/README');
    const texts = [readFileSync(`${kept}.backup`, 'latin1'), bundle, daemon.log];
    texts.push(JSON.stringify(await socket('GET', '/v2/status')));
    const ask = tablet(url, await certificateAt(url));
    for (const path of [
      '/trust/ca.key',
      '/trust/ca.pem',
      '/credentials/shop-ca-shop.pem',
      '/console/../credentials/shop-ca-shop.pem',
      '/console/%2e%2e/%2e%2e/credentials/shop-ca-shop.pem',
    ])
      texts.push(JSON.stringify((await ask('GET', path)).json));
    for (const line of key) for (const text of texts) expect(text.includes(line)).toBe(false);
  });

  it('a port that another program has keeps no till from selling, and is used once it is free', async () => {
    const { createServer } = await import('node:net');
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const address = other.address();
    const port = address !== null && typeof address === 'object' ? address.port : 0;
    const world = await aWorld({}, { listen: { port: 0, lan: { ...LAN.listen.lan, port } } });
    const daemon = await Daemon.start(world);
    await eventually(() => daemon.log.includes('devices of the shop are not served as configured'));
    other.close();
    const url = await eventually(async () => {
      const { data } = (await askOver(daemon.socket, 'GET', '/v2/status')) as Json;
      return data.urls.lan ?? undefined;
    }, 20_000);
    expect(url).toBe(`https://shop.local:${port}`);
  });
});
