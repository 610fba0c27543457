import { audit } from '../database/audit.ts';
import type { TenantTransaction } from '../database/connect.ts';

/** `journal_contradicts`: it has sent two histories of one epoch. `two_processes`: two processes use one state folder. */
export type QuarantineReason = 'journal_contradicts' | 'two_processes';

/**
 * Withholds commands from an agent, and raises an alert, once, until a person releases it. It goes on to report: its books are kept, and its shop sells.
 * @param details where it was found
 */
export async function quarantine(
  transaction: TenantTransaction,
  tenant: string,
  agent: string,
  reason: QuarantineReason,
  details: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { numUpdatedRows } = await transaction
    .updateTable('agent')
    .set({ quarantined: reason })
    .where('id', '=', agent)
    .where('quarantined', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 1n)
    await audit(transaction, tenant, 'hub', 'agent_quarantined', { agent, reason, ...details });
  await raiseAlert(transaction, tenant, agent, reason, details);
}

/** Raises an alert that is not raised already. */
export async function raiseAlert(
  transaction: TenantTransaction,
  tenant: string,
  agent: string,
  kind: string,
  details: Readonly<Record<string, unknown>>,
): Promise<void> {
  await transaction
    .insertInto('alert')
    .values({ tenant_id: tenant, agent_id: agent, kind, details: JSON.stringify(details) })
    .onConflict((conflict) =>
      conflict.columns(['agent_id', 'kind']).where('ended_at', 'is', null).doNothing(),
    )
    .execute();
}
