import { messageOf } from '../../base/errors.ts';
import { epochOf } from '../epoch/epoch.ts';
import type { FoundNote } from '../epoch/epoch-note.ts';
import { firstOddCell } from '../journal/journal-cells.ts';
import {
  type ChainBreak,
  type ChainCheck,
  type ChainEnd,
  chainEnd,
  chainStart,
  checkRows,
  hashAt,
  JOURNAL_ROWS,
  journalRowsAfter,
} from '../journal/journal-chain.ts';
import type { Readable, Reading } from '../read-only-database.ts';

/** The files beside a database that record how far its journal had come; to be read before the database. */
export interface Beside {
  readonly note: FoundNote;
  readonly anchors: readonly ChainEnd[];
}

/** For a database without any such file. */
export const NOTHING_BESIDE: Beside = { note: { kind: 'missing' }, anchors: [] };

/**
 * Checks the whole journal: every row against its neighbours, against the files beside the database, and as bytes in its page. Never throws: an
 * unreadable row is a break.
 */
export function checkJournal(database: Reading, beside: Beside): ChainCheck {
  return uncut(database, () => checkOnce(database, beside));
}

function checkOnce(database: Reading, beside: Beside): ChainCheck {
  const chain = checkRowsOf(database, witnessesOf(database, beside));
  const odd = oddRow(database);
  if (odd === null || (chain.kind === 'broken' && chain.seq <= odd)) return chain;
  return {
    kind: 'broken',
    seq: odd,
    attemptId: attemptAt(database, odd),
    what: 'the row is damaged where no statement reads it',
  };
}

/** During the check a daemon may have archived the first rows. */
function uncut<T extends ChainCheck>(database: Reading, check: () => T): T {
  const before = startOf(database);
  const found = check();
  return found.kind === 'broken' && startOf(database) !== before ? check() : found;
}

function startOf(database: Readable): number | null {
  try {
    return chainStart(database).count;
  } catch {
    return null;
  }
}

/** Which part was checked: all of it, or the rows after an anchor. */
export type Looked = ChainCheck & { readonly since: ChainEnd | null };

/**
 * The same for the rows after the newest anchor, when the journal before it is longer than `mostRows`: an anchor is written on a day on which all
 * rows before it were checked, and its row must still have its hash.
 */
export function checkJournalSince(database: Reading, beside: Beside, mostRows: number): Looked {
  const witnesses = witnessesOf(database, beside);
  const newest = beside.anchors.findLast(({ count }) => count > 0 && count <= lengthOf(database));
  if (!newest || newest.count <= mostRows || !isOf(database, newest))
    return { ...checkJournal(database, beside), since: null };
  const later = witnesses.filter(({ count }) => count > newest.count);
  return { ...uncut(database, () => checkRowsBehind(database, newest, later)), since: newest };
}

function checkRowsBehind(database: Reading, from: ChainEnd, witnesses: readonly ChainEnd[]): ChainCheck {
  try {
    return checkRows(database, database.each(journalRowsAfter(from.count)), witnesses, from);
  } catch (error) {
    return {
      kind: 'broken',
      seq: from.count + 1,
      attemptId: null,
      what: `the journal cannot be read: ${messageOf(error)}`,
    };
  }
}

function lengthOf(database: Readable): number {
  try {
    return chainEnd(database).count;
  } catch {
    return 0;
  }
}

function checkRowsOf(database: Reading, witnesses: readonly ChainEnd[]): ChainCheck {
  try {
    return checkRows(database, database.each(JOURNAL_ROWS), witnesses);
  } catch (error) {
    return {
      kind: 'broken',
      seq: 1,
      attemptId: null,
      what: `the journal cannot be read: ${messageOf(error)}`,
    } satisfies ChainBreak;
  }
}

/** Other checks find pages that cannot be read: the reader of the rows, or the check of the pages. */
function oddRow(database: Reading): number | null {
  try {
    const place = firstOddCell(database);
    return place === null ? null : chainStart(database).count + place;
  } catch {
    return null;
  }
}

function attemptAt(database: Readable, seq: number): string | null {
  const row = database.get('SELECT attempt_id FROM journal WHERE seq = ?', seq);
  return typeof row === 'object' && row !== null && 'attempt_id' in row ? String(row.attempt_id) : null;
}

/** The entries of those files that are about this database; after a restore, or beside another shop's database, there is none. */
function witnessesOf(database: Readable, { note, anchors }: Beside): readonly ChainEnd[] {
  const known = note.kind === 'note' || note.kind === 'bare' ? note.note : null;
  if (known?.restored) return [];
  if (known && known.epoch === storedEpoch(database))
    return known.count === 0 ? anchors : [...anchors, known];
  return anchors.some((anchor) => isOf(database, anchor)) ? anchors : [];
}

function storedEpoch(database: Readable): string | null {
  try {
    return epochOf(database);
  } catch {
    return null;
  }
}

function isOf(database: Readable, { count, hash }: ChainEnd): boolean {
  try {
    return count > 0 && hashAt(database, count) === hash;
  } catch {
    return false;
  }
}
