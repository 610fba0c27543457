import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { OldShop, ROWS_OF_A_PAYMENT } from '../support/archive.ts';
import { DEVICE_ID } from '../support/attempts.ts';
import { aWorld, Daemon, eventually } from '../support/daemon.ts';
import { Till, tillctl } from '../support/till.ts';
import { testHub } from './hub.ts';

/** Rows that the shop has written while it was away: 72,000 are a month of 80 payments an hour. */
const ENTRIES = Number(process.env['FLEET_OFFLINE_ENTRIES'] ?? 0);
const BAR = { caughtUpMs: 180_000, slowerMs: 10 };
const SALES_BEFORE = 40;

describe.runIf(ENTRIES > 0)('a shop that was away for a month (npm run fleet:test -- offline-month)', () => {
  it('catches up, and its sales hardly notice', async () => {
    const hub = await testHub();
    hub.now = Date.now();
    await hub.tenant('Bakery');
    const url = await hub.listen();
    const world = await aWorld();
    const first = await Daemon.start(world);
    const till = await Till.at(first);
    await first.stop();
    writeMonth(join(world.folder, 'state'));
    const daemon = await Daemon.start(world);
    const here = till.moved(daemon);
    const before: number[] = [];
    for (let sale = 0; sale < SALES_BEFORE; sale += 1) before.push(await sold(here));
    const began = performance.now();
    await tillctl(daemon, 'fleet', 'join', url, await hub.invite('Bakery', 'away'));
    const meanwhile: number[] = [];
    const rows = async () => {
      const { count } = hub.database.fn;
      const row = await hub.database
        .selectFrom('journal')
        .select(count<number>('seq').as('rows'))
        .executeTakeFirstOrThrow();
      return Number(row.rows);
    };
    while ((await rows()) < ENTRIES) meanwhile.push(await sold(here));
    const caughtUpMs = performance.now() - began;
    const slower = percentile(meanwhile, 0.99) - percentile(before, 0.99);
    const figures = {
      test: 'offline-month',
      entries: ENTRIES,
      caught_up_ms: Math.round(caughtUpMs),
      bar_ms: BAR.caughtUpMs,
      sales_before: before.length,
      sales_meanwhile: meanwhile.length,
      p50_before_ms: round(percentile(before, 0.5)),
      p50_meanwhile_ms: round(percentile(meanwhile, 0.5)),
      p99_before_ms: round(percentile(before, 0.99)),
      p99_meanwhile_ms: round(percentile(meanwhile, 0.99)),
    };
    process.stdout.write(
      `${JSON.stringify({ ...figures, slower_ms: round(slower), bar_slower_ms: BAR.slowerMs })}\n`,
    );
    expect(await rows()).toBeGreaterThanOrEqual(ENTRIES);
    expect(caughtUpMs).toBeLessThan(BAR.caughtUpMs);
    await daemon.stop();
    await hub.stop();
  }, 600_000);
});

/** The rows go behind those that the daemon has written: it is the same database. */
function writeMonth(state: string): void {
  const books = new OldShop(state);
  for (let number = 1; number <= ENTRIES / ROWS_OF_A_PAYMENT; number += 1) books.pay(number);
  books.money.close();
  books.place.close();
}

/** How long the interface takes for a sale's request, and for a look at it: what a customer does at the terminal is no matter of tilld. */
async function sold(till: Till): Promise<number> {
  const asked = {
    device_id: DEVICE_ID,
    amount_minor: 100 + Math.floor(performance.now() % 900_000),
    currency: 'EUR',
  };
  const began = performance.now();
  const { id } = (await till.ask('POST', '/terminal-payments', asked)).body.data;
  const took = performance.now() - began;
  await eventually(
    async () => (await till.ask('GET', `/terminal-payments/${id}`)).body.data.status === 'succeeded',
  );
  return took;
}

function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
