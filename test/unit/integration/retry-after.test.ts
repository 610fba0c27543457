import { describe, expect, it } from 'vitest';
import { aProviderShop, aResource, DAY_MS, INTEGRATION } from '../../support/provider-shop.ts';

const MINUTE = 60_000;
const HOUR = 3_600_000;
const MOST_STATE_BYTES = 4_096;

describe('a source that wants to be left alone for an hour', () => {
  it.each([429, 503])(
    'with %i is not asked before, also after a restart',
    async (status) => {
      const shop = await aProviderShop({ resources: { customers: aResource('customers') }, intervalS: 60 });
      shop.server.instead = () => ({ status, headers: { 'retry-after': '3600' } });
      await shop.start();
      const asked = shop.server.asked.length;
      for (let minute = 1; minute < 58; minute += 1) {
        shop.pass(MINUTE);
        await shop.quiet();
      }
      expect(shop.server.asked).toHaveLength(asked);
      const again = shop.restarted();
      again.start();
      await shop.quiet();
      expect(shop.server.asked).toHaveLength(asked);
      await again.close();
      shop.server.instead = () => undefined;
      shop.pass(3 * MINUTE);
      expect(await shop.settled('customers', 1)).toMatchObject({ outcome: 'complete' });
    },
    60_000,
  );

  it('is asked at once when a person asks for it', async () => {
    const shop = await aProviderShop({ resources: { customers: aResource('customers') } });
    shop.server.instead = () => ({ status: 429, headers: { 'retry-after': '3600' } });
    await shop.start();
    shop.server.instead = () => undefined;
    expect(await shop.run('customers')).toMatchObject({ outcome: 'complete' });
  });
});

describe('a source that limits requests by the second', () => {
  it('and rounds its wait down to 0 s is asked again a second later', async () => {
    const shop = await aProviderShop({ resources: { customers: aResource('customers') } });
    shop.server.rows.set('customers', [{ id: 'one', updated_at: shop.clock.now() - HOUR }]);
    const limited = { status: 429, headers: { 'retry-after': '0' } };
    shop.server.instead = () => (shop.server.asked.length <= 2 ? limited : undefined);
    await shop.start();
    expect(shop.view('customers').run).toMatchObject({ outcome: 'complete' });
    expect(shop.waits).toEqual([1_000, 1_000]);
  });
});

describe('ten thousand rows that changed in one instant', () => {
  it.each(['unix_ms', 'unix_s'] as const)(
    'are not read for ever: %s',
    async (format) => {
      const unit = format === 'unix_s' ? 1_000 : 1;
      const bound = (parameter: string) => ({ parameter, format });
      const products = aResource(
        'products',
        {},
        {
          changes: { from: bound('since'), until: bound('until') },
          updatedAt: { value: 'updated_at', format },
          deletes: 'never',
        },
      );
      const shop = await aProviderShop({ resources: { products }, intervalS: 300 });
      const now = shop.clock.now();
      const at = Math.floor((now - MINUTE) / 1_000) * 1_000;
      const rows: Record<string, unknown>[] = Array.from({ length: 200 }, (_, no) => ({
        id: no,
        updated_at: Math.floor((now - 20 * DAY_MS) / 1_000) * (1_000 / unit) + no,
      }));
      shop.server.rows.set('products', rows);
      await shop.start();
      for (let no = 0; no < 10_000; no += 1) rows.push({ id: `bulk ${no}`, updated_at: at / unit });
      for (let no = 0; no < 14; no += 1) rows.push({ id: `later ${no}`, updated_at: (at + 5_000) / unit });
      const sent: number[] = [];
      for (let run = 0; run < 8; run += 1) {
        const before = shop.server.sent;
        const last = shop.view('products').run?.no ?? 0;
        shop.pass(5 * MINUTE + 1_000);
        expect(await shop.settled('products', last)).toMatchObject({ outcome: 'complete', kind: 'changes' });
        sent.push(shop.server.sent - before);
        const { state } = shop.store.streamOf({ integration: INTEGRATION, resource: 'products' });
        expect(JSON.stringify(state).length).toBeLessThan(MOST_STATE_BYTES);
      }
      expect(shop.shown('products')).toHaveLength(10_214);
      expect(sent.slice(-2)).toEqual([0, 0]);
      // One that was stamped ten minutes ago, and is seen now.
      const late = Math.floor((shop.clock.now() - 10 * MINUTE) / 1_000) * 1_000;
      rows.push({ id: 'late', updated_at: late / unit });
      await shop.run('products');
      expect(shop.shown('products')).toContain('late');
    },
    120_000,
  );
});

describe('a source with few changes', () => {
  it('shows a row that comes hours late, as long as reading back is cheap', async () => {
    const shop = await aProviderShop({
      resources: { products: aResource('products', {}, { deletes: 'never' }) },
    });
    const at = shop.clock.now() - HOUR;
    shop.server.rows.set('products', [{ id: 'one', updated_at: at }]);
    await shop.start();
    for (let run = 0; run < 3; run += 1) {
      const last = shop.view('products').run?.no ?? 0;
      shop.pass(2 * HOUR);
      await shop.settled('products', last);
    }
    shop.server.rows.get('products')?.push({ id: 'late', updated_at: at + 1 });
    await shop.run('products');
    expect(shop.shown('products')).toContain('late');
  });
});
