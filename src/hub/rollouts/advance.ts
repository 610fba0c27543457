import { sql } from 'kysely';
import { endAlerts, raiseOfMerchant } from '../alerts/raise.ts';
import { audit } from '../database/audit.ts';
import type { TenantTransaction } from '../database/connect.ts';
import { countTargets, isHeard, sum, TARGET_STATES } from './targets.ts';

const HUB = 'tillhub';
/** Failures at which a rollout pauses, where it does not say how many: this part of the shops that its rings have reached, never more than have kept the settings, or this number. */
const FAILED_PART = 0.02;
const FAILED_NUMBER = 5;

interface Following {
  readonly id: string;
  readonly name: string;
  readonly state: string;
  readonly ring: number;
  readonly ring_percents: readonly number[];
  readonly most_failures: number | null;
}

/**
 * Notes what became of settings at the shops of each rollout, and goes on with those that run: the next shops, the next ring, or a pause after too many failures. Of
 * several hubs that come at a time one follows a rollout.
 */
export async function advanceRollouts(transaction: TenantTransaction, tenant: string): Promise<void> {
  const rollouts = await transaction
    .selectFrom('rollout')
    .select(['id', 'name', 'state', 'ring', 'ring_percents', 'most_failures'])
    .where(
      sql<boolean>`(state IN ('running', 'paused') OR state = 'stopped' AND EXISTS (
        SELECT 1 FROM rollout_target t WHERE t.rollout_id = rollout.id AND t.ended_at IS NULL))`,
    )
    .forNoKeyUpdate()
    .skipLocked()
    .execute();
  for (const rollout of rollouts) {
    await noteEnds(transaction, rollout.id);
    if (rollout.state === 'running') await goOn(transaction, tenant, rollout);
  }
}

/** What the shops report: the command's own outcome, then the state of their configuration. */
async function noteEnds(transaction: TenantTransaction, rollout: string): Promise<void> {
  await sql`UPDATE rollout_target t SET outcome = e.outcome, ended_at = now(),
      details = CASE e.outcome WHEN 'refused' THEN e.command_details WHEN 'failed' THEN coalesce(e.why, e.command_details) END
    FROM (SELECT t.command_id, c.details AS command_details, left(conf #>> '{failed,why}', 1000) AS why, CASE
        WHEN a.revoked_at IS NOT NULL OR t.handed_at IS NULL AND EXISTS (SELECT 1 FROM agent newer
          WHERE (newer.tenant_id, newer.shop_id) = (a.tenant_id, a.shop_id) AND newer.revoked_at IS NULL AND newer.created_at > a.created_at) THEN 'left'
        WHEN c.state IN ('refused', 'unsupported') THEN 'refused'
        WHEN c.state IS NOT NULL AND c.state <> 'done' THEN 'failed'
        WHEN c.state = 'done' AND conf #> '{failed,revision}' = to_jsonb(t.revision) THEN 'failed'
        WHEN EXISTS (SELECT 1 FROM (VALUES (conf -> 'running'), (conf #> '{attempted,revision}'), (conf #> '{failed,revision}')) AS known (revision)
          WHERE jsonb_typeof(known.revision) = 'number' AND known.revision > to_jsonb(t.revision)) THEN 'superseded'
        WHEN conf #> '{attempted,revision}' = to_jsonb(t.revision) THEN NULL
        WHEN c.state = 'done' AND conf -> 'running' = to_jsonb(t.revision) THEN 'succeeded'
        WHEN c.expires_at <= now() AND (t.handed_at IS NULL OR a.exchanged_at > c.expires_at)
          THEN CASE WHEN c.state IS NULL THEN 'expired' ELSE 'failed' END
      END AS outcome
      FROM rollout_target t JOIN command c ON c.id = t.command_id JOIN agent a ON a.id = t.agent_id
      CROSS JOIN LATERAL (SELECT a.state -> 'configuration' AS conf) AS reported
      WHERE t.rollout_id = ${rollout}::uuid AND t.ended_at IS NULL) e
    WHERE e.command_id = t.command_id AND e.outcome IS NOT NULL`.execute(transaction);
  // A shop that went away before it had its turn takes the place of no other one.
  await sql`UPDATE rollout_target t SET started_at = NULL FROM agent a
    WHERE a.id = t.agent_id AND t.rollout_id = ${rollout}::uuid AND t.ended_at IS NULL AND t.handed_at IS NULL
    AND t.started_at IS NOT NULL AND NOT coalesce(${isHeard}, false)`.execute(transaction);
}

