import Sqlite from 'better-sqlite3';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  type Beside,
  checkJournalSince,
  NOTHING_BESIDE,
} from '../../../../src/store/inspection/journal-check.ts';
import { hashAt } from '../../../../src/store/journal/journal-chain.ts';
import { openForReading } from '../../../../src/store/read-only-database.ts';
import { aDay, type StateFiles, stateFilesOf } from '../../cli/books.ts';

const ANCHORED = 20;
const ROWS = 35;

let books: StateFiles;
beforeEach(async () => {
  books = await stateFilesOf(aDay);
});

function change(sql: string): void {
  const database = new Sqlite(books.database).unsafeMode();
  database.exec(
    `DROP TRIGGER IF EXISTS journal_is_not_changed; DROP TRIGGER IF EXISTS journal_is_not_deleted; ${sql}`,
  );
  database.close();
}

/** The anchor of a day on which the journal had twenty rows. */
function anchored(): Beside {
  const database = openForReading(books.database);
  const hash = hashAt(database, ANCHORED) ?? '';
  database.close();
  return { ...NOTHING_BESIDE, anchors: [{ count: ANCHORED, hash }] };
}

function look(beside: Beside, mostRows: number) {
  const database = openForReading(books.database);
  try {
    return checkJournalSince(database, beside, mostRows);
  } finally {
    database.close();
  }
}

describe('a long journal', () => {
  it('is read from its newest anchor on, and ends where the whole one ends', () => {
    const beside = anchored();
    const since = look(beside, 10);
    expect(since).toMatchObject({ kind: 'whole', count: ROWS, since: { count: ANCHORED } });
    expect(look(beside, ROWS)).toMatchObject({ kind: 'whole', count: ROWS, since: null });
  });

  it('shows every row that was changed or cut off since, and none before', () => {
    const beside = anchored();
    change('UPDATE journal SET at = at + 1 WHERE seq = 7');
    expect(look(beside, 10)).toMatchObject({ kind: 'whole' });
    expect(look(beside, ROWS)).toMatchObject({ kind: 'broken', seq: 7 });
    change('UPDATE journal SET at = at + 1 WHERE seq = 27');
    expect(look(beside, 10)).toMatchObject({ kind: 'broken', seq: 27 });
  });

  it('is read from its first row where the anchor fits it no more', () => {
    const beside = anchored();
    change(`UPDATE journal SET hash = '${'a'.repeat(64)}' WHERE seq = ${ANCHORED}`);
    expect(look(beside, 10)).toMatchObject({ kind: 'broken', since: null });
  });

  it('that is shorter than its anchor is read as a whole, and lacks the rows that were anchored', () => {
    const beside = anchored();
    change('DELETE FROM journal WHERE seq > 15');
    const found = look(beside, 10);
    expect(found).toMatchObject({ since: null });
  });
});
