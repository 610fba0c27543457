import { sql } from 'kysely';
import { audit } from '../database/audit.ts';
import type { TenantTransaction } from '../database/connect.ts';

/**
 * Refuses an agent from its next request on.
 * @returns false where there is no such agent, or it is revoked already
 */
export async function revoke(
  transaction: TenantTransaction,
  tenant: string,
  id: string,
  actor: string,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('agent')
    .set({ revoked_at: new Date() })
    .where(sql<boolean>`id::text = ${id}`)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  await audit(transaction, tenant, actor, 'agent_revoked', { agent: id });
  return true;
}
