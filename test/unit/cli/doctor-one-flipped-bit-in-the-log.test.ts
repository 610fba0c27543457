import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Database } from '../../../src/store/database.ts';
import { noteEpoch } from '../../../src/store/epoch/epoch.ts';
import { readEpochNote } from '../../../src/store/epoch/epoch-note.ts';
import { checkJournal } from '../../../src/store/inspection/journal-check.ts';
import { SqlitePaymentStore } from '../../../src/store/payments/sqlite-payment-store.ts';
import { openForReading } from '../../../src/store/read-only-database.ts';
import { MONEY_MIGRATIONS } from '../../../src/store/schema/migrations.ts';
import { aFolder } from '../../support/money-database.ts';
import { aDay, copyOf, type StateFiles, stateFilesOf } from './books.ts';

const ROWS = 35;
const LATER = 5;
const LOG_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
const FRAME_BYTES = FRAME_HEADER_BYTES + 4096;

/** A shop that was killed: its last rows, a commit for each, are in the log only. */
async function killed(): Promise<StateFiles> {
  const books = await stateFilesOf(aDay);
  const database = Database.open(books.database, MONEY_MIGRATIONS, '0.1.0');
  const store = new SqlitePaymentStore(database);
  const { id: attemptId } = database.get('SELECT id FROM attempts LIMIT 1') as { id: string };
  for (let row = 1; row <= LATER; row += 1)
    database.transaction(() =>
      store.appendJournal({ attemptId, at: row, event: 'e', from: 'a', to: 'b', details: {} }),
    );
  noteEpoch(database, books.epoch);
  const copy = copyOf(books, join(aFolder(), 'killed'));
  copyFileSync(`${books.database}-wal`, `${copy.database}-wal`);
  database.close();
  return copy;
}

/** Which row is named as the first broken one when a bit of the log is another; null: none. */
function named(books: StateFiles, log: Buffer, at: number): number | null {
  const copy = Buffer.from(log);
  copy.writeUInt8(copy.readUInt8(at) ^ (1 << (at % 8)), at);
  writeFileSync(`${books.database}-wal`, copy);
  rmSync(`${books.database}-shm`, { force: true });
  const database = openForReading(books.database);
  try {
    const check = checkJournal(database, { note: readEpochNote(books.epoch), anchors: [] });
    return check.kind === 'broken' ? check.seq : null;
  } finally {
    database.close();
  }
}

describe('one flipped bit in the log of a daemon that was killed', () => {
  it('is named by the first row that is lost with it', { timeout: 120_000 }, async () => {
    const books = await killed();
    const log = readFileSync(`${books.database}-wal`);
    const wrong: string[] = [];
    let commits = 0;
    const isCommit = (frame: number) => log.readUInt32BE(LOG_HEADER_BYTES + frame * FRAME_BYTES + 4) !== 0;
    const frames = Math.floor((log.length - LOG_HEADER_BYTES) / FRAME_BYTES);
    const total = Array.from({ length: frames }, (_, frame) => frame).filter(isCommit).length;
    for (let frame = 0; frame < frames; frame += 1) {
      const lost = Math.max(ROWS + 1, ROWS + LATER - (total - commits) + 1);
      for (const inFrame of [0, 5, 9, 17, FRAME_HEADER_BYTES, 700, 2048, FRAME_BYTES - 1]) {
        const found = named(books, log, LOG_HEADER_BYTES + frame * FRAME_BYTES + inFrame);
        if (found !== lost) wrong.push(`byte ${inFrame} of frame ${frame}: ${found} instead of ${lost}`);
      }
      if (isCommit(frame)) commits += 1;
    }
    expect(total).toBeGreaterThanOrEqual(LATER);
    expect(wrong).toEqual([]);
    expect(named(books, log, 3)).toBe(ROWS + 1);
  });
});
