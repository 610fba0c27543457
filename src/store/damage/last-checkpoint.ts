import { closeSync, existsSync, openSync, readSync } from 'node:fs';

/** See "The WAL File Format" at https://sqlite.org/fileformat2.html#walformat. Numbers are big-endian, except for the words that are summed. */
const LOG_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
const MAGIC = 0x377f0682;
const LARGEST_PAGE = 65_536;
/** Frames; the largest commit of a payment is a tenth of it. */
const LONGEST_COMMIT = 256;
/** The first few are enough for a message. */
const MOST_NAMED = 3;

/** A frame of the log: the page that it holds, whether a commit ends with it, its checksums, and its position in the file. */
interface Frame {
  readonly page: number;
  readonly isCommit: boolean;
  readonly salt: number;
  readonly salt2: number;
  readonly sums: readonly [number, number];
  readonly at: number;
}

/**
 * Whether the pages of the last checkpoint are in the database as they were written: a disk that reports a sync too early loses them with the power.
 * Call it after an unclean shutdown, before any connection opens the database.
 *
 * How it works: a log that was emptied begins again at its first frame, and the frames after its end are those of the last checkpoint, until they are
 * overwritten. Each such page must be the same in the database, byte by byte, unless the log has a newer version of it.
 *
 * ```
 * money.db-wal   header | frame … frame | frame … frame … | free ……
 *                salt n   salt n          salt n - 1
 * ```
 * @returns what is wrong, in words; null: nothing, or nothing is known
 */
export function lostPages(path: string): string | null {
  const log = `${path}-wal`;
  if (!existsSync(path) || !existsSync(log)) return null;
  const [database, frames] = [openSync(path, 'r'), openSync(log, 'r')];
  try {
    const shape = shapeOf(frames);
    if (shape === null) return null;
    const lost = [...movedLast(frames, shape)].filter(
      ([page, at]) => !isThere(database, page, frames, at, shape),
    );
    if (lost.length === 0) return null;
    const named = lost.slice(0, MOST_NAMED).map(([page]) => page);
    return `${lost.length} of its pages are not what was written last (${named.join(', ')})`;
  } finally {
    closeSync(database);
    closeSync(frames);
  }
}

/** The fields of a log's header. */
interface Shape {
  readonly pageBytes: number;
  readonly salt: number;
  readonly isBigEndian: boolean;
}

function shapeOf(log: number): Shape | null {
  const header = Buffer.alloc(LOG_HEADER_BYTES);
  if (readSync(log, header, 0, LOG_HEADER_BYTES, 0) < LOG_HEADER_BYTES) return null;
  const [magic, pageBytes, salt] = [header.readUInt32BE(0), header.readUInt32BE(8), header.readUInt32BE(16)];
  if ((magic | 1) !== (MAGIC | 1) || pageBytes < 512 || pageBytes > LARGEST_PAGE) return null;
  return { pageBytes, salt, isBigEndian: (magic & 1) === 1 };
}

/**
 * The position of the newest version of each page in the previous log, as far as the bytes still exist and no newer version does.
 *
 * Only one unbroken run of frames at the end of that log counts: other bytes between or after them may have held a newer version of a page. A commit
 * that a power cut interrupted leaves such gaps. A run that is longer than any commit ends where its log did; a shorter one must be followed by older
 * frames.
 */
function movedLast(log: number, shape: Shape): ReadonlyMap<number, number> {
  const before = (shape.salt - 1) >>> 0;
  const run = new Run();
  const newer = new Set<number>();
  const bytes = Buffer.alloc(FRAME_HEADER_BYTES + shape.pageBytes);
  let last: Frame | null = null;
  for (const frame of framesOf(log, bytes)) {
    if (frame.salt === shape.salt) {
      newer.add(frame.page);
      run.forget();
    } else if (frame.salt !== before) {
      if (last !== null) run.end(frame.salt === (before - 1) >>> 0);
    } else if (last !== null && isBehind(frame, bytes, last, shape.isBigEndian)) run.add(frame);
    else run.forget();
    last = frame.salt === before ? frame : null;
  }
  for (const page of newer) run.moved.delete(page);
  return run.moved;
}

/** Consecutive frames, and the pages that their commits moved. */
class Run {
  readonly moved = new Map<number, number>();
  readonly #pending = new Map<number, number>();
  #length = 0;

  add({ page, at, isCommit }: Frame): void {
    this.#length += 1;
    this.#pending.set(page, at);
    if (!isCommit) return;
    for (const [moved, place] of this.#pending) this.moved.set(moved, place);
    this.#pending.clear();
  }

  /** @param older the bytes that follow were there before that log */
  end(older: boolean): void {
    if (!older && this.#length <= LONGEST_COMMIT) this.forget();
    this.#pending.clear();
  }

  forget(): void {
    this.moved.clear();
    this.#pending.clear();
    this.#length = 0;
  }
}

/** @param bytes each frame is read into it */
function* framesOf(log: number, bytes: Buffer): Generator<Frame> {
  for (
    let at = LOG_HEADER_BYTES;
    readSync(log, bytes, 0, bytes.length, at) === bytes.length;
    at += bytes.length
  )
    yield {
      page: bytes.readUInt32BE(0),
      isCommit: bytes.readUInt32BE(4) > 0,
      salt: bytes.readUInt32BE(8),
      salt2: bytes.readUInt32BE(12),
      sums: [bytes.readUInt32BE(16), bytes.readUInt32BE(20)],
      at,
    };
}

/** Each frame's checksums continue those of the frame before it, over the first 8 bytes of its header and its page. */
function isBehind(frame: Frame, bytes: Buffer, before: Frame, isBigEndian: boolean): boolean {
  if (frame.salt2 !== before.salt2) return false;
  const word = (at: number) => (isBigEndian ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at));
  let [one, two] = before.sums;
  const add = (from: number, to: number) => {
    for (let at = from; at < to; at += 8) {
      one = (one + word(at) + two) >>> 0;
      two = (two + word(at + 4) + one) >>> 0;
    }
  };
  add(0, 8);
  add(FRAME_HEADER_BYTES, bytes.length);
  return one === frame.sums[0] && two === frame.sums[1];
}

function isThere(database: number, page: number, log: number, at: number, { pageBytes }: Shape): boolean {
  const [written, found] = [Buffer.alloc(pageBytes), Buffer.alloc(pageBytes)];
  readSync(log, written, 0, pageBytes, at + FRAME_HEADER_BYTES);
  return (
    readSync(database, found, 0, pageBytes, (page - 1) * pageBytes) === pageBytes && found.equals(written)
  );
}
