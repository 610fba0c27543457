import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TruncatedCardNumber } from '../../../src/base/card-number.ts';
import type { AttemptView } from '../../../src/payment/payments.ts';
import { systemClock } from '../../../src/runtime/system-clock.ts';
import { Database } from '../../../src/store/database.ts';
import { SqliteKeyStore } from '../../../src/store/keys/sqlite-key-store.ts';
import { SqliteOutboxStore } from '../../../src/store/outbox/sqlite-outbox-store.ts';
import { SqlitePaymentStore } from '../../../src/store/payments/sqlite-payment-store.ts';
import { MONEY_MIGRATIONS } from '../../../src/store/schema/migrations.ts';
import { SqliteIdentityStore } from '../../../src/store/terminals/sqlite-identity-store.ts';
import { anAttempt, aReport, DEVICE_ID } from '../../support/attempts.ts';
import { aFolder, aMoneyDatabase } from '../../support/money-database.ts';

const id = (n: number) => `0199c0de-0000-7000-8000-${String(n).padStart(12, '0')}`;

describe('attempts in the database', () => {
  it('come back as they went in, the card number as the type that cannot hold a full one', () => {
    const store = new SqlitePaymentStore(aMoneyDatabase());
    const maskedPan = TruncatedCardNumber.of('4111111111111111');
    const report = aReport(maskedPan ? { maskedPan } : {});
    const terminal = { grade: 'serial', serial: '17F00001' } as const;
    const attempt = anAttempt({
      state: { name: 'in_doubt', hadApproval: true },
      metadata: { table: 4 },
      report,
      baseline: { last: { kind: 'found', report }, terminal, batch: 3, day: 1 },
      corrects: null,
      cause: 'late_approval',
      original: { amountMinor: 1234, number: '0042', ...(maskedPan ? { maskedPan } : {}) },
      evidence: { kind: 'dialogue', report },
      reason: { code: 'x', message: 'y' },
      receipts: { merchant: 'a\nb' },
      inDoubtSince: 5,
      needsPerson: true,
    });
    store.insertAttempt(attempt);
    const read = store.findAttempt(attempt.id);
    expect(read).toEqual(attempt);
    expect(read?.report?.maskedPan).toBeInstanceOf(TruncatedCardNumber);
    expect(read?.baseline?.last.kind === 'found' && String(read.baseline.last.report.maskedPan)).toBe(
      '411111******1111',
    );
  });

  it('are written over their last version only', () => {
    const store = new SqlitePaymentStore(aMoneyDatabase());
    store.insertAttempt(anAttempt());
    store.updateAttempt(anAttempt({ version: 2 }));
    expect(() => store.updateAttempt(anAttempt({ version: 2 }))).toThrow(
      expect.objectContaining({ code: 'INVARIANT_BROKEN' }),
    );
  });

  it('are listed newest first, page by page, without gap or repeat, in both directions', () => {
    const store = new SqlitePaymentStore(aMoneyDatabase());
    for (let n = 1; n <= 7; n += 1) store.insertAttempt(anAttempt({ id: id(n) }));
    const ids = (list: ReturnType<typeof store.listAttempts>) =>
      list.items.map((one) => Number(one.id.slice(-2)));
    const first = store.listAttempts({ limit: 3 });
    const second = store.listAttempts({ limit: 3, startingAfter: id(5) });
    const third = store.listAttempts({ limit: 3, startingAfter: id(2) });
    expect([ids(first), ids(second), ids(third)]).toEqual([[7, 6, 5], [4, 3, 2], [1]]);
    expect([first.hasMore, second.hasMore, third.hasMore]).toEqual([true, true, false]);
    expect(ids(store.listAttempts({ limit: 2, endingBefore: id(3) }))).toEqual([5, 4]);
  });

  it('are filtered by status, device and doubt', () => {
    const store = new SqlitePaymentStore(aMoneyDatabase());
    store.insertAttempt(anAttempt({ id: id(1), state: { name: 'in_doubt', hadApproval: false } }));
    store.insertAttempt(
      anAttempt({ id: id(2), state: { name: 'approved', cancelledBefore: false }, deviceId: 'another' }),
    );
    store.insertAttempt(anAttempt({ id: id(3), state: { name: 'succeeded' }, completedAt: 1 }));
    const count = (filter: object) => store.listAttempts({ limit: 10, ...filter }).items.length;
    expect(count({ status: 'in_progress' })).toBe(2);
    expect(count({ inDoubt: true })).toBe(1);
    expect(count({ deviceId: DEVICE_ID, inDoubt: false })).toBe(1);
    expect(store.openAttempts().map((one) => one.id)).toEqual([id(1), id(2)]);
    expect(store.openAttempts(DEVICE_ID).map((one) => one.id)).toEqual([id(1)]);
  });
});

