import { z } from 'zod';
import type { Readable } from '../read-only-database.ts';

const Doubt = z.object({
  id: z.string(),
  deviceId: z.string(),
  minor: z.int(),
  currency: z.string(),
  since: z.int().nullable(),
});
const PendingReports = z.object({
  pending: z.int(),
  oldestAt: z.int().nullable(),
  parked: z.int(),
  reason: z.string().nullable(),
});
const OpenTask = z.object({ id: z.string(), kind: z.string(), at: z.int() });

/** A payment with an unknown outcome; `since` in epoch ms. */
export type Doubt = z.infer<typeof Doubt>;
/** What the service does not have yet, and why the newest dead letter was rejected. */
export type PendingReports = z.infer<typeof PendingReports>;

/** Oldest first. */
export function doubtsIn(database: Readable): readonly Doubt[] {
  const sql = `SELECT id, device_id AS deviceId, amount_minor AS minor, currency, in_doubt_since AS since
    FROM attempts INDEXED BY attempts_open WHERE completed_at IS NULL AND state = 'in_doubt' ORDER BY seq`;
  return database.all(sql).map((row) => Doubt.parse(row));
}

/**
 * It must also work on a database of an older release, which has no column for dropped reports, and another index for parked ones: `state <> 'done'`
 * is for that release, and without the plus SQLite would walk every done row for the newest reason.
 */
export function pendingReportsIn(database: Readable): PendingReports {
  const parked = `FROM outbox WHERE state <> 'done' AND state = 'parked'`;
  const sql = `SELECT count(*) AS pending, min(created_at) AS oldestAt,
    (SELECT count(*) ${parked} AND coalesce(last_error, '') NOT LIKE 'dropped by %') AS parked,
    (SELECT last_error ${parked} AND last_error NOT LIKE 'dropped by %' ORDER BY +seq DESC LIMIT 1) AS reason
    FROM outbox INDEXED BY outbox_pending WHERE state = 'pending'`;
  return PendingReports.parse(database.get(sql));
}

const Creates = z.object({ count: z.int() });

/** Payments that were started here and wait to be created at the service. */
export function pendingCreatesIn(database: Readable): number {
  const sql = "SELECT count(*) AS count FROM outbox WHERE state = 'pending' AND kind = 'create'";
  return Creates.parse(database.get(sql)).count;
}

const PaymentRate = z.object({
  payments: z.int(),
  lately: z.int(),
  firstAt: z.int().nullable(),
  bytes: z.int(),
});

/** The number of payments, how many of them since an instant, in how many days, and the size of the database. */
export function paymentRateIn(
  database: Readable,
  since: number,
  now: number,
): { readonly payments: number; readonly lately: number; readonly days: number; readonly bytes: number } {
  const sql = `SELECT count(*) AS payments, count(*) FILTER (WHERE created_at >= ${Math.floor(since)}) AS lately,
    min(created_at) FILTER (WHERE created_at >= ${Math.floor(since)}) AS firstAt,
    (SELECT page_count FROM pragma_page_count()) * (SELECT page_size FROM pragma_page_size()) AS bytes FROM attempts`;
  const { payments, lately, firstAt, bytes } = PaymentRate.parse(database.get(sql));
  const days = firstAt === null ? 0 : Math.max(1, Math.ceil((now - firstAt) / 86_400_000));
  return { payments, lately, days, bytes };
}

const WrittenOff = z.object({ count: z.int() });

/** Payments whose outcome was never found out, and without a newer record. */
export function writtenOffIn(database: Readable): number {
  const sql = `SELECT count(*) AS count FROM attempts WHERE status = 'error' AND completed_at IS NOT NULL AND state = 'written_off'
    AND NOT EXISTS (SELECT 1 FROM attempts AS newer WHERE newer.corrects = attempts.id)`;
  return WrittenOff.parse(database.get(sql)).count;
}

/** Open tasks, oldest first; `at` in epoch ms. */
export function openTasksIn(database: Readable): readonly z.infer<typeof OpenTask>[] {
  const sql = 'SELECT id, kind, created_at AS at FROM tasks WHERE done_at IS NULL ORDER BY seq';
  return database.all(sql).map((row) => OpenTask.parse(row));
}
