import { describe, expect, it } from 'vitest';
import type { Request } from '../../../src/api/door/request.ts';
import { openDoor } from '../../../src/api/open-door.ts';
import { KEYS, openShop, sale } from './shop.ts';

const RULES = { environment: 'sandbox', version: '0.1.0' } as const;
const overSocket = (method: string, target: string, body?: string): Request => ({
  method,
  target,
  headers: { 'content-type': 'application/json' },
  peer: { kind: 'socket' },
  ...(body === undefined ? {} : { body: new TextEncoder().encode(body) }),
});

describe('the door below HTTP', () => {
  it('takes a payment without a socket', async () => {
    const { deps, payments } = openShop();
    const { door } = openDoor(RULES, deps);
    const reply = await door.dispatch(overSocket('POST', '/v2/terminal-payments', sale()));
    expect(reply).toMatchObject({
      kind: 'document',
      status: 201,
      headers: { 'service-version': '2026-05-01' },
    });
    expect(payments.attempts).toHaveLength(1);
    const list = await door.dispatch(overSocket('GET', '/v2/terminal-payments?limit=5'));
    expect(list).toMatchObject({
      status: 200,
      body: expect.stringContaining(payments.attempts[0]?.id ?? ''),
    });
  });

  it('asks a TCP peer for its key, its host and its scope', async () => {
    const { deps } = openShop();
    const { door } = openDoor(RULES, deps);
    const request = overSocket('GET', '/v2/terminal-devices');
    const peer = { kind: 'tcp', address: '127.0.0.1' } as const;
    const status = async (headers: Record<string, string>) =>
      (await door.dispatch({ ...request, headers, peer })).status;
    expect(await status({ 'x-api-key': KEYS.full })).toBe(421);
    expect(await status({ host: '127.0.0.1' })).toBe(401);
    expect(await status({ host: '127.0.0.1', 'x-api-key': KEYS.full })).toBe(200);
  });

  it('wants settings:read for health beyond loopback', async () => {
    const { deps } = openShop();
    const { door } = openDoor({ ...RULES, allowedHosts: ['till.shop'] }, deps);
    const request = {
      ...overSocket('GET', '/healthz'),
      peer: { kind: 'tcp', address: '192.0.2.9' } as const,
    };
    const status = async (headers: Record<string, string>) =>
      (await door.dispatch({ ...request, headers })).status;
    expect(await status({ host: 'till.shop' })).toBe(401);
    expect(await status({ host: 'till.shop', 'x-api-key': KEYS.reader })).toBe(403);
    expect(await status({ host: 'till.shop', 'x-api-key': KEYS.full })).toBe(200);
  });

  it.each([
    ['an unknown route', 'GET', '/v2/nothing', {}],
    ['an unknown method', 'DELETE', '/v2/terminal-devices', {}],
    ['a foreign host', 'GET', '/v2/terminal-devices', { host: 'evil.example' }],
    ['a missing key', 'GET', '/v2/terminal-devices', {}],
  ])('the refusal of %s tells the version that was asked for', async (_what, method, target, headers) => {
    const { door } = openDoor(RULES, openShop().deps);
    const peer = { kind: 'tcp', address: '127.0.0.1' } as const;
    const asked = { host: '127.0.0.1', 'service-version': '2026-01-15', ...headers };
    const reply = await door.dispatch({ method, target, peer, headers: asked });
    expect(reply.headers).toMatchObject({
      'service-version': '2026-01-15',
      sunset: 'Sun, 15 Nov 2026 00:00:00 GMT',
      deprecation: 'Sun, 15 Nov 2026 00:00:00 GMT',
    });
    expect(reply.status).toBeGreaterThanOrEqual(400);
  });

  it('the refusal of a version that cannot be tells the current one', async () => {
    const { door } = openDoor(RULES, openShop().deps);
    const reply = await door.dispatch(overSocket('GET', '/v2/terminal-devices?version=latest'));
    expect(reply).toMatchObject({ status: 400, headers: { 'service-version': '2026-05-01' } });
  });

  it('refuses everything once it is closing', async () => {
    const { deps, payments } = openShop();
    const { door } = openDoor(RULES, deps);
    door.close();
    const reply = await door.dispatch(overSocket('POST', '/v2/terminal-payments', sale()));
    expect(reply).toMatchObject({ status: 503, body: expect.stringContaining('shutting_down') });
    expect(payments.attempts).toEqual([]);
  });
});
