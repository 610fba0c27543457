import { describe, expect, it } from 'vitest';
import { KEY, withSandbox } from './sandbox-at-work.ts';

const NOON = Date.UTC(2026, 0, 5, 12);
const KEYS = [
  { key: KEY, scopes: ['payments:read', 'payments:write'] },
  { key: 'rk_sandbox_reader', scopes: ['payments:read'] },
  { key: 'rk_sandbox_old', scopes: ['payments:read'], expiresAt: Date.UTC(2026, 0, 1) },
  { key: 'rk_sandbox_soon', scopes: ['payments:read'], expiresAt: NOON },
  { key: 'rk_sandbox_gone', scopes: ['payments:read'], revoked: true },
];

describe('the key of a request', () => {
  const refused: readonly [string, Readonly<Record<string, string>>, string][] = [
    ['no credential', {}, 'authentication_failed'],
    ['an empty key', { 'x-api-key': '' }, 'authentication_failed'],
    ['another scheme', { authorization: 'Basic cmtfc2FuZGJveF9mdWxs' }, 'authentication_failed'],
    ['an unknown key', { 'x-api-key': 'rk_sandbox_never' }, 'invalid_api_key'],
    ['a key with one letter more', { 'x-api-key': `${KEY}x` }, 'invalid_api_key'],
    ['a key of the live environment', { 'x-api-key': 'rk_live_full' }, 'invalid_api_key'],
    ['a key without a prefix', { 'x-api-key': 'full' }, 'invalid_api_key'],
    ['a publishable-looking key', { 'x-api-key': 'pk_sandbox_full' }, 'invalid_api_key'],
    ['a bearer of two words', { authorization: `Bearer ${KEY} ${KEY}` }, 'invalid_api_key'],
    ['a bearer of none', { authorization: 'Bearer ' }, 'authentication_failed'],
    [
      'two keys that differ',
      { 'x-api-key': KEY, 'x-service-key': 'rk_sandbox_reader' },
      'authentication_failed',
    ],
    [
      'a key and a bearer that differ',
      { 'x-api-key': KEY, authorization: 'Bearer rk_sandbox_reader' },
      'authentication_failed',
    ],
    ['an expired key', { 'x-api-key': 'rk_sandbox_old' }, 'expired_api_key'],
    ['a revoked key', { 'x-api-key': 'rk_sandbox_gone' }, 'api_key_revoked'],
  ];
  it.each(refused)(
    '%s is refused with 401, the challenge and the right code',
    async (_name, headers, code) => {
      await withSandbox(
        async ({ ask }) => {
          const reply = await ask('GET', '/v2/terminal-payments', { key: null, headers });
          expect(reply.status).toBe(401);
          expect(reply.headers.get('www-authenticate')).toMatch(/^Bearer realm=/);
          expect(reply.body.error).toMatchObject({ type: 'authentication_error', code });
          expect(JSON.stringify(reply.body)).not.toContain('rk_sandbox');
        },
        { keys: KEYS },
      );
    },
  );

  it.each([
    ['x-api-key', KEY],
    ['x-service-key', KEY],
    ['authorization', `Bearer ${KEY}`],
  ])('is accepted in %s', async (name, value) => {
    await withSandbox(async ({ ask }) => {
      const reply = await ask('GET', '/v2/terminal-payments', { key: null, headers: { [name]: value } });
      expect(reply.status).toBe(200);
    });
  });

  it('is accepted when it comes in several headers that agree, beside another scheme or an empty one', async () => {
    await withSandbox(async ({ ask }) => {
      for (const headers of [
        { 'x-api-key': KEY, 'x-service-key': KEY, authorization: `Bearer ${KEY}` },
        { 'x-api-key': KEY, authorization: 'Basic cmtfc2FuZGJveF9mdWxs' },
        { 'x-api-key': '', 'x-service-key': KEY },
      ]) {
        expect((await ask('GET', '/v2/terminal-payments', { key: null, headers })).status).toBe(200);
      }
    });
  });

  it.each([
    ['a field', 'POST', '/v2/terminal-payments', { rk_sandbox_full: 1 }],
    ['a query parameter', 'GET', '/v2/terminal-payments?rk_sandbox_full=1', undefined],
  ])('is not echoed when it was sent as the name of %s', async (_name, method, path, body) => {
    for (const issue_lists of [false, true]) {
      await withSandbox(async ({ ask, service }) => {
        service.control.behave({ issue_lists });
        const reply = await ask(method, path, { body });
        expect(reply.status).toBe(400);
        expect(JSON.stringify(reply.body)).not.toContain('rk_sandbox_full');
      });
    }
  });

  it('of another environment is not known, even when the settings name it', async () => {
    await withSandbox(
      async ({ ask }) => {
        const reply = await ask('GET', '/v2/terminal-payments', { key: 'rk_live_full' });
        expect([reply.status, reply.body.error.code]).toEqual([401, 'invalid_api_key']);
      },
      { keys: [{ key: 'rk_live_full', scopes: ['payments:read'] }] },
    );
  });

  it('expires by the clock of the service', async () => {
    await withSandbox(
      async ({ ask, service }) => {
        expect((await ask('GET', '/v2/terminal-payments', { key: 'rk_sandbox_soon' })).status).toBe(200);
        service.control.behave({ clock_skew_ms: 4 * 3_600_000 });
        const reply = await ask('GET', '/v2/terminal-payments', { key: 'rk_sandbox_soon' });
        expect(reply.body.error.code).toBe('expired_api_key');
      },
      { keys: KEYS },
    );
  });

  it('without the scope is refused with 403, naming what is required and not what it has', async () => {
    await withSandbox(
      async ({ ask }) => {
        const reply = await ask('POST', '/v2/terminal-payments', { key: 'rk_sandbox_reader', body: {} });
        expect(reply.status).toBe(403);
        expect(reply.body.error).toMatchObject({
          type: 'authorization_error',
          code: 'insufficient_permissions',
          details: { required: ['payments:write'] },
        });
        expect(JSON.stringify(reply.body)).not.toContain('payments:read');
        expect((await ask('GET', '/v2/events', { key: KEY })).body.error.details.required).toEqual([
          'webhooks:read',
        ]);
      },
      { keys: KEYS },
    );
  });

  it('is looked at before the body', async () => {
    await withSandbox(async ({ ask }) => {
      expect((await ask('POST', '/v2/terminal-payments', { key: null, body: '{broken' })).status).toBe(401);
    });
  });
});
