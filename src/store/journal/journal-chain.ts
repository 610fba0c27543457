import { hash as digestOf } from 'node:crypto';
import { z } from 'zod';
import { AppError, messageOf } from '../../base/errors.ts';
import type { Readable } from '../read-only-database.ts';
import { cutOf } from './journal-cut.ts';
import {
  type ChainedRow,
  DETAILS_AS_BYTES,
  isText,
  JOURNAL_COLUMNS,
  type ReadRow,
  readRow,
} from './journal-row.ts';

/** The hash that the first row is chained to. */
export const CHAIN_START = '0'.repeat(64);

const LAST = 'SELECT seq, hash FROM journal ORDER BY seq DESC LIMIT 1';
const PAGE_ROWS = 2000;
const FIRST_PAGE = `SELECT ${JOURNAL_COLUMNS} FROM journal NOT INDEXED ORDER BY seq LIMIT ${PAGE_ROWS}`;
const NEXT_PAGE = `SELECT ${JOURNAL_COLUMNS} FROM journal NOT INDEXED WHERE seq > ? ORDER BY seq LIMIT ${PAGE_ROWS}`;
const SOME_ROWS = `SELECT ${JOURNAL_COLUMNS} FROM journal NOT INDEXED WHERE seq > CAST(? AS INTEGER) ORDER BY seq LIMIT CAST(? AS INTEGER)`;
/** Every row in order. A damaged page may mislead an index search, but not a scan from the first row to the last. */
export const JOURNAL_ROWS = `SELECT ${JOURNAL_COLUMNS} FROM journal NOT INDEXED ORDER BY seq`;
/** The rows after a row. */
export function journalRowsAfter(seq: number): string {
  return `SELECT ${JOURNAL_COLUMNS} FROM journal NOT INDEXED WHERE seq > ${Math.floor(seq)} ORDER BY seq`;
}

const Link = z.object({ seq: z.int(), hash: z.string() });

/** The end of the chain: the number of rows and the hash of the last one. */
export interface ChainEnd {
  readonly count: number;
  readonly hash: string;
}

/** A row that does not fit, by its number. */
export interface ChainBreak {
  readonly kind: 'broken';
  readonly seq: number;
  readonly attemptId: string | null;
  readonly what: string;
}

/**
 * The result of a check of the whole chain: `broken` names the first row that does not fit. `overruled` are anchors that the chain and a later anchor
 * contradict: these anchors are damaged themselves.
 */
export type ChainCheck =
  | ({ readonly kind: 'whole'; readonly overruled?: readonly ChainEnd[] } & ChainEnd)
  | ChainBreak;

/**
 * The hash of a row: SHA-256, hex, over the hash of the row before it, the row's number and its fields as JSON. A row that is changed, removed, added
 * or moved later no longer fits its neighbours.
 */
export function hashOf(previous: string, seq: number, row: ChainedRow): string {
  const { attempt_id, at, event, from_state, to_state, details } = row;
  const text = JSON.stringify([seq, attempt_id, at, event, from_state, to_state, details]);
  return digestOf('sha256', `${previous}\n${text}`);
}

/**
 * The number of the next row, and the hash that it is chained to.
 * @throws JOURNAL_UNREADABLE when the last row is damaged
 */
export function chainEnd(database: Readable): ChainEnd {
  const last = database.get(LAST);
  if (last === undefined) return chainStart(database);
  const { seq, hash } = linkOf(last);
  return { count: seq, hash };
}

/** The hash that the first row is chained to: the fixed start, or that of the last archived row. */
export function chainStart(database: Readable): ChainEnd {
  const cut = cutOf(database);
  return cut ? { count: cut.seq, hash: cut.hash } : { count: 0, hash: CHAIN_START };
}

/** The hash of one row, also of the last archived one; null when there is none. @throws JOURNAL_UNREADABLE when it is damaged */
export function hashAt(database: Readable, seq: number): string | null {
  const row = database.get('SELECT seq, hash FROM journal WHERE seq = ?', seq);
  if (row !== undefined) return linkOf(row).hash;
  const start = chainStart(database);
  return start.count === seq && seq > 0 ? start.hash : null;
}

/** Whether an end of the chain is one of this journal; an end within the archived part cannot be disproved here. */
export function isOfJournal(database: Readable, { count, hash }: ChainEnd): boolean {
  return hashAt(database, count) === hash || count < chainStart(database).count;
}

function linkOf(raw: unknown): z.infer<typeof Link> {
  const link = Link.safeParse(raw);
  if (link.success) return link.data;
  throw new AppError(
    'JOURNAL_UNREADABLE',
    'a row of the journal is damaged and cannot be read: tillctl doctor names it, tillctl restore FILE puts a backup in its place',
  );
}

/**
 * Checks the chain from its first row.
 * @param anchors earlier ends of the chain, kept outside the database: they detect rows that were cut off at the end.
 * @throws the open database's error when its pages cannot be read: then nothing of it can be trusted
 */
export function checkChain(database: Readable, anchors: readonly ChainEnd[] = []): ChainCheck {
  return checkRows(database, pages(database), anchors);
}

function* pages(database: Readable): Generator<unknown> {
  let rows = database.all(FIRST_PAGE);
  while (rows.length > 0) {
    yield* rows;
    const last = readRow(rows.at(-1));
    rows = rows.length < PAGE_ROWS || last.kind === 'damaged' ? [] : database.all(NEXT_PAGE, last.seq);
  }
}

