import { describe, expect, it } from 'vitest';
import { withSandbox } from './sandbox-at-work.ts';

const SUNSET = 'Sun, 15 Nov 2026 00:00:00 GMT';

describe('Service-Version', () => {
  it.each([
    [undefined, '2026-05-01'],
    ['2026-05-01', '2026-05-01'],
    ['2026-01-15', '2026-01-15'],
    ['2026-04-30', '2026-01-15'],
    ['2026-01-16', '2026-01-15'],
    ['2031-12-31', '2026-05-01'],
  ])('%s resolves to %s and is echoed', async (asked, effective) => {
    await withSandbox(async ({ ask }) => {
      const headers = asked === undefined ? {} : { 'service-version': asked };
      const reply = await ask('GET', '/v2/terminal-payments', { headers });
      expect(reply.status).toBe(200);
      expect(reply.headers.get('service-version')).toBe(effective);
      const deprecated = effective === '2026-01-15' ? SUNSET : null;
      expect([reply.headers.get('sunset'), reply.headers.get('deprecation')]).toEqual([
        deprecated,
        deprecated,
      ]);
      expect('pagination' in reply.body).toBe(effective === '2026-01-15');
      expect(reply.body.object).toBe(effective === '2026-01-15' ? undefined : 'list');
    });
  });

  it.each(['2026-01-14', '1999-01-01', '2026-02-30', 'latest', '2026-5-1', '20260501'])(
    '%s is refused with 400 naming the header',
    async (asked) => {
      await withSandbox(async ({ ask }) => {
        const reply = await ask('GET', '/v2/terminal-payments', { headers: { 'service-version': asked } });
        expect(reply.status).toBe(400);
        expect(reply.body.error).toMatchObject({ type: 'invalid_request_error', param: 'Service-Version' });
        expect(reply.headers.get('service-version')).toBe('2026-05-01');
      });
    },
  );

  it('may come as a query parameter, and the header wins', async () => {
    await withSandbox(async ({ ask }) => {
      const path = '/v2/terminal-payments?version=2026-01-15';
      expect((await ask('GET', path)).headers.get('service-version')).toBe('2026-01-15');
      const both = await ask('GET', path, { headers: { 'service-version': '2026-05-01' } });
      expect(both.headers.get('service-version')).toBe('2026-05-01');
    });
  });

  it('is echoed on refusals and unknown routes too', async () => {
    await withSandbox(async ({ ask }) => {
      for (const path of ['/v2/terminal-payments', '/v2/unicorns']) {
        const reply = await ask('GET', path, { key: null, headers: { 'service-version': '2026-01-15' } });
        expect([path, reply.headers.get('service-version')]).toEqual([path, '2026-01-15']);
        expect(reply.headers.get('deprecation')).toBe(SUNSET);
      }
    });
  });
});
