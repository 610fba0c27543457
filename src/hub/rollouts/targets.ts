import { type RawBuilder, sql } from 'kysely';
import type { TenantTransaction } from '../database/connect.ts';

/** A shop that was not heard for so long gets no turn, and holds up no ring: it gets its settings when it is back. */
const HEARD_MIN = 5;
/** A shop that has the settings and was not heard for so long counts as one that failed, until it is heard again. */
const SILENT_MIN = 30;

/** How far one shop of a rollout is. The last four are ends that say nothing of the settings. */
export const TARGET_STATES = [
  'waiting',
  'absent',
  'in_work',
  'succeeded',
  'failed',
  'refused',
  'silent',
  'superseded',
  'left',
  'expired',
  'withdrawn',
] as const;
export type TargetState = (typeof TARGET_STATES)[number];

export const isHeard = sql<boolean>`(a.quarantined IS NULL AND a.revoked_at IS NULL
  AND a.exchanged_at > now() - make_interval(mins => ${HEARD_MIN}))`;

/** Only the clock of the database decides. While no hub ran no shop could be heard. */
const isSilent = sql<boolean>`(t.handed_at < now() - make_interval(mins => ${SILENT_MIN})
  AND (a.quarantined IS NOT NULL OR coalesce(a.exchanged_at, a.created_at) < now() - make_interval(mins => ${SILENT_MIN}))
  AND EXISTS (SELECT 1 FROM alert_beat WHERE listening_since <= now() - make_interval(mins => ${SILENT_MIN})))`;

/** Of the target `t` and its agent `a`. */
export const targetState: RawBuilder<TargetState> = sql`CASE WHEN t.ended_at IS NOT NULL THEN t.outcome
  WHEN t.handed_at IS NOT NULL THEN CASE WHEN ${isSilent} THEN 'silent' ELSE 'in_work' END
  WHEN t.started_at IS NOT NULL THEN 'in_work'
  WHEN ${isHeard} THEN 'waiting' ELSE 'absent' END`;

export type Counts = Readonly<Partial<Record<TargetState, number>>>;

/** How many shops are how far, of rings up to `ring`. `failures` is without those that an operator has resumed after. */
export async function countTargets(
  transaction: TenantTransaction,
  rollout: string,
  ring = Number.MAX_SAFE_INTEGER,
): Promise<{ readonly counts: Counts; readonly failures: number }> {
  const { rows } = await sql<{
    state: TargetState;
    count: number;
    excused: number;
  }>`SELECT state, count(*)::int AS count, count(*) FILTER (WHERE excused)::int AS excused FROM (
      SELECT ${targetState} AS state, t.excused FROM rollout_target t JOIN agent a ON a.id = t.agent_id
      WHERE t.rollout_id = ${rollout}::uuid AND coalesce(t.ring, 0) <= ${ring}::bigint) each GROUP BY state`.execute(
    transaction,
  );
  const counts = Object.fromEntries(rows.map(({ state, count }) => [state, count]));
  const excused = rows.filter(({ state }) => FAILURES.includes(state)).map((row) => row.excused);
  return { counts, failures: excused.reduce((left, count) => left - count, sum(counts, FAILURES)) };
}

export function sum(counts: Counts, states: readonly TargetState[]): number {
  return states.reduce((total, state) => total + (counts[state] ?? 0), 0);
}

/** Shops that did not keep the settings, and those of which it is not known. */
export const FAILURES: readonly TargetState[] = ['failed', 'refused', 'silent'];
