import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CreatedKey, KeySummary } from '../../../src/api/contract/key.ts';
import { Status } from '../../../src/api/contract/status.ts';
import { ask, KEYS, keyId, sale, startShop } from './shop.ts';

const DEVICES = '/v2/terminal-devices';

describe('who may do what', () => {
  let started: Awaited<ReturnType<typeof startShop>>;
  beforeAll(async () => {
    started = await startShop({ rateLimit: { perMinute: 60_000, burst: 5_000 } });
  });
  afterAll(() => started.api.stop());

  it.each([
    ['no key', {}, 'authentication_failed'],
    ['an empty key', { 'x-api-key': '' }, 'authentication_failed'],
    ['another scheme', { authorization: 'Basic dXNlcjpwYXNz' }, 'authentication_failed'],
    [
      'two keys that differ',
      { 'x-api-key': KEYS.full, authorization: `Bearer ${KEYS.other}` },
      'authentication_failed',
    ],
    ['a malformed key', { 'x-api-key': 'sesame' }, 'invalid_api_key'],
    ['an unknown key', { 'x-api-key': KEYS.unknown }, 'invalid_api_key'],
    ['a key with a tail', { 'x-api-key': `${KEYS.full}x` }, 'invalid_api_key'],
    ['an expired key', { 'x-api-key': KEYS.expired }, 'expired_api_key'],
    ['a revoked key', { 'x-service-key': KEYS.revoked }, 'api_key_revoked'],
  ])('%s is 401 with a challenge, and no credential comes back', async (_name, headers, code) => {
    const answer = await ask(started.api.url, { path: DEVICES, headers, key: null });
    expect(answer).toMatchObject({ status: 401, json: { error: { type: 'authentication_error', code } } });
    expect(answer.headers['www-authenticate']).toBe('Bearer realm="tilld"');
    for (const value of Object.values(headers))
      if (value) expect(answer.text + JSON.stringify(answer.headers)).not.toContain(value);
  });

  it.each([
    [{ 'x-api-key': KEYS.full }],
    [{ 'x-service-key': KEYS.full }],
    [{ authorization: `Bearer ${KEYS.full}` }],
    [{ 'x-api-key': KEYS.full, authorization: `bearer ${KEYS.full}` }],
  ])('a key is taken as %o', async (headers) => {
    expect((await ask(started.api.url, { path: DEVICES, headers, key: null })).status).toBe(200);
  });

  it('a key without the scope is 403 and learns which one is required, not which it has', async () => {
    const answer = await ask(started.api.url, {
      method: 'POST',
      path: '/v2/terminal-payments',
      body: sale(),
      key: KEYS.reader,
    });
    expect(answer).toMatchObject({
      status: 403,
      json: {
        error: {
          type: 'authorization_error',
          code: 'insufficient_permissions',
          details: { required: ['payments:write'] },
        },
      },
    });
    expect(answer.text).not.toContain('payments:read');
    expect(started.shop.payments.attempts).toEqual([]);
  });

  it('a key is held to its addresses', async () => {
    const answer = await ask(started.api.url, { path: DEVICES, key: KEYS.elsewhere });
    expect(answer).toMatchObject({ status: 403, json: { error: { code: 'ip_not_allowed' } } });
    expect((await ask(started.api.url, { path: DEVICES, key: KEYS.here })).status).toBe(200);
  });

  it('a revoked key is refused from the next request on', async () => {
    expect((await ask(started.api.url, { path: DEVICES, key: KEYS.other })).status).toBe(200);
    started.shop.keys.endNow(keyId('other'));
    expect((await ask(started.api.url, { path: DEVICES, key: KEYS.other })).status).toBe(401);
  });

  it('the last use is noted, at most once a minute', async () => {
    const lastUse = () => started.shop.keys.find(keyId('full'))?.lastUsedAt;
    await ask(started.api.url, { path: DEVICES });
    const at = lastUse();
    await ask(started.api.url, { path: DEVICES });
    expect(at).toBeGreaterThan(0);
    expect(lastUse()).toBe(at);
  });

  it.each(['/v2/keys', '/v2/status'])('%s is for the unix socket alone', async (path) => {
    const answer = await ask(started.api.url, { path });
    expect(answer).toMatchObject({
      status: 403,
      json: { error: { type: 'authorization_error', code: 'internal_only' } },
    });
    expect((await ask(started.socketPath, { path, key: null })).status).toBe(200);
  });

  it('a key made over the socket opens the door, is shown once and kept as a hash', async () => {
    const body = JSON.stringify({ name: 'till 3', scopes: ['payments:read'], expires_in_days: 1 });
    const answer = await ask(started.socketPath, { method: 'POST', path: '/v2/keys', body, key: null });
    expect(answer.status).toBe(201);
    const created = CreatedKey.parse(answer.json.data);
    expect(created.key).toMatch(/^rk_sandbox_[0-9A-Za-z]{32}$/);
    expect(Date.parse(created.expires_at ?? '') - Date.parse(created.created_at)).toBe(86_400_000);
    expect((await ask(started.api.url, { path: DEVICES, key: created.key })).status).toBe(200);
    const list = await ask(started.socketPath, { path: '/v2/keys', key: null });
    expect(KeySummary.parse(list.json.data[0])).toMatchObject({ id: created.id, name: 'till 3' });
    expect(list.text).not.toContain('rk_');
    expect(list.text).not.toContain('hash');
    expect(JSON.stringify(started.shop.keys.records)).not.toContain(created.key);
  });

  it.each([
    [{ scopes: [] }, 'scopes'],
    [{ scopes: ['everything'] }, 'scopes.0'],
    [{ scopes: ['payments:read'], allow: ['shop'] }, 'allow.0'],
    [{ scopes: ['payments:read'], expires_in_days: 0 }, 'expires_in_days'],
  ])('a key %o is refused at %s', async (body, param) => {
    const answer = await ask(started.socketPath, {
      method: 'POST',
      path: '/v2/keys',
      body: JSON.stringify(body),
      key: null,
    });
    expect(answer).toMatchObject({ status: 400, json: { error: { param } } });
  });

  it('the status is what the contract says', async () => {
    Status.parse((await ask(started.socketPath, { path: '/v2/status', key: null })).json.data);
  });
});

