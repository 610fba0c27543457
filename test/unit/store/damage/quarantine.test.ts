import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openDamageTask } from '../../../../src/agent/damaged-database.ts';
import { openMoney } from '../../../../src/agent/money.ts';
import { silentLog } from '../../../../src/base/log.ts';
import { Lifecycle } from '../../../../src/runtime/lifecycle.ts';
import { holdStateFolder } from '../../../../src/runtime/state-folder.ts';
import { systemIds } from '../../../../src/runtime/system-ids.ts';
import { quarantineNames, swapIn } from '../../../../src/store/damage/quarantine.ts';
import { salvage } from '../../../../src/store/damage/salvage.ts';
import { MONEY_MIGRATIONS } from '../../../../src/store/schema/migrations.ts';
import { anAttempt } from '../../../support/attempts.ts';
import { damagePage, leavesOf } from '../../../support/damage.ts';
import { aFolder } from '../../../support/money-database.ts';
import { VirtualClock } from '../../../support/virtual-clock.ts';

/** The books as one life of the daemon opens them. `wellEnded`: no log is left behind. `atOnceBytes`: what is read first if it is no larger. */
function aLife(state: string, wellEnded = true, atOnceBytes = Number.MAX_SAFE_INTEGER) {
  const folder = { ...holdStateFolder(state), cutShort: !wellEnded };
  folder.release();
  const ports = { folder, version: '0.1.0', clock: new VirtualClock(), ids: systemIds, log: silentLog };
  return openMoney({ ...ports, atOnceBytes, lifecycle: new Lifecycle(silentLog) });
}

/** A state folder with one payment in its books, at rest. */
function books(): { readonly state: string; readonly path: string } {
  const state = aFolder();
  const { database, payments } = aLife(state);
  payments.transaction(() => {
    payments.insertAttempt(anAttempt());
    const change = { event: 'x', from: 'a', to: 'b', details: {} };
    payments.appendJournal({ attemptId: anAttempt().id, at: 1, ...change });
  });
  database.close();
  return { state, path: join(state, 'money.db') };
}

function damageTable(path: string, name: string): void {
  const copy = join(aFolder(), 'copy.db');
  copyFileSync(path, copy);
  damagePage(path, leavesOf(copy, name)[0] ?? 0);
}

const kept = (state: string) =>
  readdirSync(state)
    .filter((name) => /damaged-[\d-]+$/.test(name))
    .sort();

