import { sql } from 'kysely';
import { asTenant, type Database, type TenantTransaction } from '../database/connect.ts';
import type { HubMetrics } from '../metrics/hub-metrics.ts';
import type { Notice } from './message.ts';
import { type Destination, MOST_AT_ONCE, type SendDeps, send } from './send.ts';

/** While one hub tries, no other does; longer than 20 attempts of a webhook take. A hub that was killed meanwhile leaves them to the next one. */
const LEASE_S = 300;
const FIRST_RETRY_S = 60;
const LONGEST_RETRY_S = 3_600;
const GIVE_UP_H = 24;

export interface DeliverDeps extends SendDeps {
  readonly metrics?: Pick<HubMetrics, 'sent'>;
}

/**
 * Sends what is due of one tenant, each destination beside the others. A message is delivered at least once, under one id: where a hub is killed between the answer
 * and its note, the message goes out again. No transaction is open meanwhile.
 */
export async function deliver(
  database: Database,
  tenant: string,
  deps: DeliverDeps,
  stop: AbortSignal,
): Promise<void> {
  const destinations = await asTenant(database, tenant, dueDestinations);
  await Promise.all(destinations.map((one) => deliverTo(database, tenant, one, deps, stop)));
}

async function deliverTo(
  database: Database,
  tenant: string,
  destination: DueDestination,
  deps: DeliverDeps,
  stop: AbortSignal,
): Promise<void> {
  while (!stop.aborted) {
    const notices = await asTenant(database, tenant, (transaction) => claim(transaction, destination));
    if (notices.length === 0) return;
    const errors = await send(deps, destination, notices, stop);
    // What a stop has cut off may have arrived: it is tried again, by another hub or later.
    if (stop.aborted) return;
    await asTenant(database, tenant, (transaction) => note(transaction, notices, errors));
    const failed = errors.filter((error) => error !== null).length;
    deps.metrics?.sent({ delivered: errors.length - failed, failed });
    if (failed > 0) return;
  }
}

type DueDestination = Destination & { readonly id: string };

async function dueDestinations(transaction: TenantTransaction): Promise<readonly DueDestination[]> {
  return await transaction
    .selectFrom('alert_destination as t')
    .select(['t.id', 't.kind', 't.language', 't.url', 't.secret', 't.recipients'])
    .where(sql<boolean>`t.id IN (SELECT destination_id FROM alert_delivery WHERE next_at <= now())`)
    .execute();
}

/** Takes the next messages of a destination; another hub passes over them. */
async function claim(
  transaction: TenantTransaction,
  { id, kind }: DueDestination,
): Promise<readonly Notice[]> {
  const { rows } = await sql<Notice>`WITH claimed AS (
      UPDATE alert_delivery SET attempts = attempts + 1, next_at = now() + make_interval(secs => ${LEASE_S})
      WHERE id = ANY (ARRAY(SELECT id FROM alert_delivery WHERE destination_id = ${id}::uuid AND next_at <= now()
        ORDER BY created_at, id LIMIT ${MOST_AT_ONCE[kind]}::int FOR UPDATE SKIP LOCKED))
      RETURNING id, alert_id, event, created_at)
    SELECT d.id, d.event, l.id AS "alertId", l.rule, l.kind, l.severity, s.name AS shop, l.agent_id AS "agentId", l.details,
      l.since, l.raised_at AS "raisedAt", l.ended_at AS "endedAt"
    FROM claimed d JOIN alert l ON l.id = d.alert_id LEFT JOIN agent a ON a.id = l.agent_id LEFT JOIN shop s ON s.id = a.shop_id
    ORDER BY d.created_at, d.id`.execute(transaction);
  return rows;
}

/** Keeps what became of each. A failed one comes again after a pause that doubles; after a day it is given up. */
async function note(
  transaction: TenantTransaction,
  notices: readonly Notice[],
  errors: readonly (string | null)[],
): Promise<void> {
  await sql`UPDATE alert_delivery d SET last_error = o.error,
      delivered_at = CASE WHEN o.error IS NULL THEN now() END,
      next_at = CASE WHEN o.error IS NOT NULL AND d.created_at > now() - make_interval(hours => ${GIVE_UP_H})
        THEN now() + make_interval(secs => least(${LONGEST_RETRY_S}, ${FIRST_RETRY_S} * 2 ^ least(d.attempts - 1, 10)) * (0.75 + random() / 2)) END
    FROM unnest(${notices.map(({ id }) => id)}::uuid[], ${errors}::text[]) AS o (id, error)
    WHERE d.id = o.id AND d.delivered_at IS NULL`.execute(transaction);
}
