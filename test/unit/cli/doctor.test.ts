import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { virtualZvt } from '../../../drivers/terminals/zvt/virtual.ts';
import { silentLog } from '../../../src/base/log.ts';
import type { CheckResult } from '../../../src/cli/offline/doctor/check-result.ts';
import { fileSystemFinding, inodeFinding, spaceFinding } from '../../../src/cli/offline/doctor/disk.ts';
import { checkSocketPath } from '../../../src/cli/offline/doctor/listeners.ts';
import { checkClock } from '../../../src/cli/offline/doctor/surroundings.ts';
import { systemClock } from '../../../src/runtime/system-clock.ts';
import { startVirtualTerminal } from '../../../src/sandbox/terminal/start-virtual-terminal.ts';
import { Database } from '../../../src/store/database.ts';
import { MONEY_MIGRATIONS } from '../../../src/store/schema/migrations.ts';
import { aFolder } from '../../support/money-database.ts';
import { textMemory, VIRTUAL_TERMINAL } from '../../support/shop.ts';
import { aDay, copyOf, type StateFiles, stateFilesOf } from './books.ts';
import { command, documentOf } from './command-line.ts';

/** A configuration that needs no credential. */
const CONFIG = {
  version: 1,
  environment: 'sandbox',
  listen: { port: 0 },
  sandbox: { terminals: [{ name: 'Counter 1', protocol: 'zvt' }] },
  devices: [
    {
      id: '0199c0de-0000-7000-8000-000000000001',
      name: 'Counter 1',
      driver: 'zvt',
      currency: 'EUR',
      link: { type: 'virtual', terminal: 'Counter 1' },
    },
  ],
};

const home = mkdtempSync(join(tmpdir(), 'tilld-doctor-'));
afterAll(() => rmSync(home, { recursive: true }));
/** The books of a day; each test has a copy of its own. */
let day: StateFiles | null = null;
let books: StateFiles;
beforeEach(async () => {
  day ??= copyOf(await stateFilesOf(aDay), join(home, 'state'));
  books = copyOf(day);
});

async function findings(
  more: readonly string[] = [],
  config: object = CONFIG,
): Promise<readonly CheckResult[]> {
  const file = join(dirname(books.folder), 'tilld.jsonc');
  writeFileSync(file, JSON.stringify(config));
  const ran = await command(['doctor', '--json', '--state-dir', books.folder, '--config', file, ...more]);
  const { data } = documentOf(ran.out) as { data: readonly CheckResult[] };
  expect(ran.exit).toBe(data.some(({ level }) => level === 'fail') ? 1 : 0);
  return data;
}

/** What is not well: id, level and words of each. A machine of developers may lack sqlite3. */
async function troubles(more?: readonly string[], config?: object) {
  const found = (await findings(more, config)).filter(({ id, level }) => level !== 'ok' && id !== 'recovery');
  return found.map(({ id, level, what }) => ({ id, level, what }));
}

function trouble(id: string, level: 'warn' | 'fail', words: string) {
  return { id, level, what: expect.stringContaining(words) };
}

function change(sql: string): void {
  const database = new Sqlite(books.database).unsafeMode();
  database.exec(sql);
  database.close();
}

/** Writes over the first page of a table. */
function spoilRootOf(table: string): void {
  const database = new Sqlite(books.database);
  const root = database.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').pluck().get(table);
  database.close();
  const image = readFileSync(books.database);
  image.fill(0xee, (Number(root) - 1) * 4096, Number(root) * 4096);
  writeFileSync(books.database, image);
}

/** Every file of the folder with its bytes and times. */
function picture(folder: string): unknown {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => [path, readFileSync(path, 'hex'), statSync(path).mtimeMs]);
}

