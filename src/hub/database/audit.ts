import type { TenantTransaction } from './connect.ts';

/** Notes who did what, in the transaction that does it. */
export async function audit(
  transaction: TenantTransaction,
  tenant: string,
  actor: string,
  action: string,
  details: Readonly<Record<string, unknown>>,
): Promise<void> {
  await transaction
    .insertInto('audit')
    .values({ tenant_id: tenant, actor, action, details: JSON.stringify(details) })
    .execute();
}