describe('a damaged database', () => {
  it('begins a memory of its own: never the same, whatever could be saved', () => {
    const { state, path } = books();
    damageTable(path, 'events');
    const { epoch, payments, database } = aLife(state, false);
    expect(epoch.kind).toBe('fresh');
    expect(payments.findAttempt(anAttempt().id)).not.toBeNull();
    expect(payments.isFromBefore(anAttempt().id)).toBe(true);
    database.close();
  });

  it('is a lost memory also when nothing of it could be saved, and no note stands beside it', () => {
    const { state, path } = books();
    writeFileSync(path, Buffer.alloc(50_000, 1));
    renameSync(join(state, 'epoch'), join(state, 'gone'));
    const { epoch, database } = aLife(state, false);
    expect([epoch.kind, epoch.since > 0]).toEqual(['fresh', true]);
    database.close();
  });

  it('is kept under a name of its own each time, and the task of it is opened again', () => {
    const { state, path } = books();
    damageTable(path, 'events');
    const first = aLife(state, false);
    const task = openDamageTask(first.payments);
    first.payments.finishTask(task?.id ?? '', { by: 'Ada', note: 'seen', at: 1 });
    expect(openDamageTask(first.payments)).toBeNull();
    first.database.close();
    damageTable(path, 'outbox');
    const second = aLife(state, false);
    expect(openDamageTask(second.payments)?.message).toMatch(/damaged-2026-01-05-2/);
    expect(openDamageTask(second.payments)?.message).toMatch(/eports? to the service (was|were|may be) lost/);
    second.database.close();
    expect(kept(state)).toEqual(['money.db.damaged-2026-01-05-1', 'money.db.damaged-2026-01-05-2']);
  });

  it('is asked about once: a start that follows is as any other', () => {
    const { state, path } = books();
    damageTable(path, 'events');
    aLife(state, false).database.close();
    const { epoch, database, payments } = aLife(state, false);
    expect([
      epoch.kind,
      epoch.since > 0,
      kept(state).length,
      payments.tasks({ open: true, limit: 9 }).length,
    ]).toEqual(['same', true, 1, 1]);
    database.close();
  });

  it('whose swap was cut short at any point is swapped at the next start', () => {
    for (const done of ['nothing', 'log', 'all but the last'] as const) {
      const { state, path } = books();
      writeFileSync(`${path}-wal`, 'a log that belongs to the damaged one');
      const names = quarantineNames(path, '2026-01-05');
      damageTable(path, 'events');
      const damaged = readFileSync(path);
      const options = {
        migrations: MONEY_MIGRATIONS,
        appVersion: '0.1.0',
        describe: () => 'The database was damaged.',
      };
      salvage(path, names.salvaged, options);
      if (done !== 'nothing') renameSync(`${path}-wal`, `${names.damaged}-wal`);
      if (done === 'all but the last') renameSync(path, names.damaged);
      const { payments, epoch, database } = aLife(state);
      expect(payments.findAttempt(anAttempt().id)).not.toBeNull();
      expect([epoch.kind, openDamageTask(payments)?.message]).toEqual(['fresh', 'The database was damaged.']);
      expect(readFileSync(names.damaged).equals(damaged)).toBe(true);
      expect(existsSync(`${names.damaged}-wal`)).toBe(true);
      expect(existsSync(names.salvaged)).toBe(false);
      database.close();
    }
  });

  it('is told with what would find more, where rows were lost without it', () => {
    const { PATH } = process.env;
    onTestFinished(() => {
      process.env['PATH'] = PATH;
    });
    const { state, path } = books();
    damageTable(path, 'attempts');
    process.env['PATH'] = '';
    const { payments, database } = aLife(state, false);
    expect(openDamageTask(payments)?.message).toContain('was not used: sqlite3 is not installed. Compare');
    database.close();
  });

  it('whose salvage was cut short is salvaged again: a draft never takes its place', () => {
    const { state, path } = books();
    damageTable(path, 'events');
    const { salvaged } = quarantineNames(path, '2026-01-04');
    for (const end of ['.part', '.part-wal', '.part-recovered', '.part-recovered.sql'])
      writeFileSync(salvaged + end, '');
    const { payments, database } = aLife(state, false);
    expect(payments.findAttempt(anAttempt().id)).not.toBeNull();
    expect(kept(state)).toEqual(['money.db.damaged-2026-01-05-1']);
    database.close();
  });

  it('leaves no log behind that would be taken for that of the next one', () => {
    const { path } = books();
    const names = quarantineNames(path, '2026-01-05');
    writeFileSync(`${path}-wal`, 'log');
    writeFileSync(names.salvaged, 'saved');
    swapIn(path, names);
    expect([existsSync(`${path}-wal`), readFileSync(path, 'utf8')]).toEqual([false, 'saved']);
  });

  it('goes after its log: whoever is killed between the two finds the log gone, never a log without its database', () => {
    const { path } = books();
    const names = quarantineNames(path, '2026-01-05');
    writeFileSync(`${path}-wal`, 'log');
    writeFileSync(names.salvaged, 'saved');
    mkdirSync(join(names.damaged, 'in the way'), { recursive: true });
    expect(() => swapIn(path, names)).toThrow();
    expect([existsSync(path), existsSync(`${path}-wal`), existsSync(names.salvaged)]).toEqual([
      true,
      false,
      true,
    ]);
  });

  it('is not looked for page by page after an end in order: that would cost every start its time', () => {
    const { state, path } = books();
    damageTable(path, 'events');
    const { epoch, database } = aLife(state, true);
    expect([epoch.kind, kept(state)]).toEqual(['same', []]);
    database.close();
  });

  it('that a later release has written is refused and left alone: who cannot read it cannot save it', () => {
    const { state, path } = books();
    const later = new Sqlite(path);
    later.exec('PRAGMA user_version = 99');
    later.close();
    damageTable(path, 'events');
    const before = readFileSync(path);
    expect(() => aLife(state, false)).toThrow(expect.objectContaining({ code: 'STORAGE_TOO_NEW' }));
    expect([kept(state), readFileSync(path).equals(before)]).toEqual([[], true]);
  });

  it('waits for room where there is none for what is saved, and is left as it is until then', () => {
    const { state, path } = books();
    damageTable(path, 'events');
    truncateSync(path, 2 ** 40);
    expect(() => aLife(state, false)).toThrow(
      expect.objectContaining({
        code: 'STORAGE_FULL',
        message: expect.stringMatching(/damaged, and to save what can be read needs \d+ MB/),
      }),
    );
    expect(kept(state)).toEqual([]);
  });

  it('is found in what every start reads, also after an end in order', () => {
    const { state, path } = books();
    damageTable(path, 'journal');
    const { epoch, database } = aLife(state, true);
    expect([epoch.kind, kept(state).length]).toEqual(['fresh', 1]);
    database.close();
  });
});
