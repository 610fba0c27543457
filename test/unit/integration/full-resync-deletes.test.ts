import { describe, expect, it } from 'vitest';
import type { Mapped } from '../../../src/integration/ports.ts';
import { aProviderShop, aResource, notingRoute } from '../../support/provider-shop.ts';

const HOUR = 3_600_000;

function rowsFrom(count: number) {
  const at = Date.now() - HOUR;
  return Array.from({ length: count }, (_, no) => ({ id: `r${no}`, updated_at: at + no, code: no }));
}

describe('a full resync whose records cannot all be mapped', () => {
  it.each([
    ['park', { kind: 'park', reason: 'its product has no mapping yet', needs: 'p' }],
    ['ignore', { kind: 'ignore' }],
  ] as const)('lacks none of them: %s', async (_how, unmapped) => {
    let known = 94;
    const map = ({ fields }: { readonly fields: Readonly<Record<string, unknown>> }): Mapped =>
      Number(fields['code']) < known ? { kind: 'write', body: { code: String(fields['code']) } } : unmapped;
    const invoices = notingRoute(map);
    const shop = await aProviderShop({
      resources: { invoices: aResource('invoices') },
      routes: { invoices },
    });
    shop.server.rows.set('invoices', rowsFrom(94));
    await shop.start();
    expect(shop.view('invoices')).toMatchObject({ rows: 94, parked: 0 });
    known = 36;
    expect(await shop.run('invoices', true)).toMatchObject({ outcome: 'complete', kind: 'full' });
    expect(shop.view('invoices')).toMatchObject({
      rows: 94,
      held: null,
      parked: unmapped.kind === 'park' ? 58 : 0,
    });
    expect(invoices.written.filter(({ op }) => op === 'remove')).toEqual([]);
    known = 94;
    shop.control.release('provider_a', ['p'], shop.clock.now());
    await shop.run('invoices');
    expect(shop.view('invoices')).toMatchObject({ rows: 94, parked: 0 });
  });

  it('counts one that cannot be read as there, too', async () => {
    const shop = await aProviderShop({
      resources: { invoices: aResource('invoices', { total: '$number(total)' }) },
    });
    shop.server.rows.set(
      'invoices',
      rowsFrom(40).map((row) => ({ ...row, total: '1' })),
    );
    await shop.start();
    shop.server.rows.set(
      'invoices',
      rowsFrom(40).map((row) => ({ ...row, total: row.code < 20 ? '1' : 'much' })),
    );
    expect(await shop.run('invoices', true)).toMatchObject({ outcome: 'complete' });
    expect(shop.view('invoices')).toMatchObject({ rows: 40, held: null, parked: 20 });
  });
});

