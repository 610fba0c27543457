import { describe, expect, it } from 'vitest';
import type { Mapper } from '../../../src/integration/ports.ts';
import { mirrorRoute } from '../../../src/integration/running-integration.ts';
import { aProviderShop, aResource, INTEGRATION, notingRoute } from '../../support/provider-shop.ts';

const MINUTE = 60_000;

/** Customers whose package has no mapping until it is in `mapped`. */
function byPackage(mapped: ReadonlySet<string>): Mapper {
  return ({ fields }) => {
    const needs = String(fields['package']);
    if (mapped.has(needs)) return { kind: 'write', body: fields };
    return { kind: 'park', reason: `no mapping of package ${needs}`, needs };
  };
}

/** The mirror's route with another mapper. */
function mirrorOf(map: Mapper) {
  return { ...mirrorRoute(), map };
}

describe('the tries of a quarantined record', () => {
  it('are counted once in a run, however often the run reads its list', async () => {
    const shop = await aProviderShop({
      resources: {
        customers: aResource(
          'customers',
          { package: 'package' },
          { page: { style: 'offset', size: 2, sizeParameter: 'limit' } },
        ),
      },
      routes: { customers: notingRoute(byPackage(new Set())) },
    });
    const updated_at = Date.now() - MINUTE;
    shop.server.rows.set(
      'customers',
      [1, 2, 3, 4, 5].map((id) => ({ id, package: 'hair', updated_at })),
    );
    await shop.start();
    expect(shop.server.asked.length).toBeGreaterThan(5);
    expect(shop.parked().map(({ tries }) => tries)).toEqual([0, 0, 0, 0, 0]);
    await shop.run('customers', true);
    expect(shop.parked().map(({ tries }) => tries)).toEqual([1, 1, 1, 1, 1]);
  });

  it('count a retry and a reading of one run as one', async () => {
    const mapped = new Set<string>();
    const shop = await aProviderShop({
      resources: { customers: aResource('customers', { package: 'package' }) },
      routes: { customers: notingRoute(byPackage(mapped)) },
    });
    shop.server.rows.set('customers', [{ id: 1, package: 'hair', updated_at: Date.now() - MINUTE }]);
    await shop.start();
    shop.control.release(INTEGRATION, ['hair'], shop.clock.now());
    const run = await shop.run('customers');
    expect(shop.parked().map(({ tries }) => tries)).toEqual([1]);
    expect(run).toMatchObject({ parked: 1 });
  });
});

describe('a mapping that frees records', () => {
  it('frees all of them in one run', async () => {
    const mapped = new Set<string>();
    const route = notingRoute(byPackage(mapped));
    const shop = await aProviderShop({
      resources: { customers: aResource('customers', { package: 'package' }) },
      routes: { customers: route },
    });
    const old = Date.now() - 60 * MINUTE;
    // The newest one moves the cursor: no later window has the others.
    shop.server.rows.set('customers', [
      ...Array.from({ length: 250 }, (_, id) => ({ id, package: 'hair', updated_at: old })),
      { id: 250, package: 'nails', updated_at: Date.now() - MINUTE },
    ]);
    await shop.start();
    expect(shop.parked()).toHaveLength(251);
    mapped.add('hair');
    const behind = shop.view('customers').run?.no ?? 0;
    shop.runner.mappingsChanged(INTEGRATION, ['hair']);
    await shop.settled('customers', behind);
    expect(shop.parked()).toHaveLength(1);
    expect(new Set(route.written.map(({ id }) => id)).size).toBe(250);
  });
});

