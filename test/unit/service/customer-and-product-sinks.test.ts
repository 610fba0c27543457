import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { AppError } from '../../../src/base/errors.ts';
import { silentLog } from '../../../src/base/log.ts';
import type { SourceRecord } from '../../../src/integration/connector.ts';
import type { Lease, PageCommit, SinkWrite } from '../../../src/integration/ports.ts';
import type { StreamSetup } from '../../../src/integration/run/sync-run.ts';
import { IntegrationSettings } from '../../../src/integration/settings/integration-settings.ts';
import { Budget } from '../../../src/outbox/budget.ts';
import { SyncLine } from '../../../src/service/sync-line.ts';
import { CustomerSink } from '../../../src/service/sync-sink/customer-sink.ts';
import { SqliteIntegrationStore } from '../../../src/store/integrations/sqlite-integration-store.ts';
import { SqliteSyncControl } from '../../../src/store/mirror/sqlite-sync-control.ts';
import { SqliteSyncStore } from '../../../src/store/mirror/sqlite-sync-store.ts';
import { aMoneyDatabase } from '../../support/money-database.ts';
import {
  allOf,
  aMapping,
  anIntegration,
  aService,
  type Exchange,
  HASTY,
  RECORDS,
  type ServiceAtWork,
} from '../../support/service-sinks.ts';
import { aMirror, anEngine, aPage, aSource, aStream } from '../../support/sync.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';
import { aSealer } from '../../support/webhooks.ts';
import { FakeHttp } from './fake-http.ts';

const never = new AbortController().signal;
const AT = Date.parse('2026-10-01T09:00:00Z');
const PRODUCT = '0199c0de-0003-7000-8000-000000000001';

/** Dies in the middle of a page: the sink has written, the commit is not there. */
class DyingStore extends SqliteSyncStore {
  deaths = 1;
  override commitPage(lease: Lease, page: PageCommit): void {
    this.deaths -= 1;
    if (this.deaths === 0) throw new AppError('KILLED', 'kill -9');
    super.commitPage(lease, page);
  }
}

function customers(count: number, more: Partial<SourceRecord> = {}): readonly SourceRecord[] {
  return Array.from({ length: count }, (_, at) => ({
    id: `c${at}`,
    updatedAt: AT + at,
    deleted: false,
    fields: { name: `Customer ${at}`, email: `c${at}@shop.example`, loyalty: 'gold' },
    ...more,
  }));
}

const put = (id: string, body: Record<string, string>, updatedAt = AT): SinkWrite => ({
  op: 'put',
  id,
  updatedAt,
  body,
});
const statuses = (exchanges: readonly Exchange[]) =>
  exchanges.flatMap(({ got }) => (got?.data ?? []).map((one: { status: string }) => one.status));
const count = (exchanges: readonly Exchange[], status: string) =>
  statuses(exchanges).filter((one) => one === status).length;

function stream(
  at: ServiceAtWork,
  records: readonly SourceRecord[],
  more: Partial<StreamSetup> = {},
): StreamSetup {
  const { sink, map } = at.sink(anIntegration(), 'customers');
  return aStream(
    aSource(async () => aPage(records)),
    { sink, map, ...more },
  );
}

function sinkOver(http: FakeHttp) {
  const line = new SyncLine({
    connect: () => http,
    credential: () => 'rk_sandbox_x',
    budget: new Budget(HASTY),
    clock: HASTY,
    listener: { answered: () => undefined, failed: () => undefined },
  });
  return { sink: new CustomerSink({ line, prefix: '' }, () => AT) };
}

function engineOn(database = aMirror(), more = {}) {
  const engine = anEngine(database, new VirtualClock(), { clock: HASTY, ...more });
  engine.start();
  return engine;
}

