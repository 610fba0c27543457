import { z } from 'zod';
import type { Readable } from '../read-only-database.ts';

const IS_KNOWN = "SELECT 1 FROM sqlite_schema WHERE name = 'archived_chunks'";
const NEWEST = `SELECT last_seq AS seq, hash, last_event AS event, digest FROM archived_chunks
  ORDER BY last_seq DESC LIMIT 1`;
const Row = z.object({ seq: z.int(), hash: z.string(), event: z.int(), digest: z.string() });

/**
 * How far the oldest rows went to the archive: the last row of the journal, its hash, and the last event. `digest`: SHA-256 of the text of the newest
 * chunk.
 */
export type Cut = z.infer<typeof Row>;

/** null when nothing was archived yet, and in a database of an older release. */
export function cutOf(database: Readable): Cut | null {
  if (database.get(IS_KNOWN) === undefined) return null;
  const row = database.get(NEWEST);
  return row === undefined ? null : Row.parse(row);
}
