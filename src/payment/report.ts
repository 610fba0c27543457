import { isPartial } from './attempt/amounts.ts';
import type { Attempt } from './attempt/attempt.ts';
import type { PaymentServiceDeps } from './change.ts';
import type { PaymentStore } from './ports.ts';

/** Why the result of a partial approval waits: the report must contain what became of it. */
const WITHHELD_PARTIAL = 'partial_approval: held until it is decided what becomes of the part';

/** Writes the report of an attempt for the service into the outbox, inside the transaction of its change; nothing without a service. */
export function enqueueReport(
  kind: 'create' | 'result',
  attempt: Attempt,
  { reports, store, ids, clock }: Pick<PaymentServiceDeps, 'reports' | 'store' | 'ids' | 'clock'>,
): void {
  if (!reports || !isReported(attempt, store)) return;
  const body = kind === 'create' ? reports.create(attempt) : reports.result(attempt);
  store.enqueueReport({
    id: ids.uuid(),
    attemptId: attempt.id,
    kind,
    operation: attempt.type,
    parentId: attempt.parentId,
    key: ids.uuid(),
    body,
    createdAt: clock.now(),
    withheld: kind === 'result' && isPartial(attempt) ? WITHHELD_PARTIAL : null,
  });
}

/** The service already has "not charged" for a payment that was written off: a correction to no charge is not reported. */
export function isReported(
  { corrects, type, parentId }: Attempt,
  store: Pick<PaymentStore, 'findAttempt'>,
): boolean {
  if (corrects === null) return true;
  const subject = store.findAttempt(corrects);
  if (type === 'sale' && subject?.type !== 'sale') return subject?.state.name !== 'written_off';
  if (type !== 'void' || parentId === null) return true;
  return store.findAttempt(parentId)?.state.name !== 'written_off';
}