describe('the causes of quarantined records', () => {
  async function aShop() {
    const mended = new Set<string>();
    const map: Mapper = (record) => {
      const { fields, id } = record;
      const wants = String(fields['wants']);
      if (mended.has(wants)) return { kind: 'write', body: fields };
      if (wants.startsWith('p-')) return { kind: 'park', reason: `no mapping of ${wants}`, needs: wants };
      return {
        kind: 'park',
        reason: `customer ${id}: ${wants} of ${String(fields['n'])} letters`,
        needs: null,
      };
    };
    const route = notingRoute(map);
    const shop = await aProviderShop({
      resources: { customers: aResource('customers', { wants: 'wants', n: 'n' }) },
      routes: { customers: route },
    });
    const old = Date.now() - 60 * MINUTE;
    const wants = ['name', 'name', 'name', 'p-1', 'p-1', 'mail'];
    shop.server.rows.set('customers', [
      ...wants.map((what, n) => ({ id: 100 + n, wants: what, n, updated_at: old })),
      { id: 1, wants: 'p-9', n: 0, updated_at: Date.now() - MINUTE },
    ]);
    await shop.start();
    return { shop, mended, route };
  }

  it('are one for records that differ in ids and numbers alone, and say how many wait', async () => {
    const { shop } = await aShop();
    const causes = await shop.runner.causes(INTEGRATION);
    expect(causes.map(({ why, needs, records }) => [why, needs, records])).toEqual([
      ['bad', null, 3],
      ['mapping', 'p-1', 2],
      ['bad', null, 1],
      ['mapping', 'p-9', 1],
    ]);
    expect(causes[0]).toMatchObject({
      resources: ['customers'],
      examples: ['customers/100', 'customers/101', 'customers/102'],
    });
    const [cause] = causes;
    const ofIt = (await shop.runner.parkedOfCause(INTEGRATION, cause?.id ?? '', null, 100)).map(
      ({ key }) => key,
    );
    expect(ofIt).toEqual(['100', '101', '102']);
    const behind = await shop.runner.parkedOfCause(INTEGRATION, cause?.id ?? '', 'customers/100', 1);
    expect(behind.map(({ key }) => key)).toEqual(['101']);
    const mapping = await shop.runner.parkedOfCause(INTEGRATION, 'mapping', null, 100);
    expect(mapping.map(({ needs }) => needs)).toEqual(['p-9', 'p-1', 'p-1']);
  });

  it('are retried at once, one of them or all', async () => {
    const { shop, mended, route } = await aShop();
    for (const what of ['name', 'mail', 'p-1', 'p-9']) mended.add(what);
    const [cause] = await shop.runner.causes(INTEGRATION);
    let behind = shop.view('customers').run?.no ?? 0;
    expect(await shop.runner.retryParked(INTEGRATION, cause?.id ?? '')).toBe(3);
    await shop.settled('customers', behind);
    const left = shop.parked().map(({ key }) => key);
    expect(left).not.toContain('100');
    expect(left).toEqual(expect.arrayContaining(['103', '104', '105']));
    behind = shop.view('customers').run?.no ?? 0;
    expect(await shop.runner.retryParked(INTEGRATION, 'rejected')).toBe(0);
    expect(await shop.runner.retryParked(INTEGRATION, null)).toBe(left.length);
    await shop.settled('customers', behind);
    expect(shop.parked()).toEqual([]);
    expect(new Set(route.written.map(({ id }) => id)).size).toBe(7);
  });
});

describe('very many quarantined records', () => {
  const MANY = 20_000;

  /** The longest time that other work of the process waited for its turn, as a share of the whole. */
  async function longestIn(work: () => Promise<unknown>): Promise<number> {
    const began = performance.now();
    let [last, longest] = [began, 0];
    let next = setImmediate(turn);
    function turn() {
      const now = performance.now();
      longest = Math.max(longest, now - last);
      last = now;
      next = setImmediate(turn);
    }
    await work();
    clearImmediate(next);
    const now = performance.now();
    return Math.max(longest, now - last) / (now - began);
  }

  it('stop no other work, whatever is asked of them', async () => {
    const shop = await aProviderShop({
      resources: { customers: aResource('customers', { name: 'name' }) },
      routes: { customers: mirrorOf(() => ({ kind: 'park', reason: 'no', needs: null })) },
    });
    await shop.start();
    const record = JSON.stringify({ id: 'x', updatedAt: 1, deleted: false, fields: { name: 'A' } });
    shop.mirror.run(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${MANY})
       INSERT INTO parked (stream, key, record_id, why, reason, needs, excerpt, record, window_from, scan, tries, parked_at, next_try_at)
       SELECT streams.id, 'K' || i, 'K' || i, 'bad', 'no', NULL, '', replace(?, '"x"', '"K' || i || '"'), NULL, 1, 0, 1, NULL
       FROM n JOIN streams ON slot = ? AND resource = 'customers'`,
      record,
      INTEGRATION,
    );
    const { runner } = shop;
    const most = 0.5;
    expect(await longestIn(() => runner.causes(INTEGRATION))).toBeLessThan(most);
    expect(await longestIn(() => runner.parkedOfCause(INTEGRATION, 'rejected', null, 1))).toBeLessThan(most);
    const behind = shop.view('customers').run?.no ?? 0;
    expect(await longestIn(() => runner.retryParked(INTEGRATION, null))).toBeLessThan(most);
    expect(await longestIn(() => shop.settled('customers', behind))).toBeLessThan(most);
    const tried = shop.mirror.get(
      'SELECT count(*) AS n FROM parked WHERE next_try_at > parked_at AND run > 0',
    );
    expect(tried).toEqual({ n: MANY });
  }, 60_000);
});