/**
 * The same for the rows of {@link JOURNAL_ROWS}; an unreadable row is a break.
 * @param from an end that counts as proved: `rows` are those after it
 */
export function checkRows(
  database: Readable,
  rows: Iterable<unknown>,
  anchors: readonly ChainEnd[] = [],
  from: ChainEnd = chainStart(database),
): ChainCheck {
  const walk = walkFrom(database, from, anchors);
  return verdictOf(walk, firstBreak(rows, walk), anchors);
}

/** A check that continues after a known row; it passes every anchor on its way. */
export function walkFrom(
  database: Readable,
  { count, hash }: ChainEnd,
  anchors: readonly ChainEnd[],
): ChainWalk {
  const wanted = new Set(anchors.map((anchor) => anchor.count));
  return { database, start: count, seq: count, hash, passed: new Map([[count, hash]]), wanted };
}

/** Continues a check by so many rows; returns the first row that does not fit, or null. */
export function walkOn(walk: ChainWalk, rows: number): ChainBreak | null {
  const { database, seq } = walk;
  return firstBreak(database.all(SOME_ROWS, seq, rows), walk);
}

/** The result of a completed check. */
export function verdictOf(
  walk: ChainWalk,
  broken: ChainBreak | null,
  anchors: readonly ChainEnd[],
): ChainCheck {
  const { overruled, contradicting, missing } = heldAgainst(walk, anchors);
  if (contradicting) return breakAt(contradicting.count, null, 'the row is not the one that was anchored');
  if (broken) return broken;
  if (missing) return breakAt(walk.seq + 1, null, `the row is gone, and all up to row ${missing.count}`);
  const doubts = overruled.length > 0 ? { overruled } : {};
  return { kind: 'whole', count: walk.seq, hash: walk.hash, ...doubts };
}

/** How far the chain fits, and its hashes at the anchored rows. */
export interface ChainWalk {
  readonly database: Readable;
  /** The check began after this row; it does not prove earlier anchors. */
  readonly start: number;
  seq: number;
  hash: string;
  readonly passed: Map<number, string>;
  readonly wanted: ReadonlySet<number>;
}

function firstBreak(rows: Iterable<unknown>, walk: ChainWalk): ChainBreak | null {
  const reader = rows[Symbol.iterator]();
  let astray: number | string | null = null;
  try {
    for (let next = reader.next(); !next.done; next = reader.next()) {
      const found = readRow(next.value);
      if (walk.seq === walk.start && (found.seq ?? 0) <= walk.start)
        astray = found.seq ?? 'of no possible number';
      else {
        const broken = stepOver(found, walk, reader);
        if (broken) return broken;
      }
    }
  } catch (error) {
    if (error instanceof AppError) throw error;
    return breakAt(walk.seq + 1, null, `the row cannot be read: ${messageOf(error)}`);
  } finally {
    reader.return?.();
  }
  return astray === null ? null : breakAt(walk.seq + 1, null, `the row has become row ${astray}`);
}

/** Continues the check by one row, or says why it cannot continue. */
function stepOver(found: ReadRow, walk: ChainWalk, ahead: Iterator<unknown>): ChainBreak | null {
  const seq = walk.seq + 1;
  const { attemptId } = found;
  if (found.seq !== seq)
    return breakAt(seq, null, `the row is gone: row ${found.seq ?? '?'} stands in its place`);
  if (found.kind === 'damaged') return breakAt(seq, attemptId, found.what);
  const computed = hashOf(walk.hash, seq, found.row);
  if (found.mayHide && !isText(walk.database.get(DETAILS_AS_BYTES, seq)))
    return breakAt(seq, attemptId, 'the row is damaged: its details are no text any more');
  if (computed === found.hash) {
    walk.seq = seq;
    walk.hash = computed;
    if (walk.wanted.has(seq)) walk.passed.set(seq, computed);
    return null;
  }
  const isHashWrong = isNext(ahead, seq + 1, computed);
  return breakAt(seq, attemptId, isHashWrong ? 'its hash was changed' : 'the row does not fit its hash');
}

/** Whether the next row is chained to this hash. */
function isNext(ahead: Iterator<unknown>, seq: number, hash: string): boolean {
  try {
    const next = readRow(ahead.next().value);
    return next.kind === 'row' && hashOf(hash, seq, next.row) === next.hash;
  } catch {
    return false;
  }
}

/**
 * What the anchors say of the part that fits. Each hash covers all rows before it, so one anchor that agrees proves that an earlier one which does
 * not is damaged itself.
 */
function heldAgainst(walk: ChainWalk, anchors: readonly ChainEnd[]) {
  const sorted = anchors.filter(({ count }) => count >= walk.start).sort((a, b) => a.count - b.count);
  const agrees = ({ count, hash }: ChainEnd) => walk.passed.get(count) === hash;
  const proved = sorted.findLast(agrees)?.count ?? 0;
  const within = sorted.filter((anchor) => anchor.count <= walk.seq && !agrees(anchor));
  return {
    overruled: within.filter(({ count }) => count <= proved),
    contradicting: within.find(({ count }) => count > proved),
    missing: sorted.findLast(({ count }) => count > walk.seq),
  };
}

function breakAt(seq: number, attemptId: string | null, what: string): ChainBreak {
  return { kind: 'broken', seq, attemptId, what };
}
