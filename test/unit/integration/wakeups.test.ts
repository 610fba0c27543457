import { expect, it } from 'vitest';
import { aProviderShop, aResource, INTEGRATION } from '../../support/provider-shop.ts';

const MINUTE = 60_000;
/** More than two runs are apart that wakeups begin. */
const GAP = 12_000;

type Shop = Awaited<ReturnType<typeof aProviderShop>>;

async function aShop() {
  const shop = await aProviderShop({
    resources: { customers: aResource('customers'), invoices: aResource('invoices') },
    intervalS: 900,
    // Its reset is in real time, and the wall clock alone is moved here.
    http: { breaker: { minRequests: 1_000_000, resetMs: 1 } },
  });
  await shop.start();
  return shop;
}

async function woken(shop: Shop, resources: readonly string[] | null = null) {
  const before = shop.server.asked.length;
  shop.runner.wake(INTEGRATION, resources);
  shop.pass(GAP);
  await shop.quiet();
  return shop.server.asked.slice(before).map(({ resource }) => resource);
}

it('a wakeup runs the resources that it is about, null: all, and a name that is none wakes none', async () => {
  const shop = await aShop();
  shop.pass(GAP);
  expect(new Set(await woken(shop, ['customers']))).toEqual(new Set(['customers']));
  expect(new Set(await woken(shop))).toEqual(new Set(['customers', 'invoices']));
  expect(await woken(shop, ['nothing'])).toEqual([]);
  expect(await woken(shop, [])).toEqual([]);
  shop.runner.wake('provider_b', null);
});

it('wakeups in an outage ask nothing: it is not counted up to a pause', async () => {
  const shop = await aShop();
  shop.server.instead = () => ({ status: 503 });
  expect((await shop.run('customers')).outcome).toBe('failed');
  for (let times = 0; times < 40; times += 1) expect(await woken(shop, ['customers'])).toEqual([]);
  expect(shop.settings.errorsOf(INTEGRATION)).toMatchObject([{ resource: 'customers', count: 1 }]);
  shop.server.instead = () => undefined;
  shop.pass(16 * MINUTE);
  await shop.quiet();
  expect(shop.view('customers').run?.outcome).toBe('complete');
  expect(await woken(shop, ['customers'])).not.toEqual([]);
});

it('a source that wants no request before a time is not asked sooner, whichever of its streams it told so, also after a restart', async () => {
  const shop = await aShop();
  shop.server.instead = ({ resource }) =>
    resource === 'customers' ? { status: 503, headers: { 'retry-after': '1800' } } : undefined;
  expect((await shop.run('customers')).outcome).toBe('failed');
  shop.server.instead = () => undefined;
  expect(await woken(shop)).toEqual([]);
  const again = shop.restarted();
  again.start();
  const before = shop.server.asked.length;
  again.wake(INTEGRATION, null);
  shop.pass(GAP);
  again.tick();
  await shop.quiet();
  expect(shop.server.asked.length).toBe(before);
  await again.close();
  shop.pass(31 * MINUTE);
  await shop.quiet();
  shop.pass(GAP);
  expect(new Set(await woken(shop))).toEqual(new Set(['customers', 'invoices']));
});
