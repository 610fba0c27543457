import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src/base/errors.ts';
import { firstStep, KEY_TRUST_MS } from '../../../src/outbox/delivery-rules.ts';
import { OutboxAdmin } from '../../../src/outbox/outbox-admin.ts';
import { SqliteOutboxAdminStore } from '../../../src/store/outbox/sqlite-outbox-admin-store.ts';
import { SqliteOutboxStore } from '../../../src/store/outbox/sqlite-outbox-store.ts';
import { SqlitePaymentStore } from '../../../src/store/payments/sqlite-payment-store.ts';
import { anAttempt } from '../../support/attempts.ts';
import { aMoneyDatabase } from '../../support/money-database.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

const id = (n: number) => `0199c0de-0000-7000-8000-${String(n).padStart(12, '0')}`;
const [SALE, REFUND] = [id(1), id(2)];
const [CREATED, OUTCOME, GIVEN_BACK] = [id(11), id(12), id(13)];
const ANNA = { caller: 'socket', by: 'Anna' };

function books() {
  const database = aMoneyDatabase();
  const payments = new SqlitePaymentStore(database);
  const clock = new VirtualClock();
  const outbox = new SqliteOutboxStore(database, clock);
  const changed: number[] = [];
  const store = new SqliteOutboxAdminStore(database);
  const admin = new OutboxAdmin({ store, clock, changed: () => changed.push(1) });
  payments.insertAttempt(anAttempt({ id: SALE }));
  payments.insertAttempt(anAttempt({ id: REFUND, type: 'refund', parentId: SALE }));
  const enqueue = (
    attemptId: string,
    kind: 'create' | 'result',
    row: string,
    withheld: string | null = null,
  ) =>
    payments.enqueueReport({
      id: row,
      attemptId,
      kind,
      operation: attemptId === REFUND ? 'refund' : 'sale',
      parentId: attemptId === REFUND ? SALE : null,
      key: `key ${row}`,
      body: { row },
      createdAt: 7,
      withheld,
    });
  const parked = (row: string, reason = 'refused: 422') => {
    outbox.beginTry(row, 1_000);
    outbox.park(row, reason, id(100 + Number(row.slice(-2))));
  };
  const due = () => outbox.due(10).map((row) => row.id);
  return { database, payments, outbox, admin, changed, enqueue, parked, due };
}

function refusal(act: () => unknown): string {
  try {
    act();
    return 'none';
  } catch (error) {
    return error instanceof AppError ? error.code : String(error);
  }
}

