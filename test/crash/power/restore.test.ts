import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openMoney } from '../../../src/agent/money.ts';
import { silentLog } from '../../../src/base/log.ts';
import { Lifecycle } from '../../../src/runtime/lifecycle.ts';
import { holdStateFolder } from '../../../src/runtime/state-folder.ts';
import { systemClock } from '../../../src/runtime/system-clock.ts';
import { systemIds } from '../../../src/runtime/system-ids.ts';
import { Database } from '../../../src/store/database.ts';
import { noteEpoch } from '../../../src/store/epoch/epoch.ts';
import { SqlitePaymentStore } from '../../../src/store/payments/sqlite-payment-store.ts';
import { MONEY_MIGRATIONS } from '../../../src/store/schema/migrations.ts';
import { fastFolder } from '../../simulation/fast-folder.ts';
import { aFolder } from '../../support/money-database.ts';
import { aDay, copyOf, type StateFiles, stateFilesOf } from '../../unit/cli/books.ts';
import { command } from '../../unit/cli/command-line.ts';
import { buildRecorder, hasCompiler } from '../record/build.ts';
import { readRecording, recordingEnvironment } from '../record/recording.ts';
import { Disk, isIndex } from './disk.ts';
import { boundariesOf } from './expectation.ts';
import { writeFiles } from './image-folder.ts';
import { imageAfterCut } from './loss.ts';

const TILLCTL = join(import.meta.dirname, '../../../src/cli/tillctl.ts');
const LONG_MS = 600_000;
/** Entries of the journal in the backup, and those that were written after it: they are in the log of the database alone. */
const [IN_BACKUP, SINCE] = [35, 3];
const SEEDS = [0, 1, 2, 3, 5, 7];
const KEY = `INSERT INTO api_keys (id, name, hash, scopes, allow, created_at) VALUES ('k', 'till', 'h', '["payments:read"]', '[]', 1)`;

/** Killed books whose last entries are in their log, and a backup from before them in which a key is valid that was revoked since. */
async function aKilledShop(): Promise<{ readonly state: string; readonly backup: string }> {
  const books = await stateFilesOf(aDay);
  change(books.database, KEY);
  const backup = join(aFolder(), 'money.backup');
  expect((await command(['backup', backup, '--state-dir', books.folder])).exit).toBe(0);
  return { state: killed(books), backup };
}

function change(path: string, sql: string): void {
  const database = new Sqlite(path);
  database.exec(sql);
  database.close();
}

function killed(books: StateFiles): string {
  const database = Database.open(books.database, MONEY_MIGRATIONS, '0.1.0');
  const store = new SqlitePaymentStore(database);
  const row = database.get('SELECT id FROM attempts LIMIT 1') as { id: string };
  const entry = { attemptId: row.id, at: systemClock.now(), event: 'later', from: 'a', to: 'b', details: {} };
  for (let index = 0; index < SINCE; index += 1) store.appendJournal(entry);
  database.run('UPDATE api_keys SET revoked_at = 99');
  noteEpoch(database, books.epoch);
  const copy = copyOf(books);
  copyFileSync(`${books.database}-wal`, `${copy.database}-wal`);
  database.close();
  expect(statSync(`${copy.database}-wal`).size).toBeGreaterThan(0);
  return copy.folder;
}

function filesIn(folder: string): ReadonlyMap<string, Buffer> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => !isIndex(name) && statSync(join(folder, name)).isFile(),
  );
  return new Map(names.map((name) => [name, readFileSync(join(folder, name))]));
}

interface Found {
  readonly kind: string;
  readonly rows: number;
  readonly revoked: boolean;
  readonly left: readonly string[];
}

/** What the next start makes of a folder. */
function nextStart(path: string): Found {
  const folder = holdStateFolder(path);
  const lifecycle = new Lifecycle(silentLog);
  const deps = { version: '0.1.0', clock: systemClock, ids: systemIds, log: silentLog };
  const money = openMoney({ ...deps, folder, lifecycle });
  const { journal, epoch, keys } = money;
  const found = {
    kind: epoch.kind,
    rows: journal.kind === 'whole' ? journal.count : -1,
    revoked: keys.find('k')?.revokedAt === 99,
    left: readdirSync(path).filter((name) => /restoring|restore-plan/.test(name)),
  };
  money.database.close();
  folder.release();
  return found;
}

/** What is wrong with it; the old books whole, or the restored ones whole, and the key revoked. */
function wrongWith({ kind, rows, revoked, left }: Found): string | null {
  const isOld = rows === IN_BACKUP + SINCE && kind === 'same';
  const isRestored = rows === IN_BACKUP && kind === 'older';
  if (isOld || isRestored)
    return !revoked ? 'a revoked key is valid' : left.length > 0 ? `left: ${left}` : null;
  return `${rows} entries, and the start takes it for ${kind}`;
}

/** An image of the disk, started; then the same command once more, as a person does, and started again. */
async function judged(
  folder: string,
  files: ReadonlyMap<string, Buffer>,
  backup: string,
): Promise<readonly string[]> {
  writeFiles(folder, files);
  const first = wrongWith(nextStart(folder));
  const again = await command(['restore', backup, '--state-dir', folder]);
  const second = nextStart(folder);
  const revived = second.revoked ? null : 'once more: a revoked key is valid';
  const unlike = again.exit === 0 && second.rows === IN_BACKUP ? null : `once more: ${again.err}`;
  return [first, revived, unlike].filter((text) => text !== null);
}

