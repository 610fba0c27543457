import {
  closeSync,
  copyFileSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { PaymentWriter } from '../../../../src/payment/payment-writer.ts';
import { examine } from '../../../../src/store/damage/damage-check.ts';
import { recoveryProgram } from '../../../../src/store/damage/recover.ts';
import { type Salvage, salvage } from '../../../../src/store/damage/salvage.ts';
import { isSound } from '../../../../src/store/damage/salvage-rows.ts';
import { Database } from '../../../../src/store/database.ts';
import { checkChain } from '../../../../src/store/journal/journal-chain.ts';
import { SqlitePaymentStore } from '../../../../src/store/payments/sqlite-payment-store.ts';
import { MONEY_MIGRATIONS } from '../../../../src/store/schema/migrations.ts';
import { SqliteIdentityStore } from '../../../../src/store/terminals/sqlite-identity-store.ts';
import { aNewAttempt, aReport, DEVICE_ID } from '../../../support/attempts.ts';
import { aFolder, aMoneyDatabase } from '../../../support/money-database.ts';
import { Shop } from '../../../support/shop.ts';

const PAGE_BYTES = 4096;
const PAYMENTS = 60;
/** Offset in the header (file format, 1.3). */
const FIRST_FREE_PAGE_AT = 32;
const idOf = (index: number) => `0199c0de-0000-7000-8000-${String(index).padStart(12, '0')}`;

function pay(writer: PaymentWriter, index: number): void {
  const id = idOf(index);
  const answer = () => ({ status: 201, body: '{}' });
  const key = { key: id, caller: 'socket', fingerprint: 'f', requestId: id, answer };
  writer.open(aNewAttempt({ id, reference: `basket ${index}` }), { key });
  writer.apply(id, { type: 'dispatch' }, {});
  writer.apply(id, { type: 'accepted' });
  const report = aReport({ number: String(index).padStart(4, '0') });
  writer.apply(id, { type: 'reported', verdict: 'approved' }, { report });
  writer.apply(
    id,
    { type: 'ended', as: 'approved', amount: 'as_asked' },
    { report, evidence: { kind: 'dialogue', report } },
  );
}

/** A database of 60 paid sales and one that was on its way, at rest. */
function books(): string {
  const shop = new Shop();
  const path = join(aFolder(), 'money.db');
  shop.database.transaction(() => {
    for (let index = 0; index < PAYMENTS; index += 1) pay(shop.writer, index);
    shop.writer.open(aNewAttempt({ id: idOf(PAYMENTS), reference: 'on its way' }));
    shop.writer.apply(idOf(PAYMENTS), { type: 'dispatch' }, {});
  });
  shop.database.get('PRAGMA wal_checkpoint(TRUNCATE)');
  copyFileSync(shop.databasePath, path);
  return path;
}

/** Leaf pages of a table or an index, by number. */
function leaves(path: string, name: string): readonly number[] {
  const sqlite = new Sqlite(path, { readonly: true });
  const pages = sqlite
    .prepare<[string], number>(
      "SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'leaf' ORDER BY pageno",
    )
    .pluck()
    .all(name);
  sqlite.close();
  return pages;
}

/** A sector that came back as something else. */
function damage(path: string, page: number, bytes = Buffer.alloc(PAGE_BYTES, 0xd5)): void {
  const file = openSync(path, 'r+');
  writeSync(file, bytes, 0, bytes.length, (page - 1) * PAGE_BYTES);
  closeSync(file);
}

function saved(path: string): {
  readonly summary: Salvage;
  readonly store: SqlitePaymentStore;
  readonly database: Database;
} {
  const to = join(aFolder(), 'saved.db');
  const summary = salvage(path, to, {
    migrations: MONEY_MIGRATIONS,
    appVersion: '0.1.0',
    describe: () => 'words',
  });
  const database = aMoneyDatabase(to);
  return { summary, database, store: new SqlitePaymentStore(database) };
}

const statuses = (store: SqlitePaymentStore) =>
  Array.from({ length: PAYMENTS + 1 }, (_, index) => store.findAttempt(idOf(index))?.state.name ?? 'gone');
const ALL = [...Array.from({ length: PAYMENTS }, () => 'succeeded'), 'dispatched'];

/** As on a machine that has no sqlite3. */
function withoutProgram(): void {
  const { PATH } = process.env;
  process.env['PATH'] = '';
  onTestFinished(() => {
    process.env['PATH'] = PATH;
  });
}

describe('what is saved of a damaged database', () => {
  it('is everything where nothing is damaged, but which memory it was', () => {
    const path = books();
    const { summary, database, store } = saved(path);
    expect(examine(path)).toBeNull();
    expect(statuses(store)).toEqual(ALL);
    expect(summary.tables).toMatchObject({
      attempts: { saved: PAYMENTS + 1, lost: 0 },
      idempotency_keys: { saved: PAYMENTS, lost: 0 },
      journal: { lost: 0 },
      outbox: { lost: 0 },
    });
    expect(checkChain(database).kind).toBe('whole');
    expect(database.all("SELECT name FROM facts WHERE name LIKE 'epoch%'")).toEqual([]);
  });

  it.each([
    'attempts',
    'journal',
    'events',
    'outbox',
    'idempotency_keys',
    'sqlite_autoindex_attempts_1',
    'outbox_pending',
  ])('holds every payment that can be read or brought back when a page of %s is damaged', (name) => {
    const path = books();
    const [page = 0] = leaves(path, name);
    damage(path, page);
    expect(examine(path)).not.toBeNull();
    const { summary, store, database } = saved(path);
    expect(statuses(store)).toEqual(ALL);
    expect(store.findAttempt(idOf(3))?.report?.number).toBe('0003');
    const lost = Object.entries(summary.tables).filter(([, rows]) => rows.lost !== 0);
    expect(lost.map(([table]) => table)).toEqual(
      name.includes('_autoindex_') || name === 'outbox_pending' ? [] : [name],
    );
    expect(database.all('PRAGMA quick_check')).toEqual([{ quick_check: 'ok' }]);
  });

  it.each(['attempts', 'journal', 'events', 'outbox', 'idempotency_keys'])(
    'holds what stands before the newest rows of %s, and counts these, when their page is damaged',
    (name) => {
      const path = books();
      damage(path, leaves(path, name).at(-1) ?? 0);
      const { summary, store } = saved(path);
      expect(statuses(store).slice(0, -1)).toEqual(ALL.slice(0, -1));
      const { saved: rows = 0, lost = null } = summary.tables[name] ?? {};
      expect(rows).toBeGreaterThan(20);
      expect(lost).toBeGreaterThan(0);
    },
  );

  it('brings payments back whose own row is gone, as the newest of their events knows them, and says how many', () => {
    const path = books();
    for (const page of leaves(path, 'attempts')) damage(path, page);
    const { summary, store } = saved(path);
    expect(summary).toMatchObject({
      rebuilt: PAYMENTS + 1,
      tables: { attempts: { saved: 0, lost: PAYMENTS + 1 } },
    });
    expect(statuses(store).filter((state) => state === 'succeeded')).toHaveLength(PAYMENTS);
    expect(['dispatched', 'in_doubt', 'requested']).toContain(statuses(store).at(-1));
  });

  it('is nothing, and an empty database, where the file is none any more', () => {
    const path = books();
    writeFileSync(path, Buffer.alloc(200_000, 0x5a));
    expect(examine(path)).not.toBeNull();
    const { summary, store } = saved(path);
    expect(summary.tables['attempts']).toEqual({ saved: 0, lost: null });
    expect(statuses(store)).toEqual(ALL.map(() => 'gone'));
  });

  it('leaves out a row that could be read and is none of ours', () => {
    const path = books();
    const forger = new Sqlite(path);
    forger.exec(
      "UPDATE attempts SET detail = 'no json' WHERE seq = 5; UPDATE outbox SET body = '{' WHERE seq = 7",
    );
    forger.close();
    const { summary, store } = saved(path);
    expect(summary).toMatchObject({ rebuilt: 1, tables: { attempts: { lost: 1 }, outbox: { lost: 1 } } });
    expect(statuses(store)).toEqual(ALL);
  });

  it('is the first part of a file that was cut off, without any help', () => {
    withoutProgram();
    const path = books();
    truncateSync(path, Math.floor((statSync(path).size / PAGE_BYTES) * 0.6) * PAGE_BYTES);
    expect(examine(path)).not.toBeNull();
    const { summary, store } = saved(path);
    expect(summary.unrecovered).toBe('sqlite3 is not installed');
    expect(statuses(store).filter((state) => state === 'succeeded').length).toBeGreaterThan(10);
  });

  it('does not end before the page that comes behind a sound one', () => {
    withoutProgram();
    const path = books();
    const [, page = 0] = leaves(path, 'idempotency_keys');
    const lostRows = rowsOn(path, page);
    damage(path, page);
    expect(saved(path).summary.tables['idempotency_keys']).toEqual({
      saved: PAYMENTS - lostRows,
      lost: lostRows,
    });
  });

  it('changes nothing in the damaged file', () => {
    const path = books();
    damage(path, leaves(path, 'attempts')[0] ?? 0);
    const before = readFileSync(path);
    saved(path);
    expect(readFileSync(path).equals(before)).toBe(true);
  });
});

const program = recoveryProgram();
const skipped = program === 'works' ? '' : ` (skipped: sqlite3 is ${program})`;
describe.skipIf(skipped !== '')(`with SQLite's own recovery${skipped}`, () => {
  it.each([
    ['the root of payments', (path: string) => damage(path, rootOf(path, 'attempts'))],
    ['the root of the journal', (path: string) => damage(path, rootOf(path, 'journal'))],
    ['the first page', (path: string) => damage(path, 1)],
    ['the first page, zeroed', (path: string) => damage(path, 1, Buffer.alloc(PAGE_BYTES))],
  ])('every payment and every row of the journal is saved without %s', (_, harm) => {
    const path = books();
    harm(path);
    const { summary, store, database } = saved(path);
    expect(summary).toMatchObject({ rebuilt: 0, unrecovered: null });
    expect(statuses(store)).toEqual(ALL);
    expect(checkChain(database).kind).toBe('whole');
    expect(database.all('PRAGMA quick_check')).toEqual([{ quick_check: 'ok' }]);
  });

  it('a row that was deleted stays so, also when the list of free pages is gone', () => {
    const path = books();
    const sqlite = new Sqlite(path);
    sqlite.exec(`INSERT INTO archived_chunks SELECT seq, hash, 0, hash, 1 FROM journal WHERE seq = 200;
      DELETE FROM journal WHERE seq <= 200`);
    sqlite.pragma('wal_checkpoint(TRUNCATE)');
    sqlite.close();
    damage(path, readFileSync(path).readUInt32BE(FIRST_FREE_PAGE_AT));
    const { database, summary } = saved(path);
    expect(summary.unrecovered).toBeNull();
    expect(database.get('SELECT min(seq) AS first, count(*) AS rows FROM attempts')).toEqual({
      first: 1,
      rows: PAYMENTS + 1,
    });
    expect(database.get('SELECT min(seq) AS first FROM journal')).toEqual({ first: 201 });
  });

  it('an older schema is saved as it is', () => {
    const path = join(aFolder(), 'older.db');
    const older = MONEY_MIGRATIONS.slice(0, 1);
    Database.open(path, older, '0.1.0').close();
    damage(path, rootOf(path, 'events'));
    const to = join(aFolder(), 'saved.db');
    expect(
      salvage(path, to, { migrations: MONEY_MIGRATIONS, appVersion: '0.1.0', describe: () => 'words' })
        .tables,
    ).toMatchObject({ attempts: { saved: 0, lost: 0 } });
  });

  it('a payment of an older schema, which lacks the newest columns, is sound', () => {
    const sqlite = new Sqlite(books(), { readonly: true });
    const row = sqlite.prepare('SELECT * FROM attempts LIMIT 1').get() as Record<string, unknown>;
    sqlite.close();
    const { retry_of: _, ...older } = row;
    expect([isSound('attempts', row), isSound('attempts', older)]).toEqual([true, true]);
    expect(isSound('attempts', { ...older, detail: undefined })).toBe(false);
  });

  it('nothing is left of its files', () => {
    const path = books();
    damage(path, rootOf(path, 'attempts'));
    const folder = aFolder();
    salvage(path, join(folder, 'saved.db'), {
      migrations: MONEY_MIGRATIONS,
      appVersion: '0.1.0',
      describe: () => 'words',
    });
    expect(readdirSync(folder)).toEqual(['saved.db']);
  });
});

function rootOf(path: string, name: string): number {
  const sqlite = new Sqlite(path, { readonly: true });
  const page = sqlite.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').pluck().get(name);
  sqlite.close();
  return Number(page);
}

function rowsOn(path: string, page: number): number {
  const sqlite = new Sqlite(path, { readonly: true });
  const rows = sqlite.prepare('SELECT ncell FROM dbstat WHERE pageno = ?').pluck().get(page);
  sqlite.close();
  return Number(rows);
}

it('a terminal whose row is lost has none of its payments in its open batch, and no voids by number', async () => {
  const shop = await Shop.open();
  const sale = await shop.settle(shop.sell().id);
  shop.identities.withdrawVoid(DEVICE_ID);
  shop.database.flush();
  shop.database.get('PRAGMA wal_checkpoint(TRUNCATE)');
  const path = join(aFolder(), 'money.db');
  copyFileSync(shop.databasePath, path);
  const broken = new Sqlite(path);
  broken.exec('DELETE FROM terminals');
  broken.close();
  const saved = `${path}.salvaged`;
  salvage(path, saved, { migrations: MONEY_MIGRATIONS, appVersion: '0.1.0', describe: () => '' });
  const database = Database.open(saved, MONEY_MIGRATIONS, '0.1.0');
  onTestFinished(() => database.close());
  expect(sale.baseline?.batch).toBe(1);
  expect(new SqliteIdentityStore(database).factsOf(DEVICE_ID)).toMatchObject({
    batch: 2,
    voidWithdrawn: true,
  });
});
