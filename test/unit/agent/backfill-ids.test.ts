import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { backfillIds } from '../../../src/agent/backfill-ids.ts';
import { type Log, silentLog } from '../../../src/base/log.ts';
import { Lifecycle } from '../../../src/runtime/lifecycle.ts';
import { aFolder, aMoneyDatabase } from '../../support/money-database.ts';
import { writeOlderBooks } from '../../support/older-ids.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

const PAYMENTS = 500;
/** What one step takes; a step is made each second. */
const ROWS = 100;

/** A daemon behind an upgrade, as far as the backfill sees it. */
function aDaemon({ path = olderBooks(), isQuiet = true } = {}) {
  const shop = { isQuiet };
  const database = aMoneyDatabase(path);
  const clock = new VirtualClock(1_000_000);
  const logged: string[] = [];
  const write = (_: object, words: string) => void logged.push(words);
  const log: Log = { ...silentLog, info: write, error: write };
  const lifecycle = new Lifecycle(silentLog);
  const quiet = () => shop.isQuiet;
  const backfilling = backfillIds({ money: { database }, quiet, clock, log, lifecycle });
  return { backfilling, clock, database, lifecycle, path, shop, logged };
}

function olderBooks(): string {
  const path = join(aFolder(), 'money.db');
  writeOlderBooks(path, PAYMENTS);
  return path;
}

describe('the backfill of a daemon', () => {
  it('waits while a customer pays, and goes on afterwards', async () => {
    const { backfilling, clock, shop, logged } = aDaemon({ isQuiet: false });
    await clock.advance(60_000);
    expect(backfilling.progress).toEqual({ done: 0, total: PAYMENTS });
    shop.isQuiet = true;
    await clock.advance(1_000);
    expect(backfilling.progress).toEqual({ done: ROWS, total: PAYMENTS });
    shop.isQuiet = false;
    await clock.advance(60_000);
    expect(backfilling.progress).toEqual({ done: ROWS, total: PAYMENTS });
    shop.isQuiet = true;
    await clock.advance(4_000);
    expect(backfilling.progress).toBeNull();
    expect(logged).toEqual([
      'ids of older payments are brought into one form while no customer pays',
      'ids of older payments are in one form, the upgrade is finished',
    ]);
  });

  it('makes no step once the daemon stops, and the next daemon goes on where it ended', async () => {
    const { clock, database, lifecycle, path } = aDaemon();
    await clock.advance(1_000);
    await lifecycle.stop();
    await clock.advance(60_000);
    database.close();
    const next = aDaemon({ path });
    expect(next.backfilling.progress).toEqual({ done: ROWS, total: PAYMENTS });
    await next.clock.advance(4_000);
    expect(next.backfilling.progress).toBeNull();
  });

  it('stops until the next start when a step fails, and says so', async () => {
    const { backfilling, clock, database, logged } = aDaemon();
    database.run("CREATE TRIGGER refused BEFORE UPDATE ON aliases BEGIN SELECT RAISE(ABORT, 'refused'); END");
    await clock.advance(60_000);
    expect(backfilling.progress).toEqual({ done: 0, total: PAYMENTS });
    expect(logged.at(-1)).toBe('the upgrade of older payments stops until the next start');
    expect(logged).toHaveLength(2);
  });

  it('says nothing where there is nothing to do', async () => {
    const { backfilling, logged } = aDaemon({ path: join(aFolder(), 'money.db') });
    expect(backfilling.progress).toBeNull();
    expect(logged).toEqual([]);
  });
});
