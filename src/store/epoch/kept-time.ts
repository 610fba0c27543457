import { z } from 'zod';
import type { KeptTime, KeptTimeStore } from '../../payment/attempt/elapsed-time.ts';
import type { Database } from '../database.ts';

const FIND = "SELECT value FROM facts WHERE name = 'elapsed'";
const SET = "INSERT OR REPLACE INTO facts (name, value) VALUES ('elapsed', ?)";
/** After a crash the newest payments may be newer than the stored time. */
const NEWEST_STAMP = `SELECT COALESCE(max(max(COALESCE(completed_elapsed, 0), COALESCE(json_extract(detail, '$.elapsed.inDoubt'), 0),
    COALESCE(json_extract(detail, '$.elapsed.dispatched'), 0))), 0) AS elapsedMs
  FROM (SELECT completed_elapsed, detail FROM attempts ORDER BY seq DESC LIMIT 100)`;

const FIND_EPOCH_START = "SELECT value FROM facts WHERE name = 'epoch_elapsed'";
const SET_EPOCH_START = "INSERT OR REPLACE INTO facts (name, value) VALUES ('epoch_elapsed', ?)";

/** A new process run: the stored note is of an earlier one. */
const END_OF_RUN = `UPDATE facts SET value = json_set(value, '$.isOfThisRun', json('false'))
  WHERE name = 'epoch_elapsed' AND json_extract(value, '$.isOfThisRun')`;
const SHIFT_EPOCH_START = `UPDATE facts SET value = json_set(value, '$.elapsedMs', json_extract(value, '$.elapsedMs') + CAST(? AS INTEGER))
  WHERE name = 'epoch_elapsed' AND json_extract(value, '$.isOfThisRun')`;

const Kept = z.object({
  elapsedMs: z.int(),
  witnesses: z.record(z.string(), z.object({ shownMs: z.number(), elapsedMs: z.int() })),
});

/** The store of the elapsed time in a money database, over restarts. */
export function keptTimeIn(database: Database): KeptTimeStore {
  return {
    read: () => {
      database.run(END_OF_RUN);
      const kept = jsonIn(database.get(FIND), Kept) ?? NEVER_KEPT;
      const { elapsedMs } = Newest.parse(database.get(NEWEST_STAMP));
      return { ...kept, elapsedMs: Math.max(kept.elapsedMs, elapsedMs) };
    },
    write: (kept) => void database.run(SET, JSON.stringify(kept)),
    jumped: (ms) => void database.run(SHIFT_EPOCH_START, ms),
  };
}

const Newest = z.object({ elapsedMs: z.int() });
const NEVER_KEPT: KeptTime = { elapsedMs: 0, witnesses: {} };

const EpochStart = z.object({
  epoch: z.string(),
  elapsedMs: z.int(),
  isOfThisRun: z.coerce.boolean().default(false),
});

/**
 * Elapsed time when this epoch began, ms. It is noted on the first request: at worst later than the epoch began, and then more counts as forgotten.
 * Time that a witness reports later in that run had passed before the epoch began, so this value moves with it: else work that was requested before
 * the restore would count as younger than the epoch.
 */
export function epochElapsed(database: Database, epoch: string, now: number): number {
  const noted = jsonIn(database.get(FIND_EPOCH_START), EpochStart);
  if (noted?.epoch === epoch) return noted.elapsedMs;
  database.run(
    SET_EPOCH_START,
    JSON.stringify({ epoch, elapsedMs: now, isOfThisRun: true } satisfies z.infer<typeof EpochStart>),
  );
  return now;
}

const Row = z.object({ value: z.string() });

/** The JSON of a fact; null when there is none, or it cannot be read. */
function jsonIn<T>(row: unknown, schema: z.ZodType<T>): T | null {
  if (row === undefined) return null;
  try {
    return schema.parse(JSON.parse(Row.parse(row).value));
  } catch {
    return null;
  }
}
