import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { strangeSchema } from '../../../src/store/inspection/checks.ts';
import { aFolder, aMoneyDatabase } from '../../support/money-database.ts';
import { writeOlderBooks } from '../../support/older-ids.ts';

const SCHEMA =
  "SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE tbl_name = 'attempts' AND sql IS NOT NULL ORDER BY name";
/** What the steps are in SQLite's own statements, which read every row. */
const IN_SQL = `ALTER TABLE attempts ADD COLUMN completed_elapsed INTEGER;
  DROP INDEX attempts_by_amount;
  DROP INDEX attempts_by_reference;
  CREATE INDEX attempts_by_amount ON attempts (device_id, amount_minor, completed_elapsed) WHERE completed_elapsed IS NOT NULL;
  CREATE INDEX attempts_by_reference ON attempts (reference, completed_elapsed) WHERE reference IS NOT NULL AND completed_elapsed IS NOT NULL;
  ALTER TABLE attempts ADD COLUMN retry_of TEXT;
  CREATE INDEX attempts_by_retried ON attempts (retry_of) WHERE retry_of IS NOT NULL;`;

describe('a shape that is changed without a look at the rows', () => {
  it('is the one that the statements of SQLite give, to the letter', () => {
    const path = join(aFolder(), 'money.db');
    writeOlderBooks(path, 3);
    const other = join(aFolder(), 'money.db');
    writeOlderBooks(other, 3);
    const stated = new Sqlite(other);
    stated.exec(IN_SQL);
    expect(aMoneyDatabase(path).all(SCHEMA)).toEqual(stated.prepare(SCHEMA).all());
    stated.close();
  });

  it('fits its rows and its indexes, leaves nothing behind, and is one that the doctor knows', () => {
    const path = join(aFolder(), 'money.db');
    writeOlderBooks(path, 50);
    const database = aMoneyDatabase(path);
    expect(database.all('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
    expect(strangeSchema(database)).toEqual([]);
    expect(database.get('SELECT count(completed_elapsed) AS ended FROM attempts')).toEqual({ ended: 50 });
    expect(database.get("SELECT 1 FROM sqlite_schema WHERE name LIKE 'empty%'")).toBeUndefined();
  });

  it('is that of new books, too', () => {
    expect(strangeSchema(aMoneyDatabase())).toEqual([]);
  });
});
