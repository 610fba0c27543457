import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect } from '../../../src/hub/database/connect.ts';
import { createHub } from '../../../src/hub/http/create-hub.ts';
import { HubMetrics } from '../../../src/hub/metrics/hub-metrics.ts';
import { serveMetrics } from '../../../src/hub/metrics/metrics-server.ts';
import { batch, entries, type Send, Shop, type TestHub, testHub } from '../../fleet/hub.ts';

describe('the metrics of a hub', () => {
  let test: TestHub;
  let now: number;
  let metrics: HubMetrics;
  let hub: ReturnType<typeof createHub>;
  beforeAll(async () => {
    test = await testHub();
    now = test.now;
    metrics = new HubMetrics({ database: test.database, now: () => now });
    hub = createHub({ database: test.database, now: () => now, metrics });
    await test.tenant('Bakery');
    await test.tenant('Butcher');
  });
  afterAll(async () => {
    await hub.close();
    await test.stop();
  });

  const send: Send = async (url, headers, payload) => {
    const reply = await hub.inject({ method: 'POST', url, headers, payload });
    return { status: reply.statusCode, body: reply.json() };
  };
  async function joined(tenant: string, name: string): Promise<Shop> {
    const shop = new Shop(send);
    expect((await shop.join(await test.invite(tenant, name))).status).toBe(201);
    return shop;
  }
  /** The samples of a family, by their labels as they are written. */
  async function family(name: string): Promise<Record<string, number>> {
    const { text } = await metrics.read();
    const lines = text.matchAll(new RegExp(`^${name}(?:\\{(.*)\\})? (\\S+)$`, 'gm'));
    return Object.fromEntries([...lines].map(([, labels = '', value]) => [labels, Number(value)]));
  }

  it('count requests by route and status, and each stored entry once', async () => {
    const shop = await joined('Bakery', 'Berlin 1');
    const all = entries(5);
    await shop.post('/v1/journal', batch(all, 1, 3));
    await shop.post('/v1/journal', batch(all, 1, 5));
    await shop.post('/v1/journal', batch(all, 5, 5));
    await hub.inject({ url: '/v1/shops' });
    await hub.inject({ url: '/nothing/secret-in-a-path' });
    expect(await family('tillhub_journal_entries_total')).toEqual({ '': 5 });
    expect(await family('tillhub_requests_total')).toEqual({
      'method="POST",route="/v1/enrolments",status="201"': 1,
      'method="POST",route="/v1/journal",status="200"': 3,
      'method="GET",route="/v1/shops",status="401"': 1,
      'method="GET",route="unknown",status="404"': 1,
    });
    expect((await family('tillhub_request_seconds_count'))['method="POST",route="/v1/journal"']).toBe(3);
  });

  it('count the agents of all tenants, each in one state, every half minute at most', async () => {
    const seen = await joined('Bakery', 'Berlin 2');
    const revoked = await joined('Butcher', 'Bonn');
    await seen.exchange();
    await revoked.exchange();
    const id = revoked.issuer?.split('/')[1] ?? '';
    const admin = await test.operator('Butcher', 'admin');
    expect((await admin.ask('POST', `/v1/agents/${id}/revoke`)).status).toBeLessThan(300);
    now += 60_000;
    const states = { reporting: 1, silent: 1, quarantined: 0, revoked: 1 };
    const written = Object.fromEntries(Object.entries(states).map(([state, n]) => [`state="${state}"`, n]));
    expect(await family('tillhub_agents')).toEqual(written);
    expect(await family('tillhub_database_up')).toEqual({ '': 1 });
    await joined('Bakery', 'Berlin 3');
    expect(await family('tillhub_agents')).toEqual(written);
    now += 3_600_000;
    expect((await family('tillhub_agents'))['state="silent"']).toBe(3);
  });

  it('are all on the dashboard, and it asks for no other', async () => {
    const dashboard = readFileSync(join(import.meta.dirname, '../../../config/grafana/tillhub.json'), 'utf8');
    const used = [...dashboard.matchAll(/tillhub_[a-z_]+/g)].map(([name]) => name.replace(/_bucket$/, ''));
    const { text } = await metrics.read();
    const families = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
    expect([...new Set(used)].sort()).toEqual(families.sort());
  });

  it('are served at one address, and nothing else is', async () => {
    const server = await serveMetrics(metrics, { host: '127.0.0.1', port: 0 });
    try {
      const address = server.address();
      const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
      const reply = await fetch(`${url}/metrics`);
      expect(reply.headers.get('content-type')).toContain('text/plain; version=0.0.4');
      expect(await reply.text()).toContain('# TYPE tillhub_requests_total counter\n');
      expect((await fetch(`${url}/`)).status).toBe(404);
      expect((await fetch(`${url}/metrics`, { method: 'POST' })).status).toBe(404);
    } finally {
      server.close();
    }
  });

  it('say that the database is away, and count on', async () => {
    const away = connect('postgres://127.0.0.1:1/none', { connections: 1 });
    const broken = new HubMetrics({ database: away, now: () => now });
    const { text } = await broken.read();
    expect(text).toContain('tillhub_database_up 0\n');
    expect(text).not.toMatch(/^tillhub_agents\{/m);
    await away.destroy();
  });
});
