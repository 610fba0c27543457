import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { z } from 'zod';
import { AppError, messageOf } from '../base/errors.ts';
import { type ArchiveChunk, digestOfText } from './archive-chunk.ts';
import { ARCHIVE_MIGRATIONS } from './archive-migrations.ts';
import { Database } from './database.ts';
import type { Readable } from './reading.ts';

const HEAD = `last_seq AS lastSeq, first_seq AS firstSeq, previous, hash, first_event AS firstEvent, last_event AS lastEvent, digest`;
const NEXT = `SELECT ${HEAD} FROM chunks WHERE last_seq > CAST(? AS INTEGER) ORDER BY last_seq LIMIT 1`;
const FIND = `SELECT ${HEAD} FROM chunks WHERE last_seq = ?`;
const BODY = 'SELECT digest, body FROM chunks WHERE last_seq = ?';
const CHUNKS_OF = 'SELECT last_seq AS seq FROM archived_attempts WHERE attempt_id = ? ORDER BY last_seq';
const PUT = `INSERT INTO chunks (last_seq, first_seq, previous, hash, first_event, last_event, digest, body)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;
const NAME = 'INSERT INTO archived_attempts (attempt_id, last_seq) VALUES (?, ?)';
/** Half a payment's text is the same as that of its neighbour: more work finds ten per cent more, and takes twice as long. */
const LEVEL = { params: { [constants.ZSTD_c_compressionLevel]: 3 } };
/** Far above what a chunk holds: what claims to be more is damaged. */
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
const Body = z.object({ digest: z.string(), body: z.instanceof(Uint8Array) });
const Seq = z.object({ seq: z.int() });

/** A chunk without its text. */
export type ChunkHead = z.infer<typeof Head>;

/** The first chunk that ends behind a row; null: there is none. */
export function chunkAfter(archive: Readable, seq: number): ChunkHead | null {
  const row = archive.get(NEXT, seq);
  return row === undefined ? null : Head.parse(row);
}

/** The chunk that ends with this row; null: there is none. */
export function chunkEndingAt(archive: Readable, seq: number): ChunkHead | null {
  const row = archive.get(FIND, seq);
  return row === undefined ? null : Head.parse(row);
}

/** The chunks in which rows of an attempt are, by their last row, oldest first. */
export function chunksOf(archive: Readable, attemptId: string): readonly number[] {
  return archive.all(CHUNKS_OF, attemptId).map((row) => Seq.parse(row).seq);
}

/** The text of the chunk that ends with this row. @throws ARCHIVE_DAMAGED when it is not what was written */
export function textOf(archive: Readable, lastSeq: number): string {
  try {
    const { digest, body } = Body.parse(archive.get(BODY, lastSeq));
    const text = zstdDecompressSync(body, { maxOutputLength: LONGEST_TEXT_BYTES }).toString('utf8');
    if (digestOfText(text) === digest) return text;
  } catch (error) {
    throw damaged(lastSeq, messageOf(error), error);
  }
  throw damaged(lastSeq, 'its text does not fit its digest');
}

/** Opens or creates `archive.db`; every commit is on disk when it returns. @throws STORAGE_TOO_NEW, STORAGE_DAMAGED, STORAGE_FULL, STORAGE_FAILED */
export function openArchive(path: string, appVersion: string): Database {
  return Database.open(path, ARCHIVE_MIGRATIONS, appVersion);
}

/** Adds a chunk; it is on disk when this returns. @throws STORAGE_FULL, STORAGE_FAILED, STORAGE_DAMAGED */
export function putChunk(archive: Database, chunk: ArchiveChunk): void {
  const { lastSeq, firstSeq, previous, hash, firstEvent, lastEvent, digest, text, attemptIds } = chunk;
  const body = zstdCompressSync(text, LEVEL);
  archive.transaction(() => {
    archive.run(PUT, lastSeq, firstSeq, previous, hash, firstEvent, lastEvent, digest, body);
    for (const id of attemptIds) archive.run(NAME, id, lastSeq);
  });
}

function damaged(lastSeq: number, what: string, cause?: unknown): AppError {
  const words = `the chunk of the archive that ends with row ${lastSeq} cannot be read: ${what}`;
  return new AppError('ARCHIVE_DAMAGED', words, { cause });
}
