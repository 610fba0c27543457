import { z } from 'zod';
import type { Pages, Reading } from '../read-only-database.ts';

/**
 * The one part of a row's record that no statement shows: SQLite stores the number of a row before the record, and an empty placeholder for it
 * inside, which no statement reads.
 *
 * ```
 * cell    payload size | row number | header size | type of seq | type of attempt_id | … | values
 *         varint         varint       varint        varint: 0     varint
 * ```
 *
 * @see https://www.sqlite.org/fileformat2.html 1.6 B-tree Pages, 2.1 Record Format
 */
const LEAF = 0x0d;
const INTERIOR = 0x05;
const PLACEHOLDER = 0;
const DATABASE_HEADER_BYTES = 100;
const LEAF_HEADER_BYTES = 8;
const INTERIOR_HEADER_BYTES = 12;

const Root = z.object({ rootpage: z.int().min(1) });

/**
 * The first row of the journal, by its position, whose placeholder is not empty; null when there is none, or the pages are not available.
 * @throws RangeError when the pages are damaged beyond that: a reader of the rows finds that, too
 */
export function firstOddCell(database: Reading): number | null {
  const pages = database.pages();
  if (!pages) return null;
  const { rootpage } = Root.parse(database.get("SELECT rootpage FROM sqlite_schema WHERE name = 'journal'"));
  let place = 0;
  for (const { bytes } of cellsOf(pages, rootpage)) {
    place += 1;
    const number = afterVarint(bytes, 0);
    const header = afterVarint(bytes, number);
    if (bytes.readUInt8(afterVarint(bytes, header)) !== PLACEHOLDER) return place;
  }
  return null;
}

/** A cell, from its first byte to the end of its page, and its position. */
export interface Cell {
  readonly page: number;
  readonly offset: number;
  readonly bytes: Buffer;
}

/** The cells of a table in the order of its rows. */
export function* cellsOf(pages: Pages, root: number): Generator<Cell> {
  const pending = [root];
  for (let visited = 0; pending.length > 0; visited += 1) {
    const number = pending.pop() ?? 0;
    if (visited > pages.count) throw new RangeError('the pages of the journal lead in a circle');
    const page = pages.page(number);
    const start = number === 1 ? DATABASE_HEADER_BYTES : 0;
    const type = page.readUInt8(start);
    if (type === LEAF) yield* pointed(number, page, start, LEAF_HEADER_BYTES);
    else if (type === INTERIOR) pending.push(...childrenOf(number, page, start).reverse());
    else throw new RangeError(`page ${number} is none of a table`);
  }
}

function childrenOf(number: number, page: Buffer, start: number): number[] {
  const cells = [...pointed(number, page, start, INTERIOR_HEADER_BYTES)];
  return [...cells.map(({ bytes }) => bytes.readUInt32BE(0)), page.readUInt32BE(start + LEAF_HEADER_BYTES)];
}

function* pointed(number: number, page: Buffer, start: number, headerBytes: number): Generator<Cell> {
  const count = page.readUInt16BE(start + 3);
  for (let index = 0; index < count; index += 1) {
    const offset = page.readUInt16BE(start + headerBytes + 2 * index);
    yield { page: number, offset, bytes: page.subarray(offset) };
  }
}

/** The offset after a varint: seven bits in each byte, the high bit says that more follow, at most nine bytes. */
function afterVarint(bytes: Buffer, from: number): number {
  let at = from;
  while (at < from + 8 && bytes.readUInt8(at) > 0x7f) at += 1;
  return at + 1;
}
