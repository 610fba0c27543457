import { describe, expect, it } from 'vitest';
import type { AppError } from '../../../src/base/errors.ts';
import { silentLog } from '../../../src/base/log.ts';
import type { InvoicePayment, JsonObject } from '../../../src/integration/connector.ts';
import { sourceError } from '../../../src/integration/failure/source-error.ts';
import { PaymentWriteBack } from '../../../src/integration/payment-write-back.ts';
import type { Attempt } from '../../../src/payment/attempt/attempt.ts';
import { correctionOf, createAttempt } from '../../../src/payment/attempt/create-attempt.ts';
import { SqliteWriteBackStore } from '../../../src/store/integrations/sqlite-write-back-store.ts';
import { SqlitePaymentStore } from '../../../src/store/payments/sqlite-payment-store.ts';
import { anAttempt, aReport } from '../../support/attempts.ts';
import { aMoneyDatabase } from '../../support/money-database.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

const IMPORTED: JsonObject = { metadata: { tilld: { slot: 'provider_a', external_id: 'I-7' } } };
const sold = (id: string, changes: Parameters<typeof anAttempt>[0] = {}) =>
  anAttempt({
    id,
    invoiceId: 'invoice',
    state: { name: 'succeeded' },
    completedAt: 1_000,
    amount: { minor: 1000, currency: 'EUR' },
    report: aReport({ amountMinor: 1000 }),
    ...changes,
  });

/** Evidence has contradicted the end of an attempt: what is recorded beside it. */
function recordedBeside(of: Attempt, moved: boolean, id: string, last: Attempt | null = null): Attempt {
  const created = createAttempt(correctionOf(of, moved, last, id, 2_000));
  return { ...created, state: { name: 'succeeded' }, completedAt: 2_000 };
}

/** The store is real; the source remembers what was recorded, and may fail. */
function aWriteBack(recordsAt: readonly 'provider_a'[] = ['provider_a']) {
  const database = aMoneyDatabase();
  const payments = new SqlitePaymentStore(database);
  const store = new SqliteWriteBackStore(database, payments);
  const clock = new VirtualClock();
  const recorded: InvoicePayment[] = [];
  const world = {
    invoice: IMPORTED as JsonObject | null,
    isBusy: false,
    isReadAgain: false,
    isActive: true,
    failure: null as AppError | null,
    locked: null as AppError | null,
    asked: 0,
  };
  const begin = () =>
    new PaymentWriteBack({
      store,
      invoiceOf: () => world.invoice,
      isReadAgain: () => world.isReadAgain,
      recordsAt: new Set(recordsAt),
      writerOf: () => {
        if (!world.isActive) return null;
        if (world.locked) throw world.locked;
        return async (payment) => {
          world.asked += 1;
          if (world.failure) throw world.failure;
          if (recorded.some(({ id }) => id === payment.id)) return 'present';
          recorded.push(payment);
          return 'created';
        };
      },
      isBusy: () => world.isBusy,
      clock,
      log: silentLog,
    });
  let writeBack = begin();
  const round = async (afterMs = 0) => {
    await clock.advance(afterMs);
    writeBack.tick();
    await new Promise((resolve) => setImmediate(resolve));
  };
  const rows = () =>
    database.all('SELECT attempt_id AS id, state, provider, last_error AS error FROM provider_payments');
  return {
    payments,
    world,
    recorded,
    round,
    rows,
    restart: () => (writeBack = begin()),
    resume: () => writeBack.resume('provider_a'),
  };
}

