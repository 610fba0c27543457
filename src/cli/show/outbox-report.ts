import type { OutboxReport } from '../../api/contract/outbox-report.ts';
import { facts } from './table.ts';

/** A report for people: what it is and why it is still pending. */
export function reportText(report: OutboxReport): string {
  const { decision } = report;
  return facts([
    ['report', report.id],
    ['of', `${report.kind} of the ${report.type} ${report.payment_id}`],
    ['status', report.status],
    ['since', report.created_at],
    ['tries', String(report.attempts)],
    ['because', report.last_error],
    ['decided', decision && `${decision.at} ${decision.decision} by ${decision.by ?? decision.caller}`],
  ]);
}
