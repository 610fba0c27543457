import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { z } from 'zod';
import { AppError, messageOf } from '../../base/errors.ts';
import { Database } from '../database.ts';
import type { Readable } from '../read-only-database.ts';
import { type ArchiveChunk, type ChunkText, digestOfText } from './archive-chunk.ts';
import { ARCHIVE_MIGRATIONS } from './archive-migrations.ts';

const HEAD = `last_seq AS lastSeq, first_seq AS firstSeq, previous, hash, first_event AS firstEvent, last_event AS lastEvent, digest`;
const NEXT = `SELECT ${HEAD} FROM chunks WHERE last_seq > CAST(? AS INTEGER) ORDER BY last_seq LIMIT 1`;
const FIND = `SELECT ${HEAD} FROM chunks WHERE last_seq = ?`;
const TIMELINES = 'SELECT stories FROM chunks WHERE last_seq = ?';
const WHOLE = 'SELECT digest, stories, rest FROM chunks WHERE last_seq = ?';
const CHUNKS_OF = 'SELECT last_seq AS seq FROM archived_attempts WHERE attempt_id = ? ORDER BY last_seq';
const PUT = `INSERT INTO chunks (last_seq, first_seq, previous, hash, first_event, last_event, digest, stories, rest)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const NAME = 'INSERT INTO archived_attempts (attempt_id, last_seq) VALUES (?, ?)';
/** Half a payment's text is equal to that of its neighbour: a higher level saves ten per cent more, and takes twice as long. */
const PACKING = {
  params: { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 },
};
/** Far above the size of a chunk: a larger length means damage. */
const LONGEST_TEXT_BYTES = 67_108_864;

const Head = z.object({
  lastSeq: z.int(),
  firstSeq: z.int(),
  previous: z.string(),
  hash: z.string(),
  firstEvent: z.int(),
  lastEvent: z.int(),
  digest: z.string(),
});
const TimelinesRow = z.object({ stories: z.instanceof(Uint8Array) });
const Whole = TimelinesRow.extend({ digest: z.string(), rest: z.instanceof(Uint8Array) });
const Seq = z.object({ seq: z.int() });

/** A chunk without its text. */
export type ChunkHead = z.infer<typeof Head>;

/** The first chunk that ends after a row; null: there is none. */
export function chunkAfter(archive: Readable, seq: number): ChunkHead | null {
  const row = archive.get(NEXT, seq);
  return row === undefined ? null : Head.parse(row);
}

/** The chunk that ends with this row; null: there is none. */
export function chunkEndingAt(archive: Readable, seq: number): ChunkHead | null {
  const row = archive.get(FIND, seq);
  return row === undefined ? null : Head.parse(row);
}

/** The chunks that hold rows of an attempt, by their last row, oldest first. */
export function chunksOf(archive: Readable, attemptId: string): readonly number[] {
  return archive.all(CHUNKS_OF, attemptId).map((row) => Seq.parse(row).seq);
}

/** The rows of the journal in the chunk that ends with this row, UTF-8. @throws ARCHIVE_DAMAGED when it differs from what was written */
export function timelinesIn(archive: Readable, lastSeq: number): Buffer {
  return reading(lastSeq, () => unpacked(TimelinesRow.parse(archive.get(TIMELINES, lastSeq)).stories));
}

/** The whole content of the chunk that ends with this row. @throws ARCHIVE_DAMAGED when it differs from what was written */
export function textOf(archive: Readable, lastSeq: number): ChunkText {
  return reading(lastSeq, () => {
    const { digest, stories, rest } = Whole.parse(archive.get(WHOLE, lastSeq));
    const text = { timelines: unpacked(stories).toString('utf8'), rest: unpacked(rest).toString('utf8') };
    if (digestOfText(text) !== digest) throw new Error('its text does not fit its digest');
    return text;
  });
}

function unpacked(packed: Uint8Array): Buffer {
  return zstdDecompressSync(packed, { maxOutputLength: LONGEST_TEXT_BYTES });
}

function reading<T>(lastSeq: number, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    const words = `the chunk of the archive that ends with row ${lastSeq} cannot be read: ${messageOf(cause)}`;
    throw new AppError('ARCHIVE_DAMAGED', words, { cause });
  }
}

/** Opens or creates `archive.db`; every commit is on disk when it returns. @throws STORAGE_TOO_NEW, STORAGE_DAMAGED, STORAGE_FULL, STORAGE_FAILED */
export function openArchive(path: string, appVersion: string): Database {
  return Database.open(path, ARCHIVE_MIGRATIONS, appVersion);
}

/** Adds a chunk; it is on disk when this returns. @throws STORAGE_FULL, STORAGE_FAILED, STORAGE_DAMAGED */
export function putChunk(archive: Database, chunk: ArchiveChunk): void {
  const { lastSeq, firstSeq, previous, hash, firstEvent, lastEvent, digest, attemptIds } = chunk;
  const [stories, rest] = [chunk.timelines, chunk.rest].map((text) => zstdCompressSync(text, PACKING));
  archive.transaction(() => {
    archive.run(PUT, lastSeq, firstSeq, previous, hash, firstEvent, lastEvent, digest, stories, rest);
    for (const id of attemptIds) archive.run(NAME, id, lastSeq);
  });
}
