import { sql } from 'kysely';
import { z } from 'zod';
import { AppError } from '../../base/errors.ts';
import type { TenantTransaction } from '../database/connect.ts';
import { momentOf } from './alerts.ts';
import { instant, keyOf, pageOf } from './page.ts';
import { findShop } from './shops.ts';

const Position = z.tuple([
  z.iso.datetime({ offset: true, local: true }),
  z.uuid(),
  z.string(),
  z.int(),
  z.int(),
]);

export interface PaymentFilter {
  readonly shop?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly limit: number;
  readonly starting_after?: string | undefined;
}

/**
 * Payments by the newest row of their journal, the last received first. A payment of two contradicting histories is there once in each.
 * @throws RESOURCE_MISSING for a shop that is not there
 */
export async function listPayments(transaction: TenantTransaction, filter: PaymentFilter, now: number) {
  const before = keyOf(filter.starting_after, Position);
  let rows = transaction
    .selectFrom('journal as j')
    .innerJoin('agent', 'agent.id', 'j.agent_id')
    .innerJoin('shop', 'shop.id', 'agent.shop_id')
    .select(['shop.name as shop', 'j.agent_id', 'j.epoch', 'j.branch', 'j.seq', 'j.attempt_id'])
    .select(['j.at', 'j.event', 'j.to_state', 'j.received_at', momentOf('j.received_at')])
    .where('j.damaged', 'is', null)
    .where(
      sql<boolean>`NOT EXISTS (SELECT 1 FROM journal later WHERE later.agent_id = j.agent_id
      AND later.attempt_id = j.attempt_id AND later.epoch = j.epoch AND later.branch = j.branch AND later.damaged IS NULL AND later.seq > j.seq)`,
    )
    .orderBy(sql`j.received_at DESC, j.agent_id DESC, j.epoch DESC, j.branch DESC, j.seq DESC`)
    .limit(filter.limit + 1);
  if (filter.from !== undefined) rows = rows.where('j.received_at', '>=', new Date(filter.from));
  if (filter.to !== undefined) rows = rows.where('j.received_at', '<', new Date(filter.to));
  if (filter.shop !== undefined) {
    const { id } = await findShop(transaction, filter.shop, now);
    rows = rows.where('agent.shop_id', '=', id);
  }
  if (before !== null) {
    const [moment, agent, epoch, branch, seq] = before;
    rows = rows
      .where(sql<boolean>`j.received_at <= ${moment}::text::timestamptz`)
      .where(
        sql<boolean>`(j.received_at, j.agent_id, j.epoch, j.branch, j.seq) < (${moment}::text::timestamptz, ${agent}::uuid, ${epoch}::text, ${branch}::int, ${seq}::bigint)`,
      );
  }
  return pageOf(
    await rows.execute(),
    filter.limit,
    ({ moment, agent_id, epoch, branch, seq }) => [moment, agent_id, epoch, branch, seq],
    ({ attempt_id, shop, agent_id, branch, to_state, event, at, received_at }) => ({
      id: attempt_id,
      shop,
      agent_id,
      branch,
      state: to_state,
      event,
      at,
      received_at: instant(received_at),
    }),
  );
}

/** What a journal says of one payment, row by row. @throws RESOURCE_MISSING */
export async function readPayment(transaction: TenantTransaction, shop: string, id: string, now: number) {
  const { id: shopId } = await findShop(transaction, shop, now);
  const entries = await transaction
    .selectFrom('journal as j')
    .innerJoin('journal_cursor as c', (join) =>
      join
        .onRef('c.agent_id', '=', 'j.agent_id')
        .onRef('c.epoch', '=', 'j.epoch')
        .onRef('c.branch', '=', 'j.branch'),
    )
    .innerJoin('agent', 'agent.id', 'j.agent_id')
    .select(['j.epoch', 'j.branch', 'j.seq', 'j.at', 'j.event', 'j.from_state', 'j.to_state'])
    .select(['j.details', 'j.hash', 'j.damaged', 'j.received_at'])
    .where('agent.shop_id', '=', shopId)
    .where('j.attempt_id', '=', id)
    .orderBy('c.began_at')
    .orderBy('j.branch')
    .orderBy('j.seq')
    .execute();
  if (entries.length === 0)
    throw new AppError('RESOURCE_MISSING', `the hub has no row of a payment ${id} of the shop ${shop}`);
  return {
    id,
    shop,
    state: entries.findLast(({ damaged }) => damaged === null)?.to_state ?? null,
    entries: entries.map((entry) => ({ ...entry, received_at: instant(entry.received_at) })),
  };
}
