import type { TenantTransaction } from '../database/connect.ts';

/** `journal_contradicts`: it has sent two histories of one epoch. `two_processes`: two processes use one state folder. */
export type QuarantineReason = 'journal_contradicts' | 'two_processes';

/** Withholds commands from an agent, and raises an alert, once. It goes on to report: its books are kept, and its shop sells. */
export async function quarantine(
  transaction: TenantTransaction,
  tenant: string,
  agent: string,
  reason: QuarantineReason,
): Promise<void> {
  await transaction
    .updateTable('agent')
    .set({ quarantined: reason })
    .where('id', '=', agent)
    .where('quarantined', 'is', null)
    .execute();
  await raiseAlert(transaction, tenant, agent, reason, {});
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
