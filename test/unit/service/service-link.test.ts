import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import { createHttpClient, type HttpClient } from '../../../src/net/http-client.ts';
import type { ServiceRequest, ServiceWork } from '../../../src/payment/guards/service-work.ts';
import { systemClock } from '../../../src/runtime/system-clock.ts';
import { systemIds } from '../../../src/runtime/system-ids.ts';
import {
  type SandboxService,
  startSandboxService,
} from '../../../src/sandbox/service/start-sandbox-service.ts';
import { createServiceConnection } from '../../../src/service/service-connection.ts';
import { createServiceLink, type ServiceLink } from '../../../src/service/service-link.ts';
import { MemoryOutboxStore } from '../outbox/memory-outbox-store.ts';

const DEVICE = '01900000-0000-7000-8000-0000000000d1';
const KEY = 'rk_sandbox_test';
const AGENT = 'agent-1';
const SCOPES = ['payments:read', 'payments:write', 'webhooks:read'];

let sandbox: SandboxService;
const links: ServiceLink[] = [];

beforeEach(async () => {
  sandbox = await aSandbox(SCOPES);
});

function aSandbox(scopes: readonly string[]): Promise<SandboxService> {
  return startSandboxService(
    {
      listen: { host: '127.0.0.1', port: 0 },
      keys: [{ key: KEY, scopes }],
      devices: [{ id: DEVICE, name: 'Counter 1' }],
      plan: 'enterprise',
      honoursOurId: true,
      keepsMetadata: true,
      refusesUnknownFields: true,
      hasClaim: true,
    },
    {
      clock: systemClock,
      ids: systemIds,
      log: silentLog,
      memory: { load: () => null, save: () => undefined },
      terminals: [],
    },
  );
}

afterEach(async () => {
  for (const link of links.splice(0)) await link.stop();
  await sandbox.stop();
});

function linkAs(agent: string, line = (http: HttpClient) => http) {
  const store = new MemoryOutboxStore();
  const accepted: ServiceRequest[] = [];
  const cancelled: string[] = [];
  const work: ServiceWork = {
    isOurs: (id, metadata) =>
      store.rows.some((row) => row.attemptId === id) || metadata['tilld'] !== undefined,
    accept: (request) => void accepted.push(request),
    cancelled: (id) => void cancelled.push(id),
  };
  const connection = createServiceConnection(
    {
      connect: (onRetry) =>
        line(
          createHttpClient({
            baseUrl: `${sandbox.url}/v2`,
            log: silentLog,
            retry: { minDelayMs: 5, maxDelayMs: 20 },
            onRetry,
          }),
        ),
      credential: () => KEY,
      clock: systemClock,
      log: silentLog,
    },
    { budget: { perMinute: 6_000, burst: 200 } },
  );
  const link = createServiceLink(
    { connection, store, work, clock: systemClock, ids: systemIds, log: silentLog },
    {
      agent,
      deviceIds: [DEVICE],
      createLocal: true,
      pollIntervalMs: 100,
      cancelIntervalMs: 50,
    },
  );
  links.push(link);
  return { link, store, accepted, cancelled };
}

/** A local payment that ended, as the core would have written it. */
function soldOffline(store: MemoryOutboxStore): string {
  const attemptId = systemIds.uuid();
  const metadata = { tilld: { agent: AGENT, attempt: attemptId } };
  const common = { attemptId, createdAt: Date.now() };
  const body = { id: attemptId, device_id: DEVICE, amount_minor: 1_234, currency: 'EUR', metadata };
  store.add({ ...common, id: `create-${attemptId}`, kind: 'create', key: systemIds.uuid(), body });
  const result = { status: 'succeeded', auth_code: '42', masked_pan: '559883******8074', metadata };
  store.add({ ...common, id: `result-${attemptId}`, kind: 'result', key: systemIds.uuid(), body: result });
  return attemptId;
}

/** A refund or void of it that ended, as the core would have written it; `amount` null: a void. */
function gaveBackOffline(store: MemoryOutboxStore, parentId: string, amount: number | null): string {
  const attemptId = systemIds.uuid();
  const metadata = { tilld: { agent: AGENT, attempt: attemptId } };
  const operation = amount === null ? 'void' : 'refund';
  const common = { attemptId, operation, parentId, createdAt: Date.now() } as const;
  const body = { id: attemptId, ...(amount === null ? {} : { amount_minor: amount }), metadata };
  store.add({ ...common, id: `create-${attemptId}`, kind: 'create', key: systemIds.uuid(), body });
  const result = { status: 'succeeded', metadata };
  store.add({ ...common, id: `result-${attemptId}`, kind: 'result', key: systemIds.uuid(), body: result });
  return attemptId;
}

