import { sql } from 'kysely';
import type { TenantTransaction } from '../database/connect.ts';
import { shopRows } from '../operators/shops.ts';

/** Of a fleet in order there are two or three. */
const MOST_VERSIONS = 100;

/** How the shops are that run one release of tilld, by their own last reports. */
export interface ReleaseInUse {
  readonly version: string;
  readonly shops: number;
  readonly cannot_sell: number;
  readonly silent: number;
  readonly in_doubt: number;
  /** Shops with one of these. */
  readonly amiss: number;
}

/** The release that most shops run first. */
export async function listReleases(
  transaction: TenantTransaction,
  now: number,
): Promise<readonly ReleaseInUse[]> {
  const { rows } = await sql<ReleaseInUse>`SELECT version, count(*)::int AS shops,
      count(*) FILTER (WHERE state = 'cannot_sell')::int AS cannot_sell, count(*) FILTER (WHERE state = 'silent')::int AS silent,
      count(*) FILTER (WHERE in_doubt > 0)::int AS in_doubt,
      count(*) FILTER (WHERE state IN ('cannot_sell', 'silent') OR in_doubt > 0)::int AS amiss
    FROM (${shopRows(now)}) shop WHERE version IS NOT NULL AND state NOT IN ('revoked', 'not_joined')
    GROUP BY version ORDER BY count(*) DESC, version LIMIT ${MOST_VERSIONS}`.execute(transaction);
  return rows;
}

export interface Gate {
  /** So many shops run it at least. */
  readonly least: number;
  /** So many of them may be amiss; null: 2 %, or 4 where that is more, as for a rollout. */
  readonly mostAmiss: number | null;
}

const AMISS_PART = 0.02;
const AMISS_NUMBER = 4;

/** Why a release should go no further, in words; null: nothing stands against it. */
export function objectionTo(
  version: string,
  releases: readonly ReleaseInUse[],
  { least, mostAmiss }: Gate,
): string | null {
  const { shops, amiss, cannot_sell, silent, in_doubt } = releases.find((one) => one.version === version) ?? {
    shops: 0,
    amiss: 0,
    cannot_sell: 0,
    silent: 0,
    in_doubt: 0,
  };
  if (shops < least)
    return `${shops} shops run ${version}, and ${least} were asked for: a shop that went back to its former release runs that one`;
  const most = mostAmiss ?? Math.max(AMISS_NUMBER, Math.floor(shops * AMISS_PART));
  if (amiss > most || amiss * 2 > shops)
    return `${amiss} of ${shops} shops that run ${version} are amiss: ${cannot_sell} cannot sell, ${silent} are silent, ${in_doubt} have a payment in doubt`;
  return null;
}
