import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { examine } from '../../../../src/store/damage/damage-check.ts';
import { Database } from '../../../../src/store/database.ts';
import { MONEY_MIGRATIONS } from '../../../../src/store/schema/migrations.ts';
import { refuseNewer } from '../../../../src/store/schema/newer-schema.ts';
import { damagePage, leavesOf, overwrite } from '../../../support/damage.ts';
import { aFolder, aMoneyDatabase } from '../../../support/money-database.ts';

function atRest(): string {
  const path = join(aFolder(), 'money.db');
  aMoneyDatabase(path).close();
  return path;
}

/** A file that was being made when the power went: half of it is written, and its journal knows what was there before. */
function unfinished(): string {
  const path = join(aFolder(), 'money.db');
  const made = join(aFolder(), 'made.db');
  const sqlite = new Sqlite(made);
  sqlite.exec('CREATE TABLE facts (name TEXT, value TEXT); PRAGMA cache_size = 5; BEGIN');
  const insert = sqlite.prepare("INSERT INTO facts VALUES ('x', ?)");
  for (let row = 0; row < 500; row += 1) insert.run('y'.repeat(3000));
  for (const end of ['', '-journal']) copyFileSync(made + end, path + end);
  sqlite.exec('ROLLBACK; DROP TABLE facts');
  sqlite.close();
  expect(existsSync(`${path}-journal`)).toBe(true);
  return path;
}

describe('an examination', () => {
  it('finds nothing in a database that is sound, in a new folder, and with a log that was not folded in', () => {
    const path = atRest();
    expect(examine(path)).toBeNull();
    expect(examine(join(aFolder(), 'money.db'))).toBeNull();
    const open = aMoneyDatabase(path);
    open.run("INSERT INTO facts (name, value) VALUES ('a', 'b')");
    expect(examine(path)).toBeNull();
  });

  it.each(['facts', 'attempts', 'sqlite_autoindex_attempts_1', 'sqlite_schema'])(
    'says what is wrong with a page of %s',
    (name) => {
      const path = atRest();
      const [page = 1] = leavesOf(path, name);
      damagePage(path, page);
      expect(examine(path)).toMatch(/.+/);
    },
  );

  it('says it of a file that was cut short', () => {
    const path = atRest();
    writeFileSync(path, readFileSync(path).subarray(0, 20_000));
    expect(examine(path)).toMatch(/.+/);
  });

  it('says it of a log whose database is gone', () => {
    const path = atRest();
    rmSync(path);
    writeFileSync(`${path}-wal`, 'frames');
    expect(examine(path)).toMatch(/the file is gone/);
  });

  it('leaves a file that was only just being made to who opens it, who rolls it back', () => {
    const path = unfinished();
    expect(examine(path)).toBeNull();
    refuseNewer(path, MONEY_MIGRATIONS.length, '0.1.0');
    writeFileSync(`${path}-wal`, '');
    refuseNewer(path, MONEY_MIGRATIONS.length, '0.1.0');
    rmSync(`${path}-wal`);
    const reader = new Sqlite(path);
    expect(reader.prepare('SELECT count(*) FROM facts').pluck().get()).toBe(0);
    reader.close();
  });

  it('changes nothing', () => {
    const path = atRest();
    damagePage(path, leavesOf(path, 'attempts')[0] ?? 0);
    const before = readFileSync(path);
    examine(path);
    expect(readFileSync(path).equals(before)).toBe(true);
  });
});

describe('a database of a later release', () => {
  const newer = (): string => {
    const path = atRest();
    const later = new Sqlite(path);
    later.exec("PRAGMA user_version = 99; UPDATE facts SET value = '9.9.0' WHERE name = 'min_writer'");
    later.close();
    return path;
  };

  it('is refused before anything is opened for writing: no file beside it is made, and none is changed', () => {
    const path = newer();
    const [before, files] = [readFileSync(path), readdirSync(join(path, '..'))];
    expect(() => Database.open(path, MONEY_MIGRATIONS, '0.1.0')).toThrow(
      expect.objectContaining({
        code: 'STORAGE_TOO_NEW',
        message: expect.stringContaining('install 9.9.0 or later'),
      }),
    );
    expect([readFileSync(path).equals(before), readdirSync(join(path, '..'))]).toEqual([true, files]);
  });

  it('is refused also where it cannot say which release reads it', () => {
    const path = newer();
    const later = new Sqlite(path);
    later.exec("DELETE FROM facts WHERE name = 'min_writer'");
    later.close();
    expect(() => refuseNewer(path, 2, '0.1.0')).toThrow(/install the newest release or later/);
  });

  it('is not what a damaged header says', () => {
    const path = atRest();
    overwrite(path, 0, Buffer.alloc(100, 0xff));
    expect(() => refuseNewer(path, 2, '0.1.0')).not.toThrow();
  });
});
