import { hash as digestOf } from 'node:crypto';
import { z } from 'zod';
import { AppError } from '../../base/errors.ts';
import { CHAIN_START, hashOf } from '../journal/journal-chain.ts';
import { type ChainedRow, JOURNAL_COLUMNS, readRow } from '../journal/journal-row.ts';
import type { Readable } from '../read-only-database.ts';

/** Which rows a chunk holds: of the journal and of the events, both ends included; `first` after `last`: none. */
export interface ChunkRange {
  readonly firstSeq: number;
  readonly lastSeq: number;
  readonly firstEvent: number;
  readonly lastEvent: number;
}

/**
 * The content of a chunk: one JSON array per line, starting with its kind, its number and its attempt. `timelines` are rows of the journal (the column
 * `stories`), `rest` are events, followed by the bodies of reports.
 *
 * ```
 * ["j", seq, attempt_id, at, event, from_state, to_state, details, hash]
 * ["e", seq, attempt_id | null, settlement_id | null, id, type, at, snapshot]
 * ["o", seq, attempt_id, id, body]
 * ```
 */
export interface ChunkText {
  readonly timelines: string;
  readonly rest: string;
}

/** A range of the oldest rows, as it goes to the archive. */
export interface ArchiveChunk extends ChunkRange, ChunkText {
  /** The hash that its first row is chained to. */
  readonly previous: string;
  /** Hash of its last row. */
  readonly hash: string;
  /** SHA-256 of both texts, hex. */
  readonly digest: string;
  readonly attemptIds: readonly string[];
}

const JOURNAL = `SELECT ${JOURNAL_COLUMNS} FROM journal WHERE seq BETWEEN CAST(? AS INTEGER) AND CAST(? AS INTEGER) ORDER BY seq`;
const EVENTS = `SELECT seq, attempt_id, settlement_id, id, type, at, snapshot FROM events
  WHERE seq BETWEEN CAST(? AS INTEGER) AND CAST(? AS INTEGER) ORDER BY seq`;
/** The reports of the chunk's payments; the rows stay, their bodies go. */
const REPORTS = `SELECT seq, attempt_id, id, body FROM outbox WHERE attempt_id IN (SELECT value FROM json_each(CAST(? AS TEXT)))
  AND state = 'done' AND body <> '{}' ORDER BY seq`;
const EventRow = z.object({
  seq: z.int(),
  attempt_id: z.string().nullable(),
  settlement_id: z.string().nullable(),
  id: z.string(),
  type: z.string(),
  at: z.int(),
  snapshot: z.string(),
});
const ReportRow = z.object({ seq: z.int(), attempt_id: z.string(), id: z.string(), body: z.string() });
const JournalLine = z.tuple([
  z.literal('j'),
  z.int(),
  z.string(),
  z.int(),
  z.string(),
  z.string(),
  z.string(),
  z.string(),
  z.string(),
]);

/** A row of the journal as a chunk stores it. */
export interface ArchivedRow extends ChainedRow {
  readonly seq: number;
  readonly hash: string;
}

/**
 * Reads a chunk from the money database. The same rows give the same text.
 * @throws JOURNAL_BROKEN when a row does not fit the one before it: such a row is never archived
 */
export function readChunk(database: Readable, range: ChunkRange, previous: string): ArchiveChunk {
  const journal = journalOf(database, range, previous);
  const attemptIds = [...new Set(journal.map((row) => row.attempt_id))];
  const events = database
    .all(EVENTS, range.firstEvent, range.lastEvent)
    .map((row) => EventRow.parse(row))
    .map((row) => ['e', row.seq, row.attempt_id, row.settlement_id, row.id, row.type, row.at, row.snapshot]);
  const reports = database
    .all(REPORTS, JSON.stringify(attemptIds))
    .map((row) => ReportRow.parse(row))
    .map(({ seq, attempt_id, id, body }) => ['o', seq, attempt_id, id, body]);
  const text = { timelines: textIn(journal.map(lineOf)), rest: textIn([...events, ...reports]) };
  const hash = journal.at(-1)?.hash ?? previous;
  return { ...range, ...text, previous, hash, digest: digestOfText(text), attemptIds };
}

/** SHA-256, hex. */
export function digestOfText({ timelines, rest }: ChunkText): string {
  return digestOf('sha256', `${timelines}\n${rest}`);
}

function textIn(lines: readonly (readonly unknown[])[]): string {
  return lines.map((line) => JSON.stringify(line)).join('\n');
}

/**
 * The rows of one attempt in the timelines of a chunk, or of all attempts; in their order.
 * Why bytes: converting a whole chunk to text takes as long as unpacking it, and one attempt is a tenth of it.
 */
export function* rowsIn(timelines: Buffer, attemptId?: string): Generator<ArchivedRow> {
  const own = attemptId === undefined ? '[' : `,${JSON.stringify(attemptId)},`;
  for (let at = timelines.indexOf(own); at !== -1; ) {
    const [begin, end] = [timelines.lastIndexOf('\n', at) + 1, endOf(timelines, at)];
    const row = rowOf(timelines.toString('utf8', begin, end));
    if (attemptId === undefined || row.attempt_id === attemptId) yield row;
    at = end === timelines.length ? -1 : timelines.indexOf(own, end);
  }
}

function endOf(bytes: Buffer, from: number): number {
  const end = bytes.indexOf('\n', from);
  return end === -1 ? bytes.length : end;
}

/**
 * Checks the chain of a chunk.
 * @returns what does not fit, in words; null: the chunk is intact
 */
export function flawOf(chunk: Omit<ArchiveChunk, 'attemptIds'>): string | null {
  if (digestOfText(chunk) !== chunk.digest) return 'its text does not fit its digest';
  let [seq, hash] = [chunk.firstSeq - 1, chunk.previous];
  if (seq === 0 && hash !== CHAIN_START) return 'it does not begin where the journal began';
  for (const row of rowsIn(Buffer.from(chunk.timelines))) {
    seq += 1;
    hash = hashOf(hash, seq, row);
    if (row.seq !== seq || row.hash !== hash) return `row ${seq} does not fit its hash`;
  }
  return seq === chunk.lastSeq && hash === chunk.hash ? null : `it does not end at row ${chunk.lastSeq}`;
}

function journalOf(database: Readable, range: ChunkRange, previous: string): readonly ArchivedRow[] {
  let hash = previous;
  const rows = database.all(JOURNAL, range.firstSeq, range.lastSeq).map((raw, index) => {
    const seq = range.firstSeq + index;
    const found = readRow(raw);
    if (found.kind === 'damaged' || found.seq !== seq) throw broken(seq);
    hash = hashOf(hash, seq, found.row);
    if (hash !== found.hash) throw broken(seq);
    return { ...found.row, seq, hash };
  });
  if (rows.length !== range.lastSeq - range.firstSeq + 1) throw broken(range.firstSeq + rows.length);
  return rows;
}

function broken(seq: number): AppError {
  return new AppError('JOURNAL_BROKEN', `row ${seq} of the journal does not fit: nothing is archived`, {
    context: { row: seq },
  });
}

function lineOf({ seq, attempt_id, at, event, from_state, to_state, details, hash }: ArchivedRow) {
  return ['j', seq, attempt_id, at, event, from_state, to_state, details, hash] as const;
}

function rowOf(line: string): ArchivedRow {
  const [, seq, attempt_id, at, event, from_state, to_state, details, hash] = JournalLine.parse(
    JSON.parse(line),
  );
  return { seq, attempt_id, at, event, from_state, to_state, details, hash };
}
