import { describe, expect, it } from 'vitest';
import { type LogFields, silentLog } from '../../../src/base/log.ts';
import { atInterval, type Timetable } from '../../../src/integration/schedule/timetable.ts';
import { type Answer, aProviderShop, aResource, INTEGRATION } from '../../support/provider-shop.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DOWN: Answer = { status: 503, body: { message: 'closed for maintenance' } };

type Shop = Awaited<ReturnType<typeof aProviderShop>>;

async function aShop(timetable: Timetable = atInterval(300_000)) {
  const lines: { readonly fields: LogFields; readonly message: string }[] = [];
  const note = (fields: LogFields, message: string) => void lines.push({ fields, message });
  const log = { ...silentLog, info: note, error: note, child: () => log };
  const shop = await aProviderShop({
    resources: { customers: aResource('customers'), invoices: aResource('invoices') },
    log,
    timetable,
    // Its reset is in real time, and the wall clock alone is moved here.
    http: { breaker: { minRequests: 1_000_000, resetMs: 1 } },
  });
  shop.server.rows.set('customers', [{ id: 1, updated_at: Date.now() - MINUTE }]);
  await shop.start();
  return { shop, logged: (message: string) => lines.filter((line) => line.message === message) };
}

/** Lets time pass in steps of a tick's size, and gives the runs of a resource that began in it, oldest first. */
async function passed(shop: Shop, ms: number, resource = 'invoices', step = 5 * MINUTE) {
  const since = shop.clock.now();
  for (let past = 0; past < ms; past += step) {
    shop.pass(step);
    await shop.quiet();
  }
  return shop.control.runsSince({ integration: INTEGRATION, resource }, since, 1_000).toReversed();
}

async function paused(shop: Shop, answer: Answer): Promise<void> {
  shop.server.instead = ({ resource }) => (resource === 'invoices' ? answer : undefined);
  for (let runs = 0; runs < 15 && shop.settings.get(INTEGRATION).pausedFor === null; runs += 1)
    await passed(shop, 6 * MINUTE, 'invoices', 6 * MINUTE);
}

describe('an integration that an outage has paused', () => {
  it('probes the failing resource alone, with growing pauses of six hours at most', async () => {
    const { shop, logged } = await aShop();
    await paused(shop, DOWN);
    expect(shop.settings.get(INTEGRATION).pausedFor).toBe('errors');
    const customers = shop.view('customers').run?.no;
    const at = shop.clock.now();
    expect(shop.view('invoices').nextRunAt).toBeGreaterThan(at);
    const [again] = shop
      .restarted()
      .streams(INTEGRATION)
      .filter(({ resource }) => resource === 'invoices');
    expect(again?.nextRunAt).toBe(shop.view('invoices').nextRunAt);
    const complete = shop.runner.completeness(INTEGRATION);
    const runs = await passed(shop, 48 * HOUR, 'invoices', 10 * MINUTE);
    const gaps = runs.slice(1).map(({ startedAt }, index) => startedAt - (runs[index]?.startedAt ?? 0));
    expect(runs.length).toBeGreaterThan(6);
    expect(runs.length).toBeLessThan(14);
    for (const [index, gap] of gaps.entries())
      expect(gap).toBeGreaterThanOrEqual((gaps[index - 1] ?? 0) - 10 * MINUTE);
    expect(Math.max(...gaps)).toBeLessThan(6.5 * HOUR);
    expect(gaps.at(-1)).toBeGreaterThan(5 * HOUR);
    expect(shop.view('customers').run?.no).toBe(customers);
    expect(logged('integration paused')).toHaveLength(1);
    // A probe that fails makes nothing fresher; the other resource was complete later.
    expect(shop.runner.completeness(INTEGRATION)).toEqual(complete);
    expect(complete.allAt).toBeLessThan(complete.newestAt ?? 0);
  });

  it('resumes by itself when a probe is complete, and says so', async () => {
    const { shop, logged } = await aShop();
    await paused(shop, DOWN);
    await passed(shop, 12 * HOUR, 'invoices', 10 * MINUTE);
    const customers = shop.view('customers').run?.no ?? 0;
    const { freshAt } = shop.view('invoices');
    shop.server.instead = () => undefined;
    await passed(shop, 7 * HOUR, 'invoices', 10 * MINUTE);
    expect(shop.settings.get(INTEGRATION).pausedFor).toBeNull();
    expect(shop.settings.errorsOf(INTEGRATION)).toEqual([]);
    expect(shop.view('customers').run?.no).toBeGreaterThan(customers);
    expect(shop.view('invoices').freshAt).toBeGreaterThan(freshAt ?? 0);
    expect(logged('integration resumed')).toMatchObject([{ fields: { slot: INTEGRATION, by: 'probe' } }]);
  });

  it('probes also a resource for which a person asked meanwhile: an approval, or parked records', async () => {
    const { shop } = await aShop();
    await paused(shop, DOWN);
    shop.runner.queue(INTEGRATION, { full: false, resource: 'invoices' });
    shop.server.instead = () => undefined;
    await passed(shop, 7 * HOUR, 'invoices', 10 * MINUTE);
    expect(shop.settings.get(INTEGRATION).pausedFor).toBeNull();
  });

  it('resumes in quiet hours, where a person asked for that, without a run of anything else', async () => {
    let quietUntil: number | null = null;
    const { shop } = await aShop({ ...atInterval(300_000), quietUntil: () => quietUntil });
    await paused(shop, DOWN);
    quietUntil = shop.clock.now() + 24 * HOUR;
    shop.runner.queue(INTEGRATION, { full: false, resource: 'invoices' });
    shop.server.instead = () => undefined;
    const customers = shop.view('customers').run?.no;
    await passed(shop, 7 * HOUR, 'invoices', 10 * MINUTE);
    expect(shop.settings.get(INTEGRATION).pausedFor).toBeNull();
    expect(shop.view('customers').run?.no).toBe(customers);
    quietUntil = null;
    await passed(shop, 10 * MINUTE);
    expect(shop.view('customers').run?.no).toBeGreaterThan(customers ?? 0);
  });

  it('waits for a person once a probe meets a refused credential', async () => {
    const { shop } = await aShop();
    await paused(shop, DOWN);
    shop.server.instead = () => ({ status: 401, body: {} });
    await passed(shop, 2 * HOUR, 'invoices', 10 * MINUTE);
    expect(shop.settings.get(INTEGRATION).pausedFor).toBe('credentials');
    const asked = shop.server.asked.length;
    shop.server.instead = () => undefined;
    await passed(shop, 24 * HOUR, 'invoices', HOUR);
    expect(shop.server.asked).toHaveLength(asked);
  });
});

describe('an integration that anything else has paused', () => {
  it.each([
    ['a refused request', { status: 422, body: { message: 'no such field' } }, 'errors'],
    ['a refused credential', { status: 401, body: {} }, 'credentials'],
  ])('waits for a person: %s', async (_, answer, reason) => {
    const { shop } = await aShop();
    await paused(shop, answer);
    expect(shop.settings.get(INTEGRATION).pausedFor).toBe(reason);
    const asked = shop.server.asked.length;
    shop.server.instead = () => undefined;
    await passed(shop, 24 * HOUR, 'invoices', HOUR);
    expect(shop.server.asked).toHaveLength(asked);
    expect(shop.view('invoices').nextRunAt).toBeNull();
  });
});
