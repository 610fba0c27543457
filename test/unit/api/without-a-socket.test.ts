import { describe, expect, it } from 'vitest';
import { ApiContext } from '../../../src/api/context.ts';
import { createApi } from '../../../src/api/create-api.ts';
import type { ApiRules } from '../../../src/api/deps.ts';
import { KEYS, openShop, sale } from './shop.ts';

const PAYMENTS = '/v2/terminal-payments';
const DEVICES = '/v2/terminal-devices';

function opened(rules: Partial<ApiRules> = {}) {
  const { deps, payments } = openShop();
  const context = new ApiContext({ environment: 'sandbox', version: '0.1.0', ...rules }, deps);
  const [tcp, socket] = [createApi(context, { via: 'tcp' }), createApi(context, { via: 'socket' })];
  return { context, payments, tcp, socket };
}

describe('the API without a socket', () => {
  const headers = { 'content-type': 'application/json' };

  it('takes a payment', async () => {
    const { socket, payments } = opened();
    const made = await socket.inject({ method: 'POST', url: PAYMENTS, headers, payload: sale() });
    expect(made).toMatchObject({ statusCode: 201, headers: { 'service-version': '2026-05-01' } });
    expect(payments.attempts).toHaveLength(1);
    const list = await socket.inject(`${PAYMENTS}?limit=5`);
    expect(list.statusCode).toBe(200);
    expect(list.payload).toContain(payments.attempts[0]?.id);
  });

  it('asks a TCP peer for its key, its host and its scope', async () => {
    const { tcp } = opened();
    const status = async (shown: Record<string, string>) =>
      (await tcp.inject({ url: DEVICES, headers: shown })).statusCode;
    expect(await status({ host: 'localhost.evil.example', 'x-api-key': KEYS.full })).toBe(421);
    expect(await status({ host: '127.0.0.1' })).toBe(401);
    expect(await status({ host: '127.0.0.1', 'x-api-key': KEYS.full })).toBe(200);
  });

  it('wants settings:read for health beyond loopback', async () => {
    const { tcp } = opened({ allowedHosts: ['till.shop'] });
    const status = async (shown: Record<string, string>) => {
      const asked = { url: '/healthz', headers: { host: 'till.shop', ...shown }, remoteAddress: '192.0.2.9' };
      return (await tcp.inject(asked)).statusCode;
    };
    expect(await status({})).toBe(401);
    expect(await status({ 'x-api-key': KEYS.reader })).toBe(403);
    expect(await status({ 'x-api-key': KEYS.full })).toBe(200);
  });

  it('a client on the machine of a proxy is not on this one', async () => {
    const { tcp } = opened({ trustedProxies: ['10.0.0.0/8', '127.0.0.1'] });
    const status = async (remoteAddress: string, forwarded: string) => {
      const shown = { host: 'localhost', 'x-forwarded-for': forwarded };
      return (await tcp.inject({ url: '/healthz', headers: shown, remoteAddress })).statusCode;
    };
    expect(await status('127.0.0.1', '127.0.0.1')).toBe(200);
    for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1'])
      expect([address, await status('10.0.0.2', address)]).toEqual([address, 401]);
    expect(await status('127.0.0.1', '127.0.0.1, 10.0.0.2')).toBe(401);
  });

  it.each([
    ['an unknown route', 'GET', '/v2/nothing', {}],
    ['an unknown method', 'DELETE', DEVICES, {}],
    ['a foreign host', 'GET', DEVICES, { host: 'evil.example' }],
    ['a missing key', 'GET', DEVICES, {}],
  ] as const)('the refusal of %s tells the version that was asked for', async (_what, method, url, shown) => {
    const { tcp } = opened();
    const asked = { host: '127.0.0.1', 'service-version': '2026-01-15', ...shown };
    const reply = await tcp.inject({ method, url, headers: asked });
    expect(reply.headers).toMatchObject({
      'service-version': '2026-01-15',
      sunset: 'Sun, 15 Nov 2026 00:00:00 GMT',
      deprecation: 'Sun, 15 Nov 2026 00:00:00 GMT',
    });
    expect(reply.statusCode).toBeGreaterThanOrEqual(400);
  });

  it('the refusal of a version that cannot be tells the current one', async () => {
    const reply = await opened().socket.inject(`${DEVICES}?version=latest`);
    expect(reply).toMatchObject({ statusCode: 400, headers: { 'service-version': '2026-05-01' } });
  });

  it.each([
    ['bad JSON', { 'content-type': 'application/json' }, '{'],
    ['a field twice', { 'content-type': 'application/json' }, '{"a":1,"a":2}'],
    ['another type', { 'content-type': 'text/plain' }, 'x'],
  ])(
    'keeps the connection after a body that is %s: the next request may be on its way',
    async (_what, shown, payload) => {
      const reply = await opened().socket.inject({ method: 'POST', url: PAYMENTS, headers: shown, payload });
      expect(reply.statusCode).toBeGreaterThanOrEqual(400);
      expect(reply.headers.connection).not.toBe('close');
    },
  );

  it('refuses everything once it is closing', async () => {
    const { context, socket, payments } = opened();
    context.close();
    const reply = await socket.inject({ method: 'POST', url: PAYMENTS, headers, payload: sale() });
    expect(reply.statusCode).toBe(503);
    expect(reply.payload).toContain('shutting_down');
    expect(payments.attempts).toEqual([]);
  });

  it('does not start with a route that does not say who may call it', async () => {
    const { socket } = opened();
    socket.register(async (api) => {
      api.get('/v2/open-to-all', { config: {} }, () => ({}));
    });
    await expect(socket.ready()).rejects.toMatchObject({ code: 'INVARIANT_BROKEN' });
  });
});
