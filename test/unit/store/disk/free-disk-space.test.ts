import { existsSync, statSync, symlinkSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../../../src/base/errors.ts';
import { silentLog } from '../../../../src/base/log.ts';
import { FreeDiskSpace, PAYMENT_BYTES, QUIET_BYTES } from '../../../../src/store/disk/free-disk-space.ts';
import { RESERVE_BYTES, ReserveFile } from '../../../../src/store/disk/reserve-file.ts';
import { WalSpace } from '../../../../src/store/disk/wal-space.ts';
import { aFolder, aMoneyDatabase } from '../../../support/money-database.ts';
import { Shop } from '../../../support/shop.ts';
import { VirtualClock } from '../../../support/virtual-clock.ts';

const NOTE = 'INSERT OR REPLACE INTO facts (name, value) VALUES (?, ?)';

function aDisk(running = 0) {
  const folder = aFolder();
  const database = aMoneyDatabase(join(folder, 'money.db'));
  const clock = new VirtualClock();
  const reservePath = join(folder, 'ballast');
  const reserve = new ReserveFile(reservePath);
  const payments = { running, waiting: 0 };
  const room = new FreeDiskSpace({ database, reserve, open: () => payments, clock, log: silentLog });
  database.onFault((fault) => room.refused(fault));
  return { folder, database, clock, reserve, reservePath, payments, room, log: new WalSpace(database) };
}

/** The first writing into it finds no block: it is the device that is always full. */
const fillOnce = (path: string) => symlinkSync('/dev/full', path);

describe('room in the log', () => {
  it('is taken by commits in place: the file does not grow while there is some', () => {
    const { database, log } = aDisk();
    log.grow(500_000);
    const [size, room] = [log.fileBytes, log.bytes];
    for (let row = 0; row < 20; row += 1) database.run(NOTE, `row ${row}`, 'x'.repeat(3000));
    expect(log.fileBytes).toBe(size);
    expect(log.bytes).toBeLessThan(room - 20 * 4096);
    expect(log.bytes).toBeGreaterThan(0);
  });

  it('is whole again once the log begins anew', () => {
    const { database, log } = aDisk();
    log.grow(500_000);
    for (let row = 0; row < 20; row += 1) database.run(NOTE, `row ${row}`, 'x'.repeat(3000));
    log.restart();
    expect(log.bytes).toBeGreaterThan(log.fileBytes - 3 * 4200);
    expect(database.all('SELECT count(*) AS n FROM facts')).toEqual([{ n: expect.any(Number) }]);
  });

  it('owes the disk nothing when the log begins anew: what stands in it changes nothing', () => {
    const { database, log } = aDisk();
    log.grow(500_000);
    database.run(NOTE, 'before', '1');
    const heard: string[] = [];
    log.restart();
    database.onDurable(() => heard.push('durable'));
    expect([database.isDurable, heard]).toEqual([true, ['durable']]);
    database.deferSync(() => database.run(NOTE, 'after', '2'));
    expect(database.isDurable).toBe(false);
    expect(database.all('PRAGMA synchronous')).toEqual([{ synchronous: 2 }]);
  });

  it('is never taken for something that was committed: a reader who comes after a crash finds what was', () => {
    const { folder, database, log } = aDisk();
    database.run(NOTE, 'before', '1');
    log.grow(100_000);
    database.run(NOTE, 'after', '2');
    const other = aMoneyDatabase(join(folder, 'money.db'));
    expect(other.all("SELECT name FROM facts WHERE name IN ('before', 'after') ORDER BY name")).toHaveLength(
      2,
    );
    expect(other.all('PRAGMA quick_check')).toEqual([{ quick_check: 'ok' }]);
  });

  it('holds a payment with a doubt, its recovery and a void, with much to write, and a quarter more', async () => {
    const shop = await Shop.open({ terminal: { autopilotMs: 100, missingAcknowledgement: 'keep' } });
    const log = new WalSpace(shop.database);
    log.grow(2 * PAYMENT_BYTES);
    const before = log.bytes;
    shop.terminal.inject({ when: 'result', do: 'cut' });
    const metadata = Object.fromEntries(
      Array.from({ length: 10 }, (_, no) => [`field ${no}`, 'x'.repeat(500)]),
    );
    const sale = await shop.settle(shop.sell({ reference: 'basket', invoiceId: 'invoice', metadata }).id);
    expect([sale.state.name, sale.inDoubtSince]).toEqual(['succeeded', expect.any(Number)]);
    shop.payments.void({ parentId: sale.id, caller: 'socket' });
    await shop.until(() => shop.charged === 0, 60_000);
    expect((before - log.bytes) * 1.25).toBeLessThan(PAYMENT_BYTES);
  });
});

describe('room on the disk', () => {
  it('is little at a start, which waits for it, and more with the next look', () => {
    const { room, log } = aDisk();
    room.maintain();
    expect(log.bytes).toBeGreaterThanOrEqual(QUIET_BYTES);
    expect(log.bytes).toBeLessThan(2 * QUIET_BYTES);
    room.maintain();
    expect(log.bytes).toBeGreaterThanOrEqual(2 * QUIET_BYTES);
    const made = log.bytes;
    room.maintain();
    expect(log.bytes).toBe(made);
  });

  it('is made of real bytes: in the log for what runs and one more, and in the reserve', () => {
    const { room, log, reservePath, payments } = aDisk();
    expect(room.shortage()).toBeNull();
    expect(log.bytes).toBeGreaterThanOrEqual(QUIET_BYTES);
    expect(statSync(reservePath)).toMatchObject({ size: RESERVE_BYTES, blocks: expect.any(Number) });
    expect(statSync(reservePath).blocks * 512).toBeGreaterThanOrEqual(RESERVE_BYTES);
    payments.running = 9;
    expect(room.shortage()).toBeNull();
    expect(log.bytes).toBeGreaterThanOrEqual(10 * PAYMENT_BYTES);
    payments.waiting = 40;
    expect(room.shortage()).toBeNull();
    expect(log.bytes).toBeGreaterThanOrEqual(14 * PAYMENT_BYTES);
  });

  it('is missed when it cannot be made, in words that say how much to free, and made as soon as it can', async () => {
    const { room, clock, reservePath, folder } = aDisk();
    fillOnce(reservePath);
    expect(room.shortage()).toEqual({
      kind: 'disk_full',
      message: expect.stringMatching(
        new RegExp(`^The disk is full: no payment is started\\. Free at least \\d MB where ${folder} is`),
      ),
    });
    expect(room.shortage()?.kind).toBe('disk_full');
    await clock.advance(1000);
    expect(room.shortage()).toBeNull();
    expect(statSync(reservePath).size).toBe(RESERVE_BYTES);
  });

  it('is tried once a second while the disk refuses, however often somebody asks', async () => {
    const { room, clock, reservePath } = aDisk();
    fillOnce(reservePath);
    for (let asked = 0; asked < 5; asked += 1) expect(room.shortage()?.kind).toBe('disk_full');
    expect(existsSync(reservePath)).toBe(false);
    await clock.advance(1000);
    room.maintain();
    expect(existsSync(reservePath)).toBe(true);
  });

  it('is made ahead while nobody pays, and not while somebody does', () => {
    const { room, log, database, payments } = aDisk();
    room.shortage();
    payments.running = 1;
    for (let row = 0; log.bytes >= 2 * PAYMENT_BYTES; row += 1)
      database.run(NOTE, `row ${row}`, 'x'.repeat(200_000));
    const left = log.bytes;
    expect([room.maintain(), log.bytes]).toEqual([false, left]);
    payments.running = 0;
    expect(room.maintain()).toBe(true);
    expect(log.bytes).toBeGreaterThanOrEqual(QUIET_BYTES);
  });

  it('is made longer while somebody pays for one more payment, and for nothing else that asks', () => {
    const { room, log, database, payments } = aDisk();
    room.shortage();
    payments.running = 1;
    for (let row = 0; log.bytes >= 2 * PAYMENT_BYTES; row += 1)
      database.run(NOTE, `row ${row}`, 'x'.repeat(200_000));
    const size = log.fileBytes;
    expect([room.trouble(), log.fileBytes]).toEqual([null, size]);
    expect(room.shortage()).toBeNull();
    expect(log.fileBytes).toBeGreaterThan(size);
  });

  it('that is kept for a payment is not given to what asks beside it', () => {
    const { room, log, database, payments } = aDisk();
    room.shortage();
    payments.running = 1;
    for (let row = 0; log.bytes >= PAYMENT_BYTES; row += 1)
      database.run(NOTE, `row ${row}`, 'x'.repeat(200_000));
    expect(room.trouble()).toBeNull();
    expect(log.bytes).toBeGreaterThan(PAYMENT_BYTES);
  });

  it('is made in a log of 8 MB at most while one terminal is paid at', () => {
    const { room, log, database, payments } = aDisk();
    room.maintain();
    for (let row = 0; row < 300; row += 1) {
      payments.running = row % 2;
      database.run(NOTE, `row ${row % 20}`, String(row % 9).repeat(100_000));
      room.maintain();
      if (payments.running === 0) room.shortage();
      room.trouble();
    }
    expect(log.fileBytes).toBeLessThanOrEqual(8_000_000);
  });

  it('is made in a log of 8 MiB at most while eight terminals are paid at without a pause', () => {
    const { room, log, database, payments } = aDisk();
    room.maintain();
    payments.running = 8;
    for (let row = 0; row < 300; row += 1) {
      database.run(NOTE, `row ${row % 20}`, String(row % 9).repeat(100_000));
      expect(room.shortage()).toBeNull();
      expect(log.bytes).toBeGreaterThanOrEqual(9 * PAYMENT_BYTES);
    }
    expect(log.fileBytes).toBeLessThanOrEqual(8 * 1_048_576);
  });

  it('is made also while somebody else holds the database: the daemon neither ends nor refuses', {
    timeout: 30_000,
  }, () => {
    const { room, log, database } = aDisk();
    room.shortage();
    for (let row = 0; log.bytes >= PAYMENT_BYTES; row += 1)
      database.run(NOTE, `row ${row}`, 'x'.repeat(200_000));
    const other = new Sqlite(database.path);
    other.exec('BEGIN IMMEDIATE');
    expect([room.shortage(), database.failure]).toEqual([null, null]);
    expect(log.bytes).toBeGreaterThanOrEqual(PAYMENT_BYTES);
    other.exec('ROLLBACK');
    other.close();
  });

  it('is missed when somebody cut the log short', () => {
    const { room, log, database } = aDisk();
    room.shortage();
    truncateSync(`${database.path}-wal`, log.fileBytes - log.bytes);
    expect(log.bytes).toBe(0);
    expect(room.shortage()).toBeNull();
    expect(log.bytes).toBeGreaterThanOrEqual(QUIET_BYTES);
  });

  it('throws its reserve overboard when a commit finds none all the same', () => {
    const { room, database, reservePath } = aDisk();
    room.shortage();
    database.get('PRAGMA max_page_count = 1');
    const fill = () => {
      for (let row = 0; row < 1000; row += 1) database.run(NOTE, `row ${row}`, 'x'.repeat(4000));
    };
    expect(fill).toThrow(expect.objectContaining({ code: 'STORAGE_FULL' }));
    expect(existsSync(reservePath)).toBe(false);
  });

  it('keeps its reserve when it is no commit that found none: housekeeping can wait', () => {
    const { room, database, reservePath } = aDisk();
    room.shortage();
    database.get('PRAGMA max_page_count = 1');
    const fill = () => {
      for (let row = 0; row < 1000; row += 1)
        database.get(`${NOTE} RETURNING name`, `row ${row}`, 'x'.repeat(4000));
    };
    expect(fill).toThrow(expect.objectContaining({ code: 'STORAGE_FULL' }));
    expect(existsSync(reservePath)).toBe(true);
  });

  it('is of no use once the disk has failed: nothing is started any more', () => {
    const { room, database } = aDisk();
    room.shortage();
    database.fail(new AppError('STORAGE_FAILED', 'the disk failed: SQLITE_IOERR_FSYNC'));
    expect(room.shortage()).toMatchObject({
      kind: 'storage_failed',
      message: expect.stringMatching(/no payment is started/),
    });
  });
});
