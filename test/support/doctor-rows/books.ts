import { hash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { onTestFinished } from 'vitest';
import { openArchive } from '../../../src/store/archive/archive.ts';
import { noteLastBackup } from '../../../src/store/backup/last-backup.ts';
import { RESERVE_BYTES } from '../../../src/store/disk/reserve-file.ts';
import { readEpochNote, writeEpochNote } from '../../../src/store/epoch/epoch-note.ts';
import type { DiagnosticContext } from '../doctor-table.ts';
import { needsRoot, type Row, row } from './row.ts';

/** What statfs(2) says of a file system in memory. */
const TMPFS = 0x01021994;
const isInMemory = (path: string) => existsSync(path) && statfsSync(path).type === TMPFS;

const DAY_MS = 86_400_000;
const NOBODY = 65_534;
const DAMAGED_PAGE = 0xee;

const CHAIN_BEGINS = '0'.repeat(64);
const sha256 = (before: string, fields: readonly unknown[]) =>
  hash('sha256', `${before}\n${JSON.stringify(fields)}`);

/** The first rows are said to be in the archive. */
const ARCHIVED = `INSERT INTO archived_chunks SELECT seq, hash, 0, 'd', 1 FROM journal WHERE seq = 5;
  DELETE FROM journal WHERE seq <= 5`;

/** The state folder, its disk and its books. */
export const BOOKS: readonly Row[] = [
  row(
    'no state folder',
    ['state-folder', 'fail'],
    'there is no state folder',
    'tillctl doctor --state-dir',
    (shop) => rmSync(shop.books.folder, { recursive: true }),
  ),
  row(
    'a state folder that is a file',
    ['state-folder', 'fail'],
    'is not a folder',
    'tillctl doctor',
    (shop) => {
      rmSync(shop.books.folder, { recursive: true });
      writeFileSync(shop.books.folder, '');
    },
  ),
  row(
    'a state folder that is closed to who asks',
    ['state-folder', 'fail'],
    'you may not look into',
    'sudo tillctl doctor',
    (shop) => {
      chmodSync(shop.books.folder, 0o700);
      shop.user = NOBODY;
    },
    needsRoot,
  ),
  row(
    'books that somebody else owns',
    ['permissions', 'warn'],
    'belongs to user 65534',
    'chown 0:0',
    (shop) => chownSync(shop.books.database, NOBODY, NOBODY),
    needsRoot,
  ),
  row('books that everybody reads', ['permissions', 'fail'], 'money.db', 'chmod o-rwx', (shop) => {
    chmodSync(shop.books.folder, 0o755);
    chmodSync(shop.books.database, 0o644);
  }),
  row('a secret that everybody reads', ['permissions', 'fail'], 'other-key', 'chmod o-rwx', (shop) =>
    shop.put(shop.state('credentials', 'other-key'), 'k', 0o644),
  ),
  row(
    'books that the user of tilld may not write',
    ['writable', 'fail'],
    'you may not write',
    'chown tilld:',
    (shop) => {
      chmodSync(shop.books.folder, 0o755);
      for (const name of ['database', 'epoch', 'anchors'] as const) chmodSync(shop.books[name], 0o644);
      shop.user = NOBODY;
    },
    needsRoot,
  ),
  row(
    'a disk that forgets at a restart',
    ['file-system', 'fail'],
    'is on tmpfs',
    'tilld --state-dir',
    (shop) => {
      const folder = `/dev/shm/tilld-doctor-${process.pid}`;
      mkdirSync(folder, { mode: 0o700 });
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
      shop.options = { stateDir: folder };
    },
    () => (isInMemory('/dev/shm') ? null : ' (skipped: /dev/shm is no tmpfs here)'),
  ),
  row('a write-ahead log that nobody folds in', ['log-size', 'warn'], '65 MiB', 'fuser money.db', (shop) => {
    shop.put(`${shop.books.database}-wal`, '');
    truncateSync(`${shop.books.database}-wal`, 65 * 1_048_576);
  }),
  row('a ballast that was thrown overboard', ['ballast', 'fail'], 'was given up', 'du -xh', (shop) => {
    shop.put(shop.state('tilld.pid'), `${process.pid} unknown\n`, 0o644);
    shop.put(shop.state('ballast'), '');
    truncateSync(shop.state('ballast'), RESERVE_BYTES / 2);
  }),
  row('a daemon that was killed', ['holder', 'warn'], 'which is gone', 'systemctl start tilld', (shop) =>
    shop.put(shop.state('tilld.pid'), '999999999 1\n', 0o644),
  ),
  row(
    'a holder that is nobody',
    ['holder', 'warn'],
    'does not name a process',
    'systemctl start tilld',
    (shop) => shop.put(shop.state('tilld.pid'), 'x', 0o644),
  ),
  row(
    'a daemon that another user has started by hand',
    ['holder', 'warn'],
    'running as user',
    'chown -R 65534',
    (shop) => {
      shop.put(shop.state('tilld.pid'), `${process.pid} unknown\n`, 0o644);
      chownSync(shop.books.folder, NOBODY, NOBODY);
    },
    needsRoot,
  ),
  row(
    'a daemon that does not answer',
    ['daemon', 'fail'],
    'does not answer',
    'systemctl restart tilld',
    (shop) => shop.put(shop.state('tilld.pid'), `${process.pid} unknown\n`, 0o644),
  ),
  row('half a restore', ['leftovers', 'warn'], 'a restore that was interrupted', 'tillctl restore', (shop) =>
    shop.put(shop.state('money.db.restoring-77'), 'x'),
  ),
  row(
    'a socket that nobody is behind',
    ['socket', 'warn'],
    'is left over',
    'systemctl start tilld',
    async (shop) => {
      const server = createServer();
      onTestFinished(() => void server.close());
      await new Promise<void>((resolve) => server.listen(shop.state('tilld.sock'), () => resolve()));
    },
  ),
  row('something else where the socket is to be', ['socket', 'fail'], 'is no socket', 'mv ', (shop) =>
    shop.put(shop.state('tilld.sock'), 'x'),
  ),
  row(
    'a socket path that is too long',
    ['socket-path', 'fail'],
    'the system allows 107',
    'tilld --state-dir',
    (shop) => {
      const folder = `${dirname(shop.books.folder)}/${'deep'.repeat(25)}`;
      mkdirSync(folder, { mode: 0o700 });
      shop.options = { stateDir: folder };
    },
  ),
  row('books that are none', ['database', 'fail'], 'not a database', 'tillctl restore', (shop) =>
    writeFileSync(shop.books.database, 'x'.repeat(5000)),
  ),
  row('books that end early', ['database', 'fail'], 'malformed', 'tillctl restore', (shop) =>
    writeFileSync(shop.books.database, readFileSync(shop.books.database).subarray(0, -8192)),
  ),
  row('books that no tilld wrote', ['database-version', 'fail'], 'is empty', 'tillctl restore', (shop) =>
    writeFileSync(shop.books.database, ''),
  ),
  row(
    'books of a later release',
    ['database-version', 'fail'],
    'a later release wrote it',
    'apt-get install tilld',
    (shop) =>
      shop.change("UPDATE facts SET value = '9.9.0' WHERE name = 'min_writer'; PRAGMA user_version = 99"),
  ),
  row(
    'a page that is none',
    ['database-pages', 'fail'],
    'the file is damaged',
    'tillctl restore',
    spoilEvents,
  ),
  row(
    'an index that is gone',
    ['database-schema', 'fail'],
    'index journal_by_attempt',
    'tillctl restore',
    (shop) => shop.change('DROP INDEX journal_by_attempt'),
  ),
  row(
    'a guard that is gone',
    ['database-schema', 'fail'],
    'trigger journal_is_not_deleted',
    'tillctl restore',
    (shop) => shop.change('DROP TRIGGER journal_is_not_deleted'),
  ),
  row(
    'a reference that leads nowhere',
    ['database-references', 'fail'],
    'aliases',
    'tillctl restore',
    (shop) => {
      shop.change("PRAGMA foreign_keys = OFF; INSERT INTO aliases VALUES ('s', 'nobody')");
      shop.options = { full: true };
    },
  ),
  row(
    'pages that nobody has read since',
    ['unread-pages', 'warn'],
    'for 8 days',
    'tillctl doctor --full',
    (shop) => {
      const noted = join(shop.books.folder, 'unread-pages');
      writeFileSync(noted, 'to be read while no payment runs\n');
      utimesSync(noted, shop.now / 1_000, shop.now / 1_000 - 8 * 86_400 - 60);
    },
  ),
  row(
    'no program that recovers pages',
    ['recovery', 'warn'],
    'sqlite3 is not installed',
    'apt-get install sqlite3',
    (shop) => {
      shop.machine = { ...shop.machine, recoveryProgram: () => 'missing' };
    },
  ),
  row('books out of WAL mode', ['durability', 'warn'], 'not in WAL mode', 'systemctl start tilld', (shop) =>
    shop.change('PRAGMA journal_mode = DELETE'),
  ),
  row(
    'a row of the journal that was changed',
    ['journal-chain', 'fail'],
    'row 7 of the journal',
    'tillctl restore',
    (shop) =>
      shop.change('DROP TRIGGER journal_is_not_changed; UPDATE journal SET at = at + 1 WHERE seq = 7'),
  ),
  row(
    'rows of the journal that were cut off',
    ['journal-chain', 'fail'],
    'row 34 of the journal',
    'tillctl restore',
    (shop) => shop.change('DROP TRIGGER journal_is_not_deleted; DELETE FROM journal WHERE seq > 33'),
  ),
  row(
    'an entry of the audit trail that was changed',
    ['audit-trail', 'fail'],
    'entry 2 of the audit trail',
    'tillctl people audit',
    (shop) =>
      shop.change(`INSERT INTO audit_trail VALUES (1, 1, 'person_added', 'p', 'socket', 'socket', '{}',
        '${sha256(CHAIN_BEGINS, [1, 1, 'person_added', 'p', 'socket', 'socket', '{}'])}');
        INSERT INTO audit_trail VALUES (2, 2, 'person_disabled', 'p', 'socket', 'socket', '{}', '${CHAIN_BEGINS}')`),
  ),
  row(
    'entries of the audit trail that were cut off',
    ['audit-trail', 'fail'],
    'had 7 entries, and its end was cut off',
    'tillctl people audit',
    ({ books }) => {
      const found = readEpochNote(books.epoch);
      if (found.kind !== 'note') throw new Error(`a note that is ${found.kind}`);
      writeEpochNote(books.epoch, { ...found.note, audit: { count: 7, hash: CHAIN_BEGINS } });
    },
  ),
  row('an anchor that is none', ['journal-anchors', 'fail'], 'line 1 of', 'cp ', (shop) =>
    writeFileSync(shop.books.anchors, `??\n${readFileSync(shop.books.anchors, 'utf8')}`),
  ),
  row('an anchor that was changed', ['journal-anchors', 'fail'], 'of row 35 was changed', 'cp ', (shop) =>
    writeFileSync(
      shop.books.anchors,
      readFileSync(shop.books.anchors, 'utf8').replace(/[0-9a-f]{64}/, 'a'.repeat(64)),
    ),
  ),
  row('an anchor that is cut short', ['journal-anchors', 'warn'], 'cut short', 'cp ', (shop) =>
    writeFileSync(shop.books.anchors, `${readFileSync(shop.books.anchors, 'utf8')}{"on":"20`),
  ),
  row(
    'a journal that nobody anchors',
    ['journal-anchors', 'warn'],
    'never anchored',
    'systemctl restart tilld',
    (shop) => rmSync(shop.books.anchors),
  ),
  row('no note beside the books', ['epoch', 'fail'], 'is gone', 'start tilld', (shop) =>
    rmSync(shop.books.epoch),
  ),
  row(
    'books of another machine',
    ['identity', 'fail'],
    'identity of this machine',
    'tillctl tasks',
    (shop) => {
      shop.machine = { ...shop.machine, etc: shop.state('etc') };
      shop.put(shop.state('etc', 'machine-id'), `${'ab'.repeat(16)}\n`);
      shop.change(identity({ machine: 'another' }));
    },
  ),
  row('books whose note outside is gone', ['identity', 'fail'], 'is not there', 'tillctl task-done', (shop) =>
    shop.change(identity({ outside: shop.state('..', 'elsewhere') })),
  ),
  row(
    'older books than the note outside knows',
    ['identity', 'fail'],
    'newer journal',
    'tillctl tasks',
    (shop) => {
      const outside = shop.state('..', 'outside');
      const note = { epoch: 'another', count: 99, hash: 'x', instance: 'i' };
      shop.put(outside, JSON.stringify(note));
      shop.change(identity({ outside }));
    },
  ),
  row(
    'a copy that nobody has compared yet',
    ['identity', 'fail'],
    'found at a start',
    'tillctl tasks',
    (shop) => {
      shop.change(identity({ copied: 'unknown_attempt' }));
      shop.change(COMPARE_TASK);
    },
  ),
  row(
    'no place for a note outside the books',
    ['identity', 'warn'],
    'nothing outside the state folder',
    'systemctl restart tilld',
    (shop) => shop.change(identity({ lack: 'it is read-only' })),
  ),
  row(
    'a machine without an identity',
    ['identity', 'warn'],
    'has no identity',
    'systemctl restart tilld',
    (shop) => {
      const outside = shop.state('..', 'outside');
      shop.put(outside, JSON.stringify({ epoch: '', count: 0, hash: '', instance: 'i' }));
      shop.change(identity({ outside }));
    },
  ),
  row('a note of another shop', ['epoch', 'fail'], 'about another database', 'start tilld', (shop) =>
    writeFileSync(shop.books.epoch, '{"epoch":"x","count":3,"hash":""}'),
  ),
  row('no books beside a note', ['epoch', 'fail'], 'there were books', 'tillctl restore', (shop) =>
    rmSync(shop.books.database),
  ),
  row('an archive that is gone', ['archive', 'fail'], 'archive.db is gone', 'tillctl restore', (shop) =>
    shop.change(ARCHIVED),
  ),
  row('an archive that is damaged', ['archive', 'fail'], 'cannot be read', 'tillctl restore', (shop) => {
    shop.change(ARCHIVED);
    shop.put(shop.state('archive.db'), 'x'.repeat(8_192));
  }),
  row(
    'an archive without what left the books',
    ['archive', 'fail'],
    'rows 1 to 5',
    'tillctl restore',
    (shop) => {
      shop.change(ARCHIVED);
      openArchive(shop.state('archive.db'), '0.1.0').close();
    },
  ),
  row('an archive of another time', ['archive', 'fail'], 'other rows 1 to 5', 'mv ', (shop) => {
    const archive = openArchive(shop.state('archive.db'), '0.1.0');
    archive.run(
      "INSERT INTO chunks VALUES (5, 1, ?, ?, 1, 0, 'd', x'00', x'00')",
      ...['0'.repeat(64), 'f'.repeat(64)],
    );
    archive.close();
  }),
  row(
    'a payment that keeps all timelines here',
    ['archive-held', 'warn'],
    'has not ended',
    'tillctl',
    (shop) => {
      shop.change('UPDATE attempts SET completed_at = NULL WHERE seq = 1');
      shop.now += 500 * DAY_MS;
    },
  ),
  row('no backup ever', ['backup', 'warn'], 'never backed up', 'tillctl backup', (shop) =>
    rmSync(shop.state('last-backup')),
  ),
  row('a backup of three weeks ago', ['backup', 'warn'], '21 days old', 'tillctl backup', (shop) => {
    noteLastBackup(shop.state('last-backup'), {
      at: shop.now - 21 * DAY_MS,
      file: '/mnt/usb/tilld.db',
      sha256: 'f0',
    });
  }),
  row('a payment in doubt since a moment', ['in-doubt', 'warn'], '42.00', 'tillctl resolve', (shop) =>
    inDoubt(shop, shop.now - 60_000),
  ),
  row('a payment in doubt since days', ['in-doubt', 'fail'], 'in doubt since', 'tillctl explain', (shop) =>
    inDoubt(shop, shop.now - 3 * DAY_MS),
  ),
  row(
    'a report that is parked',
    ['outbox', 'warn'],
    'because: the service says no',
    'tillctl outbox retry',
    (shop) =>
      shop.change("UPDATE outbox SET state = 'parked', last_error = 'the service says no' WHERE seq = 1"),
  ),
  row('a report that waits for long', ['outbox', 'warn'], 'the oldest since 1970', 'tillctl status', (shop) =>
    shop.change("UPDATE outbox SET state = 'pending', created_at = 1000 WHERE seq = 1"),
  ),
  row(
    'payments that nobody is told of, by a setting',
    ['owed-reports', 'warn'],
    '"service.create_local" is off',
    'tillctl config check',
    (shop) => {
      shop.service('http://127.0.0.1:1', { create_local: 'off' });
      shop.change("UPDATE outbox SET state = 'pending' WHERE kind = 'create'");
    },
  ),
  row(
    'a task that nobody has done',
    ['tasks', 'warn'],
    '1 open task (memory_lost)',
    'tillctl tasks',
    (shop) =>
      shop.change(
        "INSERT INTO tasks (id, kind, device_id, message, created_at) VALUES ('t', 'memory_lost', 'd', 'm', 1)",
      ),
  ),
];

const COMPARE_TASK =
  "INSERT INTO tasks (id, kind, device_id, message, created_at) VALUES ('t', 'memory_lost', 'd', 'm', 1)";

/** Where the books were used last, as they say themselves. */
function identity(changes: object): string {
  const facts = { instance: 'i', machine: null, hardware: null, outside: null, lack: null, copied: null };
  return `INSERT INTO facts (name, value) VALUES ('identity', '${JSON.stringify({ ...facts, ...changes })}')`;
}

function inDoubt(shop: DiagnosticContext, since: number): void {
  shop.change(
    `UPDATE attempts SET state = 'in_doubt', completed_at = NULL, in_doubt_since = ${since} WHERE amount_minor = 4200`,
  );
}

/** Writes over the first page of a table. */
function spoilEvents({ books }: DiagnosticContext): void {
  const database = new Sqlite(books.database);
  const root = Number(
    database.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'events'").pluck().get(),
  );
  database.close();
  const image = readFileSync(books.database);
  image.fill(DAMAGED_PAGE, (root - 1) * 4096, root * 4096);
  writeFileSync(books.database, image);
}
