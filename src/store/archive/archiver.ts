import { AppError, hasCode } from '../../base/errors.ts';
import type { Database } from '../database.ts';
import { CHAIN_START } from '../journal/journal-chain.ts';
import { cutOf } from '../journal/journal-cut.ts';
import { type ChunkHead, chunkAfter, putChunk, textOf } from './archive.ts';
import { type ChunkText, readChunk } from './archive-chunk.ts';
import { isAwaited, nextChunk } from './archive-holds.ts';

const NOTE = 'INSERT INTO archived_chunks (last_seq, hash, last_event, digest, at) VALUES (?, ?, ?, ?, ?)';
const LAST_DISPATCHES = `INSERT OR REPLACE INTO last_dispatches (device_id, attempt_id, seq)
  SELECT device_id, attempt_id, max(journal.seq) FROM journal JOIN attempts ON attempts.id = journal.attempt_id
  WHERE journal.seq <= CAST(? AS INTEGER) AND event = 'dispatch' GROUP BY device_id`;
const DROP_BODIES = `UPDATE outbox SET body = '{}' WHERE state = 'done' AND body <> '{}'
  AND attempt_id IN (SELECT attempt_id FROM journal WHERE seq <= CAST(? AS INTEGER))`;
const DROP_JOURNAL = 'DELETE FROM journal WHERE seq <= CAST(? AS INTEGER)';
const DROP_EVENTS = 'DELETE FROM events WHERE seq <= CAST(? AS INTEGER)';

/** The result of one step: a chunk was written; its rows were deleted from the money database; there was nothing to do yet. */
export type Turn = 'written' | 'moved' | 'nothing';

/** What a step needs; `archive` opens the file on demand. */
export interface ArchiverDeps {
  readonly money: Database;
  /** @throws STORAGE_TOO_NEW, STORAGE_DAMAGED, STORAGE_FULL, STORAGE_FAILED */
  readonly archive: () => Database;
}

/**
 * Moves the oldest rows of the journal, with their events and the bodies of their reports, into the archive.
 * Why: they are two thirds of the money database, and only `explain` reads them.
 *
 * INVARIANTS:
 * - rows leave the money database only after the same rows, to the byte, were read back from the archive, whose commit was synced;
 * - wherever a step ends, a row is in the money database, or in the archive, or in both; the next step finds which;
 * - a chunk that differs from the money database is never overwritten, and nothing is deleted then;
 * - the newest row of the journal and the newest event stay: the next ones are chained to them.
 */
export class Archiver {
  readonly #deps: ArchiverDeps;

  constructor(deps: ArchiverDeps) {
    this.#deps = deps;
  }

  /**
   * One bounded step: some hundred rows.
   * @param before epoch ms: payments that ended later stay
   * @throws ARCHIVE_DIFFERS when the archive holds other rows than these; JOURNAL_BROKEN; ARCHIVE_DAMAGED; STORAGE_*
   */
  turn(before: number, now: number): Turn {
    const { money, archive } = this.#deps;
    const cut = cutOf(money) ?? { seq: 0, hash: CHAIN_START, event: 0 };
    const next = nextChunk(money, cut, before);
    if (next === null || 'why' in next) return 'nothing';
    const found = chunkAfter(archive(), cut.seq);
    if (found) return this.#move(found, now);
    putChunk(archive(), readChunk(money, next, cut.hash));
    return 'written';
  }

  #move(chunk: ChunkHead, now: number): Turn {
    const { money, archive } = this.#deps;
    const text = textOf(archive(), chunk.lastSeq);
    return money.transaction(() => {
      if (isAwaited(money, chunk)) return 'nothing';
      requireSame(money, chunk, text);
      money.run(LAST_DISPATCHES, chunk.lastSeq);
      money.run(DROP_BODIES, chunk.lastSeq);
      money.run(NOTE, chunk.lastSeq, chunk.hash, chunk.lastEvent, chunk.digest, now);
      money.run(DROP_JOURNAL, chunk.lastSeq);
      money.run(DROP_EVENTS, chunk.lastEvent);
      return 'moved';
    });
  }
}

/** @throws ARCHIVE_DIFFERS */
function requireSame(money: Database, chunk: ChunkHead, text: ChunkText): void {
  const cut = cutOf(money) ?? { seq: 0, hash: CHAIN_START, event: 0 };
  const follows =
    chunk.firstSeq === cut.seq + 1 && chunk.previous === cut.hash && chunk.firstEvent === cut.event + 1;
  if (follows && sameAs(money, chunk, text)) return;
  throw new AppError(
    'ARCHIVE_DIFFERS',
    `the archive holds other rows ${chunk.firstSeq} to ${chunk.lastSeq} than the journal: it is of another time of these books`,
  );
}

/** Missing rows, and rows that do not fit their hash, are not the same. */
function sameAs(money: Database, chunk: ChunkHead, text: ChunkText): boolean {
  try {
    const rows = readChunk(money, chunk, chunk.previous);
    return rows.timelines === text.timelines && rows.rest === text.rest && rows.hash === chunk.hash;
  } catch (error) {
    if (hasCode(error, 'JOURNAL_BROKEN')) return false;
    throw error;
  }
}
