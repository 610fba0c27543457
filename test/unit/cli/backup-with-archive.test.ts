import { chmodSync, copyFileSync, existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { beforeEach, describe, expect, it } from 'vitest';
import { archiveFlaw } from '../../../src/store/archive/archive-check.ts';
import { checkEpoch, noteEpoch } from '../../../src/store/epoch/epoch.ts';
import { openForReading } from '../../../src/store/read-only-database.ts';
import { OldShop } from '../../support/archive.ts';
import { aFolder } from '../../support/money-database.ts';
import { command, documentOf } from './command-line.ts';

/** Of these ten stay. */
const PAYMENTS = 50;
let shop: OldShop;
let file = '';
beforeEach(() => {
  shop = OldShop.of(PAYMENTS);
  checkEpoch(shop.money, join(shop.folder, 'epoch'), 'e', 1);
  file = join(aFolder(), 'money.backup');
});

async function backUp(): Promise<Record<string, unknown>> {
  noteEpoch(shop.money, join(shop.folder, 'epoch'));
  const ran = await command(['backup', file, '--json', '--force', '--state-dir', shop.folder]);
  expect(ran).toMatchObject({ exit: 0, err: '' });
  return (documentOf(ran.out) as { data: Record<string, unknown> }).data;
}

async function restore(): Promise<Record<string, unknown>> {
  shop.money.close();
  shop.place.close();
  const ran = await command(['restore', file, '--json', '--state-dir', shop.folder]);
  expect(ran).toMatchObject({ exit: 0, err: '' });
  return (documentOf(ran.out) as { data: Record<string, unknown> }).data;
}

const archivePath = () => join(shop.folder, 'archive.db');
function flawHere() {
  const [money, archive] = [openForReading(join(shop.folder, 'money.db')), openForReading(archivePath())];
  try {
    return archiveFlaw(money, archive, true);
  } finally {
    money.close();
    archive.close();
  }
}

describe('a backup of books that have an archive', () => {
  it('is two files, and says so; without an archive it is one', async () => {
    expect((await backUp())['archive']).toBe(null);
    expect(existsSync(`${file}.archive`)).toBe(false);
    shop.archiveAll();
    expect((await backUp())['archive']).toMatchObject({ file: `${file}.archive` });
    const [money, archive] = [openForReading(file), openForReading(`${file}.archive`)];
    expect(archiveFlaw(money, archive, true)).toBe(null);
    money.close();
    archive.close();
  });

  it('holds the books also where the archive cannot be read, and says that it does not hold that', async () => {
    shop.archiveAll();
    shop.place.close();
    writeFileSync(archivePath(), 'x'.repeat(8_192));
    expect((await backUp())['archive']).toMatchObject({ failed: expect.any(String) });
    expect(existsSync(file)).toBe(true);
  });
});

describe('a restore of books that have an archive', () => {
  it('leaves the archive that is here where it has all that the books had handed over', async () => {
    shop.archiver.turn(Number.MAX_SAFE_INTEGER, 1);
    shop.archiver.turn(Number.MAX_SAFE_INTEGER, 1);
    await backUp();
    shop.archiveAll();
    expect((await restore())['archive']).toEqual({ kind: 'fits' });
    expect(flawHere()).toBe(null);
  });

  it('lets the next turns find what is archived already, and only take it out of the books', async () => {
    await backUp();
    shop.archiveAll();
    await restore();
    const again = new OldShop(shop.folder);
    const chunks = () => again.place.archive().get('SELECT count(*) AS count FROM chunks');
    const before = chunks();
    const turns = [1, 2, 3, 4, 5].map(() => again.archiver.turn(Number.MAX_SAFE_INTEGER, 1));
    expect(turns).toEqual(['moved', 'moved', 'moved', 'moved', 'nothing']);
    expect(chunks()).toEqual(before);
  });

  it('brings the archive of the backup back where there is none, or one that is damaged', async () => {
    shop.archiveAll();
    await backUp();
    shop.place.close();
    rmSync(archivePath());
    chmodSync(join(shop.folder, 'money.db'), 0o660);
    expect((await restore())['archive']).toEqual({ kind: 'restored', aside: null });
    expect(flawHere()).toBe(null);
    const [books, archive] = [statSync(join(shop.folder, 'money.db')), statSync(archivePath())];
    expect([archive.mode, archive.uid]).toEqual([books.mode, books.uid]);
    writeFileSync(archivePath(), 'x'.repeat(8_192));
    expect((await restore())['archive']).toMatchObject({ kind: 'restored', aside: expect.any(String) });
    expect(flawHere()).toBe(null);
  });

  it('keeps an archive of another time under another name', async () => {
    shop.archiveAll();
    await backUp();
    const other = OldShop.of(PAYMENTS + 1);
    other.money.run('UPDATE events SET at = at + 1');
    other.archiveAll();
    other.place.archive().get('PRAGMA wal_checkpoint(TRUNCATE)');
    shop.place.close();
    copyFileSync(other.place.path, archivePath());
    expect((await restore())['archive']).toMatchObject({ kind: 'restored' });
    expect(readdirSync(shop.folder).filter((name) => name.startsWith('archive.db.replaced-'))).toHaveLength(
      1,
    );
    expect(flawHere()).toBe(null);
  });

  it('says that old timelines cannot be shown where no archive fits', async () => {
    shop.archiveAll();
    await backUp();
    rmSync(`${file}.archive`);
    shop.place.close();
    rmSync(archivePath());
    const done = await restore();
    expect(done['archive']).toEqual({ kind: 'missing', aside: null });
    expect(JSON.stringify(done['next_start'])).toContain('FILE.archive');
    const books = new Sqlite(join(shop.folder, 'money.db'), { readonly: true });
    expect(books.prepare('SELECT count(*) FROM attempts').pluck().get()).toBe(PAYMENTS);
    books.close();
  });
});
