import { z } from 'zod';
import { Timestamp } from './primitives.ts';

const Count = z.int().min(0);

/** Figures per time bucket; empty buckets are left out. Durations in ms. */
export const Series = z.object({
  from: Timestamp,
  to: Timestamp,
  bucket_s: z.int(),
  payments: z.array(
    z.object({
      at: Timestamp,
      succeeded: Count,
      declined: Count,
      cancelled: Count,
      other: Count,
      median_ms: z.int().nullable(),
      slow_ms: z.int().nullable(),
    }),
  ),
  syncs: z.array(
    z.object({ at: Timestamp, runs: Count, failed: Count, read: Count, written: Count, longest_ms: z.int() }),
  ),
});
export type Series = z.infer<typeof Series>;

/** Query of `GET /v2/metrics/series`. */
export const ReadSeries = z.strictObject({
  window: z.enum(['24h', '7d']).default('24h'),
  version: z.string().optional(),
});
