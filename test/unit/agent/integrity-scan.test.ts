import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { CALM_MS, type IntegrityScan, scanPages } from '../../../src/agent/integrity-scan.ts';
import { silentLog } from '../../../src/base/log.ts';
import { Lifecycle } from '../../../src/runtime/lifecycle.ts';
import { createLog } from '../../../src/runtime/pino-log.ts';
import { UnscannedPages } from '../../../src/store/damage/unscanned-pages.ts';
import type { Database } from '../../../src/store/database.ts';
import { WalSpace } from '../../../src/store/disk/wal-space.ts';
import { eventually } from '../../support/daemon.ts';
import { damagePage, leavesOf } from '../../support/damage.ts';
import { aFolder, aMoneyDatabase } from '../../support/money-database.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

const ROOM_BYTES = 3_145_728;
const AN_HOUR = 3_600_000;
const A_LOOK = 1_000;

/** A daemon whose database is still to be read, as far as the reading sees it; the process that reads is a real one. */
class Shop {
  readonly clock = new VirtualClock();
  readonly lifecycle = new Lifecycle(silentLog);
  readonly database: Database;
  readonly unread: UnscannedPages;
  readonly log: string[] = [];
  readonly reading: IntegrityScan;
  isQuiet = true;

  constructor({ requested = 'later', damaged = false, room = ROOM_BYTES } = {}) {
    const path = join(aFolder(), 'money.db');
    aMoneyDatabase(path).close();
    if (damaged) damagePage(path, leavesOf(path, 'events')[0] ?? 0);
    this.database = aMoneyDatabase(path);
    if (room > 0) new WalSpace(this.database).grow(room);
    this.unread = new UnscannedPages(join(dirname(path), 'unread-pages'));
    if (requested === 'later') this.unread.request('later');
    onTestFinished(() => this.lifecycle.stop());
    this.reading = scanPages({
      money: { database: this.database, unreadPages: this.unread },
      quiet: () => this.isQuiet,
      clock: this.clock,
      log: createLog('info', { write: (line) => void this.log.push(line) }),
      lifecycle: this.lifecycle,
    });
  }

  /** The processes that read our file, by id. */
  get readers(): readonly string[] {
    return readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && this.#isReader(pid));
  }

  /** Those that have ended meanwhile hear nothing. */
  signalReaders(signal: 'SIGSTOP' | 'SIGCONT'): void {
    for (const pid of this.readers) process.kill(Number(pid), signal);
  }

  async reads(): Promise<boolean> {
    return (await eventually(() => this.readers.length > 0)) ?? false;
  }

  async readsNoMore(): Promise<boolean> {
    return (await eventually(() => this.readers.length === 0)) ?? false;
  }

  #isReader(pid: string): boolean {
    try {
      const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
      return words.includes('read-pages') && words.includes(this.database.path);
    } catch {
      return false;
    }
  }
}

/** What the owner of the database hears of. */
function failuresOf(shop: Shop): readonly string[] {
  const failures: string[] = [];
  shop.database.onFailure(({ code, message }) => failures.push(`${code}: ${message}`));
  return failures;
}

