import { type RawBuilder, sql } from 'kysely';
import { MOST_ENTRIES } from '../../fleet/contract/journal.ts';
import type { TenantTransaction } from '../database/connect.ts';

/** Where a history of an epoch leaves the ones that came before it. */
export interface ChainBreak {
  readonly agent_id: string;
  readonly epoch: string;
  readonly branch: number;
  /** The first entry that is not the stored one. */
  readonly seq: number;
  /** Of the stored entry of this number; null: there was none. */
  readonly stored_hash: string | null;
  /** Of the entry that contradicts it. */
  readonly sent_hash: string;
  /** By the clock of the hub. */
  readonly found_at: Date;
}

/**
 * Every place where journals of the merchant contradict themselves. It is read from the rows, which the role of the hub can neither change nor delete: no release
 * hides it. A branch leaves the others within the request that began it.
 * @param only which of the agents `a`
 */
export async function chainBreaks(
  transaction: TenantTransaction,
  only: RawBuilder<boolean> = sql`true`,
): Promise<readonly ChainBreak[]> {
  const { rows } =
    await sql<ChainBreak>`SELECT c.agent_id, c.epoch, c.branch, b.seq, o.hash AS stored_hash, b.hash AS sent_hash, b.received_at AS found_at
    FROM journal_cursor c JOIN agent a ON a.id = c.agent_id
    CROSS JOIN LATERAL (SELECT j.seq, j.hash, j.received_at FROM journal j
      WHERE j.agent_id = c.agent_id AND j.epoch = c.epoch AND j.branch = c.branch AND j.seq < c.first_seq + ${MOST_ENTRIES}::int
        AND NOT EXISTS (SELECT 1 FROM journal s WHERE s.agent_id = c.agent_id AND s.epoch = c.epoch AND s.branch < c.branch
          AND s.seq = j.seq AND s.hash = j.hash)
      ORDER BY j.seq LIMIT 1) b
    LEFT JOIN LATERAL (SELECT s.hash FROM journal s WHERE s.agent_id = c.agent_id AND s.epoch = c.epoch AND s.branch < c.branch
      AND s.seq = b.seq ORDER BY s.branch LIMIT 1) o ON true
    WHERE c.branch > 0 AND ${only}
    ORDER BY b.received_at, c.epoch, c.branch`.execute(transaction);
  return rows;
}
