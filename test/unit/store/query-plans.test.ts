import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/runtime/system-clock.ts';
import type { Database } from '../../../src/store/database.ts';
import { SqliteOutboxStore } from '../../../src/store/outbox/sqlite-outbox-store.ts';
import { SqlitePaymentStore } from '../../../src/store/payments/sqlite-payment-store.ts';
import { anAttempt, DEVICE_ID } from '../../support/attempts.ts';
import { aMoneyDatabase } from '../../support/money-database.ts';

const ID = anAttempt().id;
const REPORT = '0199c0de-0000-7000-8000-000000000099';
const SEARCH = { referenceSince: 0, deviceId: DEVICE_ID, amountMinor: 1234, amountSince: 0 };

/**
 * Walks that end after a few rows, or that walk what is open and nothing else: along the primary key under a LIMIT, or along a partial
 * index of what is not finished.
 */
const SHORT_WALKS = [
  'SCAN attempts USING INDEX attempts_open',
  'SCAN row USING INDEX outbox_pending',
  'SCAN outbox USING INDEX outbox_parked',
  'SCAN outbox USING COVERING INDEX outbox_parked',
  'SCAN outbox USING INDEX outbox_pending',
  'SCAN outbox USING COVERING INDEX outbox_pending',
  'SCAN outbox USING INDEX outbox_dropped',
  'SCAN CONSTANT ROW',
  'SCAN json_each VIRTUAL TABLE INDEX 1:',
  'SCAN journal USING COVERING INDEX journal_dispatches',
  'SCAN settlements USING INDEX settlements_open',
  'SCAN tasks USING INDEX tasks_open',
];

describe('the statements that run with every payment', () => {
  it('walk no table that grows with every payment', () => {
    const database = aMoneyDatabase();
    const plans = plansOf(database, () => onePayment(database));
    expect(plans.length).toBeGreaterThan(15);
    const walks = plans.filter(({ step }) => step.startsWith('SCAN') && !SHORT_WALKS.includes(step));
    expect(walks.filter(({ sql }) => !isLastOfJournal(sql))).toEqual([]);
  });

  it('list payments and events of a store of any age without sorting or walking them', () => {
    const database = aMoneyDatabase();
    const store = new SqlitePaymentStore(database);
    store.insertAttempt(anAttempt());
    for (let no = 0; no < 5; no += 1) anEvent(store, `evt_${no}`);
    const cursors = [{}, { startingAfter: ID }, { endingBefore: ID }];
    const filters = [
      {},
      { status: 'declined' as const },
      { status: 'requested' as const },
      { deviceId: DEVICE_ID },
      { inDoubt: true },
    ];
    const plans = plansOf(database, () => {
      for (const cursor of cursors)
        for (const filter of filters) store.listAttempts({ limit: 10, ...cursor, ...filter });
      store.events({ limit: 10, startingAfter: 'evt_2' });
      store.events({ limit: 10, endingBefore: 'evt_2' });
      store.journalOf(ID);
      store.listSettlements({ deviceId: DEVICE_ID, limit: 10 });
    });
    const sorts = plans.filter(({ step }) => step.includes('TEMP B-TREE'));
    expect(sorts.filter(({ sql }) => !sql.includes('INDEXED BY attempts_open'))).toEqual([]);
    const walks = plans.filter(({ step }) => step.startsWith('SCAN') && !SHORT_WALKS.includes(step));
    expect(walks.filter(({ sql }) => !endsEarly(sql))).toEqual([]);
  });

  it('change an attempt without looking for it in events, keys and reports, and name no index that has not changed', () => {
    const database = aMoneyDatabase();
    const store = new SqlitePaymentStore(database);
    store.insertAttempt(anAttempt());
    const state = { name: 'accepted', lastVerdict: null } as const;
    const plans = plansOf(database, () => {
      store.updateAttempt(anAttempt({ version: 2, state, ticket: 'T1' }));
      store.updateAttempt(anAttempt({ version: 3, state, ticket: 'T1' }));
      store.updateAttempt(
        anAttempt({ version: 4, state: { name: 'succeeded' }, completedAt: 5, ticket: 'T1' }),
      );
    });
    expect(new Set(plans.map(({ step }) => step))).toEqual(
      new Set(['SEARCH attempts USING INDEX sqlite_autoindex_attempts_1 (id=?)']),
    );
    const changes = plans.map(({ sql }) => sql).filter((sql) => sql.startsWith('UPDATE'));
    const named = changes.map((sql) =>
      ['status', 'completed_at', 'batch', 'day', 'ticket'].filter((column) => sql.includes(`${column} = ?`)),
    );
    expect(named).toEqual([['status', 'ticket'], [], ['status', 'completed_at']]);
    expect(store.findAttempt(ID)).toMatchObject({ version: 4, completedAt: 5, ticket: 'T1' });
  });

  it('find what was sent last from the newest dispatch backwards, without sorting, and only where there is any', () => {
    const database = aMoneyDatabase();
    const store = new SqlitePaymentStore(database);
    const asked = () => plansOf(database, () => store.lastSent(DEVICE_ID)).map(({ step }) => step);
    const ofDevice = 'SEARCH attempts USING COVERING INDEX attempts_by_device (device_id=?)';
    expect(asked()).toEqual([ofDevice]);
    store.insertAttempt(anAttempt());
    expect(asked()).toEqual([
      ofDevice,
      'SCAN journal USING COVERING INDEX journal_dispatches',
      'SEARCH attempts USING INDEX sqlite_autoindex_attempts_1 (id=?)',
      'SEARCH last_dispatches USING PRIMARY KEY (device_id=?)',
      'SEARCH attempts USING INDEX sqlite_autoindex_attempts_1 (id=?)',
    ]);
  });

  it('find what a terminal may have started last among the newest of its device alone', () => {
    const database = aMoneyDatabase();
    const store = new SqlitePaymentStore(database);
    store.insertAttempt(anAttempt());
    const steps = plansOf(database, () => store.lastStarted(DEVICE_ID)).map(({ step }) => step);
    expect(steps).toEqual(['SEARCH attempts USING INDEX attempts_by_device (device_id=?)']);
  });

  it('find the attempt of a service id by index', () => {
    const database = aMoneyDatabase();
    const store = new SqlitePaymentStore(database);
    const plans = plansOf(database, () => store.attemptOfServiceId('elsewhere'));
    expect(plans.length).toBeGreaterThan(0);
    expect(plans.filter(({ step }) => step.startsWith('SCAN'))).toEqual([]);
  });
});

