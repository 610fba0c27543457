import { expect, it } from 'vitest';
import { isOver, nextProbeAt } from '../../../src/integration/schedule/auto-probe.ts';
import { atInterval, type Timetable } from '../../../src/integration/schedule/timetable.ts';
import { aProviderShop, aResource, INTEGRATION } from '../../support/provider-shop.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Each day at midnight UTC; a failed run is repeated after six hours. */
const DAILY: Timetable = {
  ...atInterval(6 * HOUR),
  cron: {
    after: (at, count) =>
      Array.from({ length: count }, (_, index) => (Math.floor(at / DAY) + 1 + index) * DAY),
  },
};

type Shop = Awaited<ReturnType<typeof aProviderShop>>;

async function paused(timetable: Timetable, headers = {}): Promise<Shop> {
  const shop = await aProviderShop({
    resources: { invoices: aResource('invoices') },
    timetable,
    http: { breaker: { minRequests: 1_000_000, resetMs: 1 } },
  });
  shop.server.instead = () => ({ status: 503, headers });
  await shop.start();
  for (let runs = 0; runs < 12 && shop.settings.get(INTEGRATION).pausedFor === null; runs += 1)
    await shop.run('invoices');
  expect(shop.settings.get(INTEGRATION).pausedFor).toBe('errors');
  return shop;
}

it.each([
  ['a long interval', atInterval(6 * HOUR)],
  ['a cron expression', DAILY],
])('an integration with %s that an outage has paused probes when it says so', async (_, timetable) => {
  const shop = await paused(timetable);
  for (const minutes of [5, 15, 45]) {
    const { run, nextRunAt } = shop.view('invoices');
    const shown = (nextRunAt ?? 0) - (run?.endedAt ?? 0);
    expect(Math.abs(shown - minutes * MINUTE)).toBeLessThan(MINUTE);
    shop.pass(minutes * MINUTE + 5_000);
    await shop.quiet();
    expect(shop.view('invoices').run?.no).toBe((run?.no ?? 0) + 1);
  }
});

it('an integration that an outage has paused says that it probes after the quiet hours, and does', async () => {
  const quiet = { from: 0, to: 0 };
  const timetable = {
    ...atInterval(5 * MINUTE),
    quietUntil: (at: number) => (at >= quiet.from && at < quiet.to ? quiet.to : null),
  };
  const shop = await paused(timetable);
  const no = shop.view('invoices').run?.no ?? 0;
  const now = shop.clock.now();
  quiet.from = now;
  quiet.to = now + 8 * HOUR;
  expect(shop.view('invoices').nextRunAt).toBe(quiet.to);
  expect(shop.runner.nextRunAt(INTEGRATION)).toBe(quiet.to);
  for (let past = 0; past < 7 * HOUR; past += HOUR) {
    shop.pass(HOUR);
    await shop.quiet();
  }
  expect(shop.view('invoices').run?.no).toBe(no);
  shop.pass(HOUR);
  await shop.quiet();
  expect(shop.view('invoices').run?.no).toBe(no + 1);
});

it('an integration that an outage has paused probes no earlier than its source asks', async () => {
  const shop = await paused(atInterval(5 * MINUTE), { 'retry-after': '3600' });
  const { run, nextRunAt } = shop.view('invoices');
  expect((nextRunAt ?? 0) - (run?.endedAt ?? 0)).toBeGreaterThan(59 * MINUTE);
  for (let past = 0; past < 55 * MINUTE; past += 5 * MINUTE) {
    shop.pass(5 * MINUTE);
    await shop.quiet();
  }
  expect(shop.view('invoices').run?.no).toBe(run?.no);
  shop.pass(6 * MINUTE);
  await shop.quiet();
  expect(shop.view('invoices').run?.no).toBe((run?.no ?? 0) + 1);
});

it('an integration that an outage has paused probes once a minute at most, also where a probe is not counted', async () => {
  const shop = await paused(atInterval(5 * MINUTE));
  const no = shop.view('invoices').run?.no ?? 0;
  shop.server.instead = () => ({ status: 429, headers: { 'retry-after': '0' } });
  shop.pass(5 * MINUTE + 5_000);
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  await shop.quiet();
  expect(shop.view('invoices').run).toMatchObject({ no: no + 1, outcome: 'waiting' });
  shop.pass(MINUTE + 5_000);
  await shop.quiet();
  expect(shop.view('invoices').run?.no).toBe(no + 2);
});

it('an integration that an outage has paused probes soon after the clock was set back', async () => {
  const shop = await paused(atInterval(5 * MINUTE));
  const no = shop.view('invoices').run?.no ?? 0;
  shop.pass(-30 * DAY);
  for (let past = 0; past < 10; past += 1) {
    shop.pass(MINUTE);
    await shop.quiet();
  }
  const runs = shop.control.runsSince({ integration: INTEGRATION, resource: 'invoices' }, 0, 100);
  const later = runs.filter((run) => run.no > no);
  expect(later.length).toBeGreaterThan(0);
  expect(later.length).toBeLessThan(4);
});

it('a resource that its credential may not read keeps no integration paused', () => {
  const facts = { maxErrors: 1, resource: 'invoices', askAgainAt: null, now: 10 };
  const forbidden = { resource: 'customers', count: 3, cause: 'SOURCE_FORBIDDEN', message: '', at: 1 };
  const down = { resource: 'invoices', count: 1, cause: 'SOURCE_UNAVAILABLE', message: '', at: 5 };
  const integration = { isActive: true, isEnabled: true, pausedFor: 'errors' } as const;
  expect(nextProbeAt(integration, [forbidden, down], facts)).toBe(5 + 5 * MINUTE);
  expect(isOver([forbidden], facts.maxErrors)).toBe(true);
  expect(isOver([down], facts.maxErrors)).toBe(false);
});
