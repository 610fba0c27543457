import { z } from 'zod';
import { AppError } from '../../base/errors.ts';
import type { Database } from '../database.ts';
import { epochOf } from '../epoch/epoch.ts';
import { CHAIN_START, chainStart, hashOf } from '../journal/journal-chain.ts';
import { DETAILS_AS_BYTES, isText, JOURNAL_COLUMNS, type ReadRow, readRow } from '../journal/journal-row.ts';
import { type ChunkHead, chunkAfter, chunkEndingAt, timelinesIn } from './archive.ts';
import { type ArchivedRow, rowsIn } from './archive-chunk.ts';
import type { ArchivePlace } from './archive-place.ts';

const ROWS_FROM = `SELECT ${JOURNAL_COLUMNS} FROM journal WHERE seq >= CAST(? AS INTEGER) ORDER BY seq LIMIT CAST(? AS INTEGER)`;

const NEWEST_ROW = 'SELECT max(seq) AS seq FROM journal';
const Newest = z.object({ seq: z.int().nullable() });

/** A damaged number of a row looks like as many missing rows. */
const MOST_MISSING = 10_000;

/** A row that does not fit the chain, with what could be read of it; `hash`: 64 zeros where it cannot be read. */
export interface DamagedRow {
  readonly seq: number;
  readonly damaged: string;
  readonly attempt_id: string | null;
  readonly content: string | null;
  readonly hash: string;
}

/** Consecutive rows of the journal; `previous` is the hash of the row before the first one. */
export interface JournalPage {
  readonly previous: string;
  readonly rows: readonly (ArchivedRow | DamagedRow)[];
}

/** The journal from its first row to its newest, also where its beginning is in the archive. A damaged row is one of its rows. */
export class JournalPages {
  readonly #database: Database;
  readonly #archive: ArchivePlace;
  #chunk: (ChunkHead & { readonly rows: readonly (ArchivedRow | DamagedRow)[] }) | null = null;

  constructor(database: Database, archive: ArchivePlace) {
    this.#database = database;
    this.#archive = archive;
  }

  get epoch(): string {
    return epochOf(this.#database) ?? '';
  }

  /** The number of the newest row, whatever it holds; 0: there is none. */
  get end(): number {
    const { seq } = Newest.parse(this.#database.get(NEWEST_ROW));
    return seq ?? chainStart(this.#database).count;
  }

  /** @throws ARCHIVE_DAMAGED, STORAGE_DAMAGED, STORAGE_FAILED, JOURNAL_UNREADABLE */
  read(from: number, most: number): JournalPage {
    return from <= chainStart(this.#database).count ? this.#archived(from, most) : this.#live(from, most);
  }

  /** Rows of one chunk at most: the next call goes on behind it. What the archive has lost for good is a row that is gone. */
  #archived(from: number, most: number): JournalPage {
    try {
      const archive = this.#archive.existing();
      if (!archive)
        throw new AppError(
          'ARCHIVE_DAMAGED',
          `row ${from} of the journal is in the archive, which is not there`,
        );
      const cut = chainStart(this.#database);
      const head = chunkAfter(archive, from - 1);
      const lost = Math.min((head?.firstSeq ?? cut.count + 1) - 1, cut.count);
      if (!head || from <= lost)
        return lostPage(archive, from, Math.min(lost, from + most - 1), lost, head?.previous ?? cut.hash);
      const { rows, previous } = this.#unpacked(archive, head);
      const first = rows.findIndex((row) => row.seq === from);
      if (first === -1)
        throw new AppError('ARCHIVE_DAMAGED', `row ${from} of the journal is not in its chunk`);
      return { previous: rows[first - 1]?.hash ?? previous, rows: rows.slice(first, first + most) };
    } catch (error) {
      this.#archive.damageIn(error);
      throw error;
    }
  }

  /** The chunk is kept until the next one is read: it is unpacked as a whole. */
  #unpacked(archive: Database, head: ChunkHead) {
    if (this.#chunk?.lastSeq === head.lastSeq) return this.#chunk;
    let { previous } = head;
    const rows = [...rowsIn(timelinesIn(archive, head.lastSeq))].map((row) => {
      const fits = hashOf(previous, row.seq, row) === row.hash;
      previous = row.hash;
      const { seq, hash, attempt_id, ...content } = row;
      return fits
        ? row
        : damagedRow(seq, 'the row does not fit its hash', attempt_id, JSON.stringify(content), hash);
    });
    this.#chunk = { ...head, rows };
    return this.#chunk;
  }

  #live(from: number, most: number): JournalPage {
    this.#chunk = null;
    const start = chainStart(this.#database);
    const found = this.#database.all(ROWS_FROM, from - 1, most + 1).map(readRow);
    const before = found[0]?.seq === from - 1 ? found.shift() : undefined;
    const previous = from === start.count + 1 ? start.hash : hashIn(before);
    const rows: (ArchivedRow | DamagedRow)[] = [];
    for (const row of found.slice(0, most)) {
      if ((row.seq ?? 0) - from > MOST_MISSING)
        throw new AppError(
          'JOURNAL_UNREADABLE',
          `the journal goes on with row ${row.seq} behind row ${from - 1}: tillctl doctor`,
        );
      while (from + rows.length < (row.seq ?? 0) && rows.length < most)
        rows.push(missing(from + rows.length));
      if (rows.length === most) break;
      rows.push(this.#checked(row, from + rows.length, rows.at(-1)?.hash ?? previous));
    }
    return { previous, rows };
  }

  #checked(found: ReadRow, seq: number, previous: string): ArchivedRow | DamagedRow {
    if (found.kind === 'damaged') return damagedRow(seq, found.what, found.attemptId, null, CHAIN_START);
    const { row, hash, attemptId } = found;
    const isWhole = !found.mayHide || isText(this.#database.get(DETAILS_AS_BYTES, seq));
    if (isWhole && hashOf(previous, seq, row) === hash) return { ...row, seq, hash };
    return damagedRow(seq, 'the row does not fit its hash', attemptId, JSON.stringify(row), hash);
  }
}

/** Rows that the archive does not have any more; the last of them has the hash that the next row is chained to. */
function lostPage(archive: Database, from: number, to: number, last: number, next: string): JournalPage {
  const rows = Array.from({ length: to - from + 1 }, (_, index) => {
    const row = missing(from + index);
    return row.seq === last ? { ...row, hash: next } : row;
  });
  return { previous: chunkEndingAt(archive, from - 1)?.hash ?? CHAIN_START, rows };
}

function hashIn(row: ReadRow | undefined): string {
  return row?.kind === 'row' ? row.hash : CHAIN_START;
}

function missing(seq: number): DamagedRow {
  return damagedRow(seq, 'the row is gone', null, null, CHAIN_START);
}

function damagedRow(
  seq: number,
  damaged: string,
  attemptId: string | null,
  content: string | null,
  hash: string,
): DamagedRow {
  return { seq, damaged, attempt_id: attemptId, content, hash };
}
