import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RunningApi } from '../../../src/api/server.ts';
import {
  OutboxAdmin,
  type OutboxAdminStore,
  type PendingReport,
  type ReportDecision,
} from '../../../src/outbox/outbox-admin.ts';
import { systemClock } from '../../../src/runtime/system-clock.ts';
import { ask, KEYS, openShop, startShop } from './shop.ts';

const id = (n: number) => `0198c5a0-dddd-7000-8000-${String(n).padStart(12, '0')}`;
const [PARKED, HELD] = [id(1), id(2)];

/** Reports in memory: what they become in the database is `test/unit/outbox/outbox-admin.test.ts`. */
class MemoryOutboxAdminStore implements OutboxAdminStore {
  readonly reports = new Map<string, PendingReport>([
    [PARKED, report(PARKED, 'parked')],
    [HELD, report(HELD, 'held')],
  ]);

  list({ status, limit, startingAfter }: Parameters<OutboxAdminStore['list']>[0]): readonly PendingReport[] {
    const all = [...this.reports.values()].filter((one) => !status || one.status === status);
    const from = startingAfter === undefined ? 0 : all.findIndex(({ id: one }) => one === startingAfter) + 1;
    return all.slice(from, from + limit);
  }

  causes(): ReturnType<OutboxAdminStore['causes']> {
    const example = 'refused: 422';
    return [{ cause: example, reports: 2_001, oldestAt: 1_000, example }];
  }

  find(wanted: string): PendingReport | null {
    return this.reports.get(wanted) ?? null;
  }

  retry(decision: ReportDecision): void {
    this.#change(decision, 'pending');
  }

  drop(decision: ReportDecision): void {
    this.#change(decision, 'dropped');
  }

  #change(decision: ReportDecision, status: PendingReport['status']): void {
    this.reports.set(decision.reportId, { ...report(decision.reportId, status), decision });
  }
}

function report(reportId: string, status: PendingReport['status']): PendingReport {
  return {
    id: reportId,
    attemptId: id(9),
    kind: 'result',
    operation: 'sale',
    parentId: null,
    deviceId: id(8),
    amountMinor: 1234,
    currency: 'EUR',
    createdAt: 1_000,
    tries: status === 'held' ? 0 : 2,
    firstUsedAt: 1_500,
    lastError: 'refused: 422',
    status,
    decision: null,
  };
}

let api: RunningApi;

beforeEach(async () => {
  const shop = openShop();
  const outbox = new OutboxAdmin({
    store: new MemoryOutboxAdminStore(),
    clock: systemClock,
    changed: () => undefined,
  });
  ({ api } = await startShop({}, { ...shop, deps: { ...shop.deps, outbox } }));
});
afterEach(() => api.stop());

function post(path: string, body: object, more: object = {}) {
  return ask(api.url, { method: 'POST', path: `/v2/outbox/${path}`, body: JSON.stringify(body), ...more });
}

describe('/v2/outbox', () => {
  it('lists what was not reported to the service, with why', async () => {
    const { json } = await ask(api.url, { path: '/v2/outbox?status=parked', key: KEYS.reader });
    expect(json.data).toMatchObject([
      { id: PARKED, status: 'parked', kind: 'result', type: 'sale', attempts: 2, last_error: 'refused: 422' },
    ]);
    expect((await ask(api.url, { path: '/v2/outbox?limit=1' })).json.has_more).toBe(true);
    const { json: next } = await ask(api.url, { path: `/v2/outbox?limit=1&starting_after=${PARKED}` });
    expect(next).toMatchObject({ data: [{ id: HELD }], has_more: false });
    expect((await ask(api.url, { path: '/v2/outbox?status=lost' })).status).toBe(400);
  });

  it('lists why reports were refused, of all of them', async () => {
    const { json } = await ask(api.url, { path: '/v2/outbox/causes', key: KEYS.reader });
    expect(json).toMatchObject({ data: [{ id: 'refused: 422', reports: 2_001 }], has_more: false });
  });

  it('lets a person who may write retry or drop what is parked, once for each idempotency key', async () => {
    expect((await post(`${PARKED}/retry`, {}, { key: KEYS.reader })).status).toBe(403);
    const headers = { 'idempotency-key': 'a-key' };
    const first = await post(`${PARKED}/retry`, { by: 'Anna' }, { headers });
    expect(first.json.data).toMatchObject({ status: 'pending', decision: { by: 'Anna' } });
    const again = await post(`${PARKED}/retry`, { by: 'Anna' }, { headers });
    expect(again.json).toEqual(first.json);
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(await post(`${PARKED}/drop`, { reason: 'by hand' })).toMatchObject({
      status: 400,
      json: { error: { code: 'invalid_status', details: { report_status: 'pending' } } },
    });
  });

  it('refuses a drop without a reason, a held report and one that is not there, and cuts card numbers', async () => {
    expect((await post(`${PARKED}/drop`, {})).json.error.code).toBe('missing_required_field');
    expect((await post(`${HELD}/retry`, {})).json.error.code).toBe('invalid_status');
    expect((await post(`${id(7)}/retry`, {})).json.error.code).toBe('resource_not_found');
    const { text } = await post(`${PARKED}/drop`, { reason: 'card 4111111111111111 was entered' });
    expect(text).toContain('dropped');
    expect(text).not.toContain('4111111111111111');
  });
});
