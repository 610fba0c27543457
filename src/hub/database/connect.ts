import { type Kysely, Kysely as KyselyClient, sql, type Transaction } from 'kysely';
import { PostgresJSDialect } from 'kysely-postgres-js';
import postgres from 'postgres';
import type { Tables } from './tables.ts';

/** The role that every statement of the hub runs as: it owns nothing, and sees the rows of one tenant. */
export const ROLE = 'tillhub';

export type Database = Kysely<Tables>;
export type TenantTransaction = Transaction<Tables>;

/**
 * Opens PostgreSQL; of several hosts in the URL the primary, also after a failover. What the URL says in `target_session_attrs` does not count there: with
 * `read-write` the client takes a standby of PostgreSQL 14 or later for a primary (it looks at `default_transaction_read_only`).
 * @param connections at most so many at once
 */
export function connect(url: string, connections = 16): Database {
  const client = postgres(url, {
    max: connections,
    ...(hasSeveralHosts(url) ? { target_session_attrs: 'primary' as const } : {}),
    connect_timeout: 5,
    idle_timeout: 60,
    onnotice: () => undefined,
    // 64-bit counters are far below 2^53 here.
    types: {
      bigint: { to: 20, from: [20], serialize: String, parse: Number },
      // A text for a jsonb column is JSON already.
      jsonb: { to: 3802, from: [3802], serialize: String, parse: JSON.parse },
    },
  });
  return new KyselyClient<Tables>({ dialect: new PostgresJSDialect({ postgres: client }) });
}

/** One transaction that sees and writes the rows of one tenant: PostgreSQL's row-level security decides, not the statements. */
export async function asTenant<T>(
  database: Database,
  tenant: string,
  work: (transaction: TenantTransaction) => Promise<T>,
): Promise<T> {
  return await database.transaction().execute(async (transaction) => {
    await sql`SELECT set_config('role', ${ROLE}, true), set_config('tilld.tenant', ${tenant}, true)`.execute(
      transaction,
    );
    return await work(transaction);
  });
}

function hasSeveralHosts(url: string): boolean {
  return /^[^/]*\/\/[^/?]*,/.test(url);
}
