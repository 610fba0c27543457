import type { PendingReport, RefusalCause } from '../../outbox/outbox-admin.ts';
import type { OutboxCause, OutboxReport } from '../contract/outbox-report.ts';
import { instant, instantOrNull } from './instant.ts';

/** A pending report as the API shows it. */
export function renderOutboxReport(report: PendingReport): OutboxReport {
  const { id, attemptId, parentId, kind, operation, status, tries, lastError, decision } = report;
  return {
    id,
    object: 'outbox_report',
    payment_id: attemptId,
    parent_id: parentId,
    device_id: report.deviceId,
    amount_minor: report.amountMinor,
    currency: report.currency,
    kind,
    type: operation,
    status,
    attempts: tries,
    last_error: lastError,
    created_at: instant(report.createdAt),
    key_first_used_at: instantOrNull(report.firstUsedAt),
    decision: decision && {
      decision: decision.decision,
      at: instant(decision.at),
      caller: decision.caller,
      by: decision.by,
      reason: decision.reason,
    },
  };
}

/** Refused reports with one cause, as the API shows them. */
export function renderOutboxCause({ cause, reports, oldestAt, example }: RefusalCause): OutboxCause {
  return { id: cause, object: 'outbox_cause', reports, oldest_at: instant(oldestAt), last_error: example };
}
