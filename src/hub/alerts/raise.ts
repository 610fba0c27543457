import { type RawBuilder, sql } from 'kysely';
import type { TenantTransaction } from '../database/connect.ts';
import type { FoundKind, MerchantKind } from './kinds.ts';

/**
 * Raises an alert by each rule that watches for it at the agent's shop, unless that rule has raised it already, and notes where it goes.
 * @param details where it was found
 */
export async function raiseAlert(
  transaction: TenantTransaction,
  tenant: string,
  agent: string,
  kind: FoundKind,
  details: Readonly<Record<string, unknown>>,
): Promise<void> {
  await raiseAll(
    transaction,
    tenant,
    sql`SELECT ${agent}::uuid AS agent_id, r.kind, r.id AS rule_id, r.name AS rule, r.severity, now() AS since,
        ${JSON.stringify(details)}::text AS details
      FROM alert_rule r JOIN agent a ON a.id = ${agent}::uuid JOIN shop s ON s.id = a.shop_id
      WHERE r.kind = ${kind} AND r.enabled AND ${shopFits}`,
  );
}

/** The same for what is of no shop: each call raises it, by the rules that watch every shop. */
export async function raiseOfMerchant(
  transaction: TenantTransaction,
  tenant: string,
  kind: MerchantKind,
  details: Readonly<Record<string, unknown>>,
): Promise<void> {
  await sql`WITH raised AS (
      INSERT INTO alert (tenant_id, kind, rule, severity, since, details)
        SELECT ${tenant}::uuid, kind, name, severity, now(), ${JSON.stringify(details)}::text FROM alert_rule
        WHERE kind = ${kind} AND enabled AND shops IS NULL RETURNING id, rule)
    INSERT INTO alert_delivery (tenant_id, alert_id, destination_id, event)
      SELECT ${tenant}::uuid, raised.id, d.destination_id, 'raised' FROM raised
      JOIN alert_rule r ON r.name = raised.rule JOIN alert_rule_destination d ON d.rule_id = r.id`.execute(
    transaction,
  );
}

/** Whether the filter of the rule `r` fits the shop `s`. */
export const shopFits = sql<boolean>`(r.shops IS NULL
  OR s.name LIKE replace(regexp_replace(r.shops, '([\\\\%_])', '\\\\\\1', 'g'), '*', '%'))`;

/** @param found rows of agent_id, kind, rule_id, rule, severity, since and details */
export async function raiseAll(
  transaction: TenantTransaction,
  tenant: string,
  found: RawBuilder<unknown>,
): Promise<void> {
  await sql`WITH found AS MATERIALIZED (${found}), raised AS (
      INSERT INTO alert (tenant_id, agent_id, kind, rule, severity, since, details)
        SELECT ${tenant}::uuid, agent_id, kind, rule, severity, since, details FROM found
        ON CONFLICT (agent_id, rule, kind) WHERE ended_at IS NULL DO NOTHING RETURNING id, agent_id, rule, kind)
    INSERT INTO alert_delivery (tenant_id, alert_id, destination_id, event)
      SELECT ${tenant}::uuid, raised.id, d.destination_id, 'raised' FROM raised
      JOIN found USING (agent_id, rule, kind) JOIN alert_rule_destination d ON d.rule_id = found.rule_id`.execute(
    transaction,
  );
}

/**
 * Ends open alerts, and notes it for where they went. The instant is the database's.
 * @param which of the alerts `a`
 * @returns the ids of those that were open
 */
export async function endAlerts(
  transaction: TenantTransaction,
  which: RawBuilder<unknown>,
): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`WITH ended AS (
      UPDATE alert a SET ended_at = now() WHERE a.ended_at IS NULL AND ${which} RETURNING a.id),
    noted AS (
      INSERT INTO alert_delivery (tenant_id, alert_id, destination_id, event)
        SELECT d.tenant_id, d.alert_id, d.destination_id, 'ended' FROM alert_delivery d JOIN ended ON ended.id = d.alert_id
        WHERE d.event = 'raised')
    SELECT id FROM ended`.execute(transaction);
  return rows.map(({ id }) => id);
}
