import { describe, expect, it } from 'vitest';
import { DEVICE, withSandbox } from './sandbox-at-work.ts';

const LIST = '/v2/terminal-payments';
const origin = 'https://shop.example';
const EXPOSED = [
  'Retry-After',
  'WWW-Authenticate',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
];

describe('a page of another origin', () => {
  it('may read the five headers on every answer below /v2, refusals and unknown routes too', async () => {
    await withSandbox(async ({ ask }) => {
      const replies = [
        await ask('GET', LIST, { headers: { origin } }),
        await ask('GET', LIST, { key: null, headers: { origin } }),
        await ask('POST', LIST, { body: '{', headers: { origin } }),
        await ask('GET', '/v2/unicorns', { headers: { origin } }),
      ];
      expect(replies.map(({ status }) => status)).toEqual([200, 401, 400, 404]);
      for (const { headers } of replies) {
        expect(headers.get('access-control-allow-origin')).toBe('*');
        expect(headers.get('access-control-allow-credentials')).toBe(null);
        expect(headers.get('access-control-expose-headers')?.split(', ')).toEqual(EXPOSED);
      }
    });
  });

  it('may read Retry-After of a 429', async () => {
    await withSandbox(
      async ({ ask }) => {
        for (let count = 0; count < 10; count += 1) await ask('GET', LIST);
        const { status, headers } = await ask('GET', LIST, { headers: { origin } });
        expect([status, headers.get('retry-after')]).toEqual([429, '1']);
        expect(headers.get('access-control-expose-headers')).toContain('Retry-After');
      },
      { plan: 'starter' },
    );
  });

  it('is told by a preflight, without a key, what it may send; nothing is done', async () => {
    await withSandbox(async ({ service }) => {
      const response = await fetch(service.url + LIST, {
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'content-type,x-api-key,idempotency-key',
        },
      });
      expect([response.status, await response.text()]).toEqual([204, '']);
      expect(response.headers.get('access-control-allow-methods')).toContain('PATCH');
      for (const name of ['x-api-key', 'authorization', 'idempotency-key', 'service-version', 'content-type'])
        expect(response.headers.get('access-control-allow-headers')).toContain(name);
      expect(service.control.ledger()).toEqual([]);
    });
  });

  it('gets nothing of it outside /v2, the control routes least of all', async () => {
    await withSandbox(async ({ ask }) => {
      for (const path of ['/sandbox', '/sandbox/payments', '/v1/webhooks', '/']) {
        const headers = { origin: 'http://localhost:1', 'access-control-request-method': 'POST' };
        const reply = await ask('OPTIONS', path, { headers });
        expect([path, reply.status]).toEqual([path, 404]);
        expect(reply.headers.get('access-control-allow-origin')).toBe(null);
      }
      const refused = await ask('POST', '/sandbox/payments', {
        headers: { origin },
        body: { device_id: DEVICE, amount_minor: 1, currency: 'EUR' },
      });
      expect(refused.status).toBe(403);
    });
  });
});
