import { z } from 'zod';
import { messageOf } from '../../base/errors.ts';
import { CHAIN_START, hashAt } from '../journal/journal-chain.ts';
import { cutOf } from '../journal/journal-cut.ts';
import type { Readable } from '../read-only-database.ts';
import { type ChunkHead, chunkAfter, chunkEndingAt, textOf } from './archive.ts';
import { flawOf } from './archive-chunk.ts';

const NOTED_AFTER = `SELECT last_seq AS lastSeq, hash, digest FROM archived_chunks WHERE last_seq > CAST(? AS INTEGER)
  ORDER BY last_seq LIMIT 1`;
const Noted = z.object({ lastSeq: z.int(), hash: z.string(), digest: z.string() });

/** What is wrong with an archive: which rows of the journal it lacks, or holds with other content. */
export interface ArchiveFlaw {
  /** `gone`: rows that no file holds any more; `other`: the archive is of another time of this database. */
  readonly kind: 'gone' | 'damaged' | 'other';
  readonly what: string;
}

/**
 * Compares the archive with what the database handed over: the first and the newest chunk are present, and the next row fits.
 * @param full also every chunk between them, row by row
 * @returns null when nothing is wrong
 * @throws SQLite's error when nothing can be read
 */
export function archiveFlaw(money: Readable, archive: Readable, full: boolean): ArchiveFlaw | null {
  const cut = cutOf(money);
  if (cut) {
    const first = chunkAfter(archive, 0);
    if (first?.firstSeq !== 1) return gone(1, Math.min(cut.seq, (first?.firstSeq ?? cut.seq + 1) - 1));
    const newest = chunkEndingAt(archive, cut.seq);
    if (!newest) return gone(1, cut.seq, 'some of the');
    if (newest.digest !== cut.digest || newest.hash !== cut.hash) return other(newest);
  }
  const next = chunkAfter(archive, cut?.seq ?? 0);
  if (next && (next.firstSeq !== (cut?.seq ?? 0) + 1 || hashAt(money, next.lastSeq) !== next.hash))
    return other(next);
  return full ? flawWithin(money, archive) : null;
}

/** Checks every chunk, each row and each joint. */
function flawWithin(money: Readable, archive: Readable): ArchiveFlaw | null {
  let [seq, hash] = [0, CHAIN_START];
  for (;;) {
    const row = money.get(NOTED_AFTER, seq);
    if (row === undefined) return null;
    const noted = Noted.parse(row);
    const chunk = chunkEndingAt(archive, noted.lastSeq);
    if (!chunk) return gone(seq + 1, noted.lastSeq);
    if (chunk.digest !== noted.digest || chunk.hash !== noted.hash) return other(chunk);
    const flaw = chunk.firstSeq === seq + 1 && chunk.previous === hash ? flawIn(archive, chunk) : NO_JOINT;
    if (flaw !== null)
      return { kind: 'damaged', what: `rows ${chunk.firstSeq} to ${chunk.lastSeq}: ${flaw}` };
    [seq, hash] = [chunk.lastSeq, chunk.hash];
  }
}

const NO_JOINT = 'they do not follow those before them';

function flawIn(archive: Readable, chunk: ChunkHead): string | null {
  try {
    return flawOf({ ...chunk, ...textOf(archive, chunk.lastSeq) });
  } catch (error) {
    return messageOf(error);
  }
}

function gone(first: number, last: number, which = 'the'): ArchiveFlaw {
  return { kind: 'gone', what: `${which} rows ${first} to ${last} of the journal are not in it` };
}

function other({ firstSeq, lastSeq }: ChunkHead): ArchiveFlaw {
  return { kind: 'other', what: `it has other rows ${firstSeq} to ${lastSeq} than the books` };
}
