import { dirname, join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { openMoney } from '../../../../src/agent/money.ts';
import { silentLog } from '../../../../src/base/log.ts';
import { Lifecycle } from '../../../../src/runtime/lifecycle.ts';
import { holdStateFolder } from '../../../../src/runtime/state-folder.ts';
import { systemIds } from '../../../../src/runtime/system-ids.ts';
import { newestMissed } from '../../../../src/store/damage/newest-found.ts';
import { SqlitePaymentStore } from '../../../../src/store/payments/sqlite-payment-store.ts';
import { openForReading } from '../../../../src/store/read-only-database.ts';
import { anAttempt } from '../../../support/attempts.ts';
import { aFolder, aMoneyDatabase } from '../../../support/money-database.ts';
import { VirtualClock } from '../../../support/virtual-clock.ts';

/** Indexes by which guards search, and one that only a page asks. */
const SEARCHED = [
  'sqlite_autoindex_attempts_1',
  'attempts_by_invoice',
  'attempts_by_amount',
  'attempts_by_reference',
  'attempts_open',
  'attempts_by_parent',
  'attempts_by_retried',
  'attempts_by_ticket',
  'sqlite_autoindex_idempotency_keys_1',
];

/** Books in which each index has its place of the newest payments. */
function books(): string {
  const path = join(aFolder(), 'money.db');
  const database = aMoneyDatabase(path);
  const store = new SqlitePaymentStore(database);
  store.transaction(() => {
    for (let no = 1; no <= 5; no += 1) {
      const ended = no < 5;
      store.insertAttempt(
        anAttempt({
          id: `attempt-${no}`,
          deviceId: `device-${no}`,
          invoiceId: `invoice-${no}`,
          reference: `basket-${no}`,
          ticket: `ticket-${no}`,
          ...(no === 3 ? { retryOf: 'attempt-1' } : {}),
          ...(no === 2 ? { type: 'refund' as const, parentId: 'attempt-1' } : {}),
          ...(ended ? { state: { name: 'succeeded' as const }, completedAt: 1_000 + no } : {}),
        }),
      );
      database.run(
        `INSERT INTO idempotency_keys (caller, key, fingerprint, request_id, status, body, attempt_id, created_at)
          VALUES ('socket', ?, 'f', 'r', 201, '{}', ?, 1)`,
        `key-${no}`,
        `attempt-${no}`,
      );
    }
  });
  database.close();
  return path;
}

/** The index has lost what it held, as one whose page turned to zeros: its root is empty, and its structure is sound. */
function emptyIndex(path: string, name: string): void {
  const sqlite = new Sqlite(path);
  const root = Number(sqlite.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').pluck().get(name));
  sqlite.pragma('journal_mode = DELETE');
  sqlite.close();
  const raw = new Sqlite(path);
  raw.unsafeMode();
  raw.pragma('writable_schema = ON');
  raw.exec('CREATE TABLE spare (a TEXT UNIQUE) STRICT');
  const empty = Number(
    raw.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'sqlite_autoindex_spare_1'").pluck().get(),
  );
  expect(root).toBeGreaterThan(1);
  raw.prepare('UPDATE sqlite_schema SET rootpage = ? WHERE name = ?').run(empty, name);
  raw.close();
}

function missedIn(path: string): string | null {
  const reading = openForReading(path);
  try {
    return newestMissed(reading);
  } finally {
    reading.close();
  }
}

describe('the newest payments', () => {
  it('are found through every index that a guard searches', () => {
    expect(missedIn(books())).toBeNull();
    const empty = aMoneyDatabase();
    expect(newestMissed(empty)).toBeNull();
  });

  it.each(SEARCHED)('are missed where %s has lost them, which gives no error', (name) => {
    const path = books();
    emptyIndex(path, name);
    expect(missedIn(path)).toMatch(/^\d+ places of the newest payments are not found in its indexes$/);
  });

  it('are looked for by a start that leaves the pages for later, which then saves what can be saved', () => {
    const path = books();
    emptyIndex(path, 'attempts_by_invoice');
    const sqlite = new Sqlite(path);
    sqlite.pragma('journal_mode = WAL');
    sqlite.close();
    const folder = { ...holdStateFolder(dirname(path)), cutShort: true };
    folder.release();
    const money = openMoney({
      folder,
      version: '0.1.0',
      clock: new VirtualClock(),
      ids: systemIds,
      log: silentLog,
      lifecycle: new Lifecycle(silentLog),
      atOnceBytes: 0,
    });
    expect([money.epoch.kind, money.unreadPages.pending]).toEqual(['fresh', 'nothing']);
    expect(newestMissed(money.database)).toBeNull();
    expect(money.payments.findAttempt('attempt-1')?.state.name).toBe('succeeded');
    money.database.close();
  });
});
