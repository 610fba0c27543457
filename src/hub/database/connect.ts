import { type Kysely, Kysely as KyselyClient, PostgresDialect, sql, type Transaction } from 'kysely';
import Cursor from 'pg-cursor';
import { ServerPool, type ServerPoolOptions } from './server-pool.ts';
import type { Tables } from './tables.ts';

/** The role that every statement of the hub runs as: it owns nothing, and sees the rows of one tenant. */
export const ROLE = 'tillhub';

export type Database = Kysely<Tables>;
export type TenantTransaction = Transaction<Tables>;

/** Opens PostgreSQL at `postgres://USER@HOST/NAME`; of several hosts (`HOST,HOST`) the primary, also after a failover. */
export function connect(url: string, options: ServerPoolOptions): Database {
  return new KyselyClient<Tables>({
    dialect: new PostgresDialect({ pool: new ServerPool(eachHost(url), options), cursor: Cursor }),
  });
}

/** One transaction that sees and writes the rows of one tenant: PostgreSQL's row-level security decides, not the statements. */
export async function asTenant<T>(
  database: Database,
  tenant: string,
  work: (transaction: TenantTransaction) => Promise<T>,
): Promise<T> {
  return await database.transaction().execute(async (transaction) => {
    await sql`SELECT set_config('role', ${ROLE}, true)`.execute(transaction);
    await seeTenant(transaction, tenant);
    return await work(transaction);
  });
}

/** The rows of this tenant until the transaction ends; with commands of rollouts, whose turns this hub keeps. */
export async function seeTenant(transaction: TenantTransaction, tenant: string): Promise<void> {
  await sql`SELECT set_config('tilld.tenant', ${tenant}, true), set_config('tilld.rollouts', 'on', true)`.execute(
    transaction,
  );
}

/** The same URL once for each of its hosts. */
function eachHost(url: string): readonly string[] {
  const [, before = '', hosts = '', after = ''] = /^([^/]*\/\/(?:[^/?]*@)?)([^/?]*)(.*)$/s.exec(url) ?? [];
  return hosts.includes(',') ? hosts.split(',').map((host) => `${before}${host}${after}`) : [url];
}
