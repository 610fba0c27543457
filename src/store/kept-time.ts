import { z } from 'zod';
import type { KeptTime, KeptTimeStore } from '../payment/elapsed-time.ts';
import type { Database } from './database.ts';

const FIND = "SELECT value FROM facts WHERE name = 'elapsed'";
const SET = "INSERT OR REPLACE INTO facts (name, value) VALUES ('elapsed', ?)";
/** After a crash the newest payments may be newer than what was kept. */
const NEWEST_STAMP = `SELECT COALESCE(max(max(COALESCE(completed_elapsed, 0), COALESCE(json_extract(detail, '$.elapsed.inDoubt'), 0),
    COALESCE(json_extract(detail, '$.elapsed.dispatched'), 0))), 0) AS elapsedMs
  FROM (SELECT completed_elapsed, detail FROM attempts ORDER BY seq DESC LIMIT 100)`;

const FIND_MEMORY = "SELECT value FROM facts WHERE name = 'epoch_elapsed'";
const SET_MEMORY = "INSERT OR REPLACE INTO facts (name, value) VALUES ('epoch_elapsed', ?)";

const Kept = z.object({
  elapsedMs: z.int(),
  witnesses: z.record(z.string(), z.object({ shownMs: z.number(), elapsedMs: z.int() })),
});

/** Where a money database carries the elapsed time over a restart. */
export function keptTimeIn(database: Database): KeptTimeStore {
  return {
    read: () => {
      const kept = jsonIn(database.get(FIND), Kept) ?? NEVER_KEPT;
      const { elapsedMs } = Newest.parse(database.get(NEWEST_STAMP));
      return { ...kept, elapsedMs: Math.max(kept.elapsedMs, elapsedMs) };
    },
    write: (kept) => void database.run(SET, JSON.stringify(kept)),
  };
}

const Newest = z.object({ elapsedMs: z.int() });
const NEVER_KEPT: KeptTime = { elapsedMs: 0, witnesses: {} };

const Memory = z.object({ epoch: z.string(), elapsedMs: z.int() });

/**
 * Elapsed time when this epoch began, ms. Noted when it is first asked for: later than it began at the most, and then more counts as
 * forgotten.
 */
export function epochElapsed(database: Database, epoch: string, now: number): number {
  const noted = jsonIn(database.get(FIND_MEMORY), Memory);
  if (noted?.epoch === epoch) return noted.elapsedMs;
  database.run(SET_MEMORY, JSON.stringify({ epoch, elapsedMs: now } satisfies z.infer<typeof Memory>));
  return now;
}

const Row = z.object({ value: z.string() });

/** The JSON of a fact; null where there is none that can be read. */
function jsonIn<T>(row: unknown, schema: z.ZodType<T>): T | null {
  if (row === undefined) return null;
  try {
    return schema.parse(JSON.parse(Row.parse(row).value));
  } catch {
    return null;
  }
}
