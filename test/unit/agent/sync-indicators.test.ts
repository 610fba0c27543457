import { expect, it } from 'vitest';
import { syncIndicators } from '../../../src/agent/sync-indicators.ts';
import { mirrorRoute } from '../../../src/integration/running-integration.ts';
import { type Answer, aProviderShop, aResource, INTEGRATION } from '../../support/provider-shop.ts';

const DOWN: Answer = { status: 503 };

async function paused(invoices: Answer, customers: Answer) {
  const shop = await aProviderShop({
    resources: { customers: aResource('customers'), invoices: aResource('invoices') },
    http: { breaker: { minRequests: 1_000_000, resetMs: 1 } },
  });
  shop.server.instead = ({ resource }) => (resource === 'invoices' ? invoices : customers);
  await shop.start();
  for (let runs = 0; runs < 12 && shop.settings.get(INTEGRATION).pausedFor === null; runs += 1)
    for (const resource of ['invoices', 'customers'])
      if (shop.settings.get(INTEGRATION).pausedFor === null) await shop.run(resource);
  const { runner, settings, clock } = shop;
  const indicators = syncIndicators({ runner, settings, refusals: [], mirror: { loss: null }, clock });
  const shownReasons = () =>
    indicators
      .reasons()
      .filter(({ code }) => code === 'integration_paused')
      .map(({ message }) => message);
  return { shop, shownReasons };
}

it('the status says of a paused integration that it tries again exactly where it does', async () => {
  const { shop, shownReasons } = await paused(DOWN, DOWN);
  expect(shop.runner.nextRunAt(INTEGRATION)).not.toBeNull();
  expect(shownReasons()).toEqual([expect.stringContaining('tries again by itself')]);
  shop.settings.change(INTEGRATION, { isEnabled: false });
  expect(shop.runner.nextRunAt(INTEGRATION)).toBeNull();
  expect(shownReasons()).toEqual([expect.stringContaining('then resume')]);
});

it('an outage beside a refused request waits for a person, and the status says so', async () => {
  const { shop, shownReasons } = await paused(DOWN, DOWN);
  const message = 'down';
  const facts = {
    resource: 'invoices',
    count: 12,
    cause: 'SOURCE_UNAVAILABLE',
    message,
    at: shop.clock.now(),
  };
  shop.integrations.countError(INTEGRATION, facts);
  shop.integrations.countError(INTEGRATION, {
    ...facts,
    resource: 'customers',
    count: 10,
    cause: 'SOURCE_REFUSED',
  });
  expect(shop.runner.nextRunAt(INTEGRATION)).toBeNull();
  expect(shownReasons()).toEqual([expect.stringContaining('then resume')]);
});

it('an integration that is probing says that it probes', async () => {
  const { shop, shownReasons } = await paused(DOWN, DOWN);
  const asked = new Promise<void>((resolve) => {
    shop.server.instead = () => {
      resolve();
      return DOWN;
    };
  });
  shop.pass(6 * 60_000);
  await asked;
  expect(shop.view('invoices').state === 'running' || shop.view('customers').state === 'running').toBe(true);
  expect(shop.runner.nextRunAt(INTEGRATION)).not.toBeNull();
  expect(shownReasons()).toEqual([expect.stringContaining('tries again by itself')]);
});

const CUSTOMERS = {
  resources: { customers: aResource('customers'), invoices: aResource('invoices') },
  http: { breaker: { minRequests: 1_000_000, resetMs: 1 } },
};
const customer = (id: string, fields: object = {}) => ({ id, updated_at: Date.now(), ...fields });

async function shown(shop: Awaited<ReturnType<typeof aProviderShop>>) {
  const { runner, settings, clock } = shop;
  const indicators = syncIndicators({ runner, settings, refusals: [], mirror: { loss: null }, clock });
  return {
    isFresh: () => indicators.isFresh(),
    codes: () => indicators.reasons().map(({ code }) => code),
  };
}

it('an integration that is paused is not fresh, however young its records are', async () => {
  const shop = await aProviderShop(CUSTOMERS);
  shop.server.rows.set('customers', [customer('1')]);
  await shop.start();
  const { isFresh, codes } = await shown(shop);
  expect([isFresh(), codes()]).toEqual([true, []]);
  shop.integrations.countError(INTEGRATION, {
    resource: 'customers',
    count: 10,
    cause: 'SOURCE_REFUSED',
    message: 'no',
    at: shop.clock.now(),
  });
  shop.settings.change(INTEGRATION, { pausedFor: 'errors', pausedAt: shop.clock.now() });
  expect([isFresh(), codes()]).toEqual([false, ['integration_paused']]);
  shop.settings.resume(INTEGRATION);
  expect([isFresh(), codes()]).toEqual([true, []]);
});

it('a list that its provider does not let be read is not fresh', async () => {
  const shop = await aProviderShop(CUSTOMERS);
  await shop.start();
  const { isFresh, codes } = await shown(shop);
  expect(isFresh()).toBe(true);
  shop.server.instead = ({ resource }) => (resource === 'customers' ? { status: 403 } : undefined);
  await shop.run('customers');
  expect([isFresh(), codes()]).toEqual([false, ['sync_stream_paused']]);
});

it('a list whose records are all parked is not fresh; with one that is shown it is', async () => {
  const shop = await aProviderShop({
    ...CUSTOMERS,
    routes: {
      customers: {
        ...mirrorRoute(),
        map: (record) =>
          record.id.startsWith('bad')
            ? { kind: 'park', reason: 'it has no name', needs: null }
            : mirrorRoute().map(record),
      },
    },
  });
  shop.server.rows.set('customers', [customer('bad 1'), customer('bad 2')]);
  await shop.start();
  const { isFresh, codes } = await shown(shop);
  expect(shop.view('customers')).toMatchObject({ parked: 2, rows: 0 });
  expect([isFresh(), codes()]).toEqual([false, ['sync_all_parked']]);
  shop.server.rows.set('customers', [customer('bad 1'), customer('bad 2'), customer('3')]);
  await shop.run('customers', true);
  expect([isFresh(), codes()]).toEqual([true, []]);
});
