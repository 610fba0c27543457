import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { IdBackfill } from '../../../src/store/backfill/id-backfill.ts';
import type { Database } from '../../../src/store/database.ts';
import { SqlitePaymentStore } from '../../../src/store/payments/sqlite-payment-store.ts';
import { anAttempt, DEVICE_ID } from '../../support/attempts.ts';
import { aFolder, aMoneyDatabase } from '../../support/money-database.ts';
import { invoiceId, paymentId, serviceId, writeOlderBooks } from '../../support/older-ids.ts';

const PAYMENTS = 10;
const BY_INVOICE = { reference: null, referenceSince: 0, deviceId: '', amountMinor: 0, amountSince: 0 };
const ALL = Array.from({ length: PAYMENTS }, (_, index) => index + 1);
const IN_CAPITALS = `SELECT (SELECT count(*) FROM attempts WHERE invoice_id <> lower(invoice_id) OR device_id <> lower(device_id)
    OR caller <> lower(caller) OR reference <> trim(reference)) + (SELECT count(*) FROM aliases WHERE service_id <> lower(service_id)) AS rows`;

/** Books of the release before, just opened by this one. */
function upgraded(): { readonly database: Database; readonly path: string } {
  const path = join(aFolder(), 'money.db');
  writeOlderBooks(path, PAYMENTS);
  return { database: aMoneyDatabase(path), path };
}

/** What must be the same at every moment of the upgrade. */
function answers(database: Database) {
  const store = new SqlitePaymentStore(database);
  const ids = (attempts: readonly { readonly id: string }[]) => attempts.map(({ id }) => id);
  const page = { deviceId: DEVICE_ID, limit: 3 };
  return {
    invoices: ALL.map((no) => ids(store.possibleDuplicates({ ...BY_INVOICE, invoiceId: invoiceId(no) }))),
    references: ids(store.possibleDuplicates({ ...BY_INVOICE, invoiceId: null, reference: 'R-3' })),
    amounts: ids(
      store.possibleDuplicates({ ...BY_INVOICE, invoiceId: null, deviceId: DEVICE_ID, amountMinor: 1234 }),
    ),
    ofService: ALL.map((no) => store.attemptOfServiceId(serviceId(no))?.id),
    origin: store.findAttempt(paymentId(4))?.origin,
    batch: ids(store.succeededIn(DEVICE_ID, { batch: 1 })),
    day: ids(store.succeededIn(DEVICE_ID, { day: 1 })),
    newest: ids(store.listAttempts(page).items),
    next: ids(store.listAttempts({ ...page, startingAfter: paymentId(8) }).items),
    before: ids(store.listAttempts({ ...page, endingBefore: paymentId(8) }).items),
    hasMore: store.listAttempts({ ...page, limit: PAYMENTS - 1 }).hasMore,
  };
}

const EXPECTED = {
  invoices: ALL.map((no) => [paymentId(no)]),
  references: [paymentId(3)],
  amounts: ALL.map(paymentId),
  ofService: ALL.map(paymentId),
  origin: { kind: 'service', serviceId: serviceId(4) },
  batch: ALL.map(paymentId),
  day: ALL.map(paymentId),
  newest: [10, 9, 8].map(paymentId),
  next: [7, 6, 5].map(paymentId),
  before: [10, 9].map(paymentId),
  hasMore: true,
};

