import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import { AppError } from '../../base/errors.ts';
import type { AgentState } from '../../fleet/contract/state.ts';
import { audit } from '../database/audit.ts';
import type { TenantTransaction } from '../database/connect.ts';
import { makeShop } from '../shops/invite.ts';
import { agentsOfShop } from './agents.ts';
import { alertsOfShop } from './alerts.ts';
import type { Operator } from './authenticate.ts';
import { instant, keyOf, pageOf } from './page.ts';
import type { ShopState, ShopSummary } from './resources.ts';

/** Agents ask once a minute, and after failures every 15 minutes at least. */
const SILENT_MS = 15 * 60_000;

interface ShopRow {
  readonly id: string;
  readonly name: string;
  readonly created_at: Date;
  readonly state: z.infer<typeof ShopState>;
  readonly version: string | null;
  readonly seen_at: Date | null;
  readonly can_report: boolean | null;
  readonly is_fresh: boolean | null;
  readonly in_doubt: number;
  readonly alerts: number;
  readonly status: AgentState | null;
}

export interface ShopFilter {
  readonly q?: string | undefined;
  readonly state?: z.infer<typeof ShopState> | undefined;
  readonly limit: number;
  readonly starting_after?: string | undefined;
}

/** By name; each word of `q` is in the name or the version. */
export async function listShops(transaction: TenantTransaction, filter: ShopFilter, now: number) {
  const after = keyOf(filter.starting_after, z.tuple([z.string()]));
  const words = (filter.q ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  const { rows } = await sql<ShopRow>`SELECT * FROM (${shopRows(now)}) shop
    WHERE name > ${after?.[0] ?? ''}::text
      AND (${filter.state ?? null}::text IS NULL OR state = ${filter.state ?? null}::text)
      AND NOT EXISTS (SELECT 1 FROM unnest(${words}::text[]) word WHERE position(word IN lower(name || ' ' || coalesce(version, ''))) = 0)
    ORDER BY name LIMIT ${filter.limit + 1}::int`.execute(transaction);
  return pageOf(rows, filter.limit, ({ name }) => [name], summaryOf);
}

/** @throws RESOURCE_MISSING */
export async function readShop(transaction: TenantTransaction, name: string, now: number) {
  const shop = await findShop(transaction, name, now);
  return {
    ...summaryOf(shop),
    created_at: instant(shop.created_at),
    agents: await agentsOfShop(transaction, shop.id),
    status: shop.status,
    open_alerts: await alertsOfShop(transaction, shop.id),
  };
}

/** A shop of this name is there afterwards; a second call changes nothing. */
export async function putShop(
  transaction: TenantTransaction,
  { tenant, name: operator }: Operator,
  name: string,
  now: number,
) {
  if (await makeShop(transaction, tenant, name))
    await audit(transaction, tenant, `operator ${operator}`, 'shop_added', { shop: name });
  return await readShop(transaction, name, now);
}

/** @throws RESOURCE_MISSING, also for a shop of another tenant */
export async function findShop(transaction: TenantTransaction, name: string, now: number): Promise<ShopRow> {
  const { rows } = await sql<ShopRow>`${shopRows(now)} WHERE s.name = ${name}`.execute(transaction);
  const [shop] = rows;
  if (shop === undefined) throw new AppError('RESOURCE_MISSING', `there is no shop ${name}`);
  return shop;
}

/** Shops beside what is known of their newest agent; an agent that is not revoked goes first. */
export function shopRows(now: number): RawBuilder<ShopRow> {
  return sql`SELECT s.id, s.name, s.created_at, a.version, a.seen_at, a.state AS status,
    CASE WHEN a.id IS NULL THEN 'not_joined' WHEN a.revoked_at IS NOT NULL THEN 'revoked'
      WHEN a.seen_at IS NULL OR a.seen_at < ${new Date(now - SILENT_MS)}::timestamptz THEN 'silent'
      WHEN a.state -> 'can_sell' = 'false' THEN 'cannot_sell' ELSE 'ready' END AS state,
    (SELECT count(*)::int FROM jsonb_array_elements(
      CASE jsonb_typeof(a.state -> 'terminals') WHEN 'array' THEN a.state -> 'terminals' ELSE '[]' END) terminal
      WHERE terminal -> 'in_doubt' = 'true') AS in_doubt,
    CASE a.state -> 'can_report' WHEN 'true' THEN true WHEN 'false' THEN false END AS can_report,
    CASE a.state -> 'is_fresh' WHEN 'true' THEN true WHEN 'false' THEN false END AS is_fresh,
    (SELECT count(*)::int FROM agent g JOIN alert l ON l.agent_id = g.id AND l.ended_at IS NULL
      WHERE g.tenant_id = s.tenant_id AND g.shop_id = s.id) AS alerts
    FROM shop s LEFT JOIN LATERAL (SELECT * FROM agent g WHERE g.tenant_id = s.tenant_id AND g.shop_id = s.id
      ORDER BY g.revoked_at IS NOT NULL, g.created_at DESC LIMIT 1) a ON true`;
}

function summaryOf(shop: ShopRow): z.infer<typeof ShopSummary> {
  const { name, state, version, can_report, is_fresh, in_doubt, alerts } = shop;
  return { name, state, version, seen_at: instant(shop.seen_at), can_report, is_fresh, in_doubt, alerts };
}
