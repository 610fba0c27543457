import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebhookDelivery } from '../../../src/api/contract/webhook-delivery.ts';
import { WebhookEndpoint } from '../../../src/api/contract/webhook-endpoint.ts';
import { newDelivery } from '../../../src/webhooks/delivery.ts';
import { type Answer, type Ask, ask, KEYS, openShop, startShop } from './shop.ts';

const ENDPOINTS = '/v2/webhook-endpoints';
const DELIVERIES = '/v2/webhook-deliveries';
const NOBODY = '0198c5a0-cccc-7000-8000-000000000009';
const WANTED = { url: 'https://shop.example/hooks', events: ['terminal_payment.succeeded'] };
type Started = Awaited<ReturnType<typeof startShop>>;

describe('webhook administration', () => {
  let started: Started;
  beforeAll(async () => {
    started = await startShop({ rateLimit: { perMinute: 60_000, burst: 1_000 } });
  });
  afterAll(() => started.api.stop());

  function call(method: string, path: string, body?: unknown, more: Partial<Ask> = {}): Promise<Answer> {
    const text = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) };
    return ask(started.api.url, { method, path, ...text, ...more });
  }

  /** Registers an endpoint, and takes it away again after `use`. */
  async function withEndpoint<T>(use: (made: { id: string; secret: string }) => Promise<T>): Promise<T> {
    const { data } = (await call('POST', ENDPOINTS, WANTED)).json;
    try {
      return await use(data);
    } finally {
      await call('DELETE', `${ENDPOINTS}/${data.id}`);
    }
  }

  it.each([ENDPOINTS, '/v1/webhooks'])('POST %s registers an endpoint and shows its secret', async (path) => {
    const { status, json } = await call('POST', path, {
      ...WANTED,
      events: [...WANTED.events, ...WANTED.events],
    });
    expect(status).toBe(201);
    expect(json.data).toMatchObject({ object: 'webhook_endpoint', ...WANTED, status: 'enabled' });
    expect(json.data.secret).toMatch(/^whsec_.{30}/);
    const { data } = (await call('GET', `${ENDPOINTS}/${json.data.id}`)).json;
    expect(WebhookEndpoint.strict().parse(data)).toEqual(data);
    expect(JSON.stringify(data) + (await call('GET', ENDPOINTS)).text).not.toContain(json.data.secret);
    await call('DELETE', `${ENDPOINTS}/${json.data.id}`);
  });

  it('gives the same secret again under the same Idempotency-Key, and registers nothing twice', async () => {
    const headers = { 'idempotency-key': 'register once' };
    const first = await call('POST', ENDPOINTS, WANTED, { headers });
    const again = await call('POST', ENDPOINTS, WANTED, { headers });
    expect([again.text, again.headers['idempotent-replayed']]).toEqual([first.text, 'true']);
    expect((await call('GET', ENDPOINTS)).json.data).toHaveLength(1);
    await call('DELETE', `${ENDPOINTS}/${first.json.data.id}`);
  });

  it.each<[string, unknown, string, string]>([
    ['no https', { ...WANTED, url: 'http://shop.example/' }, 'validation_error', 'url'],
    ['a password', { ...WANTED, url: 'https://a:b@shop.example/' }, 'validation_error', 'url'],
    ['no address', { ...WANTED, url: 'hooks' }, 'validation_error', 'url'],
    ['a number for an address', { ...WANTED, url: 5 }, 'validation_error', 'url'],
    [
      'a long address',
      { ...WANTED, url: `https://a.example/${'a'.repeat(2048)}` },
      'validation_error',
      'url',
    ],
    [
      'an unknown event',
      { ...WANTED, events: ['payment.succeeded', 'nothing.happened'] },
      'validation_error',
      'events.1',
    ],
    ['no events', { ...WANTED, events: [] }, 'validation_error', 'events'],
    [
      'too many events',
      { ...WANTED, events: Array.from({ length: 101 }, () => 'payment.succeeded') },
      'validation_error',
      'events',
    ],
    ['one event as text', { ...WANTED, events: 'payment.succeeded' }, 'validation_error', 'events'],
    ['a field of its own', { ...WANTED, secret: 'mine' }, 'validation_error', 'secret'],
    ['no url', { events: WANTED.events }, 'missing_required_field', 'url'],
    ['nothing', {}, 'missing_required_field', 'url'],
  ])('refuses to register with %s', async (_name, body, code, param) => {
    const { status, json } = await call('POST', ENDPOINTS, body);
    expect(status).toBe(400);
    expect(json.error).toMatchObject({ type: 'invalid_request_error', code, param });
  });

  it('registers sixteen and refuses the next one', async () => {
    const made = [];
    for (let number = 0; number < 16; number += 1)
      made.push((await call('POST', ENDPOINTS, WANTED)).json.data.id);
    const { status, json } = await call('POST', ENDPOINTS, WANTED);
    expect([status, json.error.code]).toEqual([422, 'too_many_webhook_endpoints']);
    const page = (await call('GET', `${ENDPOINTS}?limit=10&offset=10`)).json;
    expect(page).toMatchObject({ object: 'list', has_more: false, url: ENDPOINTS });
    expect(page.data.map(({ id }: { id: string }) => id)).toEqual(made.slice(10));
    const older = await call('GET', `${ENDPOINTS}?limit=10`, undefined, {
      headers: { 'service-version': '2026-01-15' },
    });
    expect(older.json.pagination).toEqual({ limit: 10, offset: 0, total: 16, hasMore: true });
    for (const id of made) await call('DELETE', `${ENDPOINTS}/${id}`);
  });

  it.each([
    [{ status: 'disabled' }],
    [{ events: ['settlement.created', 'order.paid'] }],
    [{ url: 'http://127.0.0.1:9999/' }],
    [{ url: 'https://b.example/', events: ['order.paid'], status: 'enabled' }],
  ])('changes an endpoint with %j and nothing else of it', (change) =>
    withEndpoint(async ({ id }) => {
      const before = (await call('GET', `${ENDPOINTS}/${id}`)).json.data;
      const { status, json } = await call('PATCH', `${ENDPOINTS}/${id.toUpperCase()}`, change);
      expect(status).toBe(200);
      expect(json.data).toEqual({ ...before, ...change, updated_at: json.data.updated_at });
      expect((await call('GET', `${ENDPOINTS}/${id}`)).json.data).toEqual(json.data);
    }),
  );

  it.each<[string, unknown, string]>([
    ['nothing', {}, 'validation_error'],
    ['no body', undefined, 'validation_error'],
    ['an unknown status', { status: 'paused' }, 'validation_error'],
    ['plain http', { url: 'http://shop.example/' }, 'validation_error'],
    ['a null', { url: null }, 'validation_error'],
    ['a secret', { secret: 'mine' }, 'validation_error'],
  ])('refuses to change an endpoint with %s', (_name, body, code) =>
    withEndpoint(async ({ id }) => {
      const { status, json } = await call('PATCH', `${ENDPOINTS}/${id}`, body);
      expect([status, json.error.code]).toEqual([400, code]);
    }),
  );

  it('rolls a secret and shows the new one', () =>
    withEndpoint(async ({ id, secret }) => {
      const { status, json } = await call('POST', `${ENDPOINTS}/${id}/roll-secret`);
      expect(status).toBe(200);
      expect(json.data).toMatchObject({
        id,
        needs_new_secret: false,
        secret: expect.stringMatching(/^whsec_/),
      });
      expect(json.data.secret).not.toBe(secret);
    }));

  it('deletes an endpoint once', () =>
    withEndpoint(async ({ id }) => {
      const gone = await call('DELETE', `${ENDPOINTS}/${id}`);
      expect([gone.status, gone.json]).toEqual([
        200,
        { data: { id, object: 'webhook_endpoint', deleted: true } },
      ]);
      expect((await call('DELETE', `${ENDPOINTS}/${id}`)).status).toBe(404);
    }));

  it.each([
    ['GET', `${ENDPOINTS}/${NOBODY}`, undefined],
    ['PATCH', `${ENDPOINTS}/${NOBODY}`, { status: 'disabled' }],
    ['DELETE', `${ENDPOINTS}/${NOBODY}`, undefined],
    ['POST', `${ENDPOINTS}/${NOBODY}/roll-secret`, undefined],
    ['POST', `${DELIVERIES}/${NOBODY}/redeliver`, undefined],
  ])('%s %s is 404 resource_not_found', async (method, path, body) => {
    const { status, json } = await call(method, path, body);
    expect([status, json.error.code]).toEqual([404, 'resource_not_found']);
  });

  it.each([
    ['POST', ENDPOINTS, WANTED, 'webhooks:write'],
    ['POST', '/v1/webhooks', WANTED, 'webhooks:write'],
    ['PATCH', `${ENDPOINTS}/${NOBODY}`, { status: 'disabled' }, 'webhooks:write'],
    ['DELETE', `${ENDPOINTS}/${NOBODY}`, undefined, 'webhooks:write'],
    ['POST', `${ENDPOINTS}/${NOBODY}/roll-secret`, undefined, 'webhooks:write'],
    ['POST', `${DELIVERIES}/${NOBODY}/redeliver`, undefined, 'webhooks:write'],
    ['GET', ENDPOINTS, undefined, 'webhooks:read'],
    ['GET', `${ENDPOINTS}/${NOBODY}`, undefined, 'webhooks:read'],
    ['GET', DELIVERIES, undefined, 'webhooks:read'],
  ])('%s %s needs its scope', async (method, path, body, scope) => {
    const { status, json } = await call(method, path, body, { key: KEYS.reader });
    expect([status, json.error.code, json.error.details]).toEqual([
      403,
      'insufficient_permissions',
      { required: [scope] },
    ]);
  });
});

