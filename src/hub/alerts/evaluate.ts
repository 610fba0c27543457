import { type RawBuilder, sql } from 'kysely';
import type { TenantTransaction } from '../database/connect.ts';
import { WRONG_CLOCK_MS } from './kinds.ts';
import { endAlerts, raiseAll, shopFits } from './raise.ts';

/** Of one tenant, by one hub of several: hubs look more often, so each minute has one that comes to it. */
const EVERY_S = 55;
/** A longer pause is one of the hubs: until then no shop could be heard. */
const PAUSE_S = 180;

/**
 * Raises the alerts of the conditions that have lasted as long as their rules say, and ends those of conditions that are over, of rules that are off, and of clocks
 * that are right again. Only the clock of the database decides. Another hub that comes to the same tenant at a time, or within the minute, does nothing.
 * @returns whether this hub has evaluated the tenant
 */
export async function evaluate(transaction: TenantTransaction, tenant: string): Promise<boolean> {
  if (!(await takeBeat(transaction))) return false;
  await keepConditions(transaction, tenant);
  await raiseAll(
    transaction,
    tenant,
    sql`SELECT l.agent_id, l.kind, rule_id, l.rule, l.severity, l.since, ${reasons}::text AS details
      FROM (${lasting}) l JOIN agent a ON a.id = l.agent_id
      WHERE NOT EXISTS (SELECT 1 FROM alert o WHERE o.ended_at IS NULL AND (o.agent_id, o.rule, o.kind) = (l.agent_id, l.rule, l.kind))
      AND (l.kind <> 'silent' OR EXISTS (SELECT 1 FROM alert_beat WHERE listening_since <= now() - make_interval(mins => minutes)))`,
  );
  await endAlerts(
    transaction,
    sql`CASE WHEN a.kind = 'clock_wrong' THEN a.agent_id IN (SELECT id FROM agent
        WHERE revoked_at IS NOT NULL OR abs(clock_offset_ms) <= ${WRONG_CLOCK_MS}::bigint)
      ELSE a.kind IN ('silent', 'cannot_sell', 'cannot_report', 'not_fresh', 'in_doubt')
        AND (a.agent_id, a.rule, a.kind) NOT IN (SELECT agent_id, rule, kind FROM (${lasting}) lasting) END`,
  );
  return true;
}

async function takeBeat(transaction: TenantTransaction): Promise<boolean> {
  const { rows } = await sql`UPDATE alert_beat SET evaluated_at = now(),
      listening_since = CASE WHEN evaluated_at < now() - make_interval(secs => ${PAUSE_S}) THEN now() ELSE listening_since END
    WHERE tenant_id IN (SELECT tenant_id FROM alert_beat WHERE evaluated_at <= now() - make_interval(secs => ${EVERY_S})
      FOR UPDATE SKIP LOCKED) RETURNING tenant_id`.execute(transaction);
  return rows.length > 0;
}

/** The agent of each shop that is joined: the newest that is not revoked. */
const current = (columns: RawBuilder<unknown>) =>
  sql`SELECT DISTINCT ON (shop_id) ${columns} FROM agent WHERE revoked_at IS NULL ORDER BY shop_id, created_at DESC`;

/** Since when agents report a condition without a report to the contrary; what a silent one reported last counts on. */
async function keepConditions(transaction: TenantTransaction, tenant: string): Promise<void> {
  await sql`WITH reported AS MATERIALIZED (
      SELECT c.id AS agent_id, k.kind FROM (${current(sql`id, state`)}) c CROSS JOIN LATERAL (VALUES
        ('cannot_sell', c.state -> 'can_sell' = 'false'), ('cannot_report', c.state -> 'can_report' = 'false'),
        ('not_fresh', c.state -> 'is_fresh' = 'false'), ('in_doubt', c.state -> 'terminals' @> '[{"in_doubt": true}]')
      ) AS k (kind, holds) WHERE k.holds),
    over AS (
      DELETE FROM agent_condition o WHERE NOT EXISTS (SELECT 1 FROM reported r WHERE r.agent_id = o.agent_id AND r.kind = o.kind))
    INSERT INTO agent_condition (agent_id, tenant_id, kind, since)
      SELECT agent_id, ${tenant}::uuid, kind, now() FROM reported ON CONFLICT DO NOTHING`.execute(
    transaction,
  );
}

/** Conditions that last longer than a rule lets them. */
const lasting = sql`SELECT o.agent_id, o.kind, o.since, r.id AS rule_id, r.name AS rule, r.severity, r.minutes
  FROM (SELECT agent_id, kind, since FROM agent_condition UNION ALL
    SELECT id, 'silent', coalesce(exchanged_at, created_at) FROM (${current(sql`id, exchanged_at, created_at`)}) c) o
  JOIN agent a ON a.id = o.agent_id JOIN shop s ON s.id = a.shop_id
  JOIN alert_rule r ON r.kind = o.kind AND r.enabled AND ${shopFits}
  WHERE o.since <= now() - make_interval(mins => r.minutes)`;

/** What the agent `a` says of it: why its shop does not sell, report, or know what is new. */
const reasons = sql`CASE WHEN l.kind IN ('cannot_sell', 'cannot_report', 'not_fresh') THEN json_build_object('reasons', ARRAY(
    SELECT left(reason ->> 'message', 200) FROM jsonb_array_elements(
      CASE jsonb_typeof(a.state -> 'reasons') WHEN 'array' THEN a.state -> 'reasons' ELSE '[]' END) reason LIMIT 5))
  ELSE '{}' END`;
