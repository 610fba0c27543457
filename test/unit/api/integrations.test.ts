import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RunningApi } from '../../../src/api/server.ts';
import { AppError } from '../../../src/base/errors.ts';
import type { QuarantinedView, StreamView } from '../../../src/integration/sync-runner-port.ts';
import { ask, KEYS, type Shop, startShop } from './shop.ts';

const URL = '/v2/integrations';
const A = `${URL}/provider_a`;
const PRODUCT = '0198d000-0000-7000-8000-000000000001';
const CREDENTIALS = {
  apiKey: 'pk_very-secret-0123456789',
  baseUrl: 'https://api.provider.example',
  appName: 'Shop',
  appEmail: 'ops@shop.example',
};
const AT = Date.UTC(2026, 4, 1);
const CARD = '4111111111111111';

let api: RunningApi;
let shop: Shop;
beforeEach(async () => {
  ({ api, shop } = await startShop());
});
afterEach(() => api.stop());

const get = (path: string, more: object = {}) => ask(api.url, { path, ...more });
const send = (method: string, path: string, body?: unknown, more: object = {}) =>
  ask(api.url, { method, path, ...(body === undefined ? {} : { body: JSON.stringify(body) }), ...more });
const activate = () => send('POST', `${A}/activate`, { credentials: CREDENTIALS });

function parked(key: string, more: Partial<QuarantinedView> = {}): QuarantinedView {
  return {
    resource: 'invoices',
    key,
    cause: 'mapping:p-9',
    recordId: key,
    why: 'mapping',
    reason: 'no mapping',
    needs: 'p-9',
    label: null,
    excerpt: `paid with ${CARD}`,
    tries: 1,
    parkedAt: AT,
    nextTryAt: null,
    ...more,
  };
}

const STREAM: StreamView = {
  resource: 'invoices',
  state: 'running',
  rows: 10,
  freshAt: AT,
  isStale: false,
  isPaused: false,
  nextRunAt: null,
  nextRuns: [],
  run: {
    no: 7,
    kind: 'full',
    startedAt: AT,
    endedAt: null,
    outcome: 'running',
    code: null,
    message: `card ${CARD}`,
    pages: 1,
    read: 5,
    created: 5,
    updated: 0,
    unchanged: 0,
    stale: 0,
    deleted: 0,
    parked: 0,
    ignored: 0,
  },
  expected: 100,
  held: { kind: 'deletes', missing: 3, rows: 10, examples: ['i-1'], at: AT },
  parked: 1,
  errors: 0,
  lastError: null,
  firstFailure: null,
};

