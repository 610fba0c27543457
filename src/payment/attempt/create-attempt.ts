import { requestSpanOf, traceIdOf } from '../../base/trace.ts';
import type { OriginalTransaction } from '../../terminal/ports.ts';
import { approvedMinor } from './amounts.ts';
import type { Attempt, Cause } from './attempt.ts';

/** A new attempt without the fields that {@link createAttempt} sets. */
export type NewAttempt = Pick<
  Attempt,
  | 'id'
  | 'type'
  | 'parentId'
  | 'corrects'
  | 'cause'
  | 'original'
  | 'deviceId'
  | 'amount'
  | 'invoiceId'
  | 'reference'
  | 'metadata'
  | 'origin'
  | 'trace'
  | 'after'
  | 'invoiceUnasked'
  | 'retryOf'
  | 'createdAt'
  | 'expiresAt'
>;

/** How long a void that tilld made by itself may wait for its terminal. */
const POLICY_VOID_MS = 60_000;
/** The caller of attempts that tilld creates by itself. */
const OURSELVES = { kind: 'local', caller: 'tilld' } as const;

/** A new attempt; unknown fields have their initial values. */
export function createAttempt(created: NewAttempt): Attempt {
  return {
    ...created,
    state: { name: 'requested' },
    version: 1,
    dispatchedAt: null,
    inDoubtSince: null,
    cancelRequestedAt: null,
    completedAt: null,
    elapsed: { dispatched: null, inDoubt: null, completed: null },
    baseline: null,
    report: null,
    receipts: {},
    reason: null,
    evidence: null,
    releasedAt: null,
    settledAt: null,
    ticket: null,
    needsPerson: false,
  };
}

/** The original transaction for a void of this sale, as precisely as the terminal has reported it. */
export function originalOf(sale: Attempt): OriginalTransaction {
  const { number, trace, reference, terminalClock, maskedPan } = sale.report ?? {};
  return {
    amountMinor: approvedMinor(sale),
    ...(number === undefined ? {} : { number }),
    ...(trace === undefined ? {} : { trace }),
    ...(reference === undefined ? {} : { reference }),
    ...(terminalClock === undefined ? {} : { terminalClock }),
    ...(maskedPan === undefined ? {} : { maskedPan }),
  };
}

/** The void that a policy creates for a sale which was approved too late, or in part. */
export function policyVoidOf(sale: Attempt, cause: Cause, id: string, now: number): NewAttempt {
  return {
    ...familyOf(sale),
    id,
    type: 'void',
    parentId: sale.id,
    corrects: null,
    cause,
    original: originalOf(sale),
    amount: { ...sale.amount, minor: approvedMinor(sale) },
    createdAt: now,
    expiresAt: now + POLICY_VOID_MS,
  };
}

/**
 * The attempt that is recorded when evidence contradicts an attempt's end.
 * Money moved: the same type again, as succeeded. It did not: a void of a sale; for a refund or a void a sale, because the charge stands again.
 * @param last the earlier correction of it: a charge that did not happen is reversed where the database has it
 */
export function correctionOf(
  attempt: Attempt,
  moved: boolean,
  last: Attempt | null,
  id: string,
  now: number,
): NewAttempt {
  const undoes = attempt.type === 'sale' ? 'void' : 'sale';
  return {
    ...familyOf(attempt),
    id,
    type: moved ? attempt.type : undoes,
    parentId: moved ? attempt.parentId : attempt.type === 'sale' ? chargeOf(attempt, last).id : null,
    corrects: attempt.id,
    cause: 'correction',
    original: null,
    amount: { ...attempt.amount, minor: approvedMinor(attempt) },
    createdAt: now,
    expiresAt: now,
  };
}

/** The attempt that holds the charge of a sale: its newest correction, or itself. */
function chargeOf(sale: Attempt, last: Attempt | null): Attempt {
  return last?.type === 'sale' ? last : sale;
}

/** An attempt that follows from another continues its trace. */
function familyOf(attempt: Attempt) {
  const { deviceId, invoiceId, reference } = attempt;
  const trace = {
    id: traceIdOf(attempt),
    parent: requestSpanOf(attempt),
    sampled: attempt.trace?.sampled ?? true,
  };
  return { deviceId, invoiceId, reference, metadata: {}, origin: OURSELVES, trace, after: null };
}
