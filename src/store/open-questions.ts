import { z } from 'zod';
import type { Readable } from './reading.ts';

const Doubt = z.object({
  id: z.string(),
  deviceId: z.string(),
  minor: z.int(),
  currency: z.string(),
  since: z.int().nullable(),
});
const Owed = z.object({
  pending: z.int(),
  oldestAt: z.int().nullable(),
  parked: z.int(),
  reason: z.string().nullable(),
});
const OpenTask = z.object({ id: z.string(), kind: z.string(), at: z.int() });

/** A payment of which nobody knows yet whether the customer was charged; `since` in epoch ms. */
export type Doubt = z.infer<typeof Doubt>;
/** What the service has not been told yet, and why the newest parked report is parked. */
export type Owed = z.infer<typeof Owed>;

/** Oldest first. */
export function doubtsIn(database: Readable): readonly Doubt[] {
  const sql = `SELECT id, device_id AS deviceId, amount_minor AS minor, currency, in_doubt_since AS since
    FROM attempts WHERE completed_at IS NULL AND state = 'in_doubt' ORDER BY seq`;
  return database.all(sql).map((row) => Doubt.parse(row));
}

export function owedIn(database: Readable): Owed {
  const sql = `SELECT count(*) FILTER (WHERE state = 'pending') AS pending, min(created_at) FILTER (WHERE state = 'pending') AS oldestAt,
    count(*) FILTER (WHERE state = 'parked') AS parked,
    (SELECT last_error FROM outbox WHERE state = 'parked' ORDER BY seq DESC LIMIT 1) AS reason FROM outbox WHERE state <> 'done'`;
  return Owed.parse(database.get(sql));
}

/** What people were asked to do and have not done, oldest first; `at` in epoch ms. */
export function openTasksIn(database: Readable): readonly z.infer<typeof OpenTask>[] {
  const sql = 'SELECT id, kind, created_at AS at FROM tasks WHERE done_at IS NULL ORDER BY seq';
  return database.all(sql).map((row) => OpenTask.parse(row));
}
