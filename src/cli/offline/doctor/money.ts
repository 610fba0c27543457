import { counted } from '../../../base/counted.ts';
import { formatMoney, isCurrency } from '../../../base/money.ts';
import { answerCommand } from '../../../base/next-step.ts';
import { ONLY_LISTED } from '../../../payment/tasks/task.ts';
import {
  doubtsIn,
  openTasksIn,
  pendingCreatesIn,
  pendingReportsIn,
  writtenOffIn,
} from '../../../store/inspection/open-questions.ts';
import { type CheckResult, fail, ok, warn } from './check-result.ts';
import type { DiagnosticContext } from './diagnostic-context.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Payments with an unknown outcome: the customer may or may not have been charged. */
export function checkDoubts({ database, now }: DiagnosticContext): readonly CheckResult[] {
  const id = 'in-doubt';
  const doubts = doubtsIn(database());
  if (doubts.length === 0) return [ok(id, 'no payment is in doubt')];
  return doubts.map(({ id: payment, deviceId, minor, currency, since }) =>
    (since !== null && now - since > DAY_MS ? fail : warn)(id, {
      what: `payment ${payment} of ${isCurrency(currency) ? formatMoney({ minor, currency }) : `${minor} ${currency}`} at device ${deviceId} is in doubt since ${since === null ? 'an unknown time' : iso(since)}`,
      why: 'it is not known yet whether the customer was charged: do not charge again',
      fix: `tillctl explain ${payment} says where to look (the terminal, or the slip and the statement of one that was replaced), then: ${answerCommand(payment)} (--source WHERE for one that was replaced or is not believed)`,
    }),
  );
}

/** Reports that the service has not received yet. */
export function checkOutbox({ database, now }: DiagnosticContext): readonly CheckResult[] {
  const id = 'outbox';
  const { pending, oldestAt, parked, reason } = pendingReportsIn(database());
  const findings: CheckResult[] = [];
  if (parked > 0)
    findings.push(
      warn(id, {
        what: `${counted(parked, 'report is', 'reports are')} parked${reason === null ? '' : `; the newest because: ${reason}`}`,
        why: 'the service does not know, or does not accept, what was charged here',
        fix: 'tillctl outbox --status parked says why; put it right in the service, then: tillctl outbox retry ID, or: tillctl outbox drop ID --reason TEXT',
      }),
    );
  if (oldestAt !== null && now - oldestAt > HOUR_MS)
    findings.push(
      warn(id, {
        what: `${counted(pending, 'report waits', 'reports wait')}, the oldest since ${iso(oldestAt)}`,
        why: 'the service does not know yet what was charged here; nothing is lost, they are sent when it answers',
        fix: 'tillctl status says why it cannot report',
      }),
    );
  return findings.length > 0
    ? findings
    : [ok(id, `${counted(pending, 'report waits', 'reports wait')} for the service, none is parked`)];
}

/** Local payments of a shop that reports none to the service. */
export function checkPendingCreates({ configuration, database }: DiagnosticContext): readonly CheckResult[] {
  const id = 'owed-reports';
  const service = configuration.config?.service;
  if (!service) return [];
  const count = pendingCreatesIn(database());
  if (service.create_local === 'on' || count === 0) return [ok(id, 'no report waits for a setting')];
  return [
    warn(id, {
      what: `${counted(count, 'payment that was started here waits', 'payments that were started here wait')}, because "service.create_local" is off`,
      why: 'the service does not know of them; nothing is lost, they are charged and kept here',
      fix: `set "service.create_local": "on" in ${configuration.file}, then: tillctl config check ${configuration.file} && systemctl restart tilld`,
    }),
  ];
}

/** Tasks that only a person can do. */
export function checkTasks({ database }: DiagnosticContext): CheckResult {
  const id = 'tasks';
  const all = openTasksIn(database());
  const tasks = all.filter(({ kind }) => !isListed(kind));
  const [oldest] = tasks;
  if (!oldest) {
    const listed = [...new Set(all.map(({ kind }) => kind))].join(', ');
    const also =
      listed === ''
        ? ''
        : `; ${counted(all.length, 'payment is', 'payments are')} only listed (${listed}): tillctl tasks`;
    return ok(id, `nothing waits for a person${also}`);
  }
  const kinds = [...new Set(tasks.map(({ kind }) => kind))].join(', ');
  return warn(id, {
    what: `${counted(tasks.length, 'open task', 'open tasks')} (${kinds}), the oldest since ${iso(oldest.at)}`,
    why: 'each is about money that a person must look at',
    fix: 'tillctl tasks says what to do for each; then: tillctl task-done ID --by NAME --note TEXT, or for a payment in doubt: tillctl resolve ID --as succeeded|not_charged --by NAME --reason TEXT --shown TEXT',
  });
}

/** These need no action: tilld finishes them by itself. */
function isListed(kind: string): boolean {
  return ONLY_LISTED.some((one) => one === kind);
}

/** Payments whose unknown outcome was written off; no fault, but not to be forgotten. */
export function checkWrittenOff({ database }: DiagnosticContext): CheckResult {
  const id = 'written-off';
  const count = writtenOffIn(database());
  if (count === 0) return ok(id, 'no payment is written off');
  return ok(
    id,
    `${counted(count, 'payment is written off: it counts', 'payments are written off: they count')} as charged. What is found out later: tillctl resolve ID --as succeeded|not_charged --source WHERE --by NAME --reason TEXT --shown TEXT`,
  );
}

function iso(at: number): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? 'an impossible time' : date.toISOString();
}
