import { sql } from 'kysely';
import { asTenant, type Database } from '../database/connect.ts';

const REPORTING_MS = 180_000;

export interface AgentCounts {
  readonly reporting: number;
  readonly silent: number;
  readonly quarantined: number;
  readonly revoked: number;
}

/** The agents of all tenants, each in one state: what is worst counts. @param now epoch ms */
export async function countAgents(database: Database, now: number): Promise<AgentCounts> {
  const tenants = await database.selectFrom('tenant').select('id').execute();
  const since = new Date(now - REPORTING_MS).toISOString();
  let sums: AgentCounts = { reporting: 0, silent: 0, quarantined: 0, revoked: 0 };
  for (const { id } of tenants) {
    const { rows } = await asTenant(database, id, (transaction) =>
      sql<AgentCounts>`SELECT
        count(*) FILTER (WHERE revoked_at IS NOT NULL)::int AS revoked,
        count(*) FILTER (WHERE revoked_at IS NULL AND quarantined IS NOT NULL)::int AS quarantined,
        count(*) FILTER (WHERE revoked_at IS NULL AND quarantined IS NULL AND seen_at >= ${since}::timestamptz)::int AS reporting,
        count(*) FILTER (WHERE revoked_at IS NULL AND quarantined IS NULL AND (seen_at IS NULL OR seen_at < ${since}::timestamptz))::int AS silent
        FROM agent`.execute(transaction),
    );
    sums = added(sums, rows[0] ?? sums);
  }
  return sums;
}

function added(one: AgentCounts, other: AgentCounts): AgentCounts {
  return {
    reporting: one.reporting + other.reporting,
    silent: one.silent + other.silent,
    quarantined: one.quarantined + other.quarantined,
    revoked: one.revoked + other.revoked,
  };
}
