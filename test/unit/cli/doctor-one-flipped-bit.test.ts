import { readFileSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { beforeEach, describe, expect, it } from 'vitest';
import { readEpochNote } from '../../../src/store/epoch/epoch-note.ts';
import { damagedPages } from '../../../src/store/inspection/checks.ts';
import { type Beside, checkJournal, NOTHING_BESIDE } from '../../../src/store/inspection/journal-check.ts';
import { JournalAnchors } from '../../../src/store/journal/journal-anchors.ts';
import { cellsOf } from '../../../src/store/journal/journal-cells.ts';
import { type ChainCheck, hashOf } from '../../../src/store/journal/journal-chain.ts';
import type { ChainedRow } from '../../../src/store/journal/journal-row.ts';
import { pagesOfImage, type Reading, readingOfImage } from '../../../src/store/read-only-database.ts';
import { aDay, stateFilesOf } from './books.ts';

const ROWS = 35;
const PAGE_BYTES = 4096;
const PAGE_HEADER_BYTES = 8;
const TEXTS = ['attempt_id', 'event', 'from_state', 'to_state', 'details', 'hash'] as const;
/** The journal as a table that takes what a strict one refuses, because damage asks nobody. */
const LENIENT = `ALTER TABLE journal RENAME TO strict_journal;
  CREATE TABLE journal (seq INTEGER PRIMARY KEY, attempt_id, at, event, from_state, to_state, details, hash);
  INSERT INTO journal SELECT * FROM strict_journal`;
/** A cell begins with sizes, the row's number and the types of its values: there more bits are tried than behind. */
const HEADER_BYTES = 16;
/** One bit in so many is tried; TILLD_BIT_STRIDE=1 tries every one, which takes half an hour and more. */
const STRIDE = Number(process.env['TILLD_BIT_STRIDE'] ?? 0);
const [OF_NUMBERS, OF_HEADERS, OF_VALUES] = STRIDE > 0 ? [1, 1, STRIDE] : [5, 5, 601];
const LIMIT_MS = STRIDE > 0 ? 7_200_000 : 120_000;

/** The books of a day, as bytes, made by the first test that wants them. */
let image = Buffer.alloc(0);
let beside: Beside = NOTHING_BESIDE;
beforeEach(async () => {
  if (image.length > 0) return;
  const books = await stateFilesOf(aDay);
  image = readFileSync(books.database);
  beside = { note: readEpochNote(books.epoch), anchors: new JournalAnchors(books.anchors).read() };
});

function firstBroken(check: ChainCheck): number | null {
  return check.kind === 'broken' ? check.seq : null;
}

/** Looks at a copy of the file in which one bit is another. */
function withFlip<T>(at: number, bit: number, look: (database: Reading) => T): T {
  const copy = Buffer.from(image);
  copy.writeUInt8(copy.readUInt8(at) ^ (1 << bit), at);
  const database = readingOfImage(copy);
  try {
    return look(database);
  } finally {
    database.close();
  }
}

/** One in so many of the bits from a byte to another. */
function bitsOf(
  from: number,
  to: number,
  every: number,
  offset: number,
): readonly { at: number; bit: number }[] {
  const all = Array.from({ length: 8 * (to - from) }, (_, index) => index);
  return all
    .filter((index) => (index + offset) % every === 0)
    .map((index) => ({ at: from + (index >> 3), bit: index & 7 }));
}

/** Where the rows of the journal stand in the file, in their order. */
function cellsInFile(): readonly { readonly page: number; readonly from: number; readonly to: number }[] {
  const database = readingOfImage(Buffer.from(image));
  const root = database.get("SELECT rootpage FROM sqlite_schema WHERE name = 'journal'") as {
    rootpage: number;
  };
  database.close();
  const cells = [...cellsOf(pagesOfImage(image), root.rootpage)];
  return cells.map(({ page, offset }) => {
    const behind = cells.filter((other) => other.page === page && other.offset > offset);
    const end = Math.min(PAGE_BYTES, ...behind.map((other) => other.offset));
    return { page, from: (page - 1) * PAGE_BYTES + offset, to: (page - 1) * PAGE_BYTES + end };
  });
}

/** The journal in a database that may be written as damage writes it. */
function damageable(): { readonly sqlite: Sqlite.Database; readonly reading: Reading } {
  const copy = Buffer.from(image);
  for (const at of [18, 19]) copy.writeUInt8(1, at);
  const sqlite = new Sqlite(copy);
  sqlite.exec(LENIENT);
  const reading: Reading = {
    get: (sql, ...values) => sqlite.prepare(sql).get(...values),
    all: (sql, ...values) => sqlite.prepare(sql).all(...values),
    each: (sql) => sqlite.prepare(sql).iterate(),
    pages: () => pagesOfImage(sqlite.serialize()),
    copyInto: () => undefined,
    close: () => sqlite.close(),
  };
  return { sqlite, reading };
}

/** What may become of a text: bits of its first, middle or last byte (bit 5 is the case of a letter), its type, nothing. */
function damagesOf(
  text: string,
  seq: number,
): readonly { readonly what: string; readonly value: unknown; readonly as: string }[] {
  const bytes = Buffer.from(text);
  const at = [0, bytes.length >> 1, bytes.length - 1][seq % 3] ?? 0;
  const bits = [0, 3, 5, 7].map((bit) => {
    const value = Buffer.from(bytes);
    value.writeUInt8(value.readUInt8(at) ^ (1 << bit), at);
    return { what: `bit ${bit} of byte ${at}`, value, as: 'CAST(? AS TEXT)' };
  });
  return [
    ...bits,
    { what: 'bytes instead of text', value: bytes, as: '?' },
    { what: 'a NUL behind it', value: `${text}\0`, as: '?' },
    { what: 'nothing', value: null, as: '?' },
    { what: 'a number', value: 7, as: '?' },
  ];
}

describe('one flipped bit in the journal', { timeout: LIMIT_MS }, () => {
  it('is none where nothing was changed: the journal of a day is whole', () => {
    const database = readingOfImage(Buffer.from(image));
    expect(checkJournal(database, beside)).toMatchObject({ kind: 'whole', count: ROWS });
    database.close();
  });

  it('is named by its row in every text of every row, whatever it makes of the text', () => {
    const { sqlite, reading } = damageable();
    const wrong: string[] = [];
    for (let seq = 1; seq <= ROWS; seq += 1)
      for (const column of TEXTS) {
        const text = String(sqlite.prepare(`SELECT ${column} FROM journal WHERE seq = ?`).pluck().get(seq));
        for (const { what, value, as } of damagesOf(text, seq)) {
          sqlite.prepare(`UPDATE journal SET ${column} = ${as} WHERE seq = ?`).run(value, seq);
          const found = firstBroken(checkJournal(reading, beside));
          if (found !== seq) wrong.push(`${what} in ${column} of row ${seq}: ${found}`);
        }
        sqlite.prepare(`UPDATE journal SET ${column} = ? WHERE seq = ?`).run(text, seq);
      }
    expect(wrong).toEqual([]);
    expect(checkJournal(reading, beside)).toMatchObject({ kind: 'whole' });
    reading.close();
  });

  it('is not hidden by two damaged texts that look alike', () => {
    const { sqlite, reading } = damageable();
    const last = sqlite.prepare('SELECT * FROM journal WHERE seq = 34').get() as ChainedRow & {
      hash: string;
    };
    const details = '{"said":"\uFFFD"}';
    const hash = hashOf(last.hash, ROWS, { ...last, details });
    const put = sqlite.prepare(
      'UPDATE journal SET attempt_id = ?, at = ?, event = ?, from_state = ?, to_state = ?, details = CAST(? AS TEXT), hash = ? WHERE seq = 35',
    );
    const write = (bytes: Buffer) =>
      put.run(last.attempt_id, BigInt(last.at), last.event, last.from_state, last.to_state, bytes, hash);
    write(Buffer.from(details));
    expect(checkJournal(reading, NOTHING_BESIDE).kind).toBe('whole');
    write(Buffer.from(Buffer.from(details).toString('hex').replace('efbfbd', 'f09f98'), 'hex'));
    expect(firstBroken(checkJournal(reading, NOTHING_BESIDE))).toBe(ROWS);
    reading.close();
  });

  it('is named by its row in every bit of its time and of its number', () => {
    const { sqlite, reading } = damageable();
    const wrong: string[] = [];
    const flip = (column: string, seq: bigint, bit: bigint): void => {
      const mask = BigInt.asIntN(64, 1n << bit);
      const other = `(${column} | @mask) - (${column} & @mask)`;
      const change = sqlite.prepare(`UPDATE OR IGNORE journal SET ${column} = ${other} WHERE seq = @seq`);
      if (change.run({ mask, seq }).changes === 0) return;
      const found = firstBroken(checkJournal(reading, beside));
      if (found !== Number(seq)) wrong.push(`bit ${bit} of ${column} in row ${seq}: ${found}`);
      const moved = column === 'seq' ? BigInt.asIntN(64, seq ^ mask) : seq;
      change.run({ mask, seq: moved });
    };
    for (let seq = 1n; seq <= ROWS; seq += 1n)
      for (let bit = 0n; bit < 64n; bit += 1n)
        if (bit === 63n || (seq + bit) % BigInt(OF_NUMBERS) === 0n)
          for (const column of ['at', 'seq']) flip(column, seq, bit);
    expect(wrong).toEqual([]);
    expect(checkJournal(reading, beside)).toMatchObject({ kind: 'whole' });
    reading.close();
  });

  it('is named by its row wherever it is in the bytes of the file that are the row', () => {
    const wrong: string[] = [];
    for (const [index, { from, to }] of cellsInFile().entries())
      for (const { at, bit } of [
        ...bitsOf(from, from + HEADER_BYTES, OF_HEADERS, index),
        ...bitsOf(from + HEADER_BYTES, to, OF_VALUES, index),
      ]) {
        const found = withFlip(at, bit, (database) => firstBroken(checkJournal(database, beside)));
        if (found !== index + 1) wrong.push(`byte ${at - from}, bit ${bit} of row ${index + 1}: ${found}`);
      }
    expect(wrong).toEqual([]);
  });

  it('is named by a row, or as damage of its page, in what holds the rows of a page together', () => {
    const pages = Map.groupBy(cellsInFile(), ({ page }) => page);
    const missed = [...pages].flatMap(([page, { length }]) => {
      const from = (page - 1) * PAGE_BYTES;
      const tried = bitsOf(from, from + PAGE_HEADER_BYTES + 2 * length, OF_HEADERS, page);
      return tried.filter(({ at, bit }) => !withFlip(at, bit, isSeen));
    });
    expect(missed).toEqual([]);
  });

  /** The journal is broken, or SQLite finds the page damaged. */
  function isSeen(database: Reading): boolean {
    if (checkJournal(database, beside).kind === 'broken') return true;
    try {
      return damagedPages(database, false).length > 0;
    } catch {
      return true;
    }
  }
});