describe('tillctl doctor', () => {
  it('finds nothing wrong with a shop that was stopped in good order, and leaves every file as it was', async () => {
    const before = picture(books.folder);
    expect(await troubles(['--full'])).toEqual([]);
    expect(picture(books.folder)).toEqual(before);
  });

  it('says what a terminal that answers needs from a person, also while no tilld runs', async () => {
    const deps = { clock: systemClock, log: silentLog, memory: textMemory() };
    const terminal = await startVirtualTerminal(VIRTUAL_TERMINAL, virtualZvt, deps);
    onTestFinished(() => terminal.stop());
    const port = Number(new URL(terminal.address).port);
    const link = { type: 'tcp', host: '127.0.0.1', port };
    const [device] = CONFIG.devices;
    const shop = { ...CONFIG, devices: [{ ...device, id: '0199c0de-0000-7000-8000-0000000000aa', link }] };
    const ofTerminal = async () => (await findings([], shop)).filter(({ id }) => id === 'terminal');
    expect(await ofTerminal()).toMatchObject([{ level: 'ok', what: expect.stringMatching(/answers: /) }]);
    terminal.setPaper(false);
    expect(await ofTerminal()).toMatchObject([
      {
        level: 'fail',
        what: expect.stringMatching(/^Counter 1 answers and needs a person: .*paper and cover/),
        fix: expect.not.stringMatching(/plugged in/),
      },
    ]);
  });

  it('leaves large books as they were, too, and nothing beside them', async () => {
    change(`INSERT INTO facts WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 66)
      SELECT 'large ' || i, printf('%.*c', 1048576, 'x') FROM n`);
    expect(statSync(books.database).size).toBeGreaterThan(67_108_864);
    await findings();
    const before = picture(books.folder);
    expect(await troubles()).toEqual([]);
    expect(picture(books.folder)).toEqual(before);
  });

  it('reads what a killed daemon left in its log, and changes nothing but the index of that log', async () => {
    const writer = Database.open(books.database, MONEY_MIGRATIONS, '0.1.0');
    writer.run("INSERT INTO facts (name, value) VALUES ('late', 'row')");
    const killed = copyOf(books);
    copyFileSync(`${books.database}-wal`, `${killed.database}-wal`);
    writer.close();
    books = killed;
    const before = picture(books.folder);
    expect(await troubles()).toEqual([]);
    rmSync(`${books.database}-shm`);
    expect(picture(books.folder)).toEqual(before);
  });

  it('looks at the books while a daemon writes them', async () => {
    const writer = Database.open(books.database, MONEY_MIGRATIONS, '0.1.0');
    onTestFinished(() => writer.close());
    writer.run("INSERT INTO facts (name, value) VALUES ('late', 'row')");
    expect(await troubles()).toEqual([]);
    writer.run("INSERT INTO facts (name, value) VALUES ('later', 'row')");
  });

  it('prints one line for each finding, with why it matters and what mends it', async () => {
    rmSync(books.epoch);
    const found = await findings();
    const file = join(dirname(books.folder), 'tilld.jsonc');
    const ran = await command(['doctor', '--state-dir', books.folder, '--config', file]);
    const lines = ran.out.trimEnd().split('\n');
    expect(lines).toHaveLength(found.length);
    const line = lines.find((words) => words.includes('epoch'));
    expect(line).toMatch(/^FAIL {2}epoch .*is gone\. Why it matters: .*\. Fix: systemctl start tilld/);
    expect(ran).toMatchObject({ exit: 1, err: '' });
  });

  it('names the first broken row with its payment', async () => {
    change('DROP TRIGGER journal_is_not_changed; UPDATE journal SET at = at + 1 WHERE seq = 7');
    const found = await troubles();
    expect(found).toEqual([
      trouble('database-schema', 'fail', 'trigger journal_is_not_changed'),
      trouble('journal-chain', 'fail', 'row 7 of the journal is the first broken one (payment '),
    ]);
  });

  it('says of a row whether what it says was changed or its hash', async () => {
    change(
      `DROP TRIGGER journal_is_not_changed; UPDATE journal SET hash = iif(hash LIKE '0%', '1', '0') || substr(hash, 2) WHERE seq = 9`,
    );
    expect(await troubles()).toContainEqual(trouble('journal-chain', 'fail', 'its hash was changed'));
  });

  it('names the first of the rows that were cut off at the end, which only the note beside the books knows', async () => {
    change('DROP TRIGGER journal_is_not_deleted; DELETE FROM journal WHERE seq > 33');
    rmSync(books.anchors);
    expect(await troubles()).toEqual([
      trouble('epoch', 'fail', 'had come further'),
      trouble('database-schema', 'fail', 'journal_is_not_deleted'),
      trouble(
        'journal-chain',
        'fail',
        'row 34 of the journal is the first broken one: the row is gone, and all up to row 35',
      ),
      trouble('journal-anchors', 'warn', 'never anchored'),
    ]);
  });
});