/** The disks that a power cut can leave, after each boundary; equal ones once. */
function* imagesOf(before: ReadonlyMap<string, Buffer>, events: ReturnType<typeof readRecording>) {
  const disk = new Disk(before);
  let applied = 0;
  for (const [boundary, place] of boundariesOf(events).entries()) {
    for (const event of events.slice(applied, place + 1)) disk.apply(event);
    applied = place + 1;
    const seen = new Set<string>();
    for (const seed of SEEDS) {
      const { files, word } = imageAfterCut(disk, boundary, seed);
      if (seen.has(word)) continue;
      seen.add(word);
      yield { name: `${boundary}:${seed}`, files };
    }
  }
}

describe.skipIf(!hasCompiler())('a restore that a power cut interrupts', () => {
  it(
    'after any write leaves the old books or the restored ones, whole, and its next start finishes it',
    async () => {
      const { state, backup } = await aKilledShop();
      const root = aFolder();
      const places = {
        folder: join(root, 'state'),
        output: join(root, 'recording'),
        acks: join(root, 'acks'),
      };
      const before = filesIn(state);
      writeFiles(places.folder, before);
      const ran = spawnSync(process.execPath, [TILLCTL, 'restore', backup, '--state-dir', places.folder], {
        env: { ...process.env, ...recordingEnvironment(buildRecorder(root) ?? '', places) },
        encoding: 'utf8',
      });
      expect([ran.status, ran.stderr]).toEqual([0, '']);
      const events = readRecording(places.output);
      // What a start does to an image may wait for no disk.
      const memory = fastFolder();
      onTestFinished(() => memory.remove());
      const wrong: string[] = [];
      let images = 0;
      for (const { name, files } of imagesOf(before, events)) {
        images += 1;
        for (const text of await judged(join(memory.path, 'image'), files, backup))
          wrong.push(`${name} ${text}`);
      }
      process.stdout.write(
        `${boundariesOf(events).length} boundaries, ${images} images, ${wrong.length} violations\n`,
      );
      expect(wrong).toEqual([]);
      expect(images).toBeGreaterThan(100);
    },
    LONG_MS,
  );
});

/** Kills the process before its n-th call that changes a file or a folder. */
const HOOK = `
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
let left = Number(process.env.KILL_AT);
for (const name of ['openSync', 'writeSync', 'fsyncSync', 'renameSync', 'linkSync', 'unlinkSync', 'rmSync', 'chmodSync', 'chownSync', 'fchownSync', 'mkdirSync']) {
  const real = fs[name];
  fs[name] = (...args) => {
    if (String(args[0]).includes('node_modules')) return real(...args);
    left -= 1;
    if (left === 0) process.kill(process.pid, 'SIGKILL');
    return real(...args);
  };
}
syncBuiltinESMExports();
`;

/** A start that finds the old books away and the new ones not there yet: what else opens the folder finishes the restore. */
async function isFinishedByCommands(folder: string, made: string): Promise<void> {
  const doctor = await command(['doctor', '--state-dir', folder]);
  expect([doctor.exit, doctor.out]).toEqual([1, expect.stringContaining('a restore was interrupted')]);
  expect(doctor.out).not.toContain('is gone: there were books here before');
  const backup = await command(['backup', made, '--json', '--state-dir', folder]);
  expect([backup.exit, backup.err]).toEqual([0, '']);
  expect(JSON.parse(backup.out).data.journal.rows).toBe(IN_BACKUP);
}

describe('a restore that is killed', () => {
  it(
    'before any of its calls leaves the old books or the restored ones, whole; the next command that opens the folder finishes it, too',
    async () => {
      const { state, backup } = await aKilledShop();
      const root = aFolder();
      const hook = join(root, 'hook.mjs');
      writeFileSync(hook, HOOK);
      const before = filesIn(state);
      const wrong: string[] = [];
      let at = 1;
      let withoutBooks = 0;
      for (let isKilled = true; isKilled && at < 300; at += 1) {
        const folder = join(root, `state-${at}`);
        mkdirSync(folder);
        writeFiles(folder, before);
        const ran = spawnSync(
          process.execPath,
          ['--import', hook, TILLCTL, 'restore', backup, '--state-dir', folder],
          { env: { ...process.env, KILL_AT: `${at}` }, encoding: 'utf8' },
        );
        isKilled = ran.signal === 'SIGKILL';
        if (!isKilled) expect(ran.status).toBe(0);
        for (const text of await judged(join(root, 'image'), filesIn(folder), backup))
          wrong.push(`${at}: ${text}`);
        if (!existsSync(join(folder, 'restore-plan')) || existsSync(join(folder, 'money.db'))) continue;
        withoutBooks += 1;
        await isFinishedByCommands(folder, join(root, `made-${at}`));
      }
      process.stdout.write(`${at - 2} kills, ${wrong.length} violations\n`);
      expect(wrong).toEqual([]);
      expect(at).toBeGreaterThan(20);
      expect(withoutBooks).toBeGreaterThan(0);
    },
    LONG_MS,
  );
});
