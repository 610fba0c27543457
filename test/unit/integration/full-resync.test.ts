import { describe, expect, it } from 'vitest';
import { aProviderShop, aResource, DAY_MS } from '../../support/provider-shop.ts';

const MANY = 10_250;
const OLD = 5_000;

/** So many rows, of which {@link OLD} have another time of change. */
function rowsWith(old: (no: number, now: number) => number | null, now = Date.now()) {
  return Array.from({ length: MANY }, (_, no) => ({
    id: `row${no}`,
    updated_at: no < OLD ? old(no, now) : now - 20 * DAY_MS + no * 60_000,
  }));
}

describe('a full resync', () => {
  it.each(['customers', 'invoices'])(
    'reads all %s, whatever the first sync looked back to',
    async (resource) => {
      const shop = await aProviderShop({ resources: { [resource]: aResource(resource) } });
      shop.server.rows.set(
        resource,
        rowsWith((no, now) => now - 400 * DAY_MS + no),
      );
      await shop.start();
      expect(shop.shown(resource)).toHaveLength(resource === 'invoices' ? MANY - OLD : MANY);
      const full = await shop.run(resource, true);
      // Every row was read more than once, and counts once.
      expect(full).toMatchObject({
        kind: 'full',
        outcome: 'complete',
        read: MANY,
        created: MANY,
        unchanged: 0,
      });
      expect(shop.server.sent).toBeGreaterThan(2 * MANY);
      expect(shop.shown(resource)).toHaveLength(MANY);
    },
    60_000,
  );

  it('reads records without a time, which no filter by time shows; so does the first sync, and each sweep', async () => {
    const sweepEveryMs = 3_600_000;
    const customers = aResource('customers', {}, { deletes: 'never' });
    const shop = await aProviderShop({ resources: { customers }, sweepEveryMs });
    const rows = rowsWith(() => null);
    shop.server.rows.set('customers', rows);
    await shop.start();
    expect(shop.shown('customers')).toHaveLength(MANY);
    rows.push({ id: 'a new one', updated_at: null });
    shop.pass(2 * sweepEveryMs);
    expect(await shop.settled('customers', 1)).toMatchObject({ kind: 'sweep', outcome: 'complete' });
    expect(shop.shown('customers')).toContain('a new one');
    await shop.run('customers', true);
    expect(shop.shown('customers')).toHaveLength(MANY + 1);
  }, 60_000);
});

describe('the requests of a run', () => {
  it('are few where the source does not say whether there is more', async () => {
    const shop = await aProviderShop({ resources: { invoices: aResource('invoices') }, lookbackDays: 3_650 });
    const now = Date.now();
    const rows = Array.from({ length: 1_000 }, (_, no) => ({
      id: `i${no}`,
      updated_at: now - DAY_MS + no * 60_000,
    }));
    shop.server.rows.set('invoices', rows);
    await shop.start();
    expect(shop.shown('invoices')).toHaveLength(1_000);
    expect(shop.server.asked.length).toBeLessThan(150);
    const before = shop.server.asked.length;
    rows.push({ id: 'a new one', updated_at: now - 60_000 });
    await shop.run('invoices');
    expect(shop.shown('invoices')).toContain('a new one');
    expect(shop.server.asked.length - before).toBeLessThan(5);
  }, 60_000);
});