describe('what the doctor finds', () => {
  const put = (path: string, text: string, mode = 0o600) => {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(path, text, { mode });
    chmodSync(path, mode);
  };
  const state = (...names: string[]) => join(books.folder, ...names);
  const older = "UPDATE facts SET value = '9.9.0' WHERE name = 'min_writer'; PRAGMA user_version = 99";
  const LIVE = { version: 1, environment: 'live', service: { url: 'https://127.0.0.1:1' } };

  it.each<[string, 'warn' | 'fail', string, string, () => void]>([
    ['no note', 'fail', 'epoch', 'is gone', () => rmSync(books.epoch)],
    ['half a note', 'fail', 'epoch', 'cannot be read', () => writeFileSync(books.epoch, '{"epoch":"0199')],
    [
      'a note of another shop',
      'fail',
      'epoch',
      'about another database',
      () => writeFileSync(books.epoch, '{"epoch":"x","count":3,"hash":""}'),
    ],
    [
      'a note that is a folder',
      'fail',
      'epoch',
      'could not be examined',
      () => {
        rmSync(books.epoch);
        mkdirSync(books.epoch);
      },
    ],
    ['no books beside a note', 'fail', 'epoch', 'is gone: there were books', () => rmSync(books.database)],
    [
      'no folder',
      'fail',
      'state-folder',
      'there is no state folder',
      () => rmSync(books.folder, { recursive: true }),
    ],
    ['books of a later release', 'fail', 'database-version', 'a later release wrote it', () => change(older)],
    [
      'books that no tilld wrote',
      'fail',
      'database-version',
      'is empty',
      () => writeFileSync(books.database, ''),
    ],
    [
      'books that are none',
      'fail',
      'database',
      'not a database',
      () => writeFileSync(books.database, 'x'.repeat(5000)),
    ],
    [
      'books that end early',
      'fail',
      'database',
      'malformed',
      () => writeFileSync(books.database, readFileSync(books.database).subarray(0, -8192)),
    ],
    ['a page that is none', 'fail', 'database-pages', 'damaged', () => spoilRootOf('events')],
    [
      'an index that is gone',
      'fail',
      'database-schema',
      'index journal_by_attempt',
      () => change('DROP INDEX journal_by_attempt'),
    ],
    [
      'books out of WAL mode',
      'warn',
      'durability',
      'not in WAL mode',
      () => change('PRAGMA journal_mode = DELETE'),
    ],
    [
      'an anchor that is none',
      'fail',
      'journal-anchors',
      'line 1 of',
      () => writeFileSync(books.anchors, `??\n${readFileSync(books.anchors, 'utf8')}`),
    ],
    [
      'an anchor cut short',
      'warn',
      'journal-anchors',
      'cut short',
      () => writeFileSync(books.anchors, `${readFileSync(books.anchors, 'utf8')}{"on":"20`),
    ],
    [
      'a changed anchor',
      'fail',
      'journal-anchors',
      'of row 35 was changed',
      () =>
        writeFileSync(
          books.anchors,
          readFileSync(books.anchors, 'utf8').replace(/[0-9a-f]{64}/, 'a'.repeat(64)),
        ),
    ],
    [
      'a daemon that is gone',
      'warn',
      'holder',
      'names process 999999999, which is gone',
      () => put(state('tilld.pid'), '999999999 1\n', 0o644),
    ],
    [
      'a holder that is nobody',
      'warn',
      'holder',
      'does not name a process',
      () => put(state('tilld.pid'), 'x', 0o644),
    ],
    [
      'a secret for everybody',
      'fail',
      'permissions',
      'every user of this machine can read',
      () => put(state('credentials', 'other-key'), 'k', 0o644),
    ],
    [
      'books for everybody',
      'fail',
      'permissions',
      'money.db',
      () => {
        chmodSync(books.folder, 0o755);
        chmodSync(books.database, 0o644);
      },
    ],
    [
      'half a restore',
      'warn',
      'leftovers',
      'a restore that was interrupted',
      () => put(state('money.db.restoring-77'), 'x'),
    ],
    [
      'a report that is parked',
      'warn',
      'outbox',
      'because: the service says no',
      () => change("UPDATE outbox SET state = 'parked', last_error = 'the service says no' WHERE seq = 1"),
    ],
    [
      'a task',
      'warn',
      'tasks',
      '1 open task (memory_lost)',
      () =>
        change(
          "INSERT INTO tasks (id, kind, device_id, message, created_at) VALUES ('t', 'memory_lost', 'd', 'm', 1)",
        ),
    ],
  ])('%s: %s, by the id of %s, in words', async (_what, level, id, words, damage) => {
    damage();
    expect(await troubles()).toContainEqual(trouble(id, level, words));
  });

  it('a sale that is only listed is no fault, and what is written off is named until it is found out', async () => {
    change(
      "INSERT INTO tasks (id, kind, attempt_id, message, created_at) SELECT 't', 'invoice_unconfirmed', id, '', 1 FROM attempts LIMIT 1",
    );
    change("UPDATE attempts SET state = 'written_off', status = 'error' WHERE amount_minor = 4200");
    const found = await findings();
    expect(found).toContainEqual(
      expect.objectContaining({
        id: 'tasks',
        level: 'ok',
        what: expect.stringContaining('invoice_unconfirmed'),
      }),
    );
    expect(found).toContainEqual(
      expect.objectContaining({
        id: 'written-off',
        what: expect.stringMatching(/^1 payment is written off: it counts/),
      }),
    );
  });

  it('a payment in doubt, with its amount and since when', async () => {
    change(
      "UPDATE attempts SET state = 'in_doubt', completed_at = NULL, in_doubt_since = 1767603600000 WHERE amount_minor = 4200",
    );
    const found = await troubles();
    expect(found).toContainEqual(trouble('in-doubt', 'fail', 'in doubt since 2026-01-05T09:00:00.000Z'));
    expect(found).toContainEqual(trouble('in-doubt', 'fail', '42.00'));
  });

  it('a report that waits for long', async () => {
    expect(await findings()).toContainEqual(expect.objectContaining({ id: 'outbox', level: 'ok' }));
    change("UPDATE outbox SET state = 'pending', created_at = 1000 WHERE seq = 1");
    expect(await troubles()).toContainEqual(trouble('outbox', 'warn', 'the oldest since 1970-01-01'));
  });

  it('a service without a key, with a key that everybody can read, and with one that is no key', async () => {
    expect(await troubles([], LIVE)).toContainEqual(
      trouble('credentials', 'fail', 'no credential "service-key"'),
    );
    put(state('credentials', 'service-key'), 'rk_live_1', 0o644);
    expect(await troubles([], LIVE)).toContainEqual(trouble('credentials', 'fail', 'every user'));
    put(state('credentials', 'service-key'), 'two\nlines');
    expect(await troubles([], LIVE)).toContainEqual(trouble('credentials', 'fail', 'more than one line'));
    put(state('credentials', 'service-key'), 'rk_live_1');
    expect((await troubles([], LIVE)).map(({ id }) => id)).not.toContain('credentials');
  });

  it('a configuration that tilld would not start with, and still looks at the books', async () => {
    const found = await findings([], { ...CONFIG, nonsense: 1 });
    expect(found).toContainEqual(expect.objectContaining(trouble('config', 'fail', 'nonsense')));
    expect(found).toContainEqual(expect.objectContaining({ id: 'journal-chain', level: 'ok' }));
  });

  it('that it cannot know where the books are, without a configuration that says so', async () => {
    const ran = await command(['doctor', '--json', '--config', join(aFolder(), 'none.jsonc')]);
    expect(ran.exit).toBe(1);
    expect(documentOf(ran.out)).toMatchObject({
      data: [{ id: 'config' }, { id: 'state-folder', fix: expect.stringContaining('--state-dir') }],
    });
  });

  it('an index that lacks a row of its table, with --full', async () => {
    change(`PRAGMA writable_schema = ON; UPDATE sqlite_schema SET rootpage =
      (SELECT rootpage FROM sqlite_schema WHERE name = 'aliases_by_attempt') WHERE name = 'attempts_by_amount'`);
    expect(await troubles(['--full'])).toContainEqual(
      trouble('database-pages', 'fail', 'attempts_by_amount'),
    );
  });

  it('a reference that leads nowhere, with --full', async () => {
    change("PRAGMA foreign_keys = OFF; INSERT INTO aliases VALUES ('s', 'nobody')");
    expect(await troubles()).toEqual([]);
    expect(await troubles(['--full'])).toEqual([trouble('database-references', 'fail', 'aliases')]);
  });

  it('that a daemon is running and does not answer, unless it is not to ask', async () => {
    put(state('tilld.pid'), `${process.pid} unknown\n`, 0o644);
    expect(await troubles()).toContainEqual(trouble('daemon', 'fail', 'does not answer'));
    expect((await findings(['--offline'])).map(({ id }) => id)).not.toContain('daemon');
  });
});