describe('what is open on loopback', () => {
  it.each(['/healthz', '/metrics', '/v2/openapi.json'])('%s needs no key', async (path) => {
    const { api } = await startShop();
    expect((await ask(api.url, { path, key: null })).status).toBe(200);
    await api.stop();
  });

  it('health is 503 when it cannot sell', async () => {
    const { api, shop } = await startShop();
    shop.health.can_sell = false;
    expect(await ask(api.url, { path: '/healthz', key: null })).toMatchObject({
      status: 503,
      json: { can_sell: false },
    });
    expect((await ask(api.url, { path: '/metrics', key: null })).text).toContain(
      'tilld_unknown_outcomes 2\n',
    );
    await api.stop();
  });
});

describe('pages of somebody else stay out', () => {
  it.each([
    ['a rebound name', { host: 'evil.example' }, 421, 'misdirected_request'],
    ['a name that only begins like ours', { host: '127.0.0.1.evil.example' }, 421, 'misdirected_request'],
    ['a Host with a user', { host: 'x@127.0.0.1' }, 421, 'misdirected_request'],
    ['a foreign page', { origin: 'https://evil.example' }, 403, 'origin_not_allowed'],
    ['a sandboxed page', { origin: 'null' }, 403, 'origin_not_allowed'],
    ['a page of another local port', { origin: 'http://127.0.0.1:1' }, 403, 'origin_not_allowed'],
  ])('%s is refused, with a good key and on open routes too', async (_name, headers, status, code) => {
    const { api } = await startShop();
    for (const path of [DEVICES, '/healthz']) {
      expect(await ask(api.url, { path, headers })).toMatchObject({ status, json: { error: { code } } });
    }
    await api.stop();
  });

  it('a page of a registered origin may call /v2 with a key, and read the response', async () => {
    const origin = 'https://pos.shop';
    const { api } = await startShop({ allowedOrigins: [origin] });
    const asks = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-api-key' };
    const preflight = await ask(api.url, {
      method: 'OPTIONS',
      path: DEVICES,
      key: null,
      headers: { origin, ...asks },
    });
    expect([preflight.status, preflight.text]).toEqual([204, '']);
    expect(preflight.headers).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-methods': expect.stringContaining('POST'),
      'access-control-allow-headers': expect.stringContaining('idempotency-key'),
      vary: 'Origin',
    });
    expect(preflight.headers['access-control-allow-credentials']).toBeUndefined();
    for (const [path, key, status] of [
      [DEVICES, KEYS.full, 200],
      [DEVICES, null, 401],
      ['/v2/nothing', KEYS.full, 404],
    ] as const) {
      const answer = await ask(api.url, { path, key, headers: { origin, 'sec-fetch-site': 'cross-site' } });
      expect([path, answer.status, answer.headers['access-control-allow-origin']]).toEqual([
        path,
        status,
        origin,
      ]);
    }
    for (const path of ['/healthz', '/metrics', '/', '/hooks/service'])
      expect((await ask(api.url, { path, headers: { origin } })).json.error.code).toBe('origin_not_allowed');
    const foreign = { origin: 'https://pos.shop.evil.example', ...asks };
    const refused = await ask(api.url, { method: 'OPTIONS', path: DEVICES, headers: foreign });
    expect([refused.status, refused.headers['access-control-allow-origin']]).toEqual([403, undefined]);
    await api.stop();
  });

  it('our own page, a named host and a named origin are let in', async () => {
    const { api } = await startShop({ allowedHosts: ['till.shop'], allowedOrigins: ['https://pos.shop'] });
    const { host, port } = new URL(api.url);
    for (const headers of [
      { origin: `http://${host}` },
      { host: `localhost:${port}` },
      { host: `[::1]:${port}` },
      { host: 'Till.Shop' },
      { origin: 'https://pos.shop' },
    ]) {
      expect((await ask(api.url, { path: DEVICES, headers })).status).toBe(200);
    }
    await api.stop();
  });
});

describe('a key has a budget', () => {
  it('says so on every answer, refuses with Retry-After, and leaves others and the socket alone', async () => {
    const { api, socketPath } = await startShop({ rateLimit: { perMinute: 1, burst: 3 } });
    const answers = [];
    for (let index = 0; index < 4; index += 1) answers.push(await ask(api.url, { path: DEVICES }));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
    expect(answers.map(({ headers }) => headers['x-ratelimit-remaining'])).toEqual(['2', '1', '0', '0']);
    expect(answers[0]?.headers['x-ratelimit-limit']).toBe('1');
    const refused = answers[3];
    expect(refused?.json.error).toMatchObject({ type: 'rate_limit_error', code: 'rate_limit_exceeded' });
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0);
    expect(refused?.json.error.details.retry_after).toBe(Number(refused?.headers['retry-after']));
    expect(Number(refused?.headers['x-ratelimit-reset'])).toBeGreaterThan(Date.now() / 1000);
    expect((await ask(api.url, { path: DEVICES, key: KEYS.other })).status).toBe(200);
    for (let index = 0; index < 10; index += 1) {
      expect((await ask(socketPath, { path: DEVICES, key: null })).status).toBe(200);
    }
    await api.stop();
  });
});