describe('payments of imported invoices', () => {
  it('wait while a lost mirror is read again, however long that takes: no invoice is taken for a foreign one then', async () => {
    const { payments, world, recorded, round, rows } = aWriteBack();
    await round();
    payments.insertAttempt(sold('p'));
    world.invoice = null;
    world.isReadAgain = true;
    for (let hour = 0; hour < 48; hour += 1) await round(3_600_000);
    expect(rows()).toMatchObject([{ id: 'p', state: 'waiting', error: null }]);
    world.isReadAgain = false;
    world.invoice = IMPORTED;
    await round(60_000);
    expect(recorded).toHaveLength(1);
  });

  it('are recorded at their source once, with the part that pays the invoice', async () => {
    const { payments, round, recorded, rows, world } = aWriteBack();
    await round();
    payments.insertAttempt(sold('a', { report: aReport({ amountMinor: 1200, tipMinor: 200 }) }));
    await round();
    await round(3_600_000);
    expect(recorded).toEqual([
      { id: 'a', invoiceId: 'I-7', amountMinor: 1000, currency: 'EUR', paidAt: 1_000 },
    ]);
    expect(world.asked).toBe(1);
    expect(rows()).toEqual([{ id: 'a', state: 'recorded', provider: 'provider_a', error: null }]);
  });

  it('of the time before it was begun, or while they were recorded nowhere, are passed by', async () => {
    const early = aWriteBack();
    early.payments.insertAttempt(sold('before'));
    await early.round();
    await early.round();
    expect(early.recorded).toEqual([]);
    const off = aWriteBack([]);
    await off.round();
    off.payments.insertAttempt(sold('meanwhile'));
    await off.round();
    expect(off.rows()).toEqual([]);
  });

  it('are recorded when a doubt about them ends, however many sales came after', async () => {
    const { payments, round, recorded } = aWriteBack();
    await round();
    const doubt = sold('doubt', { state: { name: 'in_doubt', hadApproval: false }, completedAt: null });
    payments.insertAttempt(doubt);
    payments.insertAttempt(sold('later'));
    payments.insertAttempt(sold('walk-in', { invoiceId: null }));
    payments.insertAttempt(sold('declined', { state: { name: 'declined' } }));
    await round();
    await round();
    expect(recorded.map(({ id }) => id)).toEqual(['later']);
    payments.updateAttempt({
      ...doubt,
      state: { name: 'succeeded' },
      completedAt: 5,
      version: doubt.version + 1,
    });
    await round();
    expect(recorded.map(({ id }) => id)).toEqual(['later', 'doubt']);
  });

  it('wait for a line, an integration that is on, and a shop without a customer', async () => {
    const { payments, round, recorded, world, restart } = aWriteBack();
    await round();
    payments.insertAttempt(sold('a'));
    world.failure = sourceError('SOURCE_LINE_DOWN', 'no line');
    await round();
    await round();
    expect(world.asked).toBe(1);
    await round(5_000);
    expect(world.asked).toBe(2);
    world.failure = null;
    world.isActive = false;
    await round(3_600_000);
    world.isActive = true;
    world.isBusy = true;
    await round(3_600_000);
    expect(recorded).toEqual([]);
    world.isBusy = false;
    restart();
    await round();
    expect(recorded).toHaveLength(1);
  });

  it('wait for a credential that can be read', async () => {
    const { payments, round, recorded, rows, world } = aWriteBack();
    await round();
    payments.insertAttempt(sold('a'));
    world.locked = sourceError('SOURCE_UNAUTHORISED', 'no credential');
    await round();
    expect(rows()).toMatchObject([{ state: 'waiting', error: expect.stringContaining('no credential') }]);
    world.locked = null;
    await round(5_000);
    expect(recorded).toHaveLength(1);
  });

  it('that the source refuses wait for a person, who resumes the integration', async () => {
    const { payments, round, rows, recorded, world, resume } = aWriteBack();
    await round();
    payments.insertAttempt(sold('a'));
    world.failure = sourceError('SOURCE_REFUSED', 'no such invoice');
    await round();
    await round(3_600_000);
    expect(world.asked).toBe(1);
    expect(rows()).toEqual([
      {
        id: 'a',
        state: 'refused',
        provider: 'provider_a',
        error: expect.stringContaining('no such invoice'),
      },
    ]);
    world.failure = null;
    resume();
    await round();
    expect(recorded).toHaveLength(1);
  });

  it('are no concern of a source when their invoice was not imported, and are waited for while it is not mirrored', async () => {
    const { payments, round, rows, recorded, world } = aWriteBack();
    await round();
    payments.insertAttempt(sold('a'));
    world.invoice = null;
    await round();
    expect(rows()).toMatchObject([{ state: 'waiting' }]);
    world.invoice = IMPORTED;
    await round(3_600_000);
    expect(recorded).toHaveLength(1);
    world.invoice = { metadata: { tilld: { slot: 'provider_b', external_id: 'I-7' } } };
    payments.insertAttempt(sold('b'));
    await round();
    world.invoice = {};
    payments.insertAttempt(sold('c'));
    await round();
    expect(rows().map((row) => Object(row).state)).toEqual(['recorded', 'foreign', 'foreign']);
  });

  it('are not recorded when the money went back before, and not while it may go back', async () => {
    const { payments, round, recorded, rows } = aWriteBack();
    await round();
    payments.insertAttempt(sold('a'));
    const back = sold('b', { type: 'void', parentId: 'a', state: { name: 'requested' }, completedAt: null });
    payments.insertAttempt(back);
    await round();
    expect(recorded).toEqual([]);
    payments.updateAttempt({ ...back, state: { name: 'succeeded' }, completedAt: 5, version: 2 });
    await round(3_600_000);
    expect(recorded).toEqual([]);
    expect(rows()).toMatchObject([{ id: 'a', state: 'foreign' }]);
  });

  it('are recorded once, however often the evidence of them changes', async () => {
    const { payments, round, recorded } = aWriteBack();
    await round();
    const sale = sold('a', { report: aReport({ amountMinor: 1200, tipMinor: 200 }) });
    payments.insertAttempt(sale);
    await round();
    const reversed = recordedBeside(sale, false, 'b');
    payments.insertAttempt(reversed);
    await round();
    payments.insertAttempt(recordedBeside(sale, true, 'c', reversed));
    await round(3_600_000);
    expect(recorded.map(({ id, amountMinor }) => [id, amountMinor])).toEqual([['a', 1000]]);
  });

  it('are recorded once where a refund turns out not to have happened', async () => {
    const { payments, round, recorded } = aWriteBack();
    await round();
    payments.insertAttempt(sold('a'));
    await round();
    const refund = sold('b', { type: 'refund', parentId: 'a' });
    payments.insertAttempt(refund);
    payments.insertAttempt(recordedBeside(refund, false, 'c'));
    await round(3_600_000);
    expect(recorded.map(({ id }) => id)).toEqual(['a']);
  });

  it('are recorded with what was asked for where only a correction says that they were charged', async () => {
    const { payments, round, recorded } = aWriteBack();
    await round();
    const report = aReport({ amountMinor: 1200, tipMinor: 200 });
    const sale = sold('a', { state: { name: 'error' }, report });
    payments.insertAttempt(sale);
    payments.insertAttempt({ ...recordedBeside(sale, true, 'b'), report });
    await round();
    expect(recorded).toMatchObject([{ id: 'a', amountMinor: 1000 }]);
  });
});