describe('what the doctor makes of', () => {
  it('a state folder in which tilld was never started: nothing of the books is looked for', async () => {
    for (const name of readdirSync(books.folder)) rmSync(join(books.folder, name), { recursive: true });
    const failed = (await findings()).filter(({ level }) => level === 'fail');
    expect(failed).toEqual([]);
  });

  const MIB = 1_048_576;
  it.each([
    [10 * MIB, 'fail'],
    [100 * MIB, 'warn'],
    [10_000 * MIB, 'ok'],
  ])('%i free bytes: %s', (free, level) => {
    expect(spaceFinding('/state', free).level).toBe(level);
  });

  it.each([
    [3, 'fail'],
    [300, 'warn'],
    [30_000, 'ok'],
    [null, 'ok'],
  ])('room for %s more files: %s', (free, level) => {
    expect(inodeFinding('/state', free).level).toBe(level);
  });

  it.each([
    ['tmpfs', 0x01021994, 'fail'],
    ['NFS', 0x6969, 'fail'],
    ['CIFS, as a signed number', 0xff534d42 | 0, 'fail'],
    ['overlayfs', 0x794c7630, 'warn'],
    ['ext4', 0xef53, 'ok'],
  ])('%s (%i): %s', (_name, type, level) => {
    expect(fileSystemFinding('/state', type).level).toBe(level);
  });

  it.each([
    ['1970', 0, null, 'fail'],
    ['2025', Date.UTC(2025, 11, 31), null, 'fail'],
    ['2026', Date.UTC(2026, 10, 21), null, 'ok'],
    ['2101', Date.UTC(2101, 0, 1), null, 'fail'],
    ['a minute before the newest entry', Date.UTC(2026, 10, 21), Date.UTC(2026, 10, 21) + 60_000, 'ok'],
    ['ten minutes before it', Date.UTC(2026, 10, 21), Date.UTC(2026, 10, 21) + 600_000, 'warn'],
    ['a day before it', Date.UTC(2026, 10, 20), Date.UTC(2026, 10, 21), 'fail'],
  ])('a clock that says %s', (_what, now, newest, level) => {
    expect(checkClock({ now }, newest).level).toBe(level);
  });

  it('a folder whose socket has no room in its path', () => {
    const files = (socket: string) => ({ files: { socket } }) as Parameters<typeof checkSocketPath>[0];
    expect(checkSocketPath(files('/run/tilld.sock')).level).toBe('ok');
    expect(checkSocketPath(files(`/${'x'.repeat(107)}`))).toMatchObject({
      level: 'fail',
      what: expect.stringContaining('108 bytes'),
    });
  });
});