describe('/v2/integrations', () => {
  it('needs settings:read to look and settings:write to change', async () => {
    expect((await get(URL, { key: KEYS.reader })).status).toBe(403);
    expect((await send('POST', `${A}/deactivate`, undefined, { key: KEYS.reader })).status).toBe(403);
    expect((await get(URL, { key: null })).status).toBe(401);
    expect((await get(URL)).json.data).toHaveLength(4);
  });

  it('never gives a credential away: not in answers, not in kept ones, not in the log, not in the books', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const answered = [
      await send('POST', `${A}/activate`, { credentials: CREDENTIALS }, { headers }),
      await send('POST', `${A}/activate`, { credentials: CREDENTIALS }, { headers }),
      await send('POST', `${A}/rotate`, { credentials: CREDENTIALS }),
      await send('POST', `${A}/test`, { credentials: CREDENTIALS }),
      await send('POST', `${A}/test`, {
        credentials: { ...CREDENTIALS, baseUrl: 'http://elsewhere.example' },
      }),
      await send('POST', `${A}/activate`, { credentials: { ...CREDENTIALS, appEmail: CREDENTIALS.apiKey } }),
      await get(A),
    ];
    expect(answered.map(({ status }) => status)).toEqual([200, 200, 200, 200, 400, 400, 200]);
    const tables = shop.books.all("SELECT name FROM sqlite_master WHERE type = 'table'") as {
      name: string;
    }[];
    const books = tables.map(({ name }) => JSON.stringify(shop.books.all(`SELECT * FROM ${name}`))).join();
    expect(books).toContain('sealed_credentials');
    for (const text of [...answered.map((one) => one.text), shop.logged.join(), books])
      expect(text).not.toContain(CREDENTIALS.apiKey);
  });

  it('keeps the secret of webhooks, shows that it is there, and never the secret', async () => {
    const secret = 'whsec_very-secret-0123456789';
    expect((await get(A)).json.data.webhook).toMatchObject({ secret_stored: false, accepted: 0, url: null });
    expect((await get(`${URL}/provider_b`)).json.data.webhook).toBeNull();
    const more = { headers: { 'idempotency-key': randomUUID() } };
    const first = await send('PUT', `${A}/webhook-secret`, { secret }, more);
    const again = await send('PUT', `${A}/webhook-secret`, { secret }, more);
    expect([first.status, again.text]).toEqual([200, first.text]);
    expect(first.json.data.webhook).toMatchObject({ secret_stored: true, previous_secret_until: null });
    const rolled = await send('PUT', `${A}/webhook-secret`, { secret: `${secret}-2`, overlapHours: 168 });
    const until = Date.parse(rolled.json.data.webhook.previous_secret_until);
    expect(Math.abs(until - Date.now() - 168 * 3_600_000)).toBeLessThan(60_000);
    const short = await send('PUT', `${A}/webhook-secret`, { secret: 'whsec_short' });
    expect(short).toMatchObject({
      status: 400,
      json: { success: false, error: { issues: [{ path: ['secret'] }] } },
    });
    const answered = [
      first,
      rolled,
      short,
      await send('PUT', `${A}/webhook-secret`, { secret: `${secret} and more` }),
      await send('PUT', `${A}/webhook-secret`, { secret, overlapHours: 169 }),
      await send('PUT', `${URL}/provider_b/webhook-secret`, { secret }),
      await send('PUT', `${URL}/terminal/webhook-secret`, { secret }),
      await send('PUT', `${URL}/provider_x/webhook-secret`, { secret }),
      await send('DELETE', `${A}/webhook-secret`),
      await get(A),
    ];
    expect(answered.map(({ status }) => status)).toEqual([200, 200, 400, 400, 400, 422, 400, 404, 200, 200]);
    expect(answered.at(-1)?.json.data.webhook.secret_stored).toBe(false);
    const kept = JSON.stringify(shop.books.all('SELECT * FROM kept_answers'));
    const rows = JSON.stringify(shop.books.all('SELECT * FROM provider_slots'));
    for (const text of [...answered.map((one) => one.text), shop.logged.join(), kept, rows])
      expect(text).not.toContain('very-secret');
    const { status } = await send('PUT', `${A}/webhook-secret`, { secret }, { key: KEYS.reader });
    expect(status).toBe(403);
  });

  it('activates once for each idempotency key, whatever came in between', async () => {
    const more = { headers: { 'idempotency-key': randomUUID() } };
    const first = await send('POST', `${A}/activate`, { credentials: CREDENTIALS }, more);
    await send('POST', `${A}/deactivate`);
    const again = await send('POST', `${A}/activate`, { credentials: CREDENTIALS }, more);
    expect(again.text).toBe(first.text);
    expect((await get(A)).json.data.active).toBe(false);
  });

  it('writes nothing of a change whose answer cannot be kept', async () => {
    shop.books.run(
      "CREATE TRIGGER no_answers BEFORE INSERT ON kept_answers BEGIN SELECT RAISE(ABORT, 'planted'); END",
    );
    const more = { headers: { 'idempotency-key': randomUUID() } };
    const body = { mappings: [{ externalId: 'p-1' }] };
    expect((await send('PUT', `${A}/product-mappings`, body, more)).status).toBeGreaterThanOrEqual(500);
    expect((await get(`${A}/product-mappings`)).json.data).toEqual([]);
  });

  it('takes a set of mappings that is larger than other bodies, and no larger one', async () => {
    const metadata = { name: 'n'.repeat(200) };
    const mappings = Array.from({ length: 5000 }, (_, index) => ({ externalId: `p-${index}`, metadata }));
    const taken = await send('PUT', `${A}/product-mappings`, { mappings });
    expect(taken.json).toEqual({ success: true, count: 5000 });
    const larger = { mappings: [{ externalId: 'p', metadata: { name: 'n'.repeat(3 * 1024 * 1024) } }] };
    expect((await send('PUT', `${A}/product-mappings`, larger)).status).toBe(413);
    expect((await send('PUT', `${A}/sync-toggle`, { enabled: 'x'.repeat(70_000) })).status).toBe(413);
    expect((await get(`${A}/product-mappings`)).json.data).toHaveLength(5000);
  });

  it('lists at most 20 issues of a body, and cuts what somebody made up', async () => {
    const mappings = Array.from({ length: 100 }, () => ({ externalId: '', [`x ${CARD}`]: 1 }));
    const { json, text, headers } = await send('PUT', `${A}/product-mappings`, { mappings });
    expect(json.error.issues).toHaveLength(20);
    expect(json.error.request_id).toBe(headers['x-request-id']);
    expect(text).not.toContain(CARD);
  });

  it('has nothing to sync, to resume or to try where no connector serves the integration', async () => {
    const T = `${URL}/terminal`;
    shop.settings.change('terminal', { isActive: true });
    const details = { provider: 'terminal', configured: false };
    for (const path of ['sync', 'resume-sync', 'activate', 'dry-run', 'invoices/i-1/refresh'])
      expect(
        await send('POST', `${T}/${path}`, path === 'activate' ? { credentials: CREDENTIALS } : undefined),
      ).toMatchObject({
        status: 400,
        json: { error: { code: 'invalid_status', details } },
      });
    const { id } = (await get(T)).json.data;
    expect((await get(`${T}/sync-stats/${id}`)).json.data.runs).toEqual({ '1h': 0, '24h': 0, '7d': 0 });
    expect((await get(`${T}/streams`)).json.data).toEqual([]);
  });

  it('refuses an activation without any credential, and a resource that is none', async () => {
    expect(await send('POST', `${A}/activate`, {})).toMatchObject({
      status: 400,
      json: { error: { code: 'invalid_status', details: { provider: 'provider_a' } } },
    });
    await activate();
    expect(await send('POST', `${A}/sync`, { resource: 'nothing' })).toMatchObject({
      status: 400,
      json: { error: { param: 'resource' } },
    });
    expect((await send('POST', `${A}/sync`, { resource: 'invoices' })).status).toBe(202);
    expect(shop.runner.calls.at(-1)).toBe('queue provider_a changes invoices');
  });
});