describe('A report that a person looks at', () => {
  it('goes again under its own key, whose age is still counted from its first use', () => {
    const { admin, outbox, enqueue, parked, due, changed } = books();
    enqueue(SALE, 'result', OUTCOME);
    parked(OUTCOME);
    expect(admin.retry(OUTCOME, ANNA)).toMatchObject({
      status: 'pending',
      tries: 1,
      firstUsedAt: 1_000,
      amountMinor: anAttempt({}).amount.minor,
      currency: 'EUR',
      deviceId: anAttempt({}).deviceId,
    });
    expect(changed).toHaveLength(1);
    expect(due()).toEqual([OUTCOME]);
    const [row] = outbox.due(1);
    expect(row).toMatchObject({ key: `key ${OUTCOME}`, firstUsedAt: 1_000 });
    if (!row) throw new Error('no row');
    expect(firstStep(row, 1_000 + KEY_TRUST_MS + 1, false)).toEqual({ do: 'look_up' });
    expect(firstStep(row, 2_000, false)).toEqual({ do: 'send' });
  });

  it('has its cause counted among all of one cause, without ids and words, the cause of the most first', () => {
    const { admin, enqueue, parked } = books();
    enqueue(SALE, 'create', CREATED);
    enqueue(SALE, 'result', OUTCOME);
    enqueue(REFUND, 'create', GIVEN_BACK);
    expect(admin.causes()).toEqual([]);
    parked(CREATED, `refused: 402 no plan for ${SALE}`);
    parked(OUTCOME, 'rejected');
    parked(GIVEN_BACK, `plain_body: refused: 402 no plan for ${REFUND}`);
    expect(admin.causes()).toEqual([
      { cause: 'refused: 402', reports: 2, oldestAt: 7, example: `refused: 402 no plan for ${SALE}` },
      { cause: 'rejected', reports: 1, oldestAt: 7, example: 'rejected' },
    ]);
    admin.drop(GIVEN_BACK, { ...ANNA, reason: 'entered by hand' });
    expect(admin.causes().map(({ reports }) => reports)).toEqual([1, 1]);
  });

  it('is listed behind a cursor, also behind one that the service has by now; an unknown one is refused', () => {
    const { admin, outbox, enqueue, parked } = books();
    enqueue(SALE, 'create', CREATED);
    enqueue(SALE, 'result', OUTCOME);
    enqueue(REFUND, 'create', GIVEN_BACK);
    parked(GIVEN_BACK);
    const behind = (startingAfter: string) => admin.list({ limit: 10, startingAfter }).map((one) => one.id);
    expect(behind(CREATED)).toEqual([OUTCOME, GIVEN_BACK]);
    expect(behind(GIVEN_BACK)).toEqual([]);
    outbox.done(CREATED, null);
    expect(behind(CREATED)).toEqual([OUTCOME, GIVEN_BACK]);
    expect(admin.list({ limit: 10, status: 'parked', startingAfter: OUTCOME })).toHaveLength(1);
    expect(refusal(() => behind(id(77)))).toBe('CURSOR_UNKNOWN');
  });

  it('that is dropped is never sent, nor what waits behind it; nothing is deleted and its task says who and why', () => {
    const { database, admin, enqueue, parked, due, outbox, payments } = books();
    enqueue(SALE, 'create', CREATED);
    enqueue(SALE, 'result', OUTCOME);
    enqueue(REFUND, 'create', GIVEN_BACK);
    parked(CREATED);
    expect(due()).toEqual([]);
    const dropped = admin.drop(CREATED, { ...ANNA, reason: 'entered there by hand' });
    expect(dropped).toMatchObject({
      status: 'dropped',
      lastError: 'dropped by Anna: entered there by hand (before: refused: 422)',
      decision: { decision: 'dropped', by: 'Anna', caller: 'socket', reason: 'entered there by hand' },
    });
    expect(admin.list({ status: 'dropped', limit: 10 }).map((report) => report.id)).toEqual([
      CREATED,
      OUTCOME,
    ]);
    expect(admin.list({ limit: 10 }).map((report) => report.id)).toEqual([GIVEN_BACK]);
    expect(due()).toEqual([GIVEN_BACK]);
    expect(outbox.summary()).toMatchObject({ pending: 1, parked: 0 });
    expect(payments.reportsOf(SALE).every(({ state, tries }) => state === 'parked' && tries > 0)).toBe(true);
    expect(database.all('SELECT done_by AS by, note FROM tasks')).toEqual([
      { by: 'Anna', note: 'the report is dropped: entered there by hand' },
    ]);
    expect(refusal(() => database.run('DELETE FROM outbox_decisions'))).not.toBe('none');
  });

  it('is neither retried nor dropped unless it is parked, and never one that is held back', () => {
    const { admin, enqueue, parked } = books();
    enqueue(SALE, 'create', CREATED);
    enqueue(SALE, 'result', OUTCOME, 'held: the void of a part');
    expect(refusal(() => admin.retry(CREATED, ANNA))).toBe('REPORT_NOT_PARKED');
    expect(refusal(() => admin.drop(OUTCOME, { ...ANNA, reason: 'x' }))).toBe('REPORT_HELD');
    expect(refusal(() => admin.retry(OUTCOME, ANNA))).toBe('REPORT_HELD');
    expect(refusal(() => admin.retry(id(77), ANNA))).toBe('REPORT_UNKNOWN');
    parked(CREATED);
    admin.drop(CREATED, { ...ANNA, reason: 'x' });
    expect(refusal(() => admin.drop(CREATED, { ...ANNA, reason: 'y' }))).toBe('REPORT_NOT_PARKED');
    expect(refusal(() => admin.retry(CREATED, ANNA))).toBe('REPORT_NOT_PARKED');
  });
});
