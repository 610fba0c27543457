import { sql } from 'kysely';
import type { TenantTransaction } from '../database/connect.ts';
import { chainBreaks } from '../journal/breaks.ts';
import { instant } from './page.ts';

/** The agents of a shop with their journals, where those break, and what was released; the newest first. */
export async function agentsOfShop(transaction: TenantTransaction, shopId: string) {
  const agents = await transaction
    .selectFrom('agent')
    .select(['id', 'version', 'created_at', 'seen_at', 'revoked_at', 'quarantined', 'clock_offset_ms'])
    .where('shop_id', '=', shopId)
    .orderBy('created_at', 'desc')
    .execute();
  const chains = await transaction
    .selectFrom('journal_cursor')
    .innerJoin('agent', 'agent.id', 'journal_cursor.agent_id')
    .select(['agent_id', 'journal_cursor.epoch', 'branch', 'first_seq', 'next_seq'])
    .where('shop_id', '=', shopId)
    .orderBy('began_at')
    .orderBy('branch')
    .execute();
  const breaks = await chainBreaks(transaction, sql`a.shop_id = ${shopId}::uuid`);
  const releases = await transaction
    .selectFrom('agent_release as r')
    .innerJoin('agent', 'agent.id', 'r.agent_id')
    .select(['r.agent_id', 'r.released_at', 'r.actor', 'r.reason', 'r.quarantined'])
    .select(['r.epoch', 'r.branch', 'r.seq', 'r.hash'])
    .where('shop_id', '=', shopId)
    .orderBy('r.id')
    .execute();
  return agents.map(({ created_at, ...agent }) => ({
    ...agent,
    joined_at: instant(created_at),
    seen_at: instant(agent.seen_at),
    revoked_at: instant(agent.revoked_at),
    journal: ofAgent(chains, agent.id),
    breaks: ofAgent(breaks, agent.id).map((one) => ({ ...one, found_at: instant(one.found_at) })),
    releases: ofAgent(releases, agent.id).map((one) => ({ ...one, released_at: instant(one.released_at) })),
  }));
}

export type AgentOfShop = Awaited<ReturnType<typeof agentsOfShop>>[number];

/** One agent; null: the merchant has none of this id. */
export async function readAgent(
  transaction: TenantTransaction,
  id: string,
): Promise<{ readonly shop: string; readonly agent: AgentOfShop } | null> {
  const shop = await transaction
    .selectFrom('agent')
    .innerJoin('shop', 'shop.id', 'agent.shop_id')
    .select(['shop.id', 'shop.name'])
    .where(sql<boolean>`agent.id::text = ${id}`)
    .executeTakeFirst();
  if (shop === undefined) return null;
  const agent = (await agentsOfShop(transaction, shop.id)).find((one) => one.id === id);
  return agent === undefined ? null : { shop: shop.name, agent };
}

function ofAgent<T extends { readonly agent_id: string }>(rows: readonly T[], id: string) {
  return rows.filter(({ agent_id }) => agent_id === id).map(({ agent_id: _, ...row }) => row);
}