describe('pages that are still to be read', () => {
  it('are read once nobody has paid for a while, and no start has to read them again', async () => {
    const shop = new Shop();
    await shop.clock.advance(CALM_MS - A_LOOK);
    expect([shop.readers, shop.unread.pending]).toEqual([[], 'later']);
    await shop.clock.advance(2 * A_LOOK);
    await eventually(() => shop.unread.pending === 'nothing');
    expect(shop.database.failure).toBeNull();
    expect(shop.log.join('')).toMatch(/every page of the database was read, nothing is wrong/);
    expect(shop.clock.pending).toEqual([]);
  });

  it('end the trust in the file where one of them is bad, and the next start reads them first', async () => {
    const shop = new Shop({ damaged: true });
    const failures = failuresOf(shop);
    await shop.clock.advance(CALM_MS + A_LOOK);
    await eventually(() => shop.unread.pending === 'first');
    await shop.clock.advance(A_LOOK);
    expect(failures).toEqual([expect.stringMatching(/^STORAGE_DAMAGED: .*money\.db is damaged: .+/)]);
    expect(shop.clock.pending).toEqual([]);
  });

  it('do so only when nobody pays any more, and are not read once more for that', async () => {
    const shop = new Shop({ damaged: true });
    const failures = failuresOf(shop);
    await shop.clock.advance(CALM_MS + A_LOOK);
    await eventually(() => shop.unread.pending === 'first');
    shop.isQuiet = false;
    await shop.clock.advance(CALM_MS);
    expect(failures).toEqual([]);
    shop.isQuiet = true;
    await shop.clock.advance(A_LOOK);
    expect([failures.length, shop.readers]).toEqual([1, []]);
  });

  it('are let go at once when somebody pays, and read from the beginning in the next calm', async () => {
    const shop = new Shop();
    await shop.clock.advance(CALM_MS + A_LOOK);
    await shop.reads();
    expect(shop.reading.isOn).toBe(true);
    shop.isQuiet = false;
    await shop.clock.advance(A_LOOK);
    await shop.readsNoMore();
    expect([shop.unread.pending, shop.reading.isOn]).toEqual(['later', false]);
    shop.isQuiet = true;
    await shop.clock.advance(CALM_MS - A_LOOK);
    expect(shop.readers).toEqual([]);
    await shop.clock.advance(2 * A_LOOK);
    await eventually(() => shop.unread.pending === 'nothing');
  });

  it('are let go when the log fills, which cannot be emptied meanwhile', async () => {
    const shop = new Shop();
    await shop.clock.advance(CALM_MS + A_LOOK);
    await shop.reads();
    // On a fast machine it would have read them all by then.
    shop.signalReaders('SIGSTOP');
    for (let row = 0; row < 25; row += 1)
      shop.database.run('INSERT INTO facts (name, value) VALUES (?, ?)', `row ${row}`, 'x'.repeat(60_000));
    await shop.clock.advance(A_LOOK);
    shop.signalReaders('SIGCONT');
    await shop.readsNoMore();
    expect([shop.unread.pending, shop.reading.isOn]).toEqual(['later', false]);
  });

  it('are read with a log that was full, once it was emptied for that', async () => {
    const shop = new Shop();
    for (let row = 0; row < 25; row += 1)
      shop.database.run('INSERT INTO facts (name, value) VALUES (?, ?)', `row ${row}`, 'x'.repeat(60_000));
    await shop.clock.advance(CALM_MS + A_LOOK);
    await eventually(() => shop.unread.pending === 'nothing');
  });

  it('are not read while there is no room in the log', async () => {
    const shop = new Shop({ room: 0 });
    await shop.clock.advance(2 * CALM_MS);
    expect(shop.readers).toEqual([]);
    new WalSpace(shop.database).grow(ROOM_BYTES);
    await shop.clock.advance(CALM_MS + A_LOOK);
    await eventually(() => shop.unread.pending === 'nothing');
  });

  it('are tried again an hour later where they could not be read for another reason, however often somebody pays', async () => {
    const shop = new Shop();
    vi.stubEnv('NODE_OPTIONS', '--no-such-option');
    await shop.clock.advance(CALM_MS + A_LOOK);
    await eventually(() => shop.log.join('').includes('could not be read'));
    vi.unstubAllEnvs();
    expect([shop.unread.pending, shop.database.failure]).toEqual(['later', null]);
    shop.isQuiet = false;
    await shop.clock.advance(A_LOOK);
    shop.isQuiet = true;
    await shop.clock.advance(AN_HOUR - 2 * A_LOOK);
    expect(shop.readers).toEqual([]);
    await shop.clock.advance(3 * A_LOOK);
    await eventually(() => shop.unread.pending === 'nothing');
  });

  it('and so they are where no process can be started at all', async () => {
    const shop = new Shop();
    vi.stubEnv('TILLD_TEST_TOO_LONG', 'x'.repeat(200_000));
    await shop.clock.advance(CALM_MS + A_LOOK);
    await eventually(() => shop.log.join('').includes('could not be read'));
    vi.unstubAllEnvs();
    expect([shop.unread.pending, shop.database.failure]).toEqual(['later', null]);
    await shop.clock.advance(AN_HOUR + A_LOOK);
    await eventually(() => shop.unread.pending === 'nothing');
  });

  it('are left alone where nothing is pending, and after the stop', async () => {
    const none = new Shop({ requested: 'nothing' });
    expect(none.clock.pending).toEqual([]);
    const shop = new Shop();
    await shop.clock.advance(CALM_MS + A_LOOK);
    await shop.reads();
    await shop.lifecycle.stop();
    await shop.readsNoMore();
    await shop.clock.advance(AN_HOUR);
    expect([shop.readers, shop.unread.pending]).toEqual([[], 'later']);
  });
});
