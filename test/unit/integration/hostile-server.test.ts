import { describe, expect, it, onTestFinished } from 'vitest';
import { Random } from '../../simulation/random.ts';
import { HostileProvider, PEACE } from '../../support/hostile/provider.ts';
import { HostileServer, HTTP_PEACE } from '../../support/hostile/server.ts';
import { shapeOf } from '../../support/hostile/shape.ts';

async function aServer() {
  const shape = {
    ...shapeOf(new Random(3), 0),
    style: 'page',
    rows: 60,
    pageSize: 25,
    canGet: true,
    hasCursor: true,
  } as const;
  const provider = new HostileProvider({ ...shape, headerSkewMs: 300_000 }, new Random(3), () => Date.now());
  const server = new HostileServer(provider, new Random(4));
  const port = await server.start();
  onTestFinished(() => server.stop());
  return { provider, server, url: `http://127.0.0.1:${port}/invoices` };
}

describe('the hostile source over HTTP', () => {
  it('gives every row, page by page, and its own clock', async () => {
    const { url, provider } = await aServer();
    const seen = new Set<string>();
    for (let next: string | null = ''; next !== null; ) {
      const reply = await fetch(next === '' ? url : `${url}?page=${encodeURIComponent(next)}`);
      const body = (await reply.json()) as { data: { id: string }[]; next_page: string | null };
      for (const { id } of body.data) seen.add(id);
      expect(Date.parse(reply.headers.get('date') ?? '') - Date.now()).toBeGreaterThan(240_000);
      next = body.next_page;
    }
    expect(seen.size).toBe(provider.table.rows().size);
  });

  it('answers 429 with Retry-After, and 403, breaks off, truncates, redirects and sends bombs when it is told to', async () => {
    const { url, provider, server } = await aServer();
    provider.mischief = { ...PEACE, rateLimit: 1 };
    const limited = await fetch(url);
    expect([limited.status, Number(limited.headers.get('retry-after')) > 0]).toEqual([429, true]);
    provider.mischief = { ...PEACE, forbidden: 1 };
    expect((await fetch(url)).status).toBe(403);
    provider.mischief = PEACE;
    server.mischief = { ...HTTP_PEACE, cut: 1 };
    await expect(fetch(url).then((reply) => reply.text())).rejects.toThrow();
    server.mischief = { ...HTTP_PEACE, truncated: 1 };
    await expect(fetch(url).then((reply) => reply.json())).rejects.toThrow(SyntaxError);
    server.mischief = { ...HTTP_PEACE, redirect: 1 };
    expect((await fetch(url, { redirect: 'manual' })).headers.get('location')).toContain('169.254');
    server.mischief = { ...HTTP_PEACE, bomb: 1 };
    const bomb = await fetch(url);
    expect(bomb.headers.get('content-encoding')).toBe('gzip');
    await bomb.body?.cancel();
  });
});
