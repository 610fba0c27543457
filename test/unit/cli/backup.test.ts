import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { publish } from '../../../src/store/backup/backup.ts';
import { readLastBackup } from '../../../src/store/backup/last-backup.ts';
import { Database } from '../../../src/store/database.ts';
import { MONEY_MIGRATIONS } from '../../../src/store/schema/migrations.ts';
import { aFolder, aMoneyDatabase } from '../../support/money-database.ts';
import { aDay, copyOf, type StateFiles, stateFilesOf } from './books.ts';
import { command, documentOf } from './command-line.ts';

const home = mkdtempSync(join(tmpdir(), 'tilld-backup-'));
afterAll(() => rmSync(home, { recursive: true }));
let day: StateFiles | null = null;
let books: StateFiles;
let shelf = '';
beforeEach(async () => {
  day ??= copyOf(await stateFilesOf(aDay), join(home, 'state'));
  books = copyOf(day);
  shelf = aFolder();
});

function backUp(file = join(shelf, 'money.backup'), ...more: readonly string[]) {
  return command(['backup', file, '--json', '--state-dir', books.folder, ...more]);
}

function rowsOf(path: string, table: string): readonly unknown[] {
  const database = new Sqlite(path, { readonly: true });
  try {
    return database.prepare(`SELECT * FROM ${table}`).all();
  } finally {
    database.close();
  }
}

function change(path: string, sql: string): void {
  const database = new Sqlite(path);
  database.exec(sql);
  database.close();
}

describe('tillctl backup', () => {
  it('makes one file that holds every row, tells what is in it, and leaves nothing else behind', async () => {
    const ran = await backUp();
    const path = join(shelf, 'money.backup');
    expect(ran).toMatchObject({ exit: 0, err: '' });
    const last = rowsOf(books.database, 'journal').at(-1) as { hash: string };
    expect(documentOf(ran.out)).toMatchObject({
      data: {
        file: path,
        payments: 7,
        journal: { rows: 35, hash: last.hash },
        bytes: statSync(path).size,
        sha256: createHash('sha256').update(readFileSync(path)).digest('hex'),
        broken: null,
      },
    });
    expect(readdirSync(shelf)).toEqual(['money.backup']);
    for (const table of ['attempts', 'journal', 'events', 'outbox', 'facts', 'tasks', 'api_keys'])
      expect(rowsOf(path, table)).toEqual(rowsOf(books.database, table));
  });

  it('may be read by nobody but its owner, whatever the umask allows', async () => {
    const before = process.umask(0);
    onTestFinished(() => void process.umask(before));
    await backUp();
    expect(statSync(join(shelf, 'money.backup')).mode & 0o777).toBe(0o600);
  });

  it('holds what was committed while a daemon writes, and what that daemon writes next is not in it', async () => {
    const writer = Database.open(books.database, MONEY_MIGRATIONS, '0.1.0');
    onTestFinished(() => writer.close());
    writer.run("INSERT INTO facts (name, value) VALUES ('before', 'x')");
    expect((await backUp()).exit).toBe(0);
    writer.run("INSERT INTO facts (name, value) VALUES ('after', 'x')");
    const names = rowsOf(join(shelf, 'money.backup'), 'facts').map((row) => (row as { name: string }).name);
    expect([names.includes('before'), names.includes('after')]).toEqual([true, false]);
  });

  it('is made of large books, too', async () => {
    change(
      books.database,
      `INSERT INTO facts WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 66)
       SELECT 'large ' || i, printf('%.*c', 1048576, 'x') FROM n`,
    );
    const ran = await backUp();
    expect([ran.exit, readdirSync(shelf), readdirSync(books.folder).length]).toEqual([
      0,
      ['money.backup'],
      4,
    ]);
    expect(rowsOf(join(shelf, 'money.backup'), 'facts')).toEqual(rowsOf(books.database, 'facts'));
  });

  it('leaves the state folder of a stopped daemon exactly as it was, but for the note that it was made', async () => {
    const picture = () =>
      readdirSync(books.folder)
        .filter((name) => name !== 'last-backup')
        .map((name) => [name, readFileSync(join(books.folder, name), 'hex')]);
    const before = picture();
    await backUp();
    expect(picture()).toEqual(before);
    expect(readLastBackup(join(books.folder, 'last-backup'))).toMatchObject({
      file: join(shelf, 'money.backup'),
    });
  });

  it('never puts itself in the place of a file that is there, unless it is told to', async () => {
    const path = join(shelf, 'money.backup');
    writeFileSync(path, 'older');
    const ran = await backUp();
    expect(ran.exit).toBe(1);
    expect(documentOf(ran.out)).toMatchObject({
      error: { code: 'backup_target_exists', message: expect.stringContaining('--force') },
    });
    expect([readFileSync(path, 'utf8'), readdirSync(shelf)]).toEqual(['older', ['money.backup']]);
    expect((await backUp(path, '--force')).exit).toBe(0);
    expect(rowsOf(path, 'journal')).toHaveLength(35);
  });

  it('does not hide a file that appears while it is made', () => {
    const [draft, target] = [join(shelf, 'draft'), join(shelf, 'money.backup')];
    writeFileSync(draft, 'mine');
    writeFileSync(target, 'theirs');
    expect(publish(draft, target, false)).toBe(false);
    expect([readFileSync(draft, 'utf8'), readFileSync(target, 'utf8')]).toEqual(['mine', 'theirs']);
  });

  it('is not kept when its journal is broken, unless somebody knows of it', async () => {
    change(books.database, 'DROP TRIGGER journal_is_not_changed; UPDATE journal SET at = 7 WHERE seq = 12');
    const ran = await backUp();
    expect(ran.exit).toBe(1);
    expect(documentOf(ran.out)).toMatchObject({
      error: { code: 'journal_broken', message: expect.stringContaining('row 12') },
    });
    expect(readdirSync(shelf)).toEqual([]);
    const known = await backUp(undefined, '--broken-journal');
    expect([known.exit, documentOf(known.out)]).toMatchObject([0, { data: { broken: { row: 12 } } }]);
  });

  it('is not kept when it lacks rows that the note beside the books knows', async () => {
    change(books.database, 'DROP TRIGGER journal_is_not_deleted; DELETE FROM journal WHERE seq > 30');
    expect((await backUp()).exit).toBe(1);
    expect(readdirSync(shelf)).toEqual([]);
  });

  it('is not kept when pages of the books are damaged', async () => {
    const image = readFileSync(books.database);
    image.fill(0xee, image.length - 20 * 4096);
    writeFileSync(books.database, image);
    expect((await backUp()).exit).toBe(1);
    expect(readdirSync(shelf)).toEqual([]);
  });
});