/** The end of the journal, or of what was archived of it, is read along its primary key, one row; while there is none, whether anything was archived. */
function isLastOfJournal(sql: string): boolean {
  return (
    sql.includes('FROM journal ORDER BY seq DESC LIMIT 1') ||
    sql.includes('ORDER BY last_seq DESC LIMIT 1') ||
    sql.includes("FROM sqlite_schema WHERE name = 'archived_chunks'")
  );
}

/** All payments in their order, page by page: nothing is left out, so a page ends after as many rows as it has. */
function endsEarly(sql: string): boolean {
  return /^SELECT \* FROM attempts\s+ORDER BY seq DESC LIMIT \?$/.test(sql);
}

function anEvent(store: SqlitePaymentStore, id: string): void {
  const view = {
    attempt: anAttempt(),
    reported: 'off',
    progress: null,
    charged: 'unknown',
    refusedBecause: null,
    correctedBy: null,
    correctsType: null,
    refundedMinor: 0,
    refundingMinor: 0,
    tasks: [],
  } as const;
  store.appendEvent({ id, type: 't', at: 1, subject: { kind: 'payment', view } });
}

/** What the core and the outbox ask and write between a request and its report. */
function onePayment(database: Database): void {
  const store = new SqlitePaymentStore(database);
  const outbox = new SqliteOutboxStore(database, systemClock);
  const [created, paid] = [
    anAttempt(),
    anAttempt({ version: 2, state: { name: 'succeeded' }, completedAt: 5 }),
  ];
  const entry = { attemptId: ID, at: 1, event: 'x', from: 'a', to: 'b', details: {} };
  const view = {
    attempt: created,
    reported: 'off',
    progress: null,
    charged: 'unknown',
    refusedBecause: null,
    correctedBy: null,
    correctsType: null,
    refundedMinor: 0,
    refundingMinor: 0,
    tasks: [],
  } as const;
  store.possibleDuplicates({ invoiceId: null, reference: null, ...SEARCH });
  store.possibleDuplicates({ invoiceId: ID, reference: 'a', ...SEARCH });
  store.findKey('socket', 'key');
  store.insertAttempt(created);
  store.appendJournal(entry);
  store.appendEvent({ id: 'evt_1', type: 't', at: 1, subject: { kind: 'payment', view } });
  const key = { caller: 'socket', key: 'key', fingerprint: 'f', requestId: 'r', status: 201, body: '{}' };
  store.insertKey({ ...key, attemptId: ID, createdAt: 1 });
  const report = {
    id: REPORT,
    attemptId: ID,
    operation: 'sale',
    parentId: null,
    body: {},
    createdAt: 1,
  } as const;
  store.enqueueReport({ ...report, kind: 'create', key: REPORT, withheld: null });
  store.openAttempts();
  store.openAttempts(DEVICE_ID);
  store.openSettlements(DEVICE_ID);
  store.lastSent(DEVICE_ID);
  store.findAttempt(ID);
  store.updateAttempt(paid);
  store.childrenOf(ID);
  store.correctionOf(ID);
  store.openTasksOf(ID);
  store.openTasksOfDevice(DEVICE_ID);
  store.reportsOf(ID);
  store.attemptOfServiceId(ID);
  store.succeededIn(DEVICE_ID, { batch: 1 });
  store.succeededIn(DEVICE_ID, { day: 1 });
  store.events({ limit: 10 });
  store.listAttempts({ limit: 10, deviceId: DEVICE_ID, status: 'succeeded' });
  outbox.due(20);
  outbox.due(20, 'result');
  outbox.summary();
  outbox.serviceIdOf(ID);
  outbox.beginTry(REPORT, 1);
  outbox.done(REPORT, 'elsewhere');
}

interface Step {
  readonly sql: string;
  readonly step: string;
}

/** How SQLite goes about every statement that `work` gives it, the checks of foreign keys included. */
function plansOf(database: Database, work: () => void): readonly Step[] {
  const asked = new Map<string, readonly unknown[]>();
  const { run, get, all } = database;
  const noting =
    <T>(ask: (sql: string, ...values: readonly unknown[]) => T) =>
    (sql: string, ...values: readonly unknown[]): T => {
      asked.set(sql, values);
      return ask.call(database, sql, ...values);
    };
  Object.assign(database, { run: noting(run), get: noting(get), all: noting(all) });
  work();
  Object.assign(database, { run, get, all });
  return [...asked].flatMap(([sql, values]) =>
    database.all(`EXPLAIN QUERY PLAN ${sql}`, ...values).map((row) => ({ sql, step: stepOf(row) })),
  );
}

function stepOf(row: unknown): string {
  return typeof row === 'object' && row !== null && 'detail' in row ? String(row.detail) : '';
}
