import { sql } from 'kysely';
import { z } from 'zod';
import { AppError } from '../../base/errors.ts';
import { endAlerts } from '../alerts/raise.ts';
import { audit } from '../database/audit.ts';
import type { TenantTransaction } from '../database/connect.ts';
import type { Operator } from './authenticate.ts';
import { instant, keyOf, pageOf } from './page.ts';
import type { AlertDelivery } from './resources.ts';

/** The newest instant and id that a list has shown; instants of PostgreSQL are finer than those of JavaScript, so its own text is kept. */
export const Moment = z.tuple([z.iso.datetime({ offset: true, local: true }), z.uuid()]);

export interface AlertFilter {
  readonly open?: 'true' | 'false' | undefined;
  readonly shop?: string | undefined;
  readonly limit: number;
  readonly starting_after?: string | undefined;
}

/** What became of the messages of an alert; those of a destination that was removed are gone. */
const deliveries = sql<z.infer<typeof AlertDelivery>[]>`(
  SELECT coalesce(json_agg(json_build_object('destination', t.name, 'event', d.event, 'attempts', d.attempts,
      'state', CASE WHEN d.delivered_at IS NOT NULL THEN 'delivered' WHEN d.next_at IS NULL THEN 'given_up' ELSE 'waiting' END,
      'error', CASE WHEN d.delivered_at IS NULL THEN d.last_error END) ORDER BY t.name, d.created_at, d.event DESC), '[]')
  FROM alert_delivery d JOIN alert_destination t ON t.id = d.destination_id WHERE d.alert_id = alert.id)`.as(
  'deliveries',
);

const alertRows = (transaction: TenantTransaction) =>
  transaction
    .selectFrom('alert')
    .leftJoin('agent', 'agent.id', 'alert.agent_id')
    .leftJoin('shop', 'shop.id', 'agent.shop_id')
    .select([
      'alert.id',
      'shop.name as shop',
      'alert.agent_id',
      'alert.kind',
      'alert.rule',
      'alert.severity',
      'alert.details',
      'alert.since',
      'alert.raised_at',
      'alert.ended_at',
    ])
    .select(momentOf('alert.raised_at'))
    .select(deliveries)
    .orderBy('alert.raised_at', 'desc')
    .orderBy('alert.id', 'desc');

type AlertRow = Awaited<ReturnType<ReturnType<typeof alertRows>['execute']>>[number];

/** The newest first. */
export async function listAlerts(transaction: TenantTransaction, filter: AlertFilter) {
  const before = keyOf(filter.starting_after, Moment);
  let rows = alertRows(transaction).limit(filter.limit + 1);
  if (filter.open !== undefined)
    rows = rows.where('alert.ended_at', filter.open === 'true' ? 'is' : 'is not', null);
  if (filter.shop !== undefined) rows = rows.where('shop.name', '=', filter.shop);
  if (before !== null)
    rows = rows.where(
      sql<boolean>`(alert.raised_at, alert.id) < (${before[0]}::text::timestamptz, ${before[1]}::uuid)`,
    );
  return pageOf(await rows.execute(), filter.limit, ({ moment, id }) => [moment, id], alertView);
}

export async function alertsOfShop(transaction: TenantTransaction, shopId: string) {
  const rows = await alertRows(transaction)
    .where('agent.shop_id', '=', shopId)
    .where('alert.ended_at', 'is', null)
    .execute();
  return rows.map(alertView);
}

/** A second call changes nothing. What lasts raises its alert again. @throws RESOURCE_MISSING */
export async function endAlert(transaction: TenantTransaction, { tenant, name }: Operator, id: string) {
  const ended = await endAlerts(transaction, sql`a.id = ${id}::uuid`);
  const alert = await alertRows(transaction).where('alert.id', '=', id).executeTakeFirst();
  if (alert === undefined) throw new AppError('RESOURCE_MISSING', `there is no alert ${id}`);
  if (ended.length > 0)
    await audit(transaction, tenant, `operator ${name}`, 'alert_ended', { alert: id, kind: alert.kind });
  return alertView(alert);
}

/** Who did what, the newest first. */
export async function listAudit(
  transaction: TenantTransaction,
  { limit, starting_after }: Pick<AlertFilter, 'limit' | 'starting_after'>,
) {
  const before = keyOf(starting_after, Moment);
  let rows = transaction
    .selectFrom('audit')
    .select(['id', 'at', 'actor', 'action', 'details'])
    .select(momentOf('audit.at'))
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1);
  if (before !== null)
    rows = rows.where(sql<boolean>`(at, id) < (${before[0]}::text::timestamptz, ${before[1]}::uuid)`);
  return pageOf(
    await rows.execute(),
    limit,
    ({ moment, id }) => [moment, id],
    ({ moment: _, at, details, ...entry }) => ({ ...entry, at: instant(at), details: JSON.parse(details) }),
  );
}

/** An instant with its microseconds, in UTC; it goes back as text, because a client's instants have milliseconds. */
export function momentOf(column: string) {
  return sql<string>`to_char(${sql.ref(column)} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`.as(
    'moment',
  );
}

function alertView({ moment: _, since, raised_at, ended_at, details, ...alert }: AlertRow) {
  return {
    ...alert,
    details: JSON.parse(details),
    since: instant(since),
    raised_at: instant(raised_at),
    ended_at: instant(ended_at),
  };
}
