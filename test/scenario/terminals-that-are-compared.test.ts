import { describe, expect, it } from 'vitest';
import { terminal } from '../../drivers/providers/terminal/manifest.ts';
import { shopTerminals } from '../../src/agent/shop-terminals.ts';
import { silentLog } from '../../src/base/log.ts';
import type { ShopTerminals } from '../../src/integration/connector.ts';
import { SqliteMirrorReader } from '../../src/store/mirror/sqlite-mirror-reader.ts';
import { Shop } from '../support/shop.ts';
import { CREDENTIALS } from '../support/source-context.ts';
import { aMirror, anEngine, aStream } from '../support/sync.ts';

const never = new AbortController().signal;
const QUIET_MS = 5 * 60_000;

function terminalsOf(shop: Shop): ShopTerminals {
  const { queues: devices, operations, store, clock } = shop;
  return shopTerminals({ devices, operations, store, clock, log: silentLog });
}

/** Syncs one resource of the terminals into a mirror, as often as it is called. */
async function mirrored(shop: Shop, resource: 'reconciliations' | 'totals') {
  const connector = (await terminal.configure({})).connect({
    credentials: CREDENTIALS,
    http: () => Promise.reject(new Error('no network')),
    files: () => Promise.reject(new Error('no folder')),
    readFile: () => Promise.reject(new Error('no folder')),
    terminals: terminalsOf(shop),
    clock: shop.clock,
    log: silentLog,
  });
  const manifest = connector.resources.find(({ name }) => name === resource);
  if (!manifest) throw new Error(`no ${resource}`);
  const [database, stream] = [aMirror(), { integration: 'terminal', resource }];
  const setup = aStream(connector, { stream, manifest });
  const engine = anEngine(database, shop.clock);
  const run = () => shop.clock.runUntil(engine.run(setup, never));
  return { run, rows: () => new SqliteMirrorReader(database).list(stream, null, 100) };
}

describe('terminals as a source', () => {
  it('are compared with our books line by line, and one record of a batch is kept up to date', async () => {
    const shop = await Shop.open();
    const { run, rows } = await mirrored(shop, 'reconciliations');
    const first = await shop.settle(shop.sell().id);
    await shop.clock.advance(QUIET_MS);
    expect(await run()).toMatchObject({ outcome: 'complete' });
    expect(rows()).toMatchObject([
      {
        body: {
          device_id: shop.deviceId,
          differences: 0,
          lines: [{ verdict: 'same', payment_id: first.id }],
        },
      },
    ]);
    shop.terminal.typeByHand({ kind: 'sale', amountMinor: 777 });
    await shop.clock.advance(QUIET_MS);
    expect(await run()).toMatchObject({ outcome: 'complete' });
    expect(rows()).toHaveLength(1);
    expect(rows()[0]?.body['differences']).toBeGreaterThan(0);
    expect(rows()[0]?.body['lines']).toEqual(
      expect.arrayContaining([expect.objectContaining({ verdict: 'unknown', payment_id: null })]),
    );
  });

  it('are left alone while somebody pays, and for five minutes after that; it is no failure', async () => {
    const shop = await Shop.open({ terminal: { autopilotMs: 20_000 } });
    const { run, rows } = await mirrored(shop, 'reconciliations');
    const terminals = terminalsOf(shop);
    const sale = shop.sell();
    await shop.until(() => shop.queues.get(shop.deviceId)?.status === 'busy', 30_000);
    await expect(terminals.compare(shop.deviceId, never)).rejects.toMatchObject({ code: 'SOURCE_NOT_READY' });
    expect((await shop.settle(sale.id)).state.name).toBe('succeeded');
    expect(await run()).toMatchObject({ outcome: 'waiting', failure: { effect: 'wait' } });
    expect(rows()).toEqual([]);
    await shop.clock.advance(QUIET_MS);
    expect(await run()).toMatchObject({ outcome: 'complete' });
    expect(rows()).toHaveLength(1);
  });

  it('tell nothing while they are off, and the shop sells on when they are back', async () => {
    const shop = await Shop.open();
    const { run } = await mirrored(shop, 'reconciliations');
    shop.terminal.stop();
    await shop.until(() => shop.queues.get(shop.deviceId)?.status === 'offline', 120_000);
    expect(await run()).toMatchObject({ outcome: 'waiting', failure: { code: 'SOURCE_NOT_READY' } });
    shop.terminal.start();
    await shop.until(() => shop.queues.get(shop.deviceId)?.status === 'ready', 120_000);
    expect((await shop.settle(shop.sell().id)).state.name).toBe('succeeded');
  });

  it('show the totals of each closed day beside ours, without being asked', async () => {
    const shop = await Shop.open();
    const { run, rows } = await mirrored(shop, 'totals');
    await shop.settle(shop.sell().id);
    for (let day = 0; day < 2; day += 1) {
      const { id } = shop.operations.endOfDay({ deviceId: shop.deviceId, caller: 'socket', force: null });
      await shop.until(() => shop.operations.settlement(id).status === 'succeeded', 600_000);
      await shop.clock.advance(60_000);
    }
    shop.terminal.stop();
    expect(await run()).toMatchObject({ outcome: 'complete' });
    expect(rows()).toHaveLength(2);
    expect(rows()[0]).toMatchObject({
      body: { status: 'succeeded', ours: { sales: { count: 1, amount_minor: 1234 } } },
    });
    expect(await run()).toMatchObject({ outcome: 'complete' });
    expect(rows()).toHaveLength(2);
  });
});
