import { describe, expect, it } from 'vitest';
import {
  mayBeForgotten,
  requireComparedDatabase,
  restoredDatabaseWords,
} from '../../../src/payment/recovery/restored-database.ts';
import { SqlitePaymentStore } from '../../../src/store/payments/sqlite-payment-store.ts';
import type { Device } from '../../../src/terminal/device.ts';
import { aReport, DEVICE_ID } from '../../support/attempts.ts';
import { aMoneyDatabase } from '../../support/money-database.ts';

const DEVICE: Device = {
  id: DEVICE_ID,
  name: 'Counter 1',
  driver: 'zvt',
  currency: 'EUR',
  minAmountMinor: 1,
  maxAmountMinor: 999_999,
};
const LOST = { since: 100_000, lost: true, sinceElapsed: 0 };
const sale = (invoiceId: string | null = null) => ({ deviceId: DEVICE_ID, invoiceId });

describe('work that was asked for before our memory began', () => {
  const memory = { since: Date.UTC(2026, 0, 5, 9), lost: true, sinceElapsed: 400_000 };
  const now = 460_000;

  it.each([
    ['younger', 55_000, memory, false],
    ['hardly younger: the service tells whole seconds', 55_001, memory, true],
    ['older', 61_000, memory, true],
    ['of any age, and nothing was lost', 999_999, { ...memory, lost: false }, false],
    ['older, whatever the wall clock says of its begin', 61_000, { ...memory, since: 7 }, true],
    ['younger, whatever the wall clock says of its begin', 55_000, { ...memory, since: 9e15 }, false],
  ])('%s', (_title, ageMs, ours, forgotten) => {
    expect(mayBeForgotten(ours, ageMs, now)).toBe(forgotten);
  });
});

describe('a sale while the memory is lost', () => {
  function task(store: SqlitePaymentStore, done: boolean) {
    const facts = { kind: 'memory_lost', attemptId: null, settlementId: null, deviceId: DEVICE_ID } as const;
    store.insertTask({ id: 'task', ...facts, message: 'compare', createdAt: 1, done: null });
    if (done) store.finishTask('task', { by: 'Ada', note: 'looked', at: 2 });
    return store;
  }
  const empty = () => new SqlitePaymentStore(aMoneyDatabase());
  const refused = expect.objectContaining({
    code: 'MEMORY_LOST',
    message: expect.stringMatching(/^Nothing was charged or given back\. /),
  });

  it('is refused before the terminal was read, though no task is there yet', () => {
    expect(() => requireComparedDatabase(LOST, sale(), false, empty())).toThrow(refused);
  });

  it('is refused until somebody has compared, with the task and its words', () => {
    expect(() => requireComparedDatabase(LOST, sale(), true, task(empty(), false))).toThrow(
      expect.objectContaining({
        message: 'Nothing was charged or given back. compare',
        context: {
          details: {
            device_id: DEVICE_ID,
            task_id: 'task',
            what_to_do: 'compare, then: tillctl task-done task --by NAME --note TEXT',
          },
        },
      }),
    );
  });

  it('is asked once: it passes when the task is done', () => {
    expect(() => requireComparedDatabase(LOST, sale(), true, task(empty(), true))).not.toThrow();
  });

  it('is asked for also where it names an invoice: what was forgotten guards nothing', () => {
    expect(() => requireComparedDatabase(LOST, sale('I-1'), false, empty())).toThrow(refused);
  });

  it('is not asked for when nothing was lost', () => {
    expect(() => requireComparedDatabase({ lost: false }, sale(), false, empty())).not.toThrow();
  });
});

describe('the question to staff', () => {
  it.each([
    [{ kind: 'empty' }, /has nothing stored/],
    [{ kind: 'unreadable', detail: 'x' }, /cannot report its last transaction: look at its receipts/],
    [
      { kind: 'found', report: aReport() },
      /an approved transaction of .*12\.34.*, receipt 0042, at 13:37 on 20\.11\./,
    ],
    [
      { kind: 'found', report: aReport({ verdict: 'refused' }) },
      /a transaction that was refused of .*12\.34/,
    ],
    [{ kind: 'found', report: { verdict: 'approved', kind: 'sale' } }, /shows an approved transaction\. /],
  ] as const)(
    '%# shows what the terminal shows, and says not to charge again what was paid',
    (last, words) => {
      const message = restoredDatabaseWords(DEVICE, last);
      expect(message).toMatch(words);
      expect(message).toContain('do not charge again what was paid');
    },
  );
});
