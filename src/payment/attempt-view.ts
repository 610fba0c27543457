import type { Attempt } from './attempt/attempt.ts';
import { newestEvidence } from './attempt/newest-evidence.ts';
import { isFinal } from './attempt/state-machine.ts';
import type { PaymentServiceDeps } from './change.ts';
import type { AttemptView } from './payments.ts';
import type { ReportState } from './ports.ts';
import { refundedMinor, refundingMinor } from './refunds/refundable.ts';
import { childrenOfCharge } from './refunds/standing-sale.ts';
import { isReported } from './report.ts';

/**
 * What callers see of an attempt: whether the customer was charged by the newest evidence, what was refunded, what the service knows, and what a person is asked.
 * @param progress the newest text of its terminal; null: none, or it has ended
 */
export function viewOf(
  attempt: Attempt,
  deps: Pick<PaymentServiceDeps, 'store' | 'reports'>,
  progress: string | null,
): AttemptView {
  const { store } = deps;
  const { charged, correctedBy, correctsType, rootId } = newestEvidence(attempt, store);
  const children = attempt.type === 'sale' && isFinal(attempt.state) ? childrenOfCharge(attempt, store) : [];
  const wentBack = children.filter((child) => {
    const found = newestEvidence(child, store);
    return found.charged !== 'no' && found.rootId !== rootId;
  });
  const reports = deps.reports ? store.reportsOf(attempt.id) : null;
  const reported = reports === null ? 'off' : isReported(attempt, store) ? reportedOf(reports) : 'yes';
  return {
    attempt,
    reported,
    refusedBecause: reports?.findLast(isRefused)?.lastError ?? null,
    progress,
    charged,
    correctedBy,
    correctsType,
    refundedMinor: refundedMinor(wentBack),
    refundingMinor: refundingMinor(children),
    tasks: store.openTasksOf(attempt.id),
  };
}

/** `yes` once the service took the result, `rejected` once a report is a dead letter, else `pending`. */
function reportedOf(reports: readonly ReportState[]): 'yes' | 'pending' | 'rejected' {
  if (reports.some(isRefused)) return 'rejected';
  return reports.some((report) => report.kind === 'result' && report.state === 'done') ? 'yes' : 'pending';
}

/** A `parked` report without a try is held back by tilld. */
function isRefused({ state, tries }: ReportState): boolean {
  return state === 'parked' && tries > 0;
}
