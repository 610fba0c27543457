import type { AuditTrailEntry, Person as PersonView } from '../contract/person.ts';
import type { ChainedAudit, Person } from '../ports.ts';
import { instant, instantOrNull } from './instant.ts';

export function renderPerson({ id, name, role, systemUser, createdAt, disabledAt }: Person): PersonView {
  return {
    id,
    object: 'person',
    name,
    role,
    status: disabledAt === null ? 'active' : 'disabled',
    system_user: systemUser,
    created_at: instant(createdAt),
    disabled_at: instantOrNull(disabledAt),
  };
}

/** One entry of the audit trail. */
export function renderAuditEntry({
  seq,
  at,
  event,
  subject,
  who,
  from,
  details,
}: ChainedAudit): AuditTrailEntry {
  const { name = null, ...more } = details;
  return {
    object: 'audit_entry',
    seq,
    at: instant(at),
    event,
    subject,
    name: name === null ? null : String(name),
    who,
    from,
    details: more,
  };
}