describe('rows that are gone at the source', () => {
  it('are gone here after one full resync, whose two scans agree', async () => {
    const customers = notingRoute(({ fields }) => ({ kind: 'write', body: fields }));
    const shop = await aProviderShop({
      resources: { customers: aResource('customers') },
      routes: { customers },
    });
    const rows = rowsFrom(100);
    shop.server.rows.set('customers', rows);
    await shop.start();
    rows.splice(10, 3);
    expect(await shop.run('customers', true)).toMatchObject({ outcome: 'complete', deleted: 3 });
    expect(shop.view('customers')).toMatchObject({ rows: 97, held: null });
    const removed = customers.written.filter(({ op }) => op === 'remove').map(({ id }) => id);
    expect(removed).toEqual(['r10', 'r11', 'r12']);
  });

  it('stay where the source names more than it listed, and the run says so', async () => {
    const whole = aResource('customers', {}, { page: { style: 'whole' } });
    const shop = await aProviderShop({ resources: { customers: whole } });
    const rows = rowsFrom(100);
    shop.server.rows.set('customers', rows);
    await shop.start();
    expect(shop.view('customers').run?.message).toBeNull();
    shop.server.instead = () => ({ status: 200, body: { data: rows.slice(0, 97), total: 100 } });
    expect(await shop.run('customers', true)).toMatchObject({
      outcome: 'complete',
      deleted: 0,
      message: expect.stringMatching(/there are 100 \(total\), and by this recipe the list ends after 97/),
    });
    expect(shop.view('customers')).toMatchObject({ rows: 100, held: null });
    shop.server.instead = () => undefined;
    rows.splice(10, 3);
    expect(await shop.run('customers', true)).toMatchObject({ deleted: 3, message: null });
  });

  it('stay after a sweep of such a list and one of the whole list: only two whole ones prove that they are gone', async () => {
    const sweepEveryMs = 3_600_000;
    const whole = aResource('customers', {}, { page: { style: 'whole' } });
    const shop = await aProviderShop({ resources: { customers: whole }, sweepEveryMs });
    const rows = rowsFrom(100);
    shop.server.rows.set('customers', rows);
    await shop.start();
    const sweep = async () => {
      const behind = shop.view('customers').run?.no ?? 0;
      shop.pass(2 * sweepEveryMs);
      const { kind, deleted } = await shop.settled('customers', behind);
      return `${kind} ${deleted}`;
    };
    await sweep();
    shop.server.instead = () => ({ status: 200, body: { data: rows.slice(0, 97), total: 100 } });
    expect(await sweep()).toBe('sweep 0');
    shop.server.instead = () => undefined;
    rows.splice(97);
    expect([await sweep(), await sweep()]).toEqual(['sweep 0', 'sweep 3']);
  });

  it('stay where only one of the two scans lacks them', async () => {
    const shop = await aProviderShop({ resources: { customers: aResource('customers') } });
    const rows = rowsFrom(100);
    shop.server.rows.set('customers', rows);
    await shop.start();
    const hidden = rows.splice(10, 3);
    let lists = 0;
    shop.server.instead = ({ query }) => {
      if (query.has('since') || query.get('offset') !== '0') return undefined;
      lists += 1;
      // The first scan is two passes.
      if (lists === 3) rows.push(...hidden);
      return undefined;
    };
    expect(await shop.run('customers', true)).toMatchObject({ outcome: 'complete', deleted: 0 });
    expect(shop.view('customers').rows).toBe(100);
  });

  it('stay where the first of the two scans saw a part of the list, whatever the second one lacks', async () => {
    const shop = await aProviderShop({ resources: { customers: aResource('customers') } });
    const rows = rowsFrom(100);
    shop.server.rows.set('customers', rows);
    await shop.start();
    const hidden = rows.splice(10, 20);
    let lists = 0;
    shop.server.instead = ({ query }) => {
      if (query.has('since') || query.get('offset') !== '0') return undefined;
      lists += 1;
      // The first scan is two passes.
      if (lists === 3) rows.push(...hidden.slice(3));
      return undefined;
    };
    expect(await shop.run('customers', true)).toMatchObject({ outcome: 'complete', deleted: 0 });
    expect(shop.view('customers').rows).toBe(100);
  });

  it('wait for a person where they are many, and go once they are approved', async () => {
    const shop = await aProviderShop({ resources: { customers: aResource('customers') } });
    const rows = rowsFrom(94);
    shop.server.rows.set('customers', rows);
    await shop.start();
    rows.splice(36);
    expect(await shop.run('customers', true)).toMatchObject({ outcome: 'held' });
    const { held, run } = shop.view('customers');
    expect(held).toMatchObject({ missing: 58, rows: 94 });
    expect(held?.examples).toHaveLength(10);
    expect(run?.message).toMatch(/a full resync did not show 58 of 94 rows \(r36, r37, .* and 48 more\)/);
    const behind = shop.view('customers').run?.no ?? 0;
    expect(shop.runner.approve('provider_a', 'customers')).toBe(true);
    expect(await shop.settled('customers', behind)).toMatchObject({ outcome: 'complete', deleted: 58 });
    expect(shop.view('customers')).toMatchObject({ rows: 36, held: null });
  });
});
