import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { silentLog } from '../../../src/base/log.ts';
import { createHttpClient } from '../../../src/net/http-client.ts';
import { Budget } from '../../../src/outbox/budget.ts';
import { systemClock } from '../../../src/runtime/system-clock.ts';
import { sinkErrorOf } from '../../../src/service/sync-answer.ts';
import { SyncLine, type SyncLineDeps } from '../../../src/service/sync-line.ts';
import { sourceOverLine } from '../../../src/service/sync-source.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';
import { answer, startPeer } from '../net/peer.ts';
import { FakeHttp, type Reply } from './fake-http.ts';

const signal = new AbortController().signal;
const SECRET = 'rk_sandbox_very_secret';
const cleanUp: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of cleanUp.splice(0)) await end();
});

const LIMITED = { error: { type: 'rate_limit_error', code: 'rate_limit_exceeded', message: 'm' } };
const unheard: SyncLineDeps['listener'] = { answered: () => undefined, failed: () => undefined };

function lineOn(reply: (path: string) => Reply, more: Partial<SyncLineDeps> = {}) {
  const clock = new VirtualClock();
  const http = new FakeHttp(
    () => clock.now(),
    ({ path }) => reply(path),
  );
  const budget = new Budget(clock);
  const line = new SyncLine({
    connect: () => http,
    credential: () => SECRET,
    budget,
    clock,
    listener: unheard,
    ...more,
  });
  return { line, http, budget, clock };
}

describe('the line of the syncs', () => {
  it('sends nothing before its turn, and the key and the version with what it sends', async () => {
    const { line, http, budget, clock } = lineOn(() => ({ status: 200 }));
    while (budget.take('outcome') === 0);
    const asked = line.ask(
      { method: 'PUT', path: '/x', body: { a: 1 }, key: 'k', reads: z.object({}) },
      signal,
    );
    await clock.advance(2_900);
    expect(http.requests).toHaveLength(0);
    expect((await clock.runUntil(asked)).answer.kind).toBe('applied');
    expect(http.requests[0]).toMatchObject({
      body: '{"a":1}',
      headers: {
        'x-api-key': SECRET,
        'service-version': '2026-05-01',
        'idempotency-key': 'k',
        'content-type': 'application/json',
      },
    });
  });

  it('gives a wait of more than half a minute back to the run, and sends nothing', async () => {
    const { line, http, budget } = lineOn(() => ({ status: 200 }));
    budget.exhausted(600_000);
    const { answer: got } = await line.ask({ method: 'GET', path: '/x', reads: z.object({}) }, signal);
    expect(got).toEqual({ kind: 'rate_limited', retryAfterMs: 600_000 });
    expect(http.requests).toHaveLength(0);
  });

  it('a 429 stops every priority until it is over', async () => {
    const { line, budget } = lineOn(() => ({ status: 429, body: LIMITED, headers: { 'retry-after': '7' } }));
    const { answer: got } = await line.ask({ method: 'GET', path: '/x', reads: z.object({}) }, signal);
    expect(got).toEqual({ kind: 'rate_limited', retryAfterMs: 7_000 });
    expect(budget.take('outcome')).toBe(7_000);
  });

  it('asks once more with a key that was rolled meanwhile, and not at all without one', async () => {
    let key: string | null = 'old';
    const { line, http } = lineOn(
      () => {
        key = 'new';
        return { status: 401, body: { error: { code: 'expired_api_key' } } };
      },
      { credential: () => key },
    );
    await line.ask({ method: 'GET', path: '/x', reads: z.object({}) }, signal);
    expect(http.requests.map(({ headers }) => headers?.['x-api-key'])).toEqual(['old', 'new']);
    key = null;
    expect((await line.ask({ method: 'GET', path: '/x', reads: z.object({}) }, signal)).answer.kind).toBe(
      'unauthorised',
    );
    expect(http.requests).toHaveLength(2);
  });

  it.each<[status: number, body: unknown, code: string]>([
    [401, { error: { code: 'invalid_api_key', message: `unknown: ${SECRET}` } }, 'SINK_UNAUTHORISED'],
    [403, { error: { code: 'insufficient_permissions', message: SECRET } }, 'SINK_UNAUTHORISED'],
    [429, { error: { code: 'rate_limit_exceeded' } }, 'SINK_RATE_LIMITED'],
    [500, { error: { code: 'internal_error', message: SECRET } }, 'SINK_UNAVAILABLE'],
    [409, { error: SECRET, code: 'IDEMPOTENCY_KEY_IN_PROGRESS' }, 'SINK_UNAVAILABLE'],
    [200, [SECRET], 'SINK_LINE_DOWN'],
    [404, { error: SECRET }, 'SINK_REFUSED'],
    [422, { error: { code: 'whatever', message: SECRET } }, 'SINK_REFUSED'],
  ])('status %i with %j is %s, without the key in any word of it', async (status, body, code) => {
    const { line } = lineOn(() => ({ status, body }));
    const { answer: got } = await line.ask(
      { method: 'PUT', path: '/x', body: {}, reads: z.object({}) },
      signal,
    );
    if (got.kind === 'applied') throw new Error('it was taken');
    const error = sinkErrorOf(got);
    expect(error).toMatchObject({ code });
    expect(JSON.stringify([error.message, error.context])).not.toContain(SECRET);
  });

  it('a line that is down is no fault of the service', async () => {
    const peer = await startPeer((response) => answer(response, 200, '{}'));
    await peer.close();
    const http = createHttpClient({ baseUrl: peer.url, log: silentLog, retry: { retries: 0 } });
    const line = new SyncLine({
      connect: () => http,
      credential: () => SECRET,
      budget: new Budget(systemClock),
      clock: systemClock,
      listener: unheard,
    });
    cleanUp.push(() => line.close());
    const { answer: got } = await line.ask({ method: 'GET', path: '/x', reads: z.object({}) }, signal);
    expect(got).toMatchObject({ kind: 'unavailable', reached: 'no' });
    await expect(
      line.ask({ method: 'GET', path: '/x', reads: z.object({}) }, AbortSignal.abort(new Error('stop'))),
    ).rejects.toThrow('stop');
  });
});

describe('the service connector over that line', () => {
  it('waits and pauses nothing where the service refuses our key, and gives every other status to the connector', async () => {
    const { line } = lineOn((path) =>
      path === '/key'
        ? { status: 401, body: { error: { code: 'expired_api_key' } } }
        : { status: 404, body: { error: 'Not Found' } },
    );
    const http = sourceOverLine(line);
    await expect(http({ path: '/key' }, signal)).rejects.toMatchObject({ code: 'SOURCE_NOT_READY' });
    expect(await http({ path: '/nothing', query: { limit: '1' } }, signal)).toMatchObject({ status: 404 });
    await expect(http({ path: 'https://elsewhere.example/' }, signal)).rejects.toMatchObject({
      code: 'SOURCE_MALFORMED',
    });
  });

  it('waits as long as it is told after a 429', async () => {
    const { line } = lineOn(() => ({ status: 429, body: LIMITED, headers: { 'retry-after': '9' } }));
    await expect(sourceOverLine(line)({ path: '/x' }, signal)).rejects.toMatchObject({
      code: 'SOURCE_RATE_LIMITED',
      context: { retryAfterMs: 9_000 },
    });
  });
});
