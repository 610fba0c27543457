import { z } from 'zod';
import type { Readable } from '../read-only-database.ts';
import type { ChunkRange } from './archive-chunk.ts';

/** Why the oldest rows stay in the money database: the payment of row `seq`, and the reason. */
export interface Hold {
  readonly seq: number;
  /** Epoch ms of that row. */
  readonly at: number;
  readonly attemptId: string;
  readonly why: 'young' | 'open' | 'unreported' | 'task';
}

/** A chunk takes no more than this: enough for the compression, little enough for one step. */
export const MOST_ROWS = 50;
const MOST_BYTES = 98_304;
/** There are fewer events than rows of the journal; events that were held back catch up. */
const MOST_EVENTS = 60;

const ROWS = `SELECT seq, attempt_id AS attemptId, at, length(details) AS bytes FROM journal
  WHERE seq > CAST(? AS INTEGER) AND seq < (SELECT max(seq) FROM journal) ORDER BY seq LIMIT CAST(? AS INTEGER)`;
const FATE = `SELECT completed_at AS completedAt, needs_person AS needsPerson,
  EXISTS (SELECT 1 FROM outbox WHERE outbox.attempt_id = attempts.id AND state <> 'done' AND dropped_at IS NULL) AS unreported,
  EXISTS (SELECT 1 FROM tasks WHERE tasks.attempt_id = attempts.id AND done_at IS NULL) AS asked
  FROM attempts WHERE id = ?`;
const EVENTS = `SELECT seq, at, length(snapshot) AS bytes,
  EXISTS (SELECT 1 FROM webhook_deliveries WHERE event_id = events.id AND state = 'pending') AS awaited FROM events
  WHERE seq > CAST(? AS INTEGER) AND seq < (SELECT max(seq) FROM events) ORDER BY seq LIMIT CAST(? AS INTEGER)`;
const HEARD = `SELECT EXISTS (SELECT 1 FROM webhook_endpoints) AS listened,
  (SELECT CAST(value AS INTEGER) FROM facts WHERE name = 'webhook_event_cursor') AS seq`;

const Row = z.object({ seq: z.int(), attemptId: z.string(), at: z.int(), bytes: z.int() });
const Fate = z.object({
  completedAt: z.int().nullable(),
  needsPerson: z.int(),
  unreported: z.int(),
  asked: z.int(),
});
const EventRow = z.object({ seq: z.int(), at: z.int(), bytes: z.int(), awaited: z.int() });
const Heard = z.object({ listened: z.int(), seq: z.int().nullable() });

/** The end of the archive: the last row of the journal, and the last event. */
interface Place {
  readonly seq: number;
  readonly event: number;
}

/**
 * The next chunk after a position, or what holds it back. A chunk is full, or nothing is archived: a few rows alone compress badly.
 * @param before epoch ms: payments that ended later stay
 * @returns null when there are not enough rows yet
 */
export function nextChunk(database: Readable, after: Place, before: number): ChunkRange | Hold | null {
  const rows = database.all(ROWS, after.seq, MOST_ROWS).map((row) => Row.parse(row));
  const free = new Set<string>();
  let bytes = 0;
  for (const [index, row] of rows.entries()) {
    const why = row.at >= before ? 'young' : free.has(row.attemptId) ? null : holdOf(database, row, before);
    if (why !== null) return { seq: row.seq, at: row.at, attemptId: row.attemptId, why };
    free.add(row.attemptId);
    bytes += row.bytes;
    if (bytes >= MOST_BYTES || index === MOST_ROWS - 1)
      return {
        firstSeq: after.seq + 1,
        lastSeq: row.seq,
        firstEvent: after.event + 1,
        lastEvent: lastEventUntil(database, after.event, row.at),
      };
  }
  return null;
}

function holdOf(
  database: Readable,
  { attemptId }: { attemptId: string },
  before: number,
): Hold['why'] | null {
  const { data } = Fate.safeParse(database.get(FATE, attemptId));
  if (!data || data.completedAt === null) return 'open';
  const { completedAt, needsPerson, unreported, asked } = data;
  if (completedAt >= before) return 'young';
  if (unreported === 1) return 'unreported';
  return asked === 1 || needsPerson === 1 ? 'task' : null;
}

/** The last event of an unbroken range: until an instant, none that a webhook still waits for, never the newest. */
function lastEventUntil(database: Readable, after: number, until: number): number {
  const { listened, seq } = Heard.parse(database.get(HEARD));
  const heard = listened === 1 ? (seq ?? 0) : Number.MAX_SAFE_INTEGER;
  let last = after;
  let bytes = 0;
  for (const raw of database.all(EVENTS, after, MOST_EVENTS)) {
    const row = EventRow.parse(raw);
    bytes += row.bytes;
    if (row.at > until || row.seq > heard || row.awaited === 1 || bytes > MOST_BYTES) break;
    last = row.seq;
  }
  return last;
}

/** Whether a webhook still waits for one of these events: possible for a chunk that was written before a restore. */
export function isAwaited(database: Readable, { firstEvent, lastEvent }: ChunkRange): boolean {
  const sql = `SELECT 1 FROM events JOIN webhook_deliveries ON event_id = events.id AND state = 'pending'
    WHERE events.seq BETWEEN CAST(? AS INTEGER) AND CAST(? AS INTEGER) LIMIT 1`;
  return database.get(sql, firstEvent, lastEvent) !== undefined;
}