describe('webhook deliveries', () => {
  const shop = openShop();
  let started: Started;
  let endpointId: string;
  const get = (query = '') => ask(started.api.url, { path: `${DELIVERIES}${query}` });
  const redeliver = (id: string) =>
    ask(started.api.url, { method: 'POST', path: `${DELIVERIES}/${id}/redeliver` });

  beforeAll(async () => {
    started = await startShop({ rateLimit: { perMinute: 60_000, burst: 1_000 } }, shop);
    const { webhooks } = shop.deps;
    endpointId = webhooks.create(WANTED).id;
    const id = shop.deps.ids.uuid();
    shop.webhookStore.insertDelivery({
      ...newDelivery({ id: 'evt_1', type: 'terminal_payment.succeeded' }, endpointId, id, 1_000),
      attempts: 6,
      status: { name: 'failed', at: 2_000 },
      responseStatus: 500,
      lastError: 'the endpoint answered 500',
    });
    for (let number = 0; number < 4; number += 1) webhooks.redeliver(id);
  });
  afterAll(() => started.api.stop());

  it('are listed newest first, in the shape of the contract, page by page', async () => {
    const all = (await get('?limit=100')).json;
    expect(all).toMatchObject({ object: 'list', has_more: false, url: DELIVERIES });
    expect(all.data.map((one: unknown) => WebhookDelivery.strict().parse(one))).toEqual(all.data);
    expect(all.data.at(-1)).toMatchObject({
      object: 'webhook_delivery',
      event_id: 'evt_1',
      event_type: 'terminal_payment.succeeded',
      endpoint_id: endpointId,
      status: 'failed',
      attempts: 6,
      next_attempt_at: null,
      response_status: 500,
      last_error: 'the endpoint answered 500',
      created_at: '1970-01-01T00:00:01.000Z',
      delivered_at: null,
    });
    const ids: string[] = all.data.map(({ id }: { id: string }) => id);
    const first = (await get('?limit=3')).json;
    const second = (await get(`?limit=3&starting_after=${ids[2]}`)).json;
    expect([first.has_more, second.has_more]).toEqual([true, false]);
    expect([...first.data, ...second.data]).toEqual(all.data);
    expect((await get(`?limit=1&ending_before=${ids[2]}`)).json.data).toEqual([all.data[1]]);
  });

  it.each([
    ['status=failed', 1],
    ['status=pending', 4],
    ['status=delivered', 0],
    ['event_id=evt_1', 5],
    ['event_id=evt_2', 0],
    [`endpoint_id=${NOBODY}`, 0],
    ['status=pending&event_id=evt_1', 4],
  ])('are chosen by %s', async (query, count) => {
    expect((await get(`?${query}`)).json.data).toHaveLength(count);
  });

  it.each([
    [`starting_after=${NOBODY}`, 'resource_missing', 'starting_after'],
    [`ending_before=${NOBODY}`, 'resource_missing', 'ending_before'],
    [`starting_after=${NOBODY}&ending_before=${NOBODY}`, 'parameter_invalid', 'ending_before'],
    ['status=lost', 'validation_error', 'status'],
    ['limit=0', 'validation_error', 'limit'],
    ['limit=101', 'validation_error', 'limit'],
    ['endpoint=1', 'validation_error', 'endpoint'],
  ])('are not listed with ?%s', async (query, code, param) => {
    const { status, json } = await get(`?${query}`);
    expect([status, json.error.code, json.error.param]).toEqual([400, code, param]);
  });

  it('are sent again as a new delivery, while their endpoint is there and enabled', async () => {
    const { id } = (await get('?status=failed')).json.data[0];
    const again = await redeliver(id);
    expect(again.status).toBe(201);
    expect(again.json.data).toMatchObject({ event_id: 'evt_1', status: 'pending', attempts: 0 });
    expect(again.json.data.id).not.toBe(id);
    shop.deps.webhooks.update(endpointId, { status: 'disabled' });
    expect(await redeliver(id)).toMatchObject({ status: 400, json: { error: { code: 'invalid_status' } } });
    shop.deps.webhooks.remove(endpointId);
    expect(await redeliver(id)).toMatchObject({ status: 400, json: { error: { code: 'invalid_status' } } });
    expect((await get('?status=pending')).json.data).toEqual([]);
  });
});

describe('an endpoint whose secret cannot be read any more', () => {
  it('is kept and shown as in need of a new one, until it is rolled', async () => {
    const shop = openShop();
    const started = await startShop({}, shop);
    const { id } = shop.deps.webhooks.create(WANTED);
    const endpoint = shop.webhookStore.endpoints()[0];
    if (endpoint)
      shop.webhookStore.updateEndpoint({ ...endpoint, sealedSecret: 'v1.sealedWithAKeyThatIsGone' });
    const needs = async () =>
      (await ask(started.api.url, { path: `${ENDPOINTS}/${id}` })).json.data.needs_new_secret;
    expect(await needs()).toBe(true);
    await ask(started.api.url, { method: 'POST', path: `${ENDPOINTS}/${id}/roll-secret` });
    expect(await needs()).toBe(false);
    await started.api.stop();
  });
});
