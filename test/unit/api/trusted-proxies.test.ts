import { afterEach, describe, expect, it } from 'vitest';
import type { PageDeps } from '../../../src/api/ports.ts';
import { SessionMemory } from './session-memory.ts';
import { type Ask, ask, KEYS, openShop, startShop } from './shop.ts';

const CLIENT = '203.0.113.7';
const DEVICES = '/v2/terminal-devices';
type Started = Awaited<ReturnType<typeof startShop>>;

describe('behind a reverse proxy', () => {
  let started: Started;
  afterEach(() => started.api.stop());

  /** tilld, and a key that is good for one client alone. */
  async function behind(trustedProxies: readonly string[]) {
    const shop = openShop();
    const pages = { ...NOTHING_TO_SHOW, files: [], sessions: new SessionMemory() } as unknown as PageDeps;
    started = await startShop(
      { trustedProxies, allowedHosts: ['till.example'] },
      { ...shop, deps: { ...shop.deps, pages } },
    );
    const made = await ask(started.socketPath, {
      method: 'POST',
      path: '/v2/keys',
      key: null,
      body: JSON.stringify({ name: 'client', scopes: ['payments:read'], allow: [CLIENT] }),
    });
    const key = String(made.json.data.key);
    return (headers: Readonly<Record<string, string>>, change: Partial<Ask> = {}) =>
      ask(started.api.url, { path: DEVICES, key, headers, ...change });
  }

  it.each([
    ['the one address', CLIENT, 200],
    ['what the client wrote itself', `${CLIENT}, 198.51.100.1`, 403],
    ['the client behind two proxies', `198.51.100.1, ${CLIENT}, 127.0.0.1`, 200],
    ['no address at all', 'unknown', 403],
    ['a name', 'localhost', 403],
    ['nothing', '', 403],
    ['a thousand addresses', Array(1000).fill(CLIENT).join(','), 200],
  ])('the client is the last that is no proxy: %s', async (_name, forwarded, status) => {
    const call = await behind(['127.0.0.0/8']);
    expect((await call({ 'x-forwarded-for': forwarded })).status).toBe(status);
  });

  it.each<[string, readonly string[]]>([
    ['no proxy is trusted', []],
    ['another one is', ['192.0.2.1', '10.0.0.0/8']],
  ])('the header counts for nothing where %s', async (_name, trusted) => {
    const call = await behind(trusted);
    expect((await call({ 'x-forwarded-for': CLIENT })).status).toBe(403);
  });

  it('a client of the proxy is not on this machine: what needs no key there needs one', async () => {
    const call = await behind(['127.0.0.1']);
    const open = { path: '/metrics', key: null };
    expect((await call({}, open)).status).toBe(200);
    expect((await call({ 'x-forwarded-for': CLIENT }, open)).status).toBe(401);
    expect((await call({ 'x-forwarded-for': 'localhost' }, open)).status).toBe(401);
  });

  it('a page that came over TLS to the proxy is ours', async () => {
    const call = await behind(['127.0.0.1']);
    const page = { host: 'till.example', origin: 'https://till.example', 'x-forwarded-for': CLIENT };
    expect((await call({ ...page, 'x-forwarded-proto': 'https' })).status).toBe(200);
    expect((await call({ ...page, 'x-forwarded-proto': 'http' })).status).toBe(403);
  });

  it('without a trusted proxy, the scheme in a header counts for nothing', async () => {
    const call = await behind([]);
    const page = { host: 'till.example', origin: 'https://till.example', 'x-forwarded-proto': 'https' };
    expect((await call(page, { key: KEYS.full })).status).toBe(403);
  });
});

const NOTHING_TO_SHOW = { log: null, series: null, doctor: null, virtualTerminals: null };