describe('a look into the syncs', () => {
  it('shows streams with what runs and what is held, without card numbers', async () => {
    shop.runner.streamViews = [STREAM];
    const { json, text } = await get(`${A}/streams`);
    expect(json.data).toMatchObject([
      {
        provider: 'provider_a',
        resource: 'invoices',
        state: 'running',
        expected: 100,
        run: { no: 7, kind: 'full', read: 5, ended_at: null },
        held: { kind: 'deletes', missing: 3 },
      },
    ]);
    expect(text).not.toContain(CARD);
  });

  it('walks through parked records by their ids, without card numbers', async () => {
    shop.runner.parkedViews = ['a', 'b', 'c'].map((key) => parked(key));
    const first = await get(`${A}/parked?limit=2`);
    expect(first.json).toMatchObject({ has_more: true, data: [{ id: 'invoices/a' }, { id: 'invoices/b' }] });
    const after = encodeURIComponent('invoices/b');
    const second = await get(`${A}/parked?limit=2&starting_after=${after}`);
    expect(second.json).toMatchObject({ has_more: false, data: [{ id: 'invoices/c' }] });
    expect(first.text).not.toContain(CARD);
    expect((await get(`${A}/parked?starting_after=b`)).status).toBe(400);
    expect((await get(`${A}/parked?limit=101`)).status).toBe(400);
  });

  it('shows what is stored of a credential, and never the key', async () => {
    const before = await get(`${A}/credentials`);
    expect(before.json).toMatchObject({ data: { key_stored: false, readable: true, missing: ['apiKey'] } });
    await activate();
    const stored = await get(`${A}/credentials`);
    expect(stored.json).toMatchObject({
      data: { key_stored: true, base_url: CREDENTIALS.baseUrl, missing: [] },
    });
    expect(stored.text).not.toContain(CREDENTIALS.apiKey);
    expect((await get('/v2/integrations/provider_x/credentials')).status).toBe(404);
  });

  it('tries every resource with the stored credential, and with none that is missing', async () => {
    expect((await send('POST', `${A}/test-resources`, {})).status).toBe(400);
    await activate();
    const failure = { code: 'SOURCE_FORBIDDEN', message: `may not read, ${CARD}` };
    const one = { resource: 'invoices', isReadable: false, received: 0, bad: 0, hasMore: false, failure };
    shop.runner.resourceTests = [one];
    const tested = await send('POST', `${A}/test-resources`, {});
    expect(tested.json).toMatchObject({
      data: [{ resource: 'invoices', readable: false, code: 'source_forbidden' }],
    });
    expect(tested.text).not.toContain(CARD);
  });

  it('lists what parked records wait for, and tries those of one cause again', async () => {
    const cause = {
      why: 'mapping',
      needs: 'p-9',
      reason: `paid with ${CARD}`,
      resources: ['invoices'],
    } as const;
    shop.runner.causeViews = [
      { id: 'mapping:p-9', ...cause, records: 2, examples: ['invoices/a'], since: AT, nextTryAt: null },
    ];
    shop.runner.parkedViews = [parked('a'), parked('b'), parked('c', { cause: 'bad:1' })];
    const causes = await get(`${A}/parked/causes`);
    expect(causes.json).toMatchObject({ data: [{ id: 'mapping:p-9', records: 2, next_try_at: null }] });
    expect(causes.text).not.toContain(CARD);
    expect((await send('POST', `${A}/parked/retry`, {})).status).toBe(400);
    await activate();
    const retried = await send('POST', `${A}/parked/retry`, { cause: 'mapping:p-9' });
    expect(retried.json).toEqual({ success: true, count: 2 });
    expect(shop.runner.calls.at(-1)).toBe('retry provider_a mapping:p-9');
  });

  it('lists runs, newest first, by their numbers', async () => {
    const { run } = STREAM;
    if (!run) throw new Error('the stream has a run');
    shop.runner.runViews = [9, 8, 7].map((no) => ({
      ...run,
      no,
      resource: 'invoices',
      endedAt: run.startedAt + 250,
    }));
    const first = await get(`${A}/runs?limit=2`);
    expect(first.json).toMatchObject({
      has_more: true,
      data: [{ id: '9', resource: 'invoices', duration_ms: 250 }, { id: '8' }],
    });
    const second = await get(`${A}/runs?limit=2&starting_after=8`);
    expect(second.json).toMatchObject({
      has_more: false,
      data: [{ object: 'sync_run', id: '7', provider: 'provider_a' }],
    });
    expect((await get(`${A}/runs?starting_after=x`)).status).toBe(400);
  });

  it('suggests products for packages that records wait for', async () => {
    shop.runner.parkedViews = [parked('a', { needs: 'HC 100' }), parked('b', { needs: 'x-1' })];
    const known = { externalId: 'hc-100', internalId: PRODUCT, metadata: { name: 'Haircut' } };
    await send('PUT', `${URL}/provider_b/product-mappings`, { mappings: [known] });
    const { json } = await get(`${A}/product-mappings/suggestions`);
    expect(json.data).toEqual([
      {
        object: 'mapping_suggestion',
        externalId: 'HC 100',
        name: null,
        waiting: 1,
        suggestions: [{ internalId: PRODUCT, name: 'Haircut', by: 'code', likeness: 1 }],
      },
      { object: 'mapping_suggestion', externalId: 'x-1', name: null, waiting: 1, suggestions: [] },
    ]);
    expect((await get(`${A}/product-mappings/suggestions?limit=1`)).json.has_more).toBe(true);
  });

  it('lets go what is held, once', async () => {
    shop.runner.heldResource = 'invoices';
    const path = `${A}/resources/invoices/approve`;
    expect((await send('POST', path)).json).toEqual({ success: true });
    expect((await send('POST', path)).json.error.code).toBe('invalid_status');
    expect((await send('POST', `${A}/resources/nothing/approve`)).status).toBe(400);
  });

  it('tells what a run would write, masked, and whose fault it is when nobody can tell', async () => {
    await activate();
    const write = { op: 'create', id: 'c-1', request: null, body: { note: CARD, born: undefined } } as const;
    const counts = {
      read: 1,
      sourceRequests: 1,
      sinkRequests: 0,
      unchanged: 0,
      writesInAll: 1,
      counts: { create: 1, update: 0, remove: 0, park: 0, ignore: 0 },
      reasons: [{ op: 'park', reason: CARD, records: 1 } as const],
      warnings: [],
    };
    shop.runner.dry = async () => [{ resource: 'customers', ...counts, writes: [write] }];
    const { json, text } = await send('POST', `${A}/dry-run`, { fullResync: true, resource: 'customers' });
    expect(json.data[0]).toMatchObject({ object: 'dry_run', source_requests: 1, writes: [{ id: 'c-1' }] });
    expect(text).not.toContain(CARD);
    expect(shop.runner.calls.at(-1)).toBe('dry run provider_a full customers');
    shop.runner.dry = async () => {
      throw new AppError('SOURCE_UNAUTHORISED', 'the provider refuses the credential');
    };
    expect(await send('POST', `${A}/dry-run`)).toMatchObject({
      status: 502,
      json: { error: { code: 'gateway_error', details: { cause: 'source_unauthorised' } } },
    });
  });
});
