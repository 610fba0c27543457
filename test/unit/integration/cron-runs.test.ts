import { expect, it } from 'vitest';
import { atInterval } from '../../../src/integration/schedule/timetable.ts';
import { aProviderShop, aResource, INTEGRATION } from '../../support/provider-shop.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Each day at midnight UTC; a failed run is repeated after an hour. */
const DAILY = {
  ...atInterval(HOUR),
  cron: {
    after: (at: number, count: number) =>
      Array.from({ length: count }, (_, index) => (Math.floor(at / DAY) + 1 + index) * DAY),
  },
};

it('a failed run of a cron expression is repeated after the interval, a good one waits for the next time', async () => {
  const http = { breaker: { minRequests: 1_000 } };
  const resources = { customers: aResource('customers') };
  const shop = await aProviderShop({ resources, timetable: DAILY, http });
  shop.server.instead = () => ({ status: 500 });
  await shop.start();
  const failed = shop.view('customers');
  expect(failed.run?.outcome).toBe('failed');
  const late = (failed.nextRunAt ?? 0) - (failed.run?.endedAt ?? 0);
  expect(late).toBeGreaterThanOrEqual(HOUR);
  expect(late).toBeLessThan(1.2 * HOUR);
  const again = shop.restarted();
  again.start();
  const [restarted] = again.streams(INTEGRATION);
  await again.close();
  expect(Math.abs((restarted?.nextRunAt ?? 0) - (failed.nextRunAt ?? 0))).toBeLessThan(1_000);
  shop.server.instead = () => undefined;
  expect(await shop.run('customers')).toMatchObject({ outcome: 'complete' });
  const good = shop.view('customers');
  const [midnight] = DAILY.cron.after(shop.clock.now(), 1);
  expect(good.nextRunAt).toBe(midnight);
  expect(good.nextRuns).toEqual(DAILY.cron.after(shop.clock.now(), 5));
});
