import { brokenAuditIn } from '../../../store/audit/audit-trail.ts';
import { type CheckResult, fail, ok } from './check-result.ts';
import type { DiagnosticContext } from './diagnostic-context.ts';

/** Whether each entry of the audit trail of people and keys fits the one before it. */
export function checkAuditTrail({ database }: DiagnosticContext): readonly CheckResult[] {
  const id = 'audit-trail';
  const broken = brokenAuditIn(database());
  if (broken === null) return [ok(id, 'the audit trail of people and keys is whole')];
  return [
    fail(id, {
      what: `entry ${broken} of the audit trail of people and keys does not fit the one before it`,
      why: 'a program other than tilld changed who may sign in, or which keys work, or hid who did it',
      fix: 'tillctl people audit and tillctl keys list show what is there; disable and revoke what you do not know, or: tillctl restore FILE',
    }),
  ];
}