describe('customers of a provider', () => {
  it('go to the service a hundred at a time, by their external ids, with what has no field there in the metadata', async () => {
    const at = await aService();
    expect(await engineOn().run(stream(at, customers(250)), never)).toMatchObject({ outcome: 'complete' });
    expect(at.exchanges.map(({ line, sent }) => [line, sent.customers.length])).toEqual([
      ['PUT /customers/external/batch', 100],
      ['PUT /customers/external/batch', 100],
      ['PUT /customers/external/batch', 50],
    ]);
    expect(count(at.exchanges, 'created')).toBe(250);
    expect(at.exchanges[0]?.sent.customers[0]).toEqual({
      external_id: 'c0',
      source_updated_at: '2026-10-01T09:00:00.000Z',
      name: 'Customer 0',
      email: 'c0@shop.example',
      metadata: { tilld: { slot: 'provider_a', external_id: 'c0' }, source: { loyalty: 'gold' } },
    });
  });

  it('a kill between the write and the commit makes no second customer', async () => {
    const [at, database] = [await aService(), aMirror()];
    const dying = engineOn(database, { store: new DyingStore(database) });
    expect(await dying.run(stream(at, customers(120)), never)).toMatchObject({ failure: { code: 'KILLED' } });
    expect(await engineOn(database).run(stream(at, customers(120)), never)).toMatchObject({
      outcome: 'complete',
    });
    expect([count(at.exchanges, 'created'), count(at.exchanges, 'updated')]).toEqual([120, 120]);
    await engineOn(database).run(stream(at, customers(120)), never);
    expect(at.exchanges).toHaveLength(4);
  });

  it('an older version than the service knows is stale, and no error', async () => {
    const at = await aService();
    const { sink } = at.sink(anIntegration(), 'customers');
    if (sink.kind === 'local') throw new Error('it is no remote sink');
    await sink.write([put('c1', { name: 'new' })], never);
    expect(
      await sink.write([put('c1', { name: 'old' }, AT - 1), put('c2', { name: 'x' })], never),
    ).toMatchObject([
      { id: 'c1', outcome: 'stale' },
      { id: 'c2', outcome: 'created' },
    ]);
    const report = await engineOn().run(stream(at, customers(3, { updatedAt: AT - 5 })), never);
    expect(report).toMatchObject({ outcome: 'complete', failure: null });
  });

  it('one record that the service refuses waits alone; the ninety-nine beside it are there', async () => {
    const [at, database] = [await aService(), aMirror()];
    const good = at.sink(anIntegration(), 'customers');
    const map: StreamSetup['map'] = (record) =>
      record.id === 'c37' ? { kind: 'write', body: { email: 'x'.repeat(300) } } : good.map(record);
    const report = await engineOn(database).run(stream(at, customers(100), { map }), never);
    expect(report).toMatchObject({ outcome: 'complete' });
    expect(count(at.exchanges, 'created')).toBe(99);
    const parked = new SqliteSyncControl(database).parked(
      { integration: 'provider_a', resource: 'invoices' },
      '',
      10,
    );
    expect(parked).toMatchObject([
      { recordId: 'c37', why: 'rejected', reason: expect.stringContaining('email') },
    ]);
    expect(at.exchanges.length).toBeLessThan(20);
  });

  it('a service that takes none of many fails the run; records that are known to be bad do not', async () => {
    const at = await aService();
    const { sink } = at.sink(anIntegration(), 'customers');
    if (sink.kind === 'local') throw new Error('it is no remote sink');
    const bad = () => Array.from({ length: 25 }, (_, no) => put(`c${no}`, { email: 'x'.repeat(300) }));
    await expect(sink.write(bad(), never)).rejects.toMatchObject({ code: 'SINK_REFUSED' });
    const results = await sink.write(bad(), never);
    expect(results.map(({ outcome }) => outcome)).toEqual(Array(25).fill('rejected'));
  });

  it('a batch that is broken off while it is halved goes on where it was', async () => {
    const at = await aService();
    const { sink } = at.sink(anIntegration(), 'customers');
    if (sink.kind === 'local') throw new Error('it is no remote sink');
    const batch = Array.from({ length: 64 }, (_, no) =>
      put(`c${no}`, no === 63 ? { email: 'x'.repeat(300) } : {}),
    );
    at.service.control.behave({ status: { code: 503, times: 1 } });
    await expect(sink.write(batch, never)).rejects.toMatchObject({ code: 'SINK_UNAVAILABLE' });
    const results = await sink.write(batch, never);
    expect(results.filter(({ outcome }) => outcome === 'created')).toHaveLength(63);
    const before = at.exchanges.length;
    expect(await sink.write(batch, never)).toEqual(results);
    expect(at.exchanges).toHaveLength(before);
  });

  it('a 429 makes the run wait, and is no failure', async () => {
    const at = await aService();
    at.service.control.behave({ status: { code: 429, times: 1, retry_after_s: 2, only: 'PUT' } });
    expect(await engineOn().run(stream(at, customers(5)), never)).toMatchObject({ outcome: 'complete' });
    expect(at.exchanges.map(({ status }) => status)).toEqual([429, 200]);
  });

  it('a key that may not write makes the run wait, and counts nothing', async () => {
    const at = await aService({ keys: [{ key: 'rk_sandbox_of_the_sinks', scopes: ['customers:read'] }] });
    expect(await engineOn().run(stream(at, customers(1)), never)).toMatchObject({
      outcome: 'waiting',
      failure: { code: 'SINK_UNAUTHORISED', effect: 'wait' },
    });
  });

  it.each<[what: string, data: unknown]>([
    ['says nothing of one', [{ external_id: 'c1', status: 'created' }]],
    [
      'has another order',
      [
        { external_id: 'c2', status: 'created' },
        { external_id: 'c1', status: 'created' },
      ],
    ],
    ['is no list', { c1: 'created' }],
  ])('an answer that %s is none', async (_what, data) => {
    const http = new FakeHttp(
      () => AT,
      () => ({ status: 200, body: { data } }),
    );
    const { sink } = sinkOver(http);
    await expect(sink.write([put('c1', {}), put('c2', {})], never)).rejects.toMatchObject({
      code: 'SINK_LINE_DOWN',
    });
  });

  it('a status that nobody knows is no success', async () => {
    const data = [{ external_id: 'c1', id: 'x', status: 'merged' }];
    const { sink } = sinkOver(
      new FakeHttp(
        () => AT,
        () => ({ status: 200, body: { data } }),
      ),
    );
    expect(await sink.write([put('c1', {})], never)).toMatchObject([
      { outcome: 'rejected', reason: expect.stringContaining('merged') },
    ]);
  });

  it('of two systems with the same numbers are two customers where their slots have prefixes', async () => {
    const at = await aService();
    for (const prefix of ['a:', 'b:']) {
      const sink = new CustomerSink({ line: at.line, prefix }, () => AT);
      expect(await sink.write([put('1', { name: prefix })], never)).toMatchObject([
        { id: '1', outcome: 'created' },
      ]);
    }
  });

  it('says beforehand how many requests its writes are', async () => {
    const at = await aService();
    const { requestsOf, sink } = at.sink(anIntegration(), 'customers');
    if (sink.kind === 'local') throw new Error('it is no remote sink');
    const writes = customers(230).map(({ id }) => put(id, {}));
    expect(requestsOf(writes)).toEqual([{ method: 'PUT', path: '/customers/external/batch', count: 3 }]);
    expect(requestsOf([{ op: 'remove', id: 'c1' }])).toEqual([]);
    expect(await sink.write([{ op: 'remove', id: 'c1' }], never)).toEqual([{ id: 'c1', outcome: 'removed' }]);
    expect(at.exchanges).toEqual([]);
  });
});