async function goOn(transaction: TenantTransaction, tenant: string, rollout: Following): Promise<void> {
  const { counts, failures } = await countTargets(transaction, rollout.id, rollout.ring);
  const reached = sum(counts, TARGET_STATES);
  const part = Math.min(Math.floor(reached * FAILED_PART), counts.succeeded ?? 0);
  const budget = rollout.most_failures ?? Math.max(FAILED_NUMBER, part);
  if (failures >= budget) return await pauseOfFailures(transaction, tenant, rollout, failures, reached);
  const open = sum(counts, ['in_work', 'waiting']);
  // What is in work may fail as well: so many shops at most are touched before a pause.
  if (open > 0) return await giveTurns(transaction, rollout, budget - failures - (counts.in_work ?? 0));
  const absent = counts.absent ?? 0;
  const ended = reached - absent;
  if (ended === 0 || absent > ended) return;
  if (failures * 2 > ended) return await pauseOfFailures(transaction, tenant, rollout, failures, reached);
  await setRingEnd(transaction, rollout.id);
  if (rollout.ring < rollout.ring_percents.length - 1) return await nextRing(transaction, tenant, rollout);
  if (sum(counts, ['absent', 'silent']) > 0) return;
  await transaction.updateTable('rollout').set({ state: 'done' }).where('id', '=', rollout.id).execute();
  await audit(transaction, tenant, HUB, 'rollout_done', { name: rollout.name });
}

async function giveTurns(transaction: TenantTransaction, { id, ring }: Following, most: number) {
  if (most <= 0) return;
  await sql`UPDATE rollout_target SET started_at = now() WHERE command_id IN (
      SELECT t.command_id FROM rollout_target t JOIN agent a ON a.id = t.agent_id
      WHERE t.rollout_id = ${id}::uuid AND t.ring <= ${ring} AND t.started_at IS NULL AND t.ended_at IS NULL AND ${isHeard}
      ORDER BY t.position LIMIT ${most})`.execute(transaction);
}

/** The instant is kept: a shop that comes back later gets its settings, and does not begin the pause anew. */
async function setRingEnd(transaction: TenantTransaction, id: string): Promise<void> {
  await transaction
    .updateTable('rollout')
    .set({ ring_ended_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where('ring_ended_at', 'is', null)
    .execute();
}

async function nextRing(transaction: TenantTransaction, tenant: string, { id, name, ring }: Following) {
  const { numUpdatedRows } = await transaction
    .updateTable('rollout')
    .set({ ring: ring + 1, ring_ended_at: null })
    .where('id', '=', id)
    .where(
      sql<boolean>`(ring_ended_at <= now() - make_interval(mins => ring_minutes[ring + 1])
        OR NOT EXISTS (SELECT 1 FROM rollout_target t WHERE t.rollout_id = rollout.id AND t.ring = rollout.ring))`,
    )
    .executeTakeFirstOrThrow();
  if (numUpdatedRows > 0n) await audit(transaction, tenant, HUB, 'rollout_ring', { name, ring: ring + 2 });
}

async function pauseOfFailures(
  transaction: TenantTransaction,
  tenant: string,
  { id, name }: Following,
  failures: number,
  reached: number,
): Promise<void> {
  await transaction
    .updateTable('rollout')
    .set({ state: 'paused', paused_by: 'failures' })
    .where('id', '=', id)
    .execute();
  await audit(transaction, tenant, HUB, 'rollout_paused', { name, failures, shops: reached });
  await raiseOfMerchant(transaction, tenant, 'rollout_paused', { rollout: name, reasons: [name], failures });
}

/** The alert that says that it is paused. */
export async function endPauseAlert(transaction: TenantTransaction, name: string): Promise<void> {
  await endAlerts(transaction, sql`a.kind = 'rollout_paused' AND a.details::jsonb ->> 'rollout' = ${name}`);
}
