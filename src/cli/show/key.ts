import type { CreatedKey, KeyAudit, KeySummary } from '../../api/contract/key.ts';
import { moment } from './moment.ts';
import { facts, table } from './table.ts';

/** A key at its creation, the only time it is shown. `more`: further facts about it. */
export function secretText(
  key: CreatedKey,
  more: readonly (readonly [string, string | null])[] = [],
): string {
  return facts([
    ['key', key.key],
    ['id', key.id],
    ['name', key.name],
    ['scopes', key.scopes.join(', ')],
    ['expires', key.expires_at ?? 'never'],
    ...more,
  ]);
}

/** Keys, one line each. */
export function keyTable(keys: readonly KeySummary[]): string {
  const rows = keys.map((key) => [
    key.name,
    key.id,
    key.scopes.join(' '),
    key.created_at,
    key.expires_at ?? 'never',
    key.last_used_at ?? 'never',
    stateOf(key),
    key.allow.join(' '),
  ]);
  return table(['NAME', 'ID', 'SCOPES', 'CREATED', 'EXPIRES', 'LAST USED', 'STATE', 'ALLOWED FROM'], rows);
}

/** The audit trail, one line each. */
export function auditTable(entries: readonly KeyAudit[]): string {
  const rows = entries.map((entry) => [
    entry.at,
    entry.event,
    entry.caller,
    entry.by ?? '-',
    entry.event === 'rolled'
      ? `the secret before ends ${entry.overlap_ends_at === null ? 'at once' : moment(entry.overlap_ends_at)}`
      : '',
  ]);
  return table(['AT', 'EVENT', 'THROUGH', 'BY', 'WHAT'], rows);
}

/** The one state of a key that needs attention; an overlap before staleness, because it ends by itself. */
function stateOf({ status, overlap_ends_at, stale }: KeySummary): string {
  if (status !== 'active') return status;
  if (overlap_ends_at !== null) return `rolling until ${moment(overlap_ends_at)}`;
  return stale ? 'stale' : 'active';
}
