import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { diskStateOf, probeDisk } from '../../../src/store/disk/disk-error.ts';
import { faultOf, storageError } from '../../../src/store/storage-error.ts';
import { aFolder, aMoneyDatabase } from '../../support/money-database.ts';

describe('an error of SQLite', () => {
  it.each([
    ['SQLITE_FULL', 'full'],
    ['SQLITE_IOERR_SHMSIZE', 'full'],
    ['SQLITE_IOERR_FSYNC', 'failing'],
    ['SQLITE_IOERR_DIR_FSYNC', 'failing'],
    ['SQLITE_IOERR_READ', 'failing'],
    ['SQLITE_CORRUPT', 'damaged'],
    ['SQLITE_CORRUPT_INDEX', 'damaged'],
    ['SQLITE_NOTADB', 'damaged'],
    ['SQLITE_READONLY', 'read_only'],
    ['SQLITE_READONLY_DBMOVED', 'read_only'],
    ['SQLITE_BUSY', 'refused'],
    ['SQLITE_CONSTRAINT_UNIQUE', 'refused'],
  ] as const)('%s means that the disk is %s', (code, fault) => {
    expect(faultOf({ code }, join(aFolder(), 'money.db'))).toBe(fault);
  });

  it('of a write says what the disk itself says of one', () => {
    const folder = aFolder();
    expect(faultOf({ code: 'SQLITE_IOERR_WRITE' }, join(folder, 'money.db'))).toBe('failing');
    mkdirSync(join(folder, 'full'));
    expect(probeDisk(folder)).toBeNull();
    expect(faultOf({ code: 'SQLITE_IOERR_WRITE' }, '/proc/money.db')).not.toBe('full');
  });

  it('that is none stays as it is', () => {
    const error = new Error('a bug');
    expect(storageError(error, 'x')).toEqual({ error, fault: null });
  });
});

describe('an error of the file system', () => {
  it.each([
    ['ENOSPC', 'full'],
    ['EDQUOT', 'full'],
    ['EROFS', 'read_only'],
    ['EACCES', 'read_only'],
    ['EIO', 'failing'],
    ['ENOENT', 'failing'],
  ] as const)('%s means that the disk is %s', (code, state) => {
    expect(diskStateOf(Object.assign(new Error(code), { code }))).toBe(state);
  });
});

describe('a database whose disk has failed', () => {
  const FAILURE = 'SQLITE_IOERR_FSYNC';

  it('is neither read nor written any more, and who runs it is told once', () => {
    const database = aMoneyDatabase();
    const messages: string[] = [];
    database.onFailure((error) => messages.push(error.message));
    const failing = () =>
      database.transaction(() => {
        throw new Sqlite.SqliteError('disk I/O error', FAILURE);
      });
    expect(failing).toThrow(
      expect.objectContaining({ code: 'STORAGE_FAILED', message: `money.db: the disk failed: ${FAILURE}` }),
    );
    const uses = [
      failing,
      () => database.get('SELECT 1'),
      () => database.all('SELECT 1'),
      () => database.run("INSERT INTO facts (name, value) VALUES ('a', 'b')"),
      () => database.checkpoint(),
    ];
    for (const use of uses) expect(use).toThrow(expect.objectContaining({ code: 'STORAGE_FAILED' }));
    expect(messages).toEqual([`money.db: the disk failed: ${FAILURE}`]);
  });

  it.each(['SQLITE_FULL', 'SQLITE_BUSY', 'SQLITE_READONLY'])(
    'is another thing than one that refuses with %s',
    (code) => {
      const database = aMoneyDatabase();
      const refusing = () =>
        database.transaction(() => {
          throw new Sqlite.SqliteError('no', code);
        });
      expect(refusing).toThrow();
      expect([database.failure, database.get('SELECT 1 AS one')]).toEqual([null, { one: 1 }]);
    },
  );
});