describe('the journal in the database', () => {
  it('cannot be changed or deleted, not even with SQL', () => {
    const database = aMoneyDatabase();
    const store = new SqlitePaymentStore(database);
    store.insertAttempt(anAttempt());
    store.appendJournal({
      attemptId: anAttempt().id,
      at: 1,
      event: 'create',
      from: '-',
      to: 'requested',
      details: { a: [1] },
    });
    expect(() => database.run('UPDATE journal SET at = 2')).toThrow();
    expect(() => database.run('DELETE FROM journal')).toThrow();
    expect(store.journalOf(anAttempt().id)).toEqual([
      { attemptId: anAttempt().id, at: 1, event: 'create', from: '-', to: 'requested', details: { a: [1] } },
    ]);
  });
});

describe('events in the database', () => {
  it('are read oldest first from a cursor, and an unknown cursor is refused', () => {
    const store = new SqlitePaymentStore(aMoneyDatabase());
    store.insertAttempt(anAttempt());
    const subject = { kind: 'payment', view: aView() } as const;
    for (let n = 1; n <= 5; n += 1) store.appendEvent({ id: `evt_${n}`, type: 't', at: n, subject });
    const ids = (page: object) => store.events({ limit: 2, ...page }).items.map((event) => event.id);
    expect([ids({}), ids({ startingAfter: 'evt_2' }), ids({ startingAfter: 'evt_4' })]).toEqual([
      ['evt_1', 'evt_2'],
      ['evt_3', 'evt_4'],
      ['evt_5'],
    ]);
    expect(ids({ endingBefore: 'evt_4' })).toEqual(['evt_2', 'evt_3']);
    expect(() => ids({ startingAfter: 'evt_9' })).toThrow(
      expect.objectContaining({ code: 'CURSOR_UNKNOWN' }),
    );
  });
});

describe('events of a release before the first refund', () => {
  it('are read as they were written, after the migration too', () => {
    const path = join(aFolder(), 'money.db');
    const [first] = MONEY_MIGRATIONS;
    const old = Database.open(path, first ? [first] : [], '0.1.0');
    const { corrects: _, cause: __, original: ___, ...attempt } = anAttempt({ state: { name: 'succeeded' } });
    const columns =
      'id, type, device_id, amount_minor, currency, origin, caller, created_at, expires_at, state, status, version, needs_person, detail';
    old.run(
      `INSERT INTO attempts (${columns}) VALUES (?, 'sale', ?, 1234, 'EUR', 'local', 'socket', 1, 2, 'succeeded', 'succeeded', 1, 0, '{}')`,
      attempt.id,
      DEVICE_ID,
    );
    old.run(
      'INSERT INTO events (id, type, at, attempt_id, reported, snapshot) VALUES (?, ?, ?, ?, ?, ?)',
      'evt_1',
      'terminal_payment.succeeded',
      1,
      attempt.id,
      'pending',
      JSON.stringify(attempt),
    );
    old.close();
    const [event] = new SqlitePaymentStore(aMoneyDatabase(path)).events({ limit: 5 }).items;
    expect(event).toMatchObject({
      id: 'evt_1',
      subject: {
        view: { attempt: { ...attempt, corrects: null }, reported: 'pending', charged: 'yes', tasks: [] },
      },
    });
  });
});

function aView(): AttemptView {
  const facts = { reported: 'pending', progress: null, charged: 'unknown' } as const;
  return {
    attempt: anAttempt(),
    ...facts,
    refusedBecause: null,
    correctedBy: null,
    correctsType: null,
    refundedMinor: 0,
    refundingMinor: 0,
    tasks: [],
  };
}

function outbox(database: Database) {
  const payments = new SqlitePaymentStore(database);
  const store = new SqliteOutboxStore(database, systemClock);
  const enqueue = (attempt: number, kind: 'create' | 'result', row: string) =>
    payments.enqueueReport({
      id: row,
      attemptId: id(attempt),
      kind,
      operation: payments.findAttempt(id(attempt))?.type ?? 'sale',
      parentId: payments.findAttempt(id(attempt))?.parentId ?? null,
      withheld: null,
      key: `key ${row}`,
      body: { row },
      createdAt: 7,
    });
  return { payments, store, enqueue };
}