function requestedBack(id: string, type: 'refund' | 'void', body = {}): string {
  return (sandbox.control.requestBack(id, type, body) as { data: { id: string } }).data.id;
}

async function until(condition: () => boolean): Promise<void> {
  const end = Date.now() + 15_000;
  while (!condition()) {
    if (Date.now() > end) throw new Error('waited too long');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

function lineOf(id: string) {
  return sandbox.control.ledger().find((line) => line['id'] === id);
}

describe('The link to the service', () => {
  it.each([
    ['all is well', {}],
    ['every first answer is lost', { answer_lost: { times: 1, only: 'POST /v2/terminal-payments' } }],
    ['answers to results are lost four times', { answer_lost: { times: 4, only: '/result' } }],
    ['it answers 503 twice', { status: { code: 503, times: 2 } }],
    ['it answers 429 once', { status: { code: 429, times: 1, retry_after_s: 1, only: 'POST' } }],
  ] as const)('reports create and result exactly once while %s', async (_, behaviour) => {
    const { link, store, accepted } = linkAs(AGENT);
    sandbox.control.behave(behaviour);
    const id = soldOffline(store);
    link.start();
    await until(() => store.summary().pending === 0);
    expect(store.summary().parked).toBe(0);
    expect(lineOf(id)).toMatchObject({
      status: 'succeeded',
      auth_code: '42',
      calls: { create: { applied: 1 }, result: { applied: 1 }, claim: { applied: 0 } },
    });
    expect(sandbox.control.ledger()).toHaveLength(1);
    expect(accepted).toEqual([]);
  });

  it('knows within a moment that the service is gone and that it is back, and reports then', async () => {
    const { link, store } = linkAs(AGENT);
    sandbox.control.behave({ offline: true });
    const id = soldOffline(store);
    link.start();
    await until(() => link.health.view.reason === 'service');
    expect(store.summary()).toMatchObject({ pending: 2, parked: 0 });
    sandbox.control.behaveWell();
    await until(() => store.summary().pending === 0);
    expect(link.health.view).toEqual({ state: 'online', reason: null });
    expect(lineOf(id)).toMatchObject({
      status: 'succeeded',
      calls: { create: { applied: 1 }, result: { applied: 1 } },
    });
  });

  it('reports at once when the service accepts the key again that it refused', async () => {
    const error = { type: 'authentication_error', code: 'key_invalid', message: 'm' };
    const text = JSON.stringify({ error });
    let [isRefused, refusals] = [true, 0];
    const { link, store } = linkAs(AGENT, (http) => ({
      request: async (request) => {
        if (!isRefused) return http.request(request);
        refusals += 1;
        return { status: 401, text, headers: { 'service-version': '2026-05-01' }, dateMs: Date.now() };
      },
      close: () => http.close(),
    }));
    soldOffline(store);
    link.start();
    await until(() => refusals > 3 && link.health.view.reason === 'key');
    isRefused = false;
    await until(() => store.summary().pending === 0);
    expect(link.health.view).toEqual({ state: 'online', reason: null });
  });

  it('a restart after a lost answer looks up and reports nothing twice', async () => {
    const first = linkAs(AGENT);
    const id = soldOffline(first.store);
    sandbox.control.behave({ answer_lost: { times: 1_000, only: '/result' } });
    first.link.start();
    await until(() => lineOf(id)?.['status'] === 'succeeded');
    await first.link.stop();
    const row = first.store.row(`result-${id}`);
    expect(row).toMatchObject({ state: 'pending', unanswered: true });
    sandbox.control.behaveWell();
    const callsBefore = JSON.stringify(lineOf(id)?.['calls']);
    const second = linkAs(AGENT);
    second.store.add(row);
    second.link.start();
    await until(() => second.store.summary().pending === 0);
    expect(second.store.row(row.id)).toMatchObject({ state: 'done', tries: row.tries });
    expect(JSON.stringify(lineOf(id)?.['calls'])).toBe(callsBefore);
  });

  it.each([
    ['all is well', {}],
    ['answers to refunds and voids are lost', { answer_lost: { times: 2, only: '/refund' } }],
    ['it gives them ids of its own', { ignores_our_id: true }],
    ['its first answers are 503', { status: { code: 503, times: 3 } }],
  ] as const)(
    'reports a sale, its refund and another sale with its void, each exactly once, while %s',
    async (_, behaviour) => {
      const { link, store, accepted } = linkAs(AGENT);
      sandbox.control.behave(behaviour);
      const refund = gaveBackOffline(store, soldOffline(store), 234);
      const voided = soldOffline(store);
      const undo = gaveBackOffline(store, voided, null);
      link.start();
      await until(() => store.summary().pending === 0);
      expect(store.summary().parked).toBe(0);
      const lines = sandbox.control.ledger();
      expect(lines).toHaveLength(4);
      for (const [id, type, amount_minor] of [
        [refund, 'refund', 234],
        [undo, 'void', 1_234],
      ] as const) {
        const line = lines.find(({ asked }) => (asked as { id: string }).id === id);
        expect(line).toMatchObject({
          type,
          amount_minor,
          status: 'succeeded',
          asked_by: 'client',
          calls: { create: { applied: 1 }, claim: { applied: 0 }, result: { applied: 1 } },
        });
      }
      expect(accepted).toEqual([]);
    },
  );

  it('parks the refund of a sale that the service undid: the sale, its result and everything else are reported', async () => {
    const { link, store } = linkAs(AGENT);
    const sale = soldOffline(store);
    link.start();
    await until(() => store.summary().pending === 0);
    requestedBack(sale, 'void');
    const refund = gaveBackOffline(store, sale, 234);
    link.reportWritten();
    await until(() => store.summary().parked === 1);
    expect(store.row(`create-${refund}`).lastError).toMatch(/refund_exceeds_amount/);
    expect(store.tasks.has(refund)).toBe(true);
    expect(store.row(`result-${refund}`)).toMatchObject({ state: 'pending', tries: 0 });
  });

  it('hands over refunds and voids that the back office asked for, with the sale they belong to', async () => {
    const { link, store, accepted } = linkAs(AGENT);
    const [refunded, voided] = [soldOffline(store), soldOffline(store)];
    link.start();
    await until(() => store.summary().pending === 0);
    const refund = requestedBack(refunded, 'refund', { amount_minor: 200, created_ago_ms: 60_000 });
    const undo = requestedBack(voided, 'void');
    await until(() => accepted.length === 2);
    expect(accepted).toMatchObject(
      expect.arrayContaining([
        expect.objectContaining({ serviceId: refund, type: 'refund', parentId: refunded }),
        expect.objectContaining({ serviceId: undo, type: 'void', parentId: voided }),
      ]),
    );
    expect(accepted.find(({ type }) => type === 'refund')).toMatchObject({
      amount: { minor: 200, currency: 'EUR' },
      deviceId: DEVICE,
    });
    expect(lineOf(refund)).toMatchObject({ status: 'in_progress', agent: AGENT });
  });

  it.each([
    ['the events', SCOPES],
    ['a list, where its key may not read events', ['payments:read', 'payments:write']],
  ])('hears from %s what the back office cancelled', async (_, scopes) => {
    await sandbox.stop();
    sandbox = await aSandbox(scopes);
    const { link, store, accepted, cancelled } = linkAs(AGENT);
    const body = sandbox.control.requestPayment({ device_id: DEVICE, amount_minor: 5, currency: 'EUR' });
    const { id } = (body as { data: { id: string } }).data;
    link.start();
    await until(() => accepted.length === 1);
    sandbox.control.cancelPayment(id);
    await until(() => cancelled.includes(id));
    const sale = soldOffline(store);
    link.reportWritten();
    await until(() => store.summary().pending === 0);
    const refund = requestedBack(sale, 'refund');
    await until(() => accepted.length === 2);
    sandbox.control.cancelPayment(refund);
    await until(() => cancelled.includes(refund));
    expect(cancelled).toEqual([id, refund]);
    expect(link.health.view).toEqual({ state: 'online', reason: null });
  });

  it('of two agents on one device exactly one gets each payment', async () => {
    const one = linkAs('agent-1');
    const two = linkAs('agent-2');
    const ids = Array.from({ length: 20 }, () => {
      const body = sandbox.control.requestPayment({ device_id: DEVICE, amount_minor: 5, currency: 'EUR' });
      return (body as { data: { id: string } }).data.id;
    });
    one.link.start();
    two.link.start();
    await until(() => one.accepted.length + two.accepted.length >= ids.length);
    await new Promise((resolve) => setTimeout(resolve, 300));
    const taken = [...one.accepted, ...two.accepted].map((request) => request.serviceId);
    expect(taken.toSorted()).toEqual(ids.toSorted());
  });

  it('hands over a payment that the back office asked for, with its age', async () => {
    const { link, accepted } = linkAs(AGENT);
    sandbox.control.requestPayment({
      device_id: DEVICE,
      amount_minor: 5,
      currency: 'EUR',
      reference: 'T7',
      created_ago_ms: 600_000,
    });
    link.start();
    await until(() => accepted.length > 0);
    expect(accepted).toMatchObject([
      { deviceId: DEVICE, amount: { minor: 5, currency: 'EUR' }, reference: 'T7' },
    ]);
    expect(accepted[0]?.ageMs).toBeGreaterThanOrEqual(599_000);
    expect(accepted[0]?.ageMs).toBeLessThan(700_000);
  });
});
