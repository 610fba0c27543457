import { statSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Database } from '../../../src/store/database.ts';
import { MONEY_MIGRATIONS } from '../../../src/store/schema/migrations.ts';
import { aFolder, aMoneyDatabase } from '../../support/money-database.ts';

describe('the money database', () => {
  it('is WAL with synchronous FULL, also when it is opened again and written', () => {
    const path = join(aFolder(), 'money.db');
    for (let open = 0; open < 2; open += 1) {
      const database = aMoneyDatabase(path);
      database.run("INSERT OR REPLACE INTO facts (name, value) VALUES ('x', 'y')");
      expect(database.get('PRAGMA synchronous')).toEqual({ synchronous: 2 });
      expect(database.get('PRAGMA journal_mode')).toEqual({ journal_mode: 'wal' });
      database.close();
    }
  });

  it('has strict tables only', () => {
    const tables = aMoneyDatabase().all(
      "SELECT name, strict FROM pragma_table_list WHERE schema = 'main' AND name NOT LIKE 'sqlite_%'",
    );
    expect(tables.length).toBeGreaterThan(5);
    for (const table of tables) expect(table).toMatchObject({ strict: 1 });
  });

  it('refuses a file of a later release and says which one to install', () => {
    const path = join(aFolder(), 'money.db');
    aMoneyDatabase(path).close();
    const later = new Sqlite(path);
    later.exec("PRAGMA user_version = 99; UPDATE facts SET value = '9.9.0' WHERE name = 'min_writer'");
    later.close();
    expect(() => Database.open(path, MONEY_MIGRATIONS, '0.1.0')).toThrow(
      expect.objectContaining({ code: 'STORAGE_TOO_NEW', message: expect.stringContaining('9.9.0') }),
    );
  });

  it('writes a file of a later release that names this one as able to, and leaves its shape alone', () => {
    const path = join(aFolder(), 'money.db');
    aMoneyDatabase(path).close();
    const later = new Sqlite(path);
    later.exec("PRAGMA user_version = 99; UPDATE facts SET value = '0.1.0' WHERE name = 'min_writer'");
    later.close();
    const database = Database.open(path, MONEY_MIGRATIONS, '0.1.0');
    database.run("INSERT INTO facts (name, value) VALUES ('x', 'y')");
    expect(database.get('PRAGMA user_version')).toEqual({ user_version: 99 });
    database.close();
  });

  it('keeps what an earlier step demanded of its writers when a later one demands less', () => {
    const path = join(aFolder(), 'money.db');
    const step = (name: string, minWriter: string) => ({
      name,
      minWriter,
      sql: `CREATE TABLE ${name} (id INTEGER) STRICT`,
    });
    const steps = [...MONEY_MIGRATIONS, step('raised', '0.3.0'), step('after_it', '0.1.0')];
    Database.open(path, steps, '0.4.0').close();
    expect(() => Database.open(path, MONEY_MIGRATIONS, '0.2.9')).toThrow(/install 0\.3\.0 or later/);
    Database.open(path, MONEY_MIGRATIONS, '0.3.0').close();
  });

  it('says which file it cannot open', () => {
    const path = join(aFolder(), 'missing', 'money.db');
    expect(() => Database.open(path, MONEY_MIGRATIONS, '0.1.0')).toThrow(
      expect.objectContaining({ code: 'STORAGE_FAILED' }),
    );
  });

  it('keeps nothing of a transaction that failed', () => {
    const database = aMoneyDatabase();
    const work = () =>
      database.transaction(() => {
        database.run("INSERT INTO facts (name, value) VALUES ('half', 'done')");
        throw new Error('stop');
      });
    expect(work).toThrow('stop');
    expect(database.get("SELECT * FROM facts WHERE name = 'half'")).toBeUndefined();
  });

  it('says that the disk is full in a code of its own', () => {
    const database = aMoneyDatabase();
    database.get('PRAGMA max_page_count = 1');
    const fill = () => {
      for (let row = 0; row < 1000; row += 1) {
        database.run('INSERT INTO facts (name, value) VALUES (?, ?)', `row ${row}`, 'x'.repeat(4000));
      }
    };
    expect(fill).toThrow(expect.objectContaining({ code: 'STORAGE_FULL' }));
  });
});

describe('a database of what can be read again', () => {
  it('has a log that stays below 8 MiB, however much is written', () => {
    const path = join(aFolder(), 'mirror.db');
    const database = Database.open(path, MONEY_MIGRATIONS, '0.1.0', 'normal');
    onTestFinished(() => database.close());
    let longest = 0;
    for (let page = 0; page < 40; page += 1) {
      database.transaction(() => {
        for (let row = 0; row < 250; row += 1)
          database.run(
            'INSERT INTO facts (name, value) VALUES (?, ?)',
            `${page}-${row}`,
            String(row).repeat(1500),
          );
      });
      longest = Math.max(longest, statSync(`${path}-wal`).size);
    }
    expect(statSync(path).size).toBeGreaterThan(20_000_000);
    expect(longest).toBeLessThan(8 * 1024 * 1024);
  });
});
