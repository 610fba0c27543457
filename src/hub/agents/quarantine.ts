import { raiseAlert } from '../alerts/raise.ts';
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
