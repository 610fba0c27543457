import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import { createHttpClient } from '../../../src/net/http-client.ts';
import { ServiceClient, type ServiceClientOptions } from '../../../src/service/service-client.ts';
import { type Seen, answer as sendAnswer, startPeer } from '../net/peer.ts';

/** Under the service's version. */
const answer = (response: ServerResponse, status: number, body: string, headers = {}) =>
  sendAnswer(response, status, body, { 'service-version': '2026-05-01', ...headers });
const PARENT = { attemptId: 'ours', paymentId: 'P' };
const signal = new AbortController().signal;
const cleanUp: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const end of cleanUp.splice(0)) await end();
});

async function clientOn(
  handler: (response: ServerResponse, seen: Seen) => void,
  options: Partial<ServiceClientOptions> = {},
) {
  const peer = await startPeer(handler);
  const http = createHttpClient({ baseUrl: `${peer.url}/v2`, log: silentLog, retry: { retries: 0 } });
  const client = new ServiceClient({ http, log: silentLog, credential: () => 'rk_sandbox_1', ...options });
  cleanUp.push(() => http.close(), peer.close);
  return { peer, client };
}

const ok = (response: ServerResponse) => answer(response, 200, '{"data":{"id":"P","status":"in_progress"}}');

describe('Service client', () => {
  it('sends key, version and idempotency key with every write', async () => {
    const { peer, client } = await clientOn(ok);
    await client.create({ id: 'P' }, 'key-1', signal);
    await client.result('P/../Q', { status: 'succeeded' }, 'key-2', signal);
    await client.claim('P', 'agent-1', 'key-3', signal);
    expect(peer.seen.map(({ method, url, body }) => [method, url, body])).toEqual([
      ['POST', '/v2/terminal-payments', '{"id":"P"}'],
      ['POST', '/v2/terminal-payments/P%2F..%2FQ/result', '{"status":"succeeded"}'],
      ['POST', '/v2/terminal-payments/P/claim', '{"agent":"agent-1"}'],
    ]);
    expect(peer.seen.map((seen) => seen.headers['idempotency-key'])).toEqual(['key-1', 'key-2', 'key-3']);
    expect(peer.seen[0]?.headers).toMatchObject({
      'x-api-key': 'rk_sandbox_1',
      'service-version': '2026-05-01',
      'content-type': 'application/json',
    });
  });

  it('tells of refunds and voids below their sale, with a key', async () => {
    const { peer, client } = await clientOn(ok);
    await client.giveBack('refund', PARENT, { id: 'R', amount_minor: 5 }, 'key-1', signal);
    await client.giveBack('void', PARENT, { id: 'V' }, 'key-2', signal);
    expect(peer.seen.map(({ method, url, body }) => [method, url, body])).toEqual([
      ['POST', '/v2/terminal-payments/P/refund', '{"id":"R","amount_minor":5}'],
      ['POST', '/v2/terminal-payments/P/void', '{"id":"V"}'],
    ]);
    expect(peer.seen.map((seen) => seen.headers['idempotency-key'])).toEqual(['key-1', 'key-2']);
  });

  it('reads events from the beginning or behind one, and counts those it cannot read', async () => {
    const { peer, client } = await clientOn((response) =>
      answer(
        response,
        200,
        '{"object":"list","data":[{"id":"evt_1","type":"t","data":{"id":"P"}},{"id":1}],"has_more":true}',
      ),
    );
    await client.events(null, signal);
    expect((await client.events('evt_0', signal)).answer).toMatchObject({
      value: { items: [{ id: 'evt_1', type: 't', data: { id: 'P' } }], unreadable: 1, hasMore: true },
    });
    expect(peer.seen.map((seen) => seen.url)).toEqual([
      '/v2/events?limit=100',
      '/v2/events?limit=100&starting_after=evt_0',
    ]);
  });

  it('asks once for the work of all devices', async () => {
    const { peer, client } = await clientOn((response) =>
      answer(response, 200, '{"object":"list","data":[],"has_more":false}'),
    );
    await client.listPayments({ status: 'requested', deviceIds: ['d1', 'd2'] }, signal);
    await client.listPayments({ startingAfter: 'P' }, signal);
    expect(peer.seen.map((seen) => seen.url)).toEqual([
      '/v2/terminal-payments?status=requested&limit=100&device_id=d1&device_id=d2',
      '/v2/terminal-payments?limit=100&starting_after=P',
    ]);
  });

  it.each([
    ['the list object', '{"object":"list","data":[{"id":"P","new_field":1}],"has_more":true,"url":"/x"}'],
    [
      'the pagination block',
      '{"data":[{"id":"P","new_field":1}],"pagination":{"limit":1,"offset":0,"total":2,"hasMore":true}}',
    ],
  ])('reads %s and keeps fields it does not know', async (_, body) => {
    const { client } = await clientOn((response) => answer(response, 200, body));
    expect((await client.listPayments({}, signal)).answer).toMatchObject({
      value: { items: [{ id: 'P', new_field: 1 }], hasMore: true, unreadable: 0 },
    });
  });

  it('reads the rest of a list when an item cannot be read', async () => {
    const { client } = await clientOn((response) =>
      answer(response, 200, '{"data":[{"id":"P"},null,{"id":7},{"id":"Q","amount_minor":1.5}]}'),
    );
    expect((await client.listPayments({}, signal)).answer).toMatchObject({
      value: { items: [{ id: 'P' }], unreadable: 3 },
    });
  });

  it('uses a rolled key at once, and asks again when the old one was refused meanwhile', async () => {
    let key = 'old';
    const { peer, client } = await clientOn(
      (response, seen) => {
        key = 'new';
        if (seen.headers['x-api-key'] === 'new') return ok(response);
        answer(
          response,
          401,
          '{"error":{"type":"authentication_error","code":"expired_api_key","message":"m"}}',
        );
      },
      { credential: () => key },
    );
    expect((await client.result('P', {}, 'k', signal)).answer.kind).toBe('applied');
    expect(peer.seen.map((seen) => [seen.headers['x-api-key'], seen.headers['idempotency-key']])).toEqual([
      ['old', 'k'],
      ['new', 'k'],
    ]);
  });

  it('insists on the key that it was given for a look-up', async () => {
    const { peer, client } = await clientOn(
      (response) => answer(response, 401, '{"error":{"code":"invalid_api_key"}}'),
      { credential: () => 'new' },
    );
    expect((await client.get('P', signal, 'old')).answer.kind).toBe('unauthorised');
    expect(peer.seen.map((seen) => seen.headers['x-api-key'])).toEqual(['old']);
  });

  it('sends nothing without a key', async () => {
    const { peer, client } = await clientOn(ok, { credential: () => null });
    expect((await client.ping(signal)).answer.kind).toBe('unauthorised');
    expect(peer.seen).toEqual([]);
  });

  it('claims with an in-progress result where the service lacks claims, with a body no other agent sends', async () => {
    const { peer, client } = await clientOn(ok, { claimBy: 'result' });
    await client.claim('P', 'agent-1', 'k', signal);
    expect(peer.seen.map(({ url, body }) => [url, body])).toEqual([
      ['/v2/terminal-payments/P/result', '{"status":"in_progress","metadata":{"tilld":{"agent":"agent-1"}}}'],
    ]);
  });

  it('goes where the config says', async () => {
    const { peer, client } = await clientOn(ok, { paths: { claim: '/agents/claims/{id}' } });
    await client.claim('P', 'a', 'k', signal);
    expect(peer.seen[0]?.url).toBe('/v2/agents/claims/P');
  });

  it('never throws for what the line does, and rejects when it is told to stop', async () => {
    const { peer, client } = await clientOn(() => undefined);
    await expect(client.ping(AbortSignal.abort(new Error('stop')))).rejects.toThrow('stop');
    await peer.close();
    expect((await client.ping(signal)).answer).toMatchObject({ kind: 'unavailable', reached: 'no' });
  });
});
