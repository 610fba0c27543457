import { expect, it } from 'vitest';
import { syncIndicators } from '../../../src/agent/sync-indicators.ts';
import { type Answer, aProviderShop, aResource, SLOT } from '../../support/provider-shop.ts';

const DOWN: Answer = { status: 503 };

async function paused(invoices: Answer, customers: Answer) {
  const shop = await aProviderShop({
    resources: { customers: aResource('customers'), invoices: aResource('invoices') },
    http: { breaker: { minRequests: 1_000_000, resetMs: 1 } },
  });
  shop.server.instead = ({ resource }) => (resource === 'invoices' ? invoices : customers);
  await shop.start();
  for (let runs = 0; runs < 12 && shop.settings.get(SLOT).pausedFor === null; runs += 1)
    for (const resource of ['invoices', 'customers'])
      if (shop.settings.get(SLOT).pausedFor === null) await shop.run(resource);
  const { runner, settings, clock } = shop;
  const indicators = syncIndicators({ runner, settings, refusals: [], mirror: { loss: null }, clock });
  const said = () =>
    indicators
      .reasons()
      .filter(({ code }) => code === 'integration_paused')
      .map(({ message }) => message);
  return { shop, said };
}

it('the status says of a paused integration that it tries again exactly where it does', async () => {
  const { shop, said } = await paused(DOWN, DOWN);
  expect(shop.runner.nextRunAt(SLOT)).not.toBeNull();
  expect(said()).toEqual([expect.stringContaining('tries again by itself')]);
  shop.settings.change(SLOT, { isEnabled: false });
  expect(shop.runner.nextRunAt(SLOT)).toBeNull();
  expect(said()).toEqual([expect.stringContaining('then resume')]);
});

it('an outage beside a refused request waits for a person, and the status says so', async () => {
  const { shop, said } = await paused(DOWN, DOWN);
  const message = 'down';
  const facts = {
    resource: 'invoices',
    count: 12,
    cause: 'SOURCE_UNAVAILABLE',
    message,
    at: shop.clock.now(),
  };
  shop.slots.countError(SLOT, facts);
  shop.slots.countError(SLOT, { ...facts, resource: 'customers', count: 10, cause: 'SOURCE_REFUSED' });
  expect(shop.runner.nextRunAt(SLOT)).toBeNull();
  expect(said()).toEqual([expect.stringContaining('then resume')]);
});

it('an integration that is probing says that it probes', async () => {
  const { shop, said } = await paused(DOWN, DOWN);
  const asked = new Promise<void>((resolve) => {
    shop.server.instead = () => {
      resolve();
      return DOWN;
    };
  });
  shop.pass(6 * 60_000);
  await asked;
  expect(shop.view('invoices').state === 'running' || shop.view('customers').state === 'running').toBe(true);
  expect(shop.runner.nextRunAt(SLOT)).not.toBeNull();
  expect(said()).toEqual([expect.stringContaining('tries again by itself')]);
});
