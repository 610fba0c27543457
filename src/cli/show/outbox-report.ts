import type { OutboxReport } from '../../api/contract/outbox-report.ts';
import { formatMoney } from '../../base/money.ts';
import { moment } from './moment.ts';
import { facts } from './table.ts';

/** A report for people: what it is and why it is still pending. */
export function reportText(report: OutboxReport, names: ReadonlyMap<string, string>): string {
  const { decision } = report;
  return facts([
    ['report', report.id],
    ['of', `${report.kind} of the ${report.type} ${report.payment_id}`],
    ['amount', formatMoney({ minor: report.amount_minor, currency: report.currency })],
    ['terminal', names.get(report.device_id) ?? report.device_id],
    ['status', report.status],
    ['since', report.created_at],
    ['tries', String(report.attempts)],
    ['because', report.last_error],
    [
      'decided',
      decision && `${moment(decision.at)} ${decision.decision} by ${decision.by ?? decision.caller}`,
    ],
  ]);
}
