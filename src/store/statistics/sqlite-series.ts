import { z } from 'zod';
import type { PaymentPoint, SyncPoint } from '../../api/ports.ts';
import type { Database } from '../database.ts';

/** Most of the newest attempts that are read: a chart must not keep a payment waiting. */
const MOST_ATTEMPTS = 20_000;

const PAYMENTS = `
  WITH newest AS (
    SELECT created_at / CAST(? AS INTEGER) AS bucket, status, completed_at - created_at AS took FROM attempts
    WHERE seq > (SELECT coalesce(max(seq), 0) FROM attempts) - ${MOST_ATTEMPTS} AND created_at >= CAST(? AS INTEGER)
      AND corrects IS NULL
  ), ranked AS (
    SELECT bucket, status, took, row_number() OVER (PARTITION BY bucket, took IS NULL ORDER BY took) AS place,
      count(took) OVER (PARTITION BY bucket) AS many FROM newest
  )
  SELECT bucket * CAST(? AS INTEGER) AS at,
    sum(status = 'succeeded') AS succeeded, sum(status = 'declined') AS declined, sum(status = 'cancelled') AS cancelled,
    sum(status NOT IN ('succeeded', 'declined', 'cancelled')) AS other,
    min(CASE WHEN took IS NOT NULL AND place * 2 >= many THEN took END) AS medianMs,
    min(CASE WHEN took IS NOT NULL AND place * 20 >= many * 19 THEN took END) AS slowMs
  FROM ranked GROUP BY bucket ORDER BY bucket`;

const SYNCS = `
  SELECT ended_at / CAST(? AS INTEGER) * CAST(? AS INTEGER) AS at, count(*) AS runs,
    sum(outcome IN ('failed', 'killed')) AS failed, sum(read) AS read, sum(created + updated + deleted) AS written,
    max(ended_at - started_at) AS longestMs
  FROM runs WHERE ended_at IS NOT NULL AND ended_at >= CAST(? AS INTEGER) AND code IS NOT 'RECORD_REFRESH'
  GROUP BY 1 ORDER BY 1`;

const PaymentRow = z.object({
  at: z.int(),
  succeeded: z.int(),
  declined: z.int(),
  cancelled: z.int(),
  other: z.int(),
  medianMs: z.int().nullable(),
  slowMs: z.int().nullable(),
});
const SyncRow = z.object({
  at: z.int(),
  runs: z.int(),
  failed: z.int(),
  read: z.int(),
  written: z.int(),
  longestMs: z.int(),
});

/** Payments of `money.db` by the time of their creation; empty buckets are left out. */
export function paymentSeries(money: Database, since: number, bucketMs: number): readonly PaymentPoint[] {
  return money.all(PAYMENTS, bucketMs, since, bucketMs).map((row) => PaymentRow.parse(row));
}

/** Runs of `mirror.db` by the time of their end; empty buckets are left out. */
export function syncSeries(mirror: Database, since: number, bucketMs: number): readonly SyncPoint[] {
  return mirror.all(SYNCS, bucketMs, bucketMs, since).map((row) => SyncRow.parse(row));
}
