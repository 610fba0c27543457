import { counted } from '../../../base/counted.ts';
import { brokenAuditIn } from '../../../store/audit/audit-trail.ts';
import { lostAudit } from '../../../store/epoch/epoch.ts';
import { type CheckResult, fail, ok } from './check-result.ts';
import type { DiagnosticContext } from './diagnostic-context.ts';

/** Whether each entry of the audit trail of people and keys fits the one before it, and the newest one that was noted is there. */
export function checkAuditTrail({ database, note }: DiagnosticContext): readonly CheckResult[] {
  const id = 'audit-trail';
  const beside = note();
  const broken = brokenAuditIn(database());
  const lost = broken === null ? lostAudit(database(), beside) : null;
  if (broken === null && lost === null) return [ok(id, 'the audit trail of people and keys is whole')];
  const what =
    lost === null
      ? `entry ${broken} of the audit trail of people and keys does not fit the one before it`
      : `the audit trail of people and keys had ${counted(lost.count, 'entry', 'entries')}, and its end was cut off`;
  return [
    fail(id, {
      what,
      why: 'a program other than tilld changed who may sign in, or which keys work, or hid who did it',
      fix: 'tillctl people audit and tillctl keys list show what is there; disable and revoke what you do not know, or: tillctl restore FILE',
    }),
  ];
}