describe('an upgrade of payments whose ids are in another form', () => {
  it('changes none of them before the shop sells, and every guard and list finds them', () => {
    const { database } = upgraded();
    expect(new IdBackfill(database).progress).toEqual({ done: 0, total: PAYMENTS });
    expect(database.get(IN_CAPITALS)).toEqual({ rows: 2 * PAYMENTS });
    expect(answers(database)).toEqual(EXPECTED);
  });

  it('gives the same answers behind each step, and ends with every id in its one form', () => {
    const { database } = upgraded();
    const backfill = new IdBackfill(database);
    for (let done = 3; backfill.progress !== null; done += 3) {
      backfill.step(3);
      expect(backfill.progress?.done ?? PAYMENTS).toBe(Math.min(done, PAYMENTS));
      expect(answers(database)).toEqual(EXPECTED);
    }
    expect(database.get(IN_CAPITALS)).toEqual({ rows: 0 });
    expect(database.all('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
  });

  it('goes on behind its last step after a restart, and does not begin again once it is finished', () => {
    const { database, path } = upgraded();
    new IdBackfill(database).step(4);
    database.close();
    const next = aMoneyDatabase(path);
    const backfill = new IdBackfill(next);
    expect(backfill.progress).toEqual({ done: 4, total: PAYMENTS });
    backfill.step(100);
    expect(backfill.progress).toBeNull();
    expect(next.get(IN_CAPITALS)).toEqual({ rows: 0 });
    next.close();
    expect(new IdBackfill(aMoneyDatabase(path)).progress).toBeNull();
  });

  it('leaves a step that the disk refuses undone, and tries it again', () => {
    const { database } = upgraded();
    const backfill = new IdBackfill(database);
    database.run("CREATE TRIGGER refused BEFORE UPDATE ON aliases BEGIN SELECT RAISE(ABORT, 'refused'); END");
    expect(() => backfill.step(4)).toThrow('refused');
    expect(backfill.progress).toEqual({ done: 0, total: PAYMENTS });
    expect(database.get(IN_CAPITALS)).toEqual({ rows: 2 * PAYMENTS });
    database.run('DROP TRIGGER refused');
    backfill.step(PAYMENTS);
    expect(database.get(IN_CAPITALS)).toEqual({ rows: 0 });
  });

  it('finds an invoice in mixed letters and with blanks around it, and no other one', () => {
    const { database } = upgraded();
    const mixed = `  ${invoiceId(5).replace('c0de', 'C0de').replace('def', 'dEf')} `;
    database.run('UPDATE attempts SET invoice_id = ? WHERE id = ?', mixed, paymentId(5));
    const store = new SqlitePaymentStore(database);
    const of = (no: number) => store.possibleDuplicates({ ...BY_INVOICE, invoiceId: invoiceId(no) });
    expect(of(5).map((duplicate) => [duplicate.id, duplicate.invoiceId])).toEqual([
      [paymentId(5), invoiceId(5)],
    ]);
    expect(of(PAYMENTS + 1)).toEqual([]);
  });

  it('finds an id in the form of a UUID whose version is none', () => {
    const { database } = upgraded();
    const odd = 'abcdef00-0000-0000-0000-0000000000ab';
    database.run('UPDATE attempts SET invoice_id = ? WHERE id = ?', odd.toUpperCase(), paymentId(5));
    const duplicates = new SqlitePaymentStore(database).possibleDuplicates({ ...BY_INVOICE, invoiceId: odd });
    expect(duplicates.map(({ id }) => id)).toEqual([paymentId(5)]);
  });

  it('touches a few rows in each step, along the number of the row and along what names it', () => {
    const { database } = upgraded();
    const plans = plansOf(database, () => new IdBackfill(database).step(3));
    expect(plans.filter((step) => /SCAN/.test(step))).toEqual([]);
    expect(new Set(plans.filter((step) => /attempts/.test(step)))).toEqual(
      new Set(['SEARCH attempts USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)']),
    );
  });

  it('is none for books that are new, or that were written in the one form', () => {
    const database = aMoneyDatabase();
    new SqlitePaymentStore(database).insertAttempt(anAttempt());
    expect(new IdBackfill(database).progress).toBeNull();
  });
});

function plansOf(database: Database, work: () => void): readonly string[] {
  const asked: (readonly [string, readonly unknown[]])[] = [];
  const { run } = database;
  database.run = (sql, ...values) => {
    asked.push([sql, values]);
    return run.call(database, sql, ...values);
  };
  work();
  database.run = run;
  return asked.flatMap(([sql, values]) =>
    database.all(`EXPLAIN QUERY PLAN ${sql}`, ...values).map((row) => (row as { detail: string }).detail),
  );
}
