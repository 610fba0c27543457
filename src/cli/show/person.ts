import type { AuditTrailEntry, Person } from '../../api/contract/person.ts';
import type { PairedDevice } from '../../api/contract/sign-in.ts';
import { moment } from './moment.ts';
import { table } from './table.ts';

/** People, one line each. */
export function peopleTable(people: readonly Person[]): string {
  const rows = people.map(({ name, role, status, system_user, id, created_at, disabled_at }) => [
    name,
    role,
    disabled_at === null ? status : `disabled ${moment(disabled_at)}`,
    system_user ?? '',
    created_at,
    id,
  ]);
  return table(['NAME', 'ROLE', 'STATE', 'USER', 'ADDED', 'ID'], rows);
}

/** The audit trail, one line for each entry. */
export function auditTrailTable(entries: readonly AuditTrailEntry[]): string {
  const rows = entries.map(({ seq, at, event, name, subject, who, from }) => [
    String(seq),
    at,
    event,
    name ?? subject,
    who,
    from,
  ]);
  return table(['NO', 'AT', 'EVENT', 'OF', 'BY', 'FROM'], rows);
}

/** Paired browsers, one line each. */
export function pairedTable(devices: readonly PairedDevice[]): string {
  const rows = devices.map(({ id, name, paired_at, withdrawn_at }) => [
    name,
    withdrawn_at === null ? 'paired' : `withdrawn ${moment(withdrawn_at)}`,
    paired_at,
    id,
  ]);
  return table(['NAME', 'STATE', 'PAIRED', 'ID'], rows);
}
