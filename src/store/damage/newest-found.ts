import { z } from 'zod';
import type { Readable } from '../read-only-database.ts';

/**
 * For each index that a guard against a second charge searches: how many of the newest payments, or keys, it does not find. The newest ones are read
 * from the table itself.
 */
const MISSED = [
  `SELECT count(*) AS missed FROM (SELECT seq, id FROM attempts ORDER BY seq DESC LIMIT 200) n
    WHERE NOT EXISTS (SELECT 1 FROM attempts x INDEXED BY sqlite_autoindex_attempts_1 WHERE x.id = n.id AND x.seq = n.seq)`,
  `SELECT count(*) AS missed FROM (SELECT seq, invoice_id FROM attempts ORDER BY seq DESC LIMIT 200) n
    WHERE n.invoice_id IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM attempts x INDEXED BY attempts_by_invoice WHERE x.invoice_id = n.invoice_id AND x.seq = n.seq)`,
  `SELECT count(*) AS missed FROM (SELECT seq, device_id, amount_minor, completed_elapsed FROM attempts ORDER BY seq DESC LIMIT 200) n
    WHERE n.completed_elapsed IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM attempts x INDEXED BY attempts_by_amount
      WHERE x.device_id = n.device_id AND x.amount_minor = n.amount_minor AND x.completed_elapsed = n.completed_elapsed AND x.seq = n.seq)`,
  `SELECT count(*) AS missed FROM (SELECT seq, reference, completed_elapsed FROM attempts ORDER BY seq DESC LIMIT 200) n
    WHERE n.reference IS NOT NULL AND n.completed_elapsed IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM attempts x INDEXED BY attempts_by_reference
      WHERE x.reference = n.reference AND x.completed_elapsed = n.completed_elapsed AND x.seq = n.seq)`,
  `SELECT count(*) AS missed FROM (SELECT seq, device_id, completed_at FROM attempts ORDER BY seq DESC LIMIT 200) n
    WHERE n.completed_at IS NULL
    AND NOT EXISTS (SELECT 1 FROM attempts x INDEXED BY attempts_open WHERE x.device_id = n.device_id AND x.seq = n.seq AND x.completed_at IS NULL)`,
  `SELECT count(*) AS missed FROM (SELECT seq, parent_id FROM attempts ORDER BY seq DESC LIMIT 200) n
    WHERE n.parent_id IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM attempts x INDEXED BY attempts_by_parent WHERE x.parent_id = n.parent_id AND x.seq = n.seq)`,
  `SELECT count(*) AS missed FROM (SELECT seq, retry_of FROM attempts ORDER BY seq DESC LIMIT 200) n
    WHERE n.retry_of IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM attempts x INDEXED BY attempts_by_retried WHERE x.retry_of = n.retry_of AND x.seq = n.seq)`,
  `SELECT count(*) AS missed FROM (SELECT seq, ticket FROM attempts ORDER BY seq DESC LIMIT 200) n
    WHERE n.ticket IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM attempts x INDEXED BY attempts_by_ticket WHERE x.ticket = n.ticket AND x.seq = n.seq)`,
  `SELECT count(*) AS missed FROM (SELECT seq, caller, key FROM idempotency_keys ORDER BY seq DESC LIMIT 200) n
    WHERE NOT EXISTS (SELECT 1 FROM idempotency_keys x INDEXED BY sqlite_autoindex_idempotency_keys_1
      WHERE x.caller = n.caller AND x.key = n.key AND x.seq = n.seq)`,
] as const;

const Missed = z.object({ missed: z.int() });

/**
 * Whether the guards' indexes find the newest payments: an index page with a zeroed part answers "not there", without an error. For a start that
 * postpones the integrity scan.
 * @returns what is wrong, in words; null: nothing
 * @throws the open database's error when its pages cannot be read
 */
export function newestMissed(database: Readable): string | null {
  const missed = MISSED.map((sql) => Missed.parse(database.get(sql)).missed).reduce(
    (sum, one) => sum + one,
    0,
  );
  return missed === 0 ? null : `${missed} places of the newest payments are not found in its indexes`;
}
