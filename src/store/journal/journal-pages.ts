import { z } from 'zod';
import { AppError } from '../../base/errors.ts';
import { type ChunkHead, chunkAfter, timelinesIn } from '../archive/archive.ts';
import { type ArchivedRow, rowsIn } from '../archive/archive-chunk.ts';
import type { ArchivePlace } from '../archive/archive-place.ts';
import type { Database } from '../database.ts';
import { epochOf } from '../epoch.ts';
import { CHAIN_START, chainStart, hashOf } from './journal-chain.ts';
import { DETAILS_AS_BYTES, isText, JOURNAL_COLUMNS, type ReadRow, readRow } from './journal-row.ts';

const ROWS_FROM = `SELECT ${JOURNAL_COLUMNS} FROM journal WHERE seq >= CAST(? AS INTEGER) ORDER BY seq LIMIT CAST(? AS INTEGER)`;

const NEWEST_ROW = 'SELECT max(seq) AS seq FROM journal';
const Newest = z.object({ seq: z.int().nullable() });

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
  #chunk: (ChunkHead & { readonly rows: readonly ArchivedRow[] }) | null = null;

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

  /** @throws ARCHIVE_DAMAGED, STORAGE_DAMAGED, STORAGE_FAILED */
  read(from: number, most: number): JournalPage {
    return from <= chainStart(this.#database).count ? this.#archived(from, most) : this.#live(from, most);
  }

  /** Rows of one chunk at most: the next call goes on behind it. */
  #archived(from: number, most: number): JournalPage {
    const { rows, previous } = this.#chunkWith(from);
    const first = rows.findIndex((row) => row.seq === from);
    if (first === -1)
      throw new AppError('ARCHIVE_DAMAGED', `row ${from} of the journal is not in the archive`);
    return { previous: rows[first - 1]?.hash ?? previous, rows: rows.slice(first, first + most) };
  }

  /** The chunk is kept until the next one is read: it is unpacked as a whole. */
  #chunkWith(seq: number) {
    if (this.#chunk && seq >= this.#chunk.firstSeq && seq <= this.#chunk.lastSeq) return this.#chunk;
    try {
      const archive = this.#archive.existing();
      const head = archive && chunkAfter(archive, seq - 1);
      if (!archive || !head)
        throw new AppError('ARCHIVE_DAMAGED', `row ${seq} of the journal is not in the archive`);
      this.#chunk = { ...head, rows: [...rowsIn(timelinesIn(archive, head.lastSeq))] };
      return this.#chunk;
    } catch (error) {
      this.#archive.damageIn(error);
      throw error;
    }
  }

  #live(from: number, most: number): JournalPage {
    this.#chunk = null;
    const start = chainStart(this.#database);
    const found = this.#database.all(ROWS_FROM, from - 1, most + 1).map(readRow);
    const before = found[0]?.seq === from - 1 ? found.shift() : undefined;
    const previous = from === start.count + 1 ? start.hash : hashIn(before);
    const rows: (ArchivedRow | DamagedRow)[] = [];
    for (const row of found.slice(0, most)) {
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
