import {
  copyFileSync,
  existsSync,
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
import { openMoney } from '../../../src/agent/money.ts';
import { silentLog } from '../../../src/base/log.ts';
import { Lifecycle } from '../../../src/runtime/lifecycle.ts';
import { holdStateFolder } from '../../../src/runtime/state-folder.ts';
import { systemClock } from '../../../src/runtime/system-clock.ts';
import { systemIds } from '../../../src/runtime/system-ids.ts';
import { Database } from '../../../src/store/database.ts';
import { noteEpoch } from '../../../src/store/epoch/epoch.ts';
import { noteRestored } from '../../../src/store/epoch/epoch-note.ts';
import { SqliteKeyStore } from '../../../src/store/keys/sqlite-key-store.ts';
import { SqlitePaymentStore } from '../../../src/store/payments/sqlite-payment-store.ts';
import { MONEY_MIGRATIONS } from '../../../src/store/schema/migrations.ts';
import { aFolder } from '../../support/money-database.ts';
import { aDay, copyOf, type StateFiles, stateFilesOf } from './books.ts';
import { command, documentOf } from './command-line.ts';

const home = mkdtempSync(join(tmpdir(), 'tilld-restore-'));
afterAll(() => rmSync(home, { recursive: true }));
let day: StateFiles | null = null;
let books: StateFiles;
let file = '';
/** Books of a day, and a backup of them. */
beforeEach(async () => {
  day ??= copyOf(await stateFilesOf(aDay), join(home, 'state'));
  books = copyOf(day);
  file = join(aFolder(), 'money.backup');
  await command(['backup', file, '--state-dir', books.folder]);
});

const ROLLED = { keyId: 'k', event: 'rolled', caller: 'socket', by: null, from: 'socket' } as const;

function inKeys(work: (keys: SqliteKeyStore) => void): void {
  const database = Database.open(books.database, MONEY_MIGRATIONS, '0.1.0');
  work(new SqliteKeyStore(database));
  database.close();
}

function restore(...more: readonly string[]) {
  return command(['restore', file, '--json', '--state-dir', books.folder, ...more]);
}

/** The shop goes on after the backup. */
function sellOn(rows = 3): void {
  const database = Database.open(books.database, MONEY_MIGRATIONS, '0.1.0');
  const store = new SqlitePaymentStore(database);
  const row = database.get('SELECT id FROM attempts LIMIT 1') as { id: string };
  for (let index = 0; index < rows; index += 1)
    store.appendJournal({
      attemptId: row.id,
      at: systemClock.now(),
      event: 'later',
      from: 'a',
      to: 'b',
      details: {},
    });
  noteEpoch(database, books.epoch);
  database.close();
}

function change(path: string, sql: string): void {
  const database = new Sqlite(path);
  database.exec(sql);
  database.close();
}

function rowsOf(path: string, sql: string): readonly unknown[] {
  const database = new Sqlite(path, { readonly: true });
  try {
    return database.prepare(sql).all();
  } finally {
    database.close();
  }
}

/** What the next start of the daemon makes of the folder. */
function nextStart() {
  const folder = holdStateFolder(books.folder);
  const lifecycle = new Lifecycle(silentLog);
  const money = openMoney({
    folder,
    version: '0.1.0',
    clock: systemClock,
    ids: systemIds,
    log: silentLog,
    lifecycle,
  });
  const found = {
    kind: money.epoch.kind,
    journal: money.journal,
    unanswered: money.database.all("SELECT unanswered FROM outbox WHERE state = 'pending'"),
  };
  money.database.close();
  folder.release();
  return found;
}

function asideIn(folder: string): readonly string[] {
  return readdirSync(folder).filter((name) => name.startsWith('money.db.replaced-'));
}

describe('tillctl restore', () => {
  it('puts the backup in place, keeps the old books, and tells what the next start will do', async () => {
    sellOn();
    const before = rowsOf(books.database, 'SELECT * FROM journal');
    const ran = await restore();
    expect(ran).toMatchObject({ exit: 0, err: '' });
    const { data } = documentOf(ran.out) as { data: { replaced: string; next_start: readonly string[] } };
    expect(data).toMatchObject({ payments: 7, journal: { rows: 35 }, rows_not_in_it: 3 });
    expect(data.next_start.join(' ')).toMatch(
      /restored database.*task-done.*3 entries of the journal.*API key/,
    );
    expect(rowsOf(books.database, 'SELECT * FROM journal')).toHaveLength(35);
    expect(rowsOf(data.replaced, 'SELECT * FROM journal')).toEqual(before);
    expect(readdirSync(books.folder).filter((name) => name.includes('restoring'))).toEqual([]);
  });

  it('makes the next start take it for an older memory, whose reports are looked up first', async () => {
    change(file, "UPDATE outbox SET state = 'pending', done_at = NULL, unanswered = 0 WHERE seq = 1");
    sellOn();
    await restore();
    expect(nextStart()).toMatchObject({
      kind: 'older',
      journal: { kind: 'whole' },
      unanswered: [{ unanswered: 1 }],
    });
    expect(nextStart().kind).toBe('same');
  });

  it('does so also where not one row was added since the backup: what was sent may have been', async () => {
    await restore();
    expect(nextStart().kind).toBe('older');
  });

  it('does so on a new machine, where nothing was before', async () => {
    rmSync(books.folder, { recursive: true });
    expect((await restore()).exit).toBe(0);
    expect([nextStart().kind, asideIn(books.folder)]).toEqual(['older', []]);
  });

  it('does so with the books of another shop', async () => {
    const other = await stateFilesOf(aDay);
    const theirs = join(aFolder(), 'money.backup');
    await command(['backup', theirs, '--state-dir', other.folder]);
    file = theirs;
    await restore();
    expect(nextStart().kind).toBe('foreign');
  });

  it('is known to the doctor until then', async () => {
    sellOn();
    await restore();
    const ran = await command(['doctor', '--json', '--state-dir', books.folder]);
    const { data } = documentOf(ran.out) as { data: readonly { id: string; level: string }[] };
    const levels = Object.fromEntries(data.map(({ id, level }) => [id, level]));
    expect([ran.exit, levels['epoch'], levels['journal-chain']]).toEqual([0, 'warn', 'ok']);
  });

  it('takes the log of the old books away with them, so that nothing of it gets into the new ones', async () => {
    const writer = Database.open(books.database, MONEY_MIGRATIONS, '0.1.0');
    writer.run("INSERT INTO facts (name, value) VALUES ('late', 'row')");
    const killed = copyOf(books);
    copyFileSync(`${books.database}-wal`, `${killed.database}-wal`);
    writer.close();
    books = killed;
    await restore();
    const [aside] = asideIn(books.folder).filter((name) => !/-(wal|shm)$/.test(name));
    const late = "SELECT * FROM facts WHERE name = 'late'";
    expect(existsSync(`${books.database}-wal`)).toBe(false);
    expect(rowsOf(books.database, late)).toEqual([]);
    expect(rowsOf(join(books.folder, aside ?? ''), late)).toHaveLength(1);
  });

  it('puts itself in the place of books that cannot even be opened, and keeps those, too', async () => {
    writeFileSync(books.database, 'rubbish');
    const ran = await restore();
    expect(documentOf(ran.out)).toMatchObject({ data: { rows_not_in_it: null, keys_kept_revoked: null } });
    expect(readFileSync(join(books.folder, asideIn(books.folder)[0] ?? ''), 'utf8')).toBe('rubbish');
    expect(nextStart()).toMatchObject({ kind: 'older', journal: { kind: 'whole', count: 35 } });
  });

  it('that was cut short leaves a memory that is asked about, with the old books or with none', async () => {
    noteRestored(books.epoch, { epoch: 'unused', count: 0, hash: '' });
    const without = copyOf(books);
    expect(nextStart().kind).toBe('older');
    rmSync(without.database);
    books = without;
    expect(nextStart().kind).toBe('fresh');
  });

  it('keeps every replaced database, also of two restores in one second', async () => {
    for (let time = 0; time < 3; time += 1) await restore();
    expect(asideIn(books.folder)).toHaveLength(3);
  });

  it('does not bring back an API key that was revoked since the backup', async () => {
    const key =
      "INSERT INTO api_keys (id, name, hash, scopes, allow, created_at) VALUES ('k', 'till', 'h', '[]', '[]', 1)";
    change(file, key);
    change(books.database, `${key}; UPDATE api_keys SET revoked_at = 99`);
    const ran = await restore();
    expect(documentOf(ran.out)).toMatchObject({ data: { api_keys: 0, keys_kept_revoked: 1 } });
    expect(rowsOf(books.database, 'SELECT revoked_at FROM api_keys')).toEqual([{ revoked_at: 99 }]);
  });

  it('gives no terminal its voids back, nor believes one, that was found out since the backup', async () => {
    change(
      books.database,
      "UPDATE terminals SET void_withdrawn = 1, set_aside = 'another terminal answered'",
    );
    await restore();
    const kept = [{ void_withdrawn: 1, set_aside: 'another terminal answered' }];
    expect(rowsOf(books.database, 'SELECT void_withdrawn, set_aside FROM terminals')).toEqual(kept);
  });

  it('does not let a person in whose sign-in was ended since the backup', async () => {
    const person = "INSERT INTO people (id, name, role, created_at) VALUES ('p', 'Anna', 'ops', 1)";
    change(file, person);
    change(books.database, `${person}; UPDATE people SET disabled_at = 99`);
    await restore();
    expect(rowsOf(books.database, 'SELECT disabled_at FROM people')).toEqual([{ disabled_at: 99 }]);
  });

  it.each(['of a person', 'of a paired device'])(
    'does not bring back the sign-in %s that was ended before an older backup was restored',
    async (what) => {
      const [table, column] =
        what === 'of a person' ? ['people', 'disabled_at'] : ['paired_devices', 'withdrawn_at'];
      const rows = `INSERT INTO people (id, name, role, created_at) VALUES ('p', 'Anna', 'ops', 1);
        INSERT INTO paired_devices (id, name, hash, paired_at) VALUES ('d', 'tablet', 'h', 1)`;
      const later = join(aFolder(), 'later.backup');
      copyFileSync(file, later);
      change(later, rows);
      change(books.database, `${rows}; UPDATE ${table} SET ${column} = 99`);
      await restore();
      expect(rowsOf(books.database, `SELECT ${column} FROM ${table}`)).toEqual([]);
      file = later;
      await restore();
      expect(rowsOf(books.database, `SELECT ${column} FROM ${table}`)).toEqual([{ [column]: 99 }]);
    },
  );

  it('does not bring back a passkey, a PIN or a paired device that was given up since the backup', async () => {
    const ways = `INSERT INTO people (id, name, role, created_at) VALUES ('p', 'Anna', 'ops', 1), ('q', 'Berta', 'ops', 1);
      INSERT INTO passkeys (id, person_id, public_key, counter, created_at) VALUES ('lost', 'p', 'k', 0, 1), ('kept', 'p', 'k', 0, 1);
      INSERT INTO pins (person_id, hash, set_at) VALUES ('p', 'old', 1), ('q', 'same', 1);
      INSERT INTO paired_devices (id, name, hash, paired_at) VALUES ('d', 'tablet', 'h', 1)`;
    change(file, ways);
    const since = `DELETE FROM passkeys WHERE id = 'lost'; UPDATE pins SET hash = 'new' WHERE person_id = 'p';
      UPDATE paired_devices SET withdrawn_at = 99`;
    change(books.database, `${ways}; ${since}`);
    await restore();
    expect(rowsOf(books.database, 'SELECT id FROM passkeys')).toEqual([{ id: 'kept' }]);
    expect(rowsOf(books.database, 'SELECT person_id FROM pins')).toEqual([{ person_id: 'q' }]);
    expect(rowsOf(books.database, 'SELECT withdrawn_at FROM paired_devices')).toEqual([{ withdrawn_at: 99 }]);
  });

  it('does not bring back a secret that was rolled away since the backup, nor lose who did it', async () => {
    const make = (database: string) =>
      change(
        database,
        `INSERT INTO api_keys (id, name, hash, scopes, allow, created_at) VALUES ('k', 'till', 'first', '["payments:read"]', '[]', 1);
         INSERT INTO key_audit (key_id, at, event, caller) VALUES ('k', 1, 'created', 'socket')`,
      );
    make(file);
    make(books.database);
    inKeys((keys) => keys.roll('k', 'second', { ...ROLLED, at: 2, overlapEndsAt: 50 }));
    inKeys((keys) => keys.roll('k', 'third', { ...ROLLED, at: 3, overlapEndsAt: 90 }));
    await restore();
    inKeys((keys) => {
      const endOf = (hash: string) => keys.byHash(hash)?.secret.endsAt;
      expect([endOf('first'), endOf('second'), endOf('third')]).toEqual([0, 90, null]);
      expect(keys.audit('k').map(({ at, event }) => [at, event])).toEqual([
        [3, 'rolled'],
        [2, 'rolled'],
        [1, 'created'],
      ]);
    });
  });

  it('does not bring back a key that was made and revoked since, by a later restore of a backup from in between', async () => {
    const later = join(aFolder(), 'later.backup');
    change(
      books.database,
      "INSERT INTO api_keys (id, name, hash, scopes, allow, created_at) VALUES ('k', 'till', 'h', '[\"payments:read\"]', '[]', 1)",
    );
    await command(['backup', later, '--state-dir', books.folder]);
    change(books.database, 'UPDATE api_keys SET revoked_at = 99');
    await restore();
    const before = readdirSync(books.folder).filter((name) => name.startsWith('money.db.replaced-'));
    for (const name of before) rmSync(join(books.folder, name));
    file = later;
    await restore();
    expect(rowsOf(books.database, 'SELECT id, revoked_at FROM api_keys')).toEqual([
      { id: 'k', revoked_at: 99 },
    ]);
  });

  it('does not bring back a secret that was rolled away before an older backup was restored', async () => {
    const later = join(aFolder(), 'later.backup');
    change(
      books.database,
      "INSERT INTO api_keys (id, name, hash, scopes, allow, created_at) VALUES ('k', 'till', 'first', '[\"payments:read\"]', '[]', 1)",
    );
    await command(['backup', later, '--state-dir', books.folder]);
    inKeys((keys) => keys.roll('k', 'second', { ...ROLLED, at: 2, overlapEndsAt: 0 }));
    await restore();
    file = later;
    await restore();
    inKeys((keys) =>
      expect([keys.byHash('first')?.secret.endsAt, keys.byHash('second')?.secret.endsAt]).toEqual([0, null]),
    );
  });

  it('does not bring back a session of the pages that has ended since', async () => {
    const session = (id: string) =>
      `INSERT INTO page_sessions (id, hash, role, created_at, expires_at) VALUES ('${id}', 'of ${id}', 'ops', 1, 9e15)`;
    for (const id of ['open', 'ended']) change(file, session(id));
    change(books.database, `${session('open')}; ${session('later')}`);
    await restore();
    expect(rowsOf(books.database, 'SELECT id FROM page_sessions')).toEqual([{ id: 'open' }]);
  });

  it('counts the entries that are not in it, also where its journal is the longer one', async () => {
    const other = await stateFilesOf(aDay);
    const theirs = join(aFolder(), 'money.backup');
    await command(['backup', theirs, '--state-dir', other.folder]);
    file = theirs;
    const { data } = documentOf((await restore()).out) as {
      data: { rows_not_in_it: number; next_start: readonly string[] };
    };
    expect(data.rows_not_in_it).toBe(35);
    expect(data.next_start.join(' ')).toMatch(/35 entries of the journal that was here are not in this one/);
  });

  it('says that every entry is in it only where that is so', async () => {
    const { data } = documentOf((await restore()).out) as {
      data: { rows_not_in_it: number; next_start: readonly string[] };
    };
    expect(data.rows_not_in_it).toBe(0);
    expect(data.next_start.join(' ')).toMatch(/Every entry of the journal that was here is in this one, too/);
  });

  it('leaves the secrets of a backup that is newer than the books as they are', async () => {
    const key =
      "INSERT INTO api_keys (id, name, hash, scopes, allow, created_at) VALUES ('k', 'till', 'first', '[\"payments:read\"]', '[]', 1)";
    change(books.database, key);
    change(
      file,
      `${key}; UPDATE api_keys SET hash = 'second'; INSERT INTO retired_key_secrets (hash, key_id, ends_at) VALUES ('first', 'k', 70)`,
    );
    await restore();
    inKeys((keys) =>
      expect([keys.byHash('first')?.secret.endsAt, keys.byHash('second')?.secret.endsAt]).toEqual([70, null]),
    );
  });

  it('makes files that belong to whom the old ones belonged, and that others cannot read', async () => {
    await restore();
    const { uid, mode } = statSync(books.database);
    expect([uid, mode & 0o007]).toEqual([statSync(books.folder).uid, 0]);
  });
});

describe('a restore that is refused changes nothing', () => {
  const picture = () =>
    readdirSync(books.folder).map((name) => [name, readFileSync(join(books.folder, name), 'hex')]);

  it('while a daemon holds the folder', async () => {
    const folder = holdStateFolder(books.folder);
    onTestFinished(() => folder.release());
    const before = readFileSync(books.database, 'hex');
    const ran = await restore();
    expect(ran.exit).toBe(1);
    expect(documentOf(ran.out)).toMatchObject({ error: { code: 'state_folder_held' } });
    expect(readFileSync(books.database, 'hex')).toBe(before);
    expect(existsSync(join(books.folder, 'tilld.pid'))).toBe(true);
  });

  it.each<[string, RegExp, () => void]>([
    ['a file that is not there', /there is no file/, () => rmSync(file)],
    [
      'the books themselves',
      /are the books themselves/,
      () => {
        file = books.database;
      },
    ],
    ['a file that is no database', /not a database/, () => writeFileSync(file, 'x'.repeat(5000))],
    ['an empty file', /no money database of tilld/, () => writeFileSync(file, '')],
    ['half a backup', /malformed/, () => writeFileSync(file, readFileSync(file).subarray(0, 20_480))],
    [
      'a database of something else',
      /no money database of tilld/,
      () => {
        rmSync(file);
        change(file, 'CREATE TABLE recipes (id INTEGER)');
      },
    ],
    [
      'a backup of a later release',
      /install tilld 9\.9\.0/,
      () =>
        change(file, "UPDATE facts SET value = '9.9.0' WHERE name = 'min_writer'; PRAGMA user_version = 99"),
    ],
    [
      'a backup whose journal was changed',
      /row 5 of the journal/,
      () => change(file, 'DROP TRIGGER journal_is_not_changed; UPDATE journal SET at = 1 WHERE seq = 5'),
    ],
    [
      'a backup with a row that leads nowhere',
      /names what is not there/,
      () => change(file, "PRAGMA foreign_keys = OFF; INSERT INTO aliases VALUES ('s', 'nobody')"),
    ],
  ])('for %s', async (_what, words, damage) => {
    damage();
    const before = picture();
    const ran = await restore();
    expect(ran.exit).toBe(1);
    expect(ran.err).toMatch(words);
    expect(picture()).toEqual(before);
  });

  it('for a broken journal it is not, by somebody who knows of it', async () => {
    change(file, 'DROP TRIGGER journal_is_not_changed; UPDATE journal SET at = 1 WHERE seq = 5');
    expect((await restore('--broken-journal')).exit).toBe(0);
  });
});
