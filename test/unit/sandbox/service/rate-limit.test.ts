import { describe, expect, it } from 'vitest';
import { KEY, withSandbox } from './sandbox-at-work.ts';

const PATH = '/v2/terminal-payments';

describe('the budget of a key', () => {
  it('starter: ten at once, then 429 with Retry-After and the three headers, then one a second', async () => {
    await withSandbox(
      async ({ ask, clock }) => {
        for (let left = 9; left >= 0; left -= 1) {
          const reply = await ask('GET', PATH);
          expect([reply.status, reply.headers.get('x-ratelimit-remaining')]).toEqual([200, String(left)]);
          expect(reply.headers.get('x-ratelimit-limit')).toBe('60');
        }
        const refused = await ask('GET', PATH);
        expect(refused.status).toBe(429);
        expect(refused.headers.get('retry-after')).toBe('1');
        expect(refused.body.error).toMatchObject({
          type: 'rate_limit_error',
          code: 'rate_limit_exceeded',
          details: { retry_after: 1 },
        });
        expect(refused.headers.get('x-ratelimit-remaining')).toBe('0');
        expect(Number(refused.headers.get('x-ratelimit-reset'))).toBe(clock.now() / 1000 + 10);
        await clock.advance(999);
        expect((await ask('GET', PATH)).status).toBe(429);
        await clock.advance(1);
        expect((await ask('GET', PATH)).status).toBe(200);
        expect((await ask('GET', PATH)).status).toBe(429);
      },
      { plan: 'starter' },
    );
  });

  it('is its own for each key, and unknown keys have none', async () => {
    const keys = [KEY, 'rk_sandbox_two'].map((key) => ({ key, scopes: ['payments:read'] }));
    await withSandbox(
      async ({ ask }) => {
        for (let count = 0; count < 12; count += 1) await ask('GET', PATH);
        expect((await ask('GET', PATH)).status).toBe(429);
        expect((await ask('GET', PATH, { key: 'rk_sandbox_two' })).status).toBe(200);
        const unknown = await ask('GET', PATH, { key: 'rk_sandbox_three' });
        expect([unknown.status, unknown.headers.get('x-ratelimit-limit')]).toEqual([401, null]);
      },
      { plan: 'starter', keys },
    );
  });

  it.each([
    ['growth', '600', '49'],
    ['enterprise', '6000', '199'],
    ['test_mode', '100', '199'],
    ['production', '1000', '1999'],
  ] as const)('%s: %s a minute', async (plan, limit, remaining) => {
    await withSandbox(
      async ({ ask }) => {
        const { headers } = await ask('GET', PATH);
        expect([headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')]).toEqual([
          limit,
          remaining,
        ]);
      },
      { plan },
    );
  });
});
