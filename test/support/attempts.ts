import type { Attempt } from '../../src/payment/attempt/attempt.ts';
import type { NewAttempt } from '../../src/payment/payment-writer.ts';
import type { TransactionReport } from '../../src/terminal/ports.ts';

export const DEVICE_ID = '0199c0de-0000-7000-8000-0000000000d1';

/** An attempt of 12.34 EUR that waits in front of the terminal; `changes` say what is different. Its wall clock was never set. */
export function anAttempt(changes: Partial<Attempt> = {}): Attempt {
  return {
    ...aNewAttempt(),
    state: { name: 'requested' },
    version: 1,
    dispatchedAt: null,
    inDoubtSince: null,
    cancelRequestedAt: null,
    completedAt: null,
    baseline: null,
    report: null,
    receipts: {},
    reason: null,
    evidence: null,
    releasedAt: null,
    settledAt: null,
    ticket: null,
    needsPerson: false,
    ...changes,
    elapsed: changes.elapsed ?? {
      dispatched: changes.dispatchedAt ?? null,
      inDoubt: changes.inDoubtSince ?? null,
      completed: changes.completedAt ?? null,
    },
  };
}

/** What a new sale of 12.34 EUR starts from. */
export function aNewAttempt(changes: Partial<NewAttempt> = {}): NewAttempt {
  return {
    id: '0199c0de-0000-7000-8000-00000000000a',
    type: 'sale',
    parentId: null,
    corrects: null,
    cause: null,
    original: null,
    deviceId: DEVICE_ID,
    amount: { minor: 1234, currency: 'EUR' },
    invoiceId: null,
    reference: null,
    metadata: {},
    origin: { kind: 'local', caller: 'socket' },
    trace: null,
    after: null,
    createdAt: 1_000_000,
    expiresAt: 1_060_000,
    ...changes,
  };
}

/** An approved sale of 12.34 EUR with receipt number 0042, as a terminal reports it. */
export function aReport(changes: Partial<TransactionReport> = {}): TransactionReport {
  return {
    verdict: 'approved',
    kind: 'sale',
    amountMinor: 1234,
    currency: 'EUR',
    responseCode: '00',
    number: '0042',
    trace: '000142',
    terminalId: '52500038',
    terminalClock: '1120133700',
    ...changes,
  };
}