describe('the outbox in the database', () => {
  it('lets a row wait for the older rows of its attempt and of its parent, and for nothing else', () => {
    const { payments, store, enqueue } = outbox(aMoneyDatabase());
    payments.insertAttempt(anAttempt({ id: id(1) }));
    payments.insertAttempt(anAttempt({ id: id(2) }));
    payments.insertAttempt(anAttempt({ id: id(3), parentId: id(1), type: 'refund' }));
    enqueue(1, 'create', 'a');
    enqueue(1, 'result', 'b');
    enqueue(2, 'create', 'c');
    enqueue(3, 'create', 'd');
    const due = () => store.due(10).map((row) => row.id);
    expect(due()).toEqual(['c', 'a']);
    expect(store.due(10, 'result')).toEqual([]);
    store.done('a', null);
    expect(store.due(10, 'result').map((row) => row.id)).toEqual(['b']);
    expect(due()).toEqual(['c', 'b']);
    store.park('b', 'refused', id(90));
    expect(due()).toEqual(['c']);
    expect(store.summary()).toEqual({ pending: 2, oldestAt: 7, parked: 1, refused: 1 });
  });

  it('remembers that a key was used before the answer came, and when first', () => {
    const { payments, store, enqueue } = outbox(aMoneyDatabase());
    payments.insertAttempt(anAttempt({ id: id(1) }));
    enqueue(1, 'create', 'a');
    store.beginTry('a', 100);
    store.beginTry('a', 200);
    expect(store.due(1)[0]).toMatchObject({
      tries: 2,
      firstUsedAt: 100,
      unanswered: true,
      key: 'key a',
      body: { row: 'a' },
    });
    store.failed('a', '503', false);
    expect(store.due(1)[0]).toMatchObject({ unanswered: false, lastError: '503' });
  });

  it('knows of a create without an answer what it may have made at the service, until the answer is there', () => {
    const { payments, store } = outbox(aMoneyDatabase());
    const create = (n: number, operation: 'sale' | 'refund', parentId: string | null, body: object) => {
      payments.insertAttempt(anAttempt({ id: id(n), type: operation, parentId }));
      const row = {
        kind: 'create',
        operation,
        parentId,
        key: `key ${n}`,
        createdAt: 1,
        withheld: null,
      } as const;
      payments.enqueueReport({ ...row, id: `row ${n}`, attemptId: id(n), body: { ...body } });
    };
    const may = (
      type: 'sale' | 'refund' | 'void',
      parentId: string | null,
      amountMinor = 1234,
      deviceId = 'd',
    ) => store.mayHaveCreated({ type, parentId, deviceId, amountMinor });
    create(1, 'sale', null, { device_id: 'd', amount_minor: 1234 });
    create(2, 'refund', id(1), { amount_minor: 500 });
    expect([may('sale', null), may('refund', id(1))]).toEqual([false, false]);
    store.beginTry('row 1', 100);
    expect([may('sale', null), may('sale', null, 1235), may('sale', null, 1234, 'e')]).toEqual([
      true,
      false,
      false,
    ]);
    store.done('row 1', id(77));
    store.beginTry('row 2', 100);
    expect(may('sale', null)).toBe(false);
    expect([may('refund', id(1)), may('refund', id(77))]).toEqual([true, true]);
    expect([may('refund', id(9)), may('refund', null), may('void', id(1))]).toEqual([false, false, false]);
    // A refused key says nothing of the first try, which may have arrived.
    store.failed('row 2', '401', true);
    expect(may('refund', id(1))).toBe(true);
    store.failed('row 2', '422', false);
    expect(may('refund', id(1))).toBe(false);
  });

  it("stores the service's own id as an alias in the transaction that takes its answer", () => {
    const { payments, store, enqueue } = outbox(aMoneyDatabase());
    payments.insertAttempt(anAttempt({ id: id(1) }));
    enqueue(1, 'create', 'a');
    store.done('a', id(77));
    expect(store.serviceIdOf(id(1))).toBe(id(77));
    expect(payments.attemptOfServiceId(id(77))?.id).toBe(id(1));
    expect(payments.attemptOfServiceId(id(1))?.id).toBe(id(1));
    expect(payments.attemptOfServiceId(id(9))).toBeNull();
    expect(payments.reportsOf(id(1))).toMatchObject([{ kind: 'create', state: 'done' }]);
  });
});

describe('keys and identities in the database', () => {
  it('finds an API key by its hash only, and remembers its use', () => {
    const store = new SqliteKeyStore(aMoneyDatabase());
    const record = {
      id: id(1),
      name: 'till',
      hash: 'ab'.repeat(32),
      scopes: ['payments:read'] as const,
      createdAt: 1,
      expiresAt: null,
      revokedAt: null,
      allow: ['10.0.0.0/8'],
      lastUsedAt: null,
      overlapEndsAt: null,
    };
    const made = { keyId: record.id, at: 1, event: 'created', caller: 'socket', from: 'socket' } as const;
    store.insert(record, { ...made, by: null, overlapEndsAt: null });
    store.touch(record.id, 9);
    const secret = { hash: record.hash, endsAt: null };
    expect(store.byHash(record.hash)).toEqual({ record: { ...record, lastUsedAt: 9 }, secret });
    expect(store.byHash('cd'.repeat(32))).toBeNull();
    expect(store.list()).toHaveLength(1);
  });

  it('remembers which terminal serves a device', () => {
    const store = new SqliteIdentityStore(aMoneyDatabase());
    expect(store.identityOf(DEVICE_ID)).toBeNull();
    store.rememberIdentity(DEVICE_ID, { grade: 'serial', serial: '17F00001' }, 1);
    expect(store.identityOf(DEVICE_ID)).toEqual({ grade: 'serial', serial: '17F00001' });
  });
});