describe('products of a provider', () => {
  const product = (id: string, fields = {}): SourceRecord => ({
    id,
    updatedAt: AT,
    deleted: false,
    fields: { name: `Product ${id}`, ...fields },
  });
  const mappingsOf = async (at: ServiceAtWork) => {
    const path = '/integrations/provider_a/product-mappings';
    return allOf(await at.line.ask({ method: 'GET', path, reads: RECORDS }, never));
  };

  it('an unmapped one waits, its mapping releases it, and the service is told', async () => {
    const [at, database] = [await aService(), aMirror()];
    const store = new SqliteIntegrationStore(aMoneyDatabase(), () => '0199c0de-0a11-7000-8000-000000000001');
    const settings = new IntegrationSettings({
      store,
      sealer: aSealer(),
      clock: new VirtualClock(),
      log: silentLog,
    });
    settings.change('provider_a', { requiresMappings: true });
    const { sink, map } = at.sink(settings.get('provider_a'), 'products', () =>
      store.mappingsOf('provider_a'),
    );
    const stage = stream(at, [product('p1'), product('p2')], {
      sink,
      map,
      stream: { integration: 'provider_a', resource: 'products' },
    });
    settings.replaceMappings('provider_a', [aMapping('p2', null, true)]);
    await engineOn(database).run(stage, never);
    const control = new SqliteSyncControl(database);
    expect(control.parked(stage.stream, '', 10)).toMatchObject([
      { recordId: 'p1', why: 'mapping', needs: 'p1' },
    ]);
    expect(await mappingsOf(at)).toEqual([]);
    const usable = settings.replaceMappings('provider_a', [
      aMapping('p1', PRODUCT),
      aMapping('p2', null, true),
    ]);
    control.release('provider_a', usable, HASTY.now());
    await engineOn(database).run(stage, never);
    expect(control.parked(stage.stream, '', 10)).toEqual([]);
    expect(await mappingsOf(at)).toMatchObject([
      { externalId: 'p1', internalId: PRODUCT, metadata: { name: 'Product p1' } },
    ]);
  });

  it('are shown to the people at the service where that manages the integration, and what they decided is never changed', async () => {
    const at = await aService();
    const decided = [
      { externalId: 'ignored', ignored: true },
      { externalId: 'mapped', internalId: PRODUCT, metadata: { name: 'Their name' }, priceOverride: 500 },
    ];
    const path = '/integrations/provider_a/product-mappings';
    await at.line.ask({ method: 'PUT', path, body: { mappings: decided }, reads: z.unknown() }, never);
    const { sink, map } = at.sink(
      anIntegration({ managedBy: 'service', requiresMappings: true }),
      'products',
    );
    if (sink.kind === 'local') throw new Error('it is no remote sink');
    const writes = ['ignored', 'mapped', 'new'].map((id): SinkWrite => {
      const mapped = map(product(id, { type: 'one_time' }));
      if (mapped.kind !== 'write') throw new Error('it was not written');
      return { op: 'put', id, updatedAt: AT, body: mapped.body };
    });
    expect((await sink.write(writes, never)).map(({ outcome }) => outcome)).toEqual([
      'updated',
      'updated',
      'created',
    ]);
    const asked = at.exchanges.length;
    await sink.write(
      writes.map((one) => ({ ...one })),
      never,
    );
    expect(at.exchanges.slice(asked).map(({ line }) => line)).toEqual([`GET ${path}`]);
    await sink.write(
      ['mapped', 'ignored', 'new', 'nothing'].map((id) => ({ op: 'remove', id })),
      never,
    );
    expect(await mappingsOf(at)).toMatchObject([
      { externalId: 'ignored', internalId: null, ignored: true, metadata: { name: 'Product ignored' } },
      {
        externalId: 'mapped',
        internalId: PRODUCT,
        metadata: { name: 'Product mapped', type: 'one_time' },
        priceOverride: 500,
      },
    ]);
  });
});