describe('a backup that cannot be made says why', () => {
  it.each<[string, string, RegExp, () => string]>([
    ['no folder', 'backup_folder_missing', /there is no folder .*nowhere/, () => join(shelf, 'nowhere', 'x')],
    ['a folder', 'backup_target_is_folder', /is a folder/, () => shelf],
    [
      'beside the books',
      'backup_target_inside',
      /would destroy their copy/,
      () => join(books.folder, 'copy'),
    ],
    [
      'under the books',
      'backup_target_inside',
      /would destroy/,
      () => {
        mkdirSync(join(books.folder, 'a'));
        return join(books.folder, 'a', 'b');
      },
    ],
    ['the books themselves', 'backup_target_inside', /would destroy/, () => books.database],
  ])('%s: %s', async (_what, code, words, place) => {
    const before = readFileSync(books.database, 'hex');
    const ran = await backUp(place(), '--force');
    expect(ran.exit).toBe(1);
    expect(documentOf(ran.out)).toMatchObject({ error: { code } });
    expect(ran.err).toMatch(words);
    expect(readFileSync(books.database, 'hex')).toBe(before);
  });

  it('no books', async () => {
    rmSync(books.database);
    const ran = await backUp();
    expect([ran.exit, existsSync(books.database)]).toEqual([1, false]);
    expect(ran.err).toContain('there are no books in');
  });

  it('no tilld database', async () => {
    rmSync(books.database);
    change(books.database, 'CREATE TABLE recipes (id INTEGER)');
    expect((await backUp()).err).toContain('no money database of tilld');
    writeFileSync(books.database, 'x'.repeat(9000));
    expect((await backUp()).exit).toBe(1);
    expect(readdirSync(shelf)).toEqual([]);
  });
});

describe('what a backup holds of secrets', () => {
  /** Columns whose names sound like a secret, and why each may be in a backup. */
  const KNOWN: Readonly<Record<string, string>> = {
    'api_keys.hash': 'SHA-256 of a random key: opens nothing',
    'idempotency_keys.key': 'names a request of a till, opens nothing',
    'kept_answers.key': 'names a request of a till, opens nothing',
    'webhook_endpoints.sealed_secret': 'sealed with a key that is in no backup',
    'provider_slots.sealed_credentials': 'sealed with a key that is in no backup',
    'provider_slots.sealed_webhook_secrets': 'sealed with a key that is in no backup',
    'outbox.key': 'names a report to the service, opens nothing',
    'journal.hash': 'chains the rows',
    'audit_trail.hash': 'chains the entries',
    'passkeys.public_key': 'the public half: opens nothing',
    'pins.hash': 'salted scrypt of a PIN, which opens nothing without a paired device',
    'paired_devices.hash': 'SHA-256 of a random secret: opens nothing',
    'archived_chunks.hash': 'chains the rows',
    'retired_key_secrets.hash': 'SHA-256 of a random key: opens nothing',
    'retired_key_secrets.key_id': 'names a key, opens nothing',
    'page_sessions.hash': 'SHA-256 of a random secret: opens nothing',
    'key_audit.key_id': 'names a key, opens nothing',
  };

  it('is known of every column whose name sounds like one', () => {
    const columns = aMoneyDatabase()
      .all(
        `SELECT t.name || '.' || c.name AS name FROM pragma_table_list AS t JOIN pragma_table_xinfo(t.name) AS c
         WHERE t.schema = 'main' AND t.type = 'table'`,
      )
      .map((row) => (row as { name: string }).name);
    const secretive = columns.filter((name) =>
      /\.[^.]*(secret|token|password|credential|key|hash|code|pin)/i.test(name),
    );
    expect(secretive.filter((name) => !(name in KNOWN))).toEqual([]);
  });

  it('is nothing of the credentials folder', async () => {
    mkdirSync(join(books.folder, 'credentials'), { mode: 0o700 });
    writeFileSync(join(books.folder, 'credentials', 'service-key'), 'rk_live_very_secret', { mode: 0o600 });
    await backUp();
    expect(readFileSync(join(shelf, 'money.backup')).includes('rk_live_very_secret')).toBe(false);
  });
});
