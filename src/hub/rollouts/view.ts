import { sql } from 'kysely';
import { z } from 'zod';
import { AppError } from '../../base/errors.ts';
import type { TenantTransaction } from '../database/connect.ts';
import { Moment, momentOf } from '../operators/alerts.ts';
import { instant, keyOf, pageOf } from '../operators/page.ts';
import type { RolloutView } from '../operators/resources.ts';
import { countTargets, type TargetState, targetState } from './targets.ts';

interface Paged {
  readonly limit: number;
  readonly starting_after?: string | undefined;
}

const rolloutRows = (transaction: TenantTransaction) =>
  transaction
    .selectFrom('rollout')
    .select(['id', 'name', 'state', 'paused_by', 'created_by', 'created_at', 'most_failures'])
    .select(['ring', 'ring_percents', 'ring_minutes', 'ring_ended_at'])
    .select(momentOf('created_at'));
type RolloutRow = Awaited<ReturnType<ReturnType<typeof rolloutRows>['execute']>>[number];

/** The newest first. */
export async function listRollouts(transaction: TenantTransaction, { limit, starting_after }: Paged) {
  const before = keyOf(starting_after, Moment);
  let rows = rolloutRows(transaction)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1);
  if (before !== null)
    rows = rows.where(sql<boolean>`(created_at, id) < (${before[0]}::text::timestamptz, ${before[1]}::uuid)`);
  const page = pageOf(
    await rows.execute(),
    limit,
    ({ moment, id }) => [moment, id],
    (row) => row,
  );
  const data: z.input<typeof RolloutView>[] = [];
  for (const row of page.data) data.push(await rolloutView(transaction, row));
  return { ...page, data };
}

/** @throws RESOURCE_MISSING */
export async function readRollout(transaction: TenantTransaction, name: string) {
  return await rolloutView(transaction, await rowOf(transaction, name));
}

/** The shops of a rollout in their order. @throws RESOURCE_MISSING */
export async function listTargets(
  transaction: TenantTransaction,
  {
    name,
    state,
    limit,
    starting_after,
  }: Paged & { readonly name: string; readonly state?: TargetState | undefined },
) {
  const { id } = await rowOf(transaction, name);
  const after = keyOf(starting_after, z.tuple([z.int()]));
  const { rows } = await sql<TargetRow>`SELECT * FROM (
      SELECT t.position, s.name AS shop, t.agent_id, t.command_id, t.revision, coalesce(t.ring, 0) + 1 AS ring, ${targetState} AS state,
        t.details, t.handed_at, t.ended_at
      FROM rollout_target t JOIN agent a ON a.id = t.agent_id JOIN shop s ON s.id = a.shop_id WHERE t.rollout_id = ${id}::uuid) each
    WHERE position > ${after?.[0] ?? -1} AND (${state ?? null}::text IS NULL OR state = ${state ?? null})
    ORDER BY position LIMIT ${limit + 1}`.execute(transaction);
  return pageOf(
    rows,
    limit,
    ({ position }) => [position],
    ({ position: _, handed_at, ended_at, ...target }) => ({
      ...target,
      handed_at: instant(handed_at),
      ended_at: instant(ended_at),
    }),
  );
}

interface TargetRow {
  readonly position: number;
  readonly shop: string;
  readonly agent_id: string;
  readonly command_id: string;
  readonly revision: number;
  readonly ring: number;
  readonly state: TargetState;
  readonly details: string | null;
  readonly handed_at: Date | null;
  readonly ended_at: Date | null;
}

async function rowOf(transaction: TenantTransaction, name: string): Promise<RolloutRow> {
  const row = await rolloutRows(transaction).where('name', '=', name).executeTakeFirst();
  if (row !== undefined) return row;
  throw new AppError('RESOURCE_MISSING', `there is no rollout ${name}`);
}

async function rolloutView(
  transaction: TenantTransaction,
  { id, moment: _, created_at, ring, ring_percents, ring_minutes, ring_ended_at, ...row }: RolloutRow,
): Promise<z.input<typeof RolloutView>> {
  const rings = ring_percents.map((percent, index) => ({ percent, minutes: ring_minutes[index] ?? 0 }));
  const pause = (rings[ring]?.minutes ?? 0) * 60_000;
  const waits = row.state === 'running' && ring_ended_at !== null && ring < rings.length - 1;
  return {
    ...row,
    created_at: instant(created_at),
    rings,
    ring: ring + 1,
    next_ring_at: waits ? instant(new Date(ring_ended_at.getTime() + pause)) : null,
    shops: (await countTargets(transaction, id)).counts,
  };
}
