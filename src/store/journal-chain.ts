import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Database } from './database.ts';

/** What the first row is chained to. */
export const CHAIN_START = '0'.repeat(64);

const LAST = 'SELECT seq, hash FROM journal ORDER BY seq DESC LIMIT 1';
const PAGE =
  'SELECT seq, attempt_id, at, event, from_state, to_state, details, hash FROM journal WHERE seq > ? ORDER BY seq LIMIT CAST(? AS INTEGER)';
const PAGE_ROWS = 2000;

/** A journal row as the database keeps it, without its hash. */
export interface ChainedRow {
  readonly attempt_id: string;
  readonly at: number;
  readonly event: string;
  readonly from_state: string;
  readonly to_state: string;
  readonly details: string;
}

const Link = z.object({ seq: z.int(), hash: z.string() });
const Row = Link.extend({
  attempt_id: z.string(),
  at: z.int(),
  event: z.string(),
  from_state: z.string(),
  to_state: z.string(),
  details: z.string(),
});

/** The end of the chain: how many rows there are and what the last one's hash is. */
export interface ChainEnd {
  readonly count: number;
  readonly hash: string;
}

/** What a check of the whole chain found; `broken` names the first row that does not fit, by its number. */
export type ChainCheck =
  | ({ readonly kind: 'whole' } & ChainEnd)
  | {
      readonly kind: 'broken';
      readonly seq: number;
      readonly attemptId: string | null;
      readonly what: string;
    };

/**
 * The hash of a row: SHA-256, hex, over the hash of the row before it, the row's number and its fields as JSON.
 * A row that is changed, removed, added or moved afterwards no longer fits its neighbours.
 */
export function hashOf(previous: string, seq: number, row: ChainedRow): string {
  const { attempt_id, at, event, from_state, to_state, details } = row;
  const text = JSON.stringify([seq, attempt_id, at, event, from_state, to_state, details]);
  return createHash('sha256').update(previous).update('\n').update(text).digest('hex');
}

/** Where the next row goes, and what it is chained to. */
export function chainEnd(database: Database): ChainEnd {
  const last = database.get(LAST);
  if (last === undefined) return { count: 0, hash: CHAIN_START };
  const { seq, hash } = Link.parse(last);
  return { count: seq, hash };
}

/** The hash of one row; null when there is none. */
export function hashAt(database: Database, seq: number): string | null {
  const row = database.get('SELECT seq, hash FROM journal WHERE seq = ?', seq);
  return row === undefined ? null : Link.parse(row).hash;
}

/**
 * Walks the chain from its first row.
 * @param anchors earlier ends of the chain, kept outside the database: they find rows cut off at the end.
 */
export function checkChain(database: Database, anchors: readonly ChainEnd[] = []): ChainCheck {
  const expected = new Map(anchors.map((anchor) => [anchor.count, anchor.hash]));
  let previous = CHAIN_START;
  let seq = 0;
  for (let rows = page(database, seq); rows.length > 0; rows = page(database, seq)) {
    for (const row of rows) {
      const what = flawOf(row, seq + 1, previous, expected);
      if (what !== null)
        return { kind: 'broken', seq: Math.min(row.seq, seq + 1), attemptId: row.attempt_id, what };
      previous = row.hash;
      seq = row.seq;
    }
  }
  const missing = anchors.find((anchor) => anchor.count > seq);
  if (!missing) return { kind: 'whole', count: seq, hash: previous };
  return { kind: 'broken', seq: seq + 1, attemptId: null, what: `rows up to ${missing.count} are gone` };
}

function page(database: Database, after: number): readonly z.infer<typeof Row>[] {
  return database.all(PAGE, after, PAGE_ROWS).map((row) => Row.parse(row));
}

function flawOf(
  row: z.infer<typeof Row>,
  expectedSeq: number,
  previous: string,
  anchors: ReadonlyMap<number, string>,
): string | null {
  if (row.seq !== expectedSeq) return `row ${expectedSeq} is gone`;
  if (hashOf(previous, row.seq, row) !== row.hash) return 'the row does not fit its hash';
  const anchor = anchors.get(row.seq);
  return anchor === undefined || anchor === row.hash ? null : 'the row is not the one that was anchored';
}
