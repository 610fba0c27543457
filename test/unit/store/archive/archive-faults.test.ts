import {
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { timelineOf } from '../../../../src/payment/attempt/timeline.ts';
import type { TimelineEntry } from '../../../../src/payment/payments.ts';
import { archiveFlaw } from '../../../../src/store/archive/archive-check.ts';
import { salvage } from '../../../../src/store/damage/salvage.ts';
import { Database } from '../../../../src/store/database.ts';
import { checkChain } from '../../../../src/store/journal/journal-chain.ts';
import { cutOf } from '../../../../src/store/journal/journal-cut.ts';
import { openForReading } from '../../../../src/store/read-only-database.ts';
import { MONEY_MIGRATIONS } from '../../../../src/store/schema/migrations.ts';
import { idOf, OldShop } from '../../../support/archive.ts';

const PAYMENTS = 50;
const archiveOf = ({ folder }: OldShop) => join(folder, 'archive.db');

function timelineAt({ payments }: OldShop, number: number): readonly TimelineEntry[] {
  const attempt = payments.findAttempt(idOf(number));
  if (!attempt) throw new Error('no such payment');
  const journal = payments.journalOf(attempt.id);
  return timelineOf(attempt, journal, payments.reportsOf(attempt.id), payments.gapIn(journal));
}

function anArchivedShop(): OldShop {
  const shop = OldShop.of(PAYMENTS);
  shop.archiveAll();
  shop.place.close();
  return shop;
}

/** The books sell on, and a payment of today is told whole. */
function expectToSell(shop: OldShop): void {
  const id = shop.pay(PAYMENTS + 1);
  expect(shop.payments.journalOf(id)).toHaveLength(5);
  expect(shop.payments.listAttempts({ limit: 100 }).items).toHaveLength(PAYMENTS + 1);
  expect(checkChain(shop.money).kind).toBe('whole');
}

describe('an archive that cannot be read', () => {
  it.each([
    ['is gone', (path: string) => rmSync(path), 'there is no archive.db'],
    ['is no database', (path: string) => writeFileSync(path, 'x'.repeat(8192)), 'cannot open'],
    ['was cut short', (path: string) => truncateSync(path, statSync(path).size / 2), ''],
    ['is of a later release', later, 'later release'],
  ])(
    'keeps nobody from selling when it %s, and explain says that a timeline is not whole',
    (_, harm, why) => {
      const shop = anArchivedShop();
      harm(archiveOf(shop));
      const timeline = timelineAt(shop, 1);
      expect(timeline[0]?.text).toContain('cannot be shown');
      expect(timeline[0]?.text).toContain(why);
      expect(timeline.filter(({ kind }) => kind === 'report')).toHaveLength(2);
      expect(timelineAt(shop, PAYMENTS).some(({ text }) => text.includes('cannot be shown'))).toBe(false);
      expectToSell(shop);
    },
  );

  it('shows the timelines of every chunk but the one that is damaged', () => {
    const shop = anArchivedShop();
    const file = new Sqlite(archiveOf(shop));
    file.exec(
      "DROP TRIGGER chunks_are_not_changed; UPDATE chunks SET stories = x'28b52ffd00' WHERE last_seq = 50",
    );
    file.close();
    expect(timelineAt(shop, 1)[0]?.text).toContain('ends with row 50 cannot be read');
    expect(timelineAt(shop, 25)[0]?.text).not.toContain('cannot be shown');
    expect(timelineAt(shop, 25)).toHaveLength(12);
  });

  it('is not changed when a later release wrote it', () => {
    const shop = anArchivedShop();
    later(archiveOf(shop));
    const before = readFileSync(archiveOf(shop));
    expect(() => shop.archiver.turn(Number.MAX_SAFE_INTEGER, 1)).not.toThrow();
    for (let number = PAYMENTS + 1; number <= 2 * PAYMENTS; number += 1) shop.pay(number);
    expect(() => shop.archiver.turn(Number.MAX_SAFE_INTEGER, 1)).toThrow('later release');
    expect(readFileSync(archiveOf(shop)).equals(before)).toBe(true);
  });

  it('is kept under another name when it is no database, and the next chunk begins a new one', () => {
    const shop = anArchivedShop();
    writeFileSync(archiveOf(shop), 'x'.repeat(8192));
    for (let number = PAYMENTS + 1; number <= 2 * PAYMENTS; number += 1) shop.pay(number);
    try {
      shop.archiveAll();
    } catch (error) {
      expect(shop.place.isNoDatabase(error)).toBe(true);
    }
    expect(existsSync(shop.place.setAside('2026-11-22'))).toBe(true);
    expect(readdirSync(shop.folder)).toContain('archive.db.damaged-2026-11-22-1');
    expect(shop.archiveAll()).toBe(10);
    expect(timelineAt(shop, 45)[0]?.text).not.toContain('cannot be shown');
    expect(timelineAt(shop, 1)[0]?.text).toContain('it is not in the archive');
  });
});

describe('the check of an archive', () => {
  const flaw = (shop: OldShop, full: boolean) => {
    shop.place.close();
    const file = openForReading(archiveOf(shop));
    try {
      return archiveFlaw(shop.money, file, full);
    } finally {
      file.close();
    }
  };
  const change = (shop: OldShop, sql: string) => {
    shop.place.close();
    const file = new Sqlite(archiveOf(shop));
    file.pragma('foreign_keys = OFF');
    file.exec(`DROP TRIGGER chunks_are_not_changed; DROP TRIGGER chunks_are_not_deleted; ${sql}`);
    file.close();
  };

  it('finds nothing wrong with one that is whole, before, between and after the turns', () => {
    const shop = OldShop.of(PAYMENTS);
    while (shop.archiver.turn(Number.MAX_SAFE_INTEGER, 1) !== 'nothing') expect(flaw(shop, true)).toBe(null);
    expect(flaw(shop, true)).toBe(null);
  });

  it.each([
    ['a chunk that is gone', 'DELETE FROM chunks WHERE last_seq = 200', false, 'gone'],
    ['the first one that is gone', 'DELETE FROM chunks WHERE last_seq = 50', false, 'gone'],
    ['the newest one that is another', "UPDATE chunks SET digest = 'x' WHERE last_seq = 200", false, 'other'],
    [
      'a text that was changed',
      "UPDATE chunks SET stories = x'28b52ffd00' WHERE last_seq = 50",
      true,
      'damaged',
    ],
    ['a joint that does not hold', "UPDATE chunks SET previous = 'x' WHERE last_seq = 200", true, 'damaged'],
  ])('finds %s', (_, sql, full, kind) => {
    const shop = anArchivedShop();
    change(shop, sql);
    expect(flaw(shop, full)?.kind).toBe(kind);
  });
});

describe('books that are saved from a damaged file', () => {
  it('know what was archived, and take no gap at their beginning for damage', () => {
    const shop = anArchivedShop();
    shop.money.checkpoint();
    const saved = join(shop.folder, 'saved.db');
    salvage(shop.money.path, saved, {
      migrations: MONEY_MIGRATIONS,
      appVersion: '0.1.0',
      describe: () => 'x',
    });
    const database = Database.open(saved, MONEY_MIGRATIONS, '0.1.0');
    try {
      expect(cutOf(database)).toEqual(cutOf(shop.money));
      expect(checkChain(database)).toEqual(checkChain(shop.money));
      expect(checkChain(database).kind).toBe('whole');
    } finally {
      database.close();
    }
  });
});

function later(path: string): void {
  const file = new Sqlite(path);
  file.exec("PRAGMA user_version = 99; UPDATE facts SET value = '9.9.0' WHERE name = 'min_writer'");
  file.close();
}
